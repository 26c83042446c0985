/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A number to print: an exact fraction where one is known (counts stay exact
 * beyond 2^53), else a real.
 */
#ifndef MODEL_NUM_H
#define MODEL_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any plain decimal that num_decimal() prints. */
#define NUM_LEN 400

/**
 * enum num_kind - what a struct num holds
 * @NUM_ABSENT: nothing: not measured, which is not zero
 * @NUM_RATIO: an exact fraction
 * @NUM_REAL: a finite double
 */
enum num_kind { NUM_ABSENT, NUM_RATIO, NUM_REAL };

/**
 * struct num - a number, or its absence
 * @kind: which of the others counts
 * @p: numerator, of NUM_RATIO
 * @q: denominator, of NUM_RATIO; 1 and up
 * @real: of NUM_REAL
 */
struct num {
	enum num_kind kind;
	__int128_t p;
	uint64_t q;
	double real;
};

struct num num_absent(void);
struct num num_ratio(__int128_t p, uint64_t q);
struct num num_real(double real);
double num_double(struct num n);
bool num_is_zero(struct num n);
bool num_is_whole(struct num n);
struct num num_diff(struct num a, struct num b);
void num_decimal(struct num n, int decimals, char *buf, size_t size);

#endif
