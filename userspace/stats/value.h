/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One number a run: what a row of a table is made of.
 */
#ifndef STATS_VALUE_H
#define STATS_VALUE_H

#include "stats/doc.h"

/* Zones that a row of vmstat may be of, none at all included. */
#define VMSTAT_ZONES	7
/* Room for the name of a row whose zones are told apart. */
#define VMSTAT_NAME	128

/**
 * enum value_kind - which number of a run
 * @VALUE_COUNT: times in a histogram
 * @VALUE_TOTAL_US: their sum, us
 * @VALUE_AVG_US: their average, us
 * @VALUE_MAX_US: the greatest, us
 * @VALUE_PERCENTILE_US: a percentile, us; @arg in 1/10000
 * @VALUE_DECADE: times in a decade; @arg is which
 * @VALUE_COUNTER: a counter
 * @VALUE_VMSTAT: a row of vmstat; @arg: zones are summed
 * @VALUE_METRIC: what the workload reported
 * @VALUE_COUNT_PER_S: times a second
 * @VALUE_TOTAL_PER_S: us a second
 * @VALUE_COUNT_PER_WORK: times per unit of work; @name2 is the metric
 */
enum value_kind {
	VALUE_COUNT, VALUE_TOTAL_US, VALUE_AVG_US, VALUE_MAX_US,
	VALUE_PERCENTILE_US, VALUE_DECADE, VALUE_COUNTER, VALUE_VMSTAT,
	VALUE_METRIC, VALUE_COUNT_PER_S, VALUE_TOTAL_PER_S,
	VALUE_COUNT_PER_WORK,
};

/**
 * struct value - which number of a run
 * @kind: kind
 * @name: of the histogram, counter, row or metric
 * @name2: a second name
 * @arg: by kind
 * @hint: where @name was found last
 */
struct value {
	enum value_kind kind;
	const char *name, *name2;
	unsigned int arg;
	size_t hint;
};

enum cell_state value_of(const struct run *run, struct value *which,
			 struct num *out, bool *bound);
size_t vmstat_base(const char *name);
bool vmstat_zone(const char *base, unsigned int i, char *buf, size_t size);

#endif
