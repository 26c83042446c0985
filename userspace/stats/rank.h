/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two small samples compared by ranks: exact Mann-Whitney with midranks,
 * Hodges-Lehmann shift, exact Moses interval.  No I/O, no state.
 */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* Up to this many values a side everything is exact. */
#define RANK_EXACT_MAX	20

/* Fewer values a side than this: nothing can be told, and it is said. */
#define RANK_FEW	4

/* What the interval covers at least. */
#define RANK_COVERAGE	0.95

int rank_p(const double *x, size_t m, const double *y, size_t n, double *p);
size_t rank_moses_k(size_t m, size_t n);
int rank_shift(const double *x, size_t m, const double *y, size_t n,
	       double *shift, double *low, double *high, bool *has_interval);
int rank_median(const double *x, size_t n, double *median);

#endif
