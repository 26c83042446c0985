// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums over the CPUs, each read in one piece.
 *
 * A probe marks its CPU while it counts (guard.h, and the fast paths).  While
 * recording, a CPU is read by an interrupt; where that has come upon such a mark it
 * comes again: no event is half counted, however busy the CPU is and with what.
 * Between CPUs some time passes: an operation that ends on one while another is
 * read may be counted without its beginning, which is what the equations show as
 * in flight.  Sums of a stopped recorder are exact, and disturb no CPU.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "../core/context.h"
#include "../core/holders.h"
#include "../core/state.h"
#include "hist_percpu.h"
#include "totals.h"

/*
 * How often a CPU is asked, half a millisecond apart and more.  A probe counts for
 * less than a microsecond: a second time is rare, a hundredth is no chance.
 */
#define MLS_ASK_TIMES	100

/**
 * struct question - to one CPU
 * @totals: what its sums are added to
 * @answered: they have been
 */
struct question {
	struct mls_totals *totals;
	bool answered;
};

static void sum_cpu(struct mls_totals *totals, int cpu)
{
	int i;

	for (i = 0; i < MLS_NR_SERIES; i++)
		mls_hist_merge(&totals->hist[i], per_cpu_ptr(mls_hists[i], cpu));
	mls_health_add(&totals->counters, cpu);
}

/* Interrupts are off: on this CPU nothing else counts meanwhile. */
static void sum_here(void *data)
{
	struct question *question = data;
	int level;

	for (level = 0; level < MLS_NR_LEVELS; level++) {
		if (__this_cpu_read(mls_guard_busy[level]))
			return;
	}
	sum_cpu(question->totals, smp_processor_id());
	question->answered = true;
}

/* Has it answered?  A CPU that is offline counts nothing. */
static bool ask(struct question *question, int cpu)
{
	cpus_read_lock();
	if (smp_call_function_single(cpu, sum_here, question, true)) {
		sum_cpu(question->totals, cpu);
		question->answered = true;
	}
	cpus_read_unlock();
	return question->answered;
}

static int sum_recording_cpu(struct mls_totals *totals, int cpu)
{
	struct question question = { .totals = totals };
	int i;

	for (i = 0; i < MLS_ASK_TIMES; i++) {
		if (ask(&question, cpu))
			return 0;
		if (fatal_signal_pending(current))
			return -EINTR;
		usleep_range(500, 1000);
	}
	return -EAGAIN;
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
 * @recording: probes may count meanwhile
 *
 * Context: Process, may sleep.
 * Return: 0; -EINTR where the caller is killed; -EAGAIN where a CPU was in the
 * midst of an event each time it was asked.  Then @totals is of no use.
 */
int mls_totals_take(struct mls_totals *totals, bool recording)
{
	int cpu, i, err;

	memset(totals, 0, sizeof(*totals));
	for_each_possible_cpu(cpu) {
		if (!recording) {
			sum_cpu(totals, cpu);
			continue;
		}
		err = sum_recording_cpu(totals, cpu);
		if (err)
			return err;
	}
	mls_holders_count_open(&totals->open);
	mls_context_count_open(&totals->open);
	spread_fast(totals);
	for (i = 0; i < MLS_NR_SERIES; i++)
		totals->hist_count[i] = mls_hist_count(&totals->hist[i]);
	return 0;
}
