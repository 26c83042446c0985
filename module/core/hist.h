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

unsigned int mls_hist_bucket(u64 value_ns);
u64 mls_hist_lower(unsigned int bucket);
u64 mls_hist_upper(unsigned int bucket);
u64 mls_hist_count(const struct mls_hist *hist);
void mls_hist_merge(struct mls_hist *into, const struct mls_hist *from);

#endif /* MLS_CORE_HIST_H */
