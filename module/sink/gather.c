// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums over the CPUs, each read in one piece.
 *
 * A CPU's own worker does it, with interrupts off: probes run with preemption off,
 * so none is half done there, and every event is in all of its counters and
 * histograms or in none.  Between CPUs some time passes: an operation that ends
 * on one while another is read may be counted without its beginning, which is
 * what the equations show as in flight.  Sums of a stopped recorder are exact.
 */
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "../core/context.h"
#include "../core/holders.h"
#include "hist_percpu.h"
#include "totals.h"

static void sum_cpu(struct mls_totals *totals, int cpu)
{
	int i;

	for (i = 0; i < MLS_NR_SERIES; i++)
		mls_hist_merge(&totals->hist[i], per_cpu_ptr(mls_hists[i], cpu));
	mls_health_add(&totals->counters, cpu);
}

static int sum_here(void *totals)
{
	unsigned long flags;

	local_irq_save(flags);
	sum_cpu(totals, smp_processor_id());
	local_irq_restore(flags);
	return 0;
}

/* What the fast path counts once belongs to three. */
static void spread_fast(struct mls_totals *totals)
{
	int mode;

	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		u64 fast = totals->counters.fast[mode];

		totals->counters.mode[mode][MLS_C_ATTEMPTS] += fast;
		totals->counters.mode[mode][MLS_C_ACQUIRED] += fast;
		totals->hist[MLS_S_READ_WAIT + mode].bucket[0] += fast;
	}
}

/**
 * mls_totals_take() - sum everything up now
 * @totals: filled
 *
 * Context: Process, may sleep.
 */
void mls_totals_take(struct mls_totals *totals)
{
	int cpu, i;

	memset(totals, 0, sizeof(*totals));
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu) || smp_call_on_cpu(cpu, sum_here, totals, false))
			sum_cpu(totals, cpu);
	}
	cpus_read_unlock();
	mls_holders_count_open(&totals->open);
	mls_context_count_open(&totals->open);
	spread_fast(totals);
	for (i = 0; i < MLS_NR_SERIES; i++)
		totals->hist_count[i] = mls_hist_count(&totals->hist[i]);
}
