/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-CPU counters: what happened, and every event that was not recorded, by
 * cause.  Sums run over possible CPUs, so taking CPUs off and on loses nothing.
 */
#ifndef MLS_CORE_HEALTH_H
#define MLS_CORE_HEALTH_H

#include <linux/percpu.h>

#include "types.h"

/**
 * struct mls_counters - all counters, of one CPU or summed
 * @mode: by mode and enum mls_mode_counter
 * @once: by enum mls_counter
 * @lost: by enum mls_lost
 * @fast: by mode: attempts that became acquisitions after a wait of 0 and are
 *	counted nowhere else; mls_totals_take() adds them where they belong
 */
struct mls_counters {
	u64 mode[MLS_NR_MODES][MLS_NR_MODE_COUNTERS];
	u64 once[MLS_NR_COUNTERS];
	u64 lost[MLS_NR_LOST];
	u64 fast[MLS_NR_MODES];
};

/* Static: an increment is one instruction then. */
DECLARE_PER_CPU(struct mls_counters, mls_counters);

void mls_health_add(struct mls_counters *sum, int cpu);

/*
 * this_cpu_add() and not __this_cpu_add(): an interrupt may count on the same
 * CPU between the read and the write.
 */
static __always_inline void mls_count_mode(enum mls_mode mode,
					   enum mls_mode_counter what, u64 by)
{
	this_cpu_add(mls_counters.mode[mode][what], by);
}

static __always_inline void mls_count_once(enum mls_counter what)
{
	this_cpu_inc(mls_counters.once[what]);
}

static __always_inline void mls_count_lost(enum mls_lost cause)
{
	this_cpu_inc(mls_counters.lost[cause]);
}

#endif /* MLS_CORE_HEALTH_H */
