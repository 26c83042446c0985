// SPDX-License-Identifier: GPL-2.0-only
#include "model/decade.h"

const struct decade decades[NR_DECADES] = {
	{ 0, 1000, "[0, 1)" },
	{ 1000, 10000, "[1, 10)" },
	{ 10000, 100000, "[10, 100)" },
	{ 100000, 1000000, "[100, 1000)" },
	{ 1000000, 10000000, "[1000, 10000)" },
	{ 10000000, 100000000, "[10000, 100000)" },
	{ 100000000, 1000000000, "[100000, 1000000)" },
	{ 1000000000, BUCKET_INF, "[1000000, +)" },
};

/**
 * bucket_straddles - whether a bucket lies in two rows of a table
 * @b: the bucket
 *
 * Context: any.
 * Return: the edge it lies across, ns; 0 when it lies in one row.
 */
uint64_t bucket_straddles(const struct bucket *b)
{
	int i;

	for (i = 1; i < NR_DECADES; i++)
		if (b->lower < decades[i].lower && b->upper > decades[i].lower)
			return decades[i].lower;
	return 0;
}

/**
 * series_decades - sum a histogram up by the rows of a table
 * @s: the histogram, of buckets that lie in one row each
 * @counts: the sums
 *
 * Context: any.
 */
void series_decades(const struct series *s, uint64_t counts[NR_DECADES])
{
	size_t i;
	int d = 0;

	for (d = 0; d < NR_DECADES; d++)
		counts[d] = 0;
	for (i = 0, d = 0; i < s->nr_buckets; i++) {
		while (d < NR_DECADES - 1 &&
		       s->buckets[i].lower >= decades[d].upper)
			d++;
		counts[d] += s->buckets[i].count;
	}
}

/**
 * series_bucket_sum - how many times the buckets hold
 * @s: the histogram
 *
 * Context: any.
 * Return: the sum; it may differ from the count where runs were averaged.
 */
uint64_t series_bucket_sum(const struct series *s)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < s->nr_buckets; i++)
		sum += s->buckets[i].count;
	return sum;
}

/**
 * series_percentile - a percentile, from above
 * @s: the histogram, not empty
 * @per_mille_10: which, in units of 1/10000: 5000 for p50, 9990 for p99.9
 *
 * Context: any.
 * Return: the upper edge of the bucket where that share of the times is
 * reached (of a bucket of one ns, its value), capped at the greatest time, ns;
 * BUCKET_INF when only a bucket without an upper edge is known.
 */
uint64_t series_percentile(const struct series *s, unsigned int per_mille_10)
{
	__uint128_t total = series_bucket_sum(s), seen = 0;
	uint64_t upper = 0;
	size_t i;

	for (i = 0; i < s->nr_buckets; i++) {
		if (!s->buckets[i].count)
			continue;
		seen += s->buckets[i].count;
		upper = s->buckets[i].upper;
		/* Of one ns, it holds one value only: that is no estimate. */
		if (upper - s->buckets[i].lower == 1)
			upper = s->buckets[i].lower;
		if (seen * 10000 >= total * per_mille_10)
			break;
	}
	return s->has_max && s->max_ns < upper ? s->max_ns : upper;
}
