// SPDX-License-Identifier: GPL-2.0-only
/* Per-CPU counters; see health.h. */
#include <linux/build_bug.h>

#include "health.h"

DEFINE_PER_CPU(struct mls_counters, mls_counters);

/**
 * mls_health_add() - add one CPU's counters to a sum
 * @sum: grows
 * @cpu: which CPU
 *
 * Context: Process.  In one piece on that CPU with interrupts off, or where
 * nothing is being counted.
 */
void mls_health_add(struct mls_counters *sum, int cpu)
{
	const u64 *from = (const u64 *)per_cpu_ptr(&mls_counters, cpu);
	u64 *to = (u64 *)sum;
	size_t i;

	BUILD_BUG_ON(sizeof(struct mls_counters) % sizeof(u64));
	for (i = 0; i < sizeof(struct mls_counters) / sizeof(u64); i++)
		to[i] += READ_ONCE(from[i]);
}
