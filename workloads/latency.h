/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of single operations: a histogram of fixed size that holds no pointer,
 * so that it can live in memory shared between processes.
 */
#ifndef MMLOCKLOAD_LATENCY_H
#define MMLOCKLOAD_LATENCY_H

#include <stdint.h>

/* Every power of two is cut in 64: a percentile is at most 1.6 % too high. */
#define ML_LATENCY_SUB_BITS	6
#define ML_LATENCY_SUB		(1 << ML_LATENCY_SUB_BITS)
#define ML_LATENCY_BUCKETS	((64 - ML_LATENCY_SUB_BITS + 1) * ML_LATENCY_SUB)

/**
 * struct ml_latency - distribution of times in ns
 * @count: how many
 * @sum_ns: their sum
 * @min_ns: the least, meaningless while @count is 0
 * @max_ns: the greatest
 * @over: how many were above @limit_ns
 * @limit_ns: what @over counts against; 0 for none
 * @bucket: how many by size, see latency.c
 */
struct ml_latency {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t over;
	uint64_t limit_ns;
	uint32_t bucket[ML_LATENCY_BUCKETS];
};

void ml_latency_add(struct ml_latency *lat, uint64_t ns);
void ml_latency_merge(struct ml_latency *into, const struct ml_latency *from);
uint64_t ml_latency_percentile(const struct ml_latency *lat, double percent);
double ml_latency_us(uint64_t ns);

#endif /* MMLOCKLOAD_LATENCY_H */
