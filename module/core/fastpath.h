/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The common case, in as few instructions as it takes: a task with nothing else
 * open takes a lock without waiting, and releases it.
 *
 * Both functions do the whole work or nothing; what they leave goes the general
 * way (acct.c), which knows every case.  They call no function: none that could be
 * hooked, so nothing at the task's level can enter in between, and interrupts
 * keep their state elsewhere.  And so they need no register saved.  The guard is
 * looked at, and set while they count, for who reads this CPU's sums.
 */
#ifndef MLS_CORE_FASTPATH_H
#define MLS_CORE_FASTPATH_H

#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../sink/hist_percpu.h"
#include "clock.h"
#include "health.h"
#include "holders.h"

/**
 * mls_fast_context() - is this a task with interrupts on?
 *
 * Context: Any, preemption off.
 * Return: false in NMI and interrupts, and with interrupts off.
 */
static __always_inline bool mls_fast_context(void)
{
#ifdef CONFIG_PREEMPT_RT
	return in_task() && !irqs_disabled();
#else
	return !(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)) &&
	       !irqs_disabled();
#endif
}

/**
 * mls_fast_acquired() - a successful acquire_returned
 * @mm: the mm
 * @mode: how it is locked
 *
 * Context: mls_fast_context(), preemption off, waits start in the slow path,
 * no filter, the clock is the TSC.
 * Return: false where nothing has been done: the task has something open
 * (another hold, a slow path behind it), or its home slot is not free.
 */
static __always_inline bool mls_fast_acquired(struct mm_struct *mm,
					      enum mls_mode mode)
{
	struct mls_holder *slot = mls_holder_home(current);

	if (unlikely(READ_ONCE(slot->task) || atomic_read(&slot->displaced)))
		return false;
	/* Acquire: pairs with the release of the slot. */
	if (unlikely(cmpxchg_acquire(&slot->task, NULL, current)))
		return false;
	slot->nr_uses = 1;
	WRITE_ONCE(slot->use[0].mm, mm);
	mls_seq_first(&slot->use[0].seq, mode, mls_clock_tsc_ns());
	this_cpu_inc(mls_counters.fast[mode & 1]);
	return true;
}

/**
 * mls_fast_released() - a released event
 * @mm: the mm
 * @mode: how it was locked
 *
 * Context: As mls_fast_acquired().
 * Return: false where nothing has been done: this hold is not the only thing
 * that the task has open, its slot does not lie at its home, or the hold is the
 * longest so far.
 */
static __always_inline bool mls_fast_released(struct mm_struct *mm,
					      enum mls_mode mode)
{
	struct mls_holder *slot = mls_holder_home(current);
	struct mls_use *use = &slot->use[0];
	u64 now_ns;

	if (unlikely(READ_ONCE(slot->task) != current || use->mm != mm ||
		     slot->nr_uses != 1 || slot->slow_sem ||
		     !mls_seq_is_only(&use->seq, mode)))
		return false;
	now_ns = mls_clock_tsc_ns();
	if (unlikely(now_ns < use->seq.hold_since_ns))
		return false;
	if (!mls_hist_percpu_add_fast(MLS_S_READ_HOLD + (mode & 1),
				      now_ns - use->seq.hold_since_ns))
		return false;
	mls_count_mode(mode & 1, MLS_C_RELEASED, 1);
	use->seq.depth = 0;
	WRITE_ONCE(use->mm, NULL);
	slot->nr_uses = 0;
	/* Release: the next owner finds it idle. */
	smp_store_release(&slot->task, NULL);
	return true;
}

#endif /* MLS_CORE_FASTPATH_H */
