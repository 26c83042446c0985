// SPDX-License-Identifier: GPL-2.0-only
/* Per-CPU counters; see health.h. */
#include <linux/build_bug.h>
#include <linux/string.h>

#include "health.h"

DEFINE_PER_CPU(struct mls_counters, mls_counters);

static u64 sum_of(size_t offset)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*(u64 *)((char *)per_cpu_ptr(&mls_counters, cpu) + offset));
	return sum;
}

#define SUM(into, member) \
	((into)->member = sum_of(offsetof(struct mls_counters, member)))

/**
 * mls_health_sum() - add up the counters of all CPUs
 * @sum: filled
 *
 * Exact when nothing is being recorded.  On a running recorder effects are read
 * before their causes (releases, then acquisitions, then attempts): where CPUs
 * make their stores visible in order, as on x86, what the equations leave is
 * then not below what was in flight; elsewhere it may be off in both directions.
 *
 * Context: Process.
 */
void mls_health_sum(struct mls_counters *sum)
{
	int mode, what;

	/* A counter that is added and forgotten below would show as 0, or fail: */
	BUILD_BUG_ON(MLS_NR_MODE_COUNTERS != 11 || MLS_NR_COUNTERS != 2);
	memset(sum, 0, sizeof(*sum));

	for (what = 0; what < MLS_NR_LOST; what++)
		SUM(sum, lost[what]);

	SUM(sum, mode[MLS_READ][MLS_C_RELEASED]);
	SUM(sum, mode[MLS_READ][MLS_C_STALE_HOLD]);
	barrier(); /* a downgrade comes before the release of its read hold */
	SUM(sum, once[MLS_C_DOWNGRADED]);
	SUM(sum, mode[MLS_WRITE][MLS_C_RELEASED]);
	SUM(sum, mode[MLS_WRITE][MLS_C_STALE_HOLD]);
	barrier(); /* acquisitions come before downgrades and releases */
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		SUM(sum, mode[mode][MLS_C_ORPHAN_RELEASE]);
		SUM(sum, mode[mode][MLS_C_NESTED]);
		SUM(sum, mode[mode][MLS_C_ACQUIRED]);
		SUM(sum, fast[mode]);
		SUM(sum, mode[mode][MLS_C_TRYLOCK_FAILED]);
		SUM(sum, mode[mode][MLS_C_ABORTED]);
		SUM(sum, mode[mode][MLS_C_ABORTED_WAIT_NS]);
		SUM(sum, mode[mode][MLS_C_STALE_WAIT]);
	}
	barrier(); /* attempts come before acquisitions */
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		SUM(sum, mode[mode][MLS_C_ORPHAN_ACQUIRE]);
		SUM(sum, mode[mode][MLS_C_ATTEMPTS]);
		sum->mode[mode][MLS_C_ACQUIRED] += sum->fast[mode];
		sum->mode[mode][MLS_C_ATTEMPTS] += sum->fast[mode];
	}
	SUM(sum, once[MLS_C_NEGATIVE_TIME]);
}
