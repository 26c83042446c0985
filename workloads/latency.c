// SPDX-License-Identifier: GPL-2.0-only
/* Histograms of single operations' times. */

#include <stddef.h>

#include "latency.h"

/* Below 64 ns each value has its bucket; above, 64 buckets a power of two. */
static unsigned int latency_index(uint64_t ns)
{
	unsigned int msb, shift;

	if (ns < ML_LATENCY_SUB)
		return ns;
	msb = 63 - __builtin_clzll(ns);
	shift = msb - ML_LATENCY_SUB_BITS;
	return (shift + 1) * ML_LATENCY_SUB + ((ns >> shift) & (ML_LATENCY_SUB - 1));
}

/* The greatest value that falls in bucket @index. */
static uint64_t latency_upper(unsigned int index)
{
	unsigned int shift;
	uint64_t lower;

	if (index < ML_LATENCY_SUB)
		return index;
	shift = index / ML_LATENCY_SUB - 1;
	lower = (uint64_t)(ML_LATENCY_SUB + index % ML_LATENCY_SUB) << shift;
	return lower + ((UINT64_C(1) << shift) - 1);
}

/**
 * ml_latency_add() - count one time
 * @lat: where
 * @ns: how long it took, in ns
 *
 * Context: one writer a struct; nothing is locked.
 */
void ml_latency_add(struct ml_latency *lat, uint64_t ns)
{
	if (!lat->count || ns < lat->min_ns)
		lat->min_ns = ns;
	if (ns > lat->max_ns)
		lat->max_ns = ns;
	if (lat->limit_ns && ns > lat->limit_ns)
		lat->over++;
	lat->count++;
	lat->sum_ns += ns;
	lat->bucket[latency_index(ns)]++;
}

/**
 * ml_latency_merge() - add one distribution to another
 * @into: what grows; its limit stays as it is
 * @from: what is added
 *
 * Context: nobody writes to either meanwhile.
 */
void ml_latency_merge(struct ml_latency *into, const struct ml_latency *from)
{
	unsigned int i;

	if (!from->count)
		return;
	if (!into->count || from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->over += from->over;
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	for (i = 0; i < ML_LATENCY_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

/**
 * ml_latency_percentile() - the time that @percent of the operations kept to
 * @lat: the distribution
 * @percent: 0 to 100
 *
 * Return: upper edge of the bucket that the nearest rank falls in, capped at
 * the maximum, in ns; 0 if nothing was counted.
 */
uint64_t ml_latency_percentile(const struct ml_latency *lat, double percent)
{
	double exact = percent / 100.0 * (double)lat->count;
	uint64_t rank = (uint64_t)exact;
	uint64_t seen = 0;
	unsigned int i;

	if ((double)rank < exact || !rank)
		rank++;
	for (i = 0; i < ML_LATENCY_BUCKETS; i++) {
		uint64_t upper = latency_upper(i);

		seen += lat->bucket[i];
		if (seen >= rank)
			return upper < lat->max_ns ? upper : lat->max_ns;
	}
	return lat->max_ns;
}

/**
 * ml_latency_us() - ns as us
 * @ns: nanoseconds
 *
 * Return: microseconds, with the fraction.
 */
double ml_latency_us(uint64_t ns)
{
	return (double)ns / 1000.0;
}
