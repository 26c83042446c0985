// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decimal log-linear histograms: the tables of mls_hist_bucket(), bucket ->
 * bounds, merge.
 */
#include "hist.h"

const u64 mls_hist_pow10[] = {
	1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL,
	10000000ULL, 100000000ULL, 1000000000ULL, 10000000000ULL,
	100000000000ULL, 1000000000000ULL,
};

/*
 * floor(log10(2^n)) for a value whose highest set bit is n: the decade, or one
 * below it.
 */
const u8 mls_hist_decade_of_bit[40] = {
	0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5,
	6, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 11, 11, 11,
};

#define MLS_RECIPROCAL(five) ((1ULL << MLS_RECIPROCAL_SHIFT) / (five) + 1)

/*
 * v / 10^m is (v >> m) / 5^m, and that is ((v >> m) * M) >> 57 with
 * M = floor(2^57 / 5^m) + 1.  Here v < 10^(m + 2), so (v >> m) < 100 * 5^m:
 * the product stays below 100 * 2^57 + 100 * 5^m < 2^64, and the excess of M
 * moves the quotient by less than 100 * 5^m / 2^57, which is below 1 / 5^m, the
 * distance of an inexact quotient from the next integer, up to m = 10.
 */
const u64 mls_hist_reciprocal[] = {
	0,
	MLS_RECIPROCAL(5ULL),
	MLS_RECIPROCAL(25ULL),
	MLS_RECIPROCAL(125ULL),
	MLS_RECIPROCAL(625ULL),
	MLS_RECIPROCAL(3125ULL),
	MLS_RECIPROCAL(15625ULL),
	MLS_RECIPROCAL(78125ULL),
	MLS_RECIPROCAL(390625ULL),
	MLS_RECIPROCAL(1953125ULL),
	MLS_RECIPROCAL(9765625ULL),
};

/**
 * mls_hist_lower() - the least value of a bucket
 * @bucket: index; beyond the last bucket there is nothing: U64_MAX
 *
 * Context: Any.
 * Return: The bucket's inclusive lower bound, ns.
 */
u64 mls_hist_lower(unsigned int bucket)
{
	unsigned int decade, digits;

	if (bucket < MMLOCKSTAT_NR_EXACT)
		return bucket;
	if (bucket >= MMLOCKSTAT_NR_BUCKETS)
		return ~0ULL;
	bucket -= MMLOCKSTAT_NR_EXACT;
	decade = bucket / MMLOCKSTAT_NR_PER_DECADE;
	digits = bucket % MMLOCKSTAT_NR_PER_DECADE + 10;

	return digits * mls_hist_pow10[decade + 1];
}

/**
 * mls_hist_upper() - the first value above a bucket
 * @bucket: index
 *
 * Context: Any.
 * Return: The bucket's exclusive upper bound, ns; U64_MAX, for infinity, at the
 * overflow bucket.
 */
u64 mls_hist_upper(unsigned int bucket)
{
	return mls_hist_lower(bucket + 1);
}

/**
 * mls_hist_count() - how many values a histogram holds
 * @hist: the histogram
 *
 * Context: Any.
 * Return: The sum of its buckets.
 */
u64 mls_hist_count(const struct mls_hist *hist)
{
	u64 count = 0;
	unsigned int i;

	for (i = 0; i < MMLOCKSTAT_NR_BUCKETS; i++)
		count += hist->bucket[i];
	return count;
}

/**
 * mls_hist_merge() - add one histogram to another
 * @into: grows by @from
 * @from: unchanged
 *
 * The order of merges does not matter.
 *
 * Context: Any; the caller sees to it that @into does not change meanwhile.
 */
void mls_hist_merge(struct mls_hist *into, const struct mls_hist *from)
{
	unsigned int i;

	into->sum_ns += from->sum_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	/* Most are empty: lines of @into that nobody needs are not touched. */
	for (i = 0; i < MMLOCKSTAT_NR_BUCKETS; i++) {
		if (from->bucket[i])
			into->bucket[i] += from->bucket[i];
	}
}
