/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decimal log-linear histograms of nanoseconds, two significant digits.
 *
 * PURE: no clock, no allocation, no kernel service; also compiled for the
 * host's tests and for the reader.  The layout of the buckets is a contract,
 * see include/uapi/mmlockstat.h.
 */
#ifndef MLS_CORE_HIST_H
#define MLS_CORE_HIST_H

#include "port.h"
#include "../../include/uapi/mmlockstat.h"

/**
 * struct mls_hist - one histogram
 * @sum_ns: sum of all values, ns
 * @max_ns: greatest value, ns; 0 where there is none
 * @bucket: number of values a bucket; their sum is the count
 */
struct mls_hist {
	u64 sum_ns;
	u64 max_ns;
	u64 bucket[MMLOCKSTAT_NR_BUCKETS];
};

/* Tables of mls_hist_bucket(), see hist.c. */
extern const u64 mls_hist_pow10[];
extern const u8 mls_hist_decade_of_bit[];
extern const u64 mls_hist_reciprocal[];

/* The lowest decade with buckets of its own is 10^2 .. 10^3. */
#define MLS_FIRST_DECADE 2
#define MLS_RECIPROCAL_SHIFT 57

/**
 * mls_hist_bucket() - the bucket of a value
 * @value_ns: any value, ns
 *
 * One count-leading-zeros, three table loads, one multiplication; no division, no
 * loop.
 *
 * Context: Any, NMI included.
 * Return: Index below MMLOCKSTAT_NR_BUCKETS; the last for 10^12 ns and more.
 */
static inline unsigned int mls_hist_bucket(u64 value_ns)
{
	unsigned int decade, scale, digits;

	if (value_ns < MMLOCKSTAT_NR_EXACT)
		return (unsigned int)value_ns;
	if (value_ns >= mls_hist_pow10[MLS_FIRST_DECADE + MMLOCKSTAT_NR_DECADES])
		return MMLOCKSTAT_NR_BUCKETS - 1;

	decade = mls_hist_decade_of_bit[63 - __builtin_clzll(value_ns)];
	if (value_ns >= mls_hist_pow10[decade + 1])
		decade++;
	scale = decade - 1;
	digits = ((value_ns >> (scale & 63)) * mls_hist_reciprocal[scale]) >>
		 MLS_RECIPROCAL_SHIFT;

	return MMLOCKSTAT_NR_EXACT +
	       (decade - MLS_FIRST_DECADE) * MMLOCKSTAT_NR_PER_DECADE +
	       digits - 10;
}

u64 mls_hist_lower(unsigned int bucket);
u64 mls_hist_upper(unsigned int bucket);
u64 mls_hist_count(const struct mls_hist *hist);
void mls_hist_merge(struct mls_hist *into, const struct mls_hist *from);

#endif /* MLS_CORE_HIST_H */
