// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums over the CPUs, each read in one piece.
 *
 * Every event counts with preemption off, in all of its counters and histograms.
 * So a CPU is read by an interrupt that has come upon code with preemption on:
 * no event is half counted there, however busy the CPU is and with what.  Between
 * CPUs some time passes: an operation that ends on one while another is read may
 * be counted without its beginning, which is what the equations show as in
 * flight.  Sums of a stopped recorder are exact.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "../core/context.h"
#include "../core/holders.h"
#include "hist_percpu.h"
#include "totals.h"

/*
 * How often a CPU is asked, a millisecond apart, before its own worker is waited
 * for.  Half of the questions may meet a spinlock; that fifty in a row do says
 * that the CPU does little else.
 */
#define MLS_ASK_TIMES	50

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

static void sum_here(struct question *question)
{
	sum_cpu(question->totals, smp_processor_id());
	question->answered = true;
}

/*
 * Did this interrupt come upon code in which no event is half counted?  Where
 * preemption is not counted, only the worker tells.
 */
static bool came_between_events(void)
{
	int count = preempt_count();

	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		return false;
	/* Called by the asker itself, or by the idle loop. */
	if (!in_hardirq())
		return true;
	/* Directly upon a task, not upon another interrupt. */
	if ((count & ~PREEMPT_MASK) != HARDIRQ_OFFSET)
		return false;
	/* The idle task never has preemption on; and it locks nothing. */
	return !(count & PREEMPT_MASK) || is_idle_task(current);
}

static void ask_by_interrupt(void *question)
{
	if (came_between_events())
		sum_here(question);
}

static int ask_by_worker(void *question)
{
	unsigned long flags;

	local_irq_save(flags);
	sum_here(question);
	local_irq_restore(flags);
	return 0;
}

/* Adds nothing where the CPU is not online. */
static bool sum_online(struct mls_totals *totals, int cpu)
{
	struct question question = { .totals = totals };
	int i;

	for (i = 0; i < MLS_ASK_TIMES; i++) {
		if (smp_call_function_single(cpu, ask_by_interrupt, &question, true))
			return false;
		if (question.answered)
			return true;
		if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
			break;
		usleep_range(500, 1000);
	}
	smp_call_on_cpu(cpu, ask_by_worker, &question, false);
	return question.answered;
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
		if (!cpu_online(cpu) || !sum_online(totals, cpu))
			sum_cpu(totals, cpu);
	}
	cpus_read_unlock();
	mls_holders_count_open(&totals->open);
	mls_context_count_open(&totals->open);
	spread_fast(totals);
	for (i = 0; i < MLS_NR_SERIES; i++)
		totals->hist_count[i] = mls_hist_count(&totals->hist[i]);
}
