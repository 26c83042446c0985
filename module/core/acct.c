// SPDX-License-Identifier: GPL-2.0-only
/*
 * From one event of a probe to counters and histograms.
 *
 * Cost of an event, without the kernel's own part: docs/overhead.md.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "../sink/hist_percpu.h"
#include "../compat/mmap_lock.h"
#include "acct.h"
#include "clock.h"
#include "context.h"
#include "filter.h"
#include "guard.h"
#include "health.h"
#include "holders.h"

DEFINE_PER_CPU(u8[MLS_NR_LEVELS], mls_guard_busy);

/*
 * All probes are attached while this is false, then it is set: a task whose
 * start was seen has its acquire_returned seen, and so on.
 */
static bool enabled;
static struct mls_filter *filter;

static __always_inline bool wanted(const struct mm_struct *mm)
{
	return READ_ONCE(enabled) && mls_filter_has(READ_ONCE(filter), mm);
}

static __always_inline struct mls_use *find_use(enum mls_level level,
						struct mm_struct *mm)
{
	if (likely(level == MLS_LEVEL_TASK))
		return mls_holders_find(mm);
	return mls_context_find(level, mm);
}

/* Counts what it could not get. */
static __always_inline struct mls_use *get_use(enum mls_level level,
					       struct mm_struct *mm)
{
	struct mls_use *use = find_use(level, mm);

	if (use)
		return use;
	if (likely(level == MLS_LEVEL_TASK)) {
		use = mls_holders_take(mm);
		if (unlikely(!use))
			mls_count_lost(MLS_LOST_TABLE_FULL);
	} else {
		use = mls_context_take(level, mm);
		if (!use)
			mls_count_lost(MLS_LOST_CONTEXT_FULL);
	}
	return use;
}

static __always_inline void put_use_if_idle(struct mls_use *use, bool of_task)
{
	if (!mls_seq_idle(&use->seq))
		return;
	if (likely(of_task))
		mls_holders_put(use);
	else
		mls_context_put(use);
}

/* What happens rarely, after any event. */
static void settle_rare(const struct mls_seq_step *step, enum mls_mode mode)
{
	if (step->happened & MLS_SEQ_ORPHAN_ACQUIRE)
		mls_count_mode(mode, MLS_C_ORPHAN_ACQUIRE, 1);
	if (step->happened & MLS_SEQ_ORPHAN_RELEASE)
		mls_count_mode(mode, MLS_C_ORPHAN_RELEASE, 1);
	if (step->happened & MLS_SEQ_NESTED)
		mls_count_mode(mode, MLS_C_NESTED, 1);
	if (step->happened & MLS_SEQ_STALE_WAIT)
		mls_count_mode(step->stale_wait_mode, MLS_C_STALE_WAIT, 1);
	if (step->happened & MLS_SEQ_STALE_HOLD)
		mls_count_mode(step->stale_hold_mode, MLS_C_STALE_HOLD,
			       step->stale_holds);
	if (step->happened & MLS_SEQ_NEGATIVE)
		mls_count_once(MLS_C_NEGATIVE_TIME);
}

static __always_inline void settle(const struct mls_seq_step *step,
				   enum mls_mode mode)
{
	if (unlikely(step->happened & ~(MLS_SEQ_WAIT | MLS_SEQ_HOLD)))
		settle_rare(step, mode);
	if (step->happened & MLS_SEQ_HOLD)
		mls_hist_percpu_add(MLS_S_READ_HOLD + step->hold_mode,
				    step->hold_ns);
}

/**
 * mls_acct_start() - mmap_lock_start_locking
 * @mm: the mm
 * @mode: how it is to be locked
 *
 * Context: Any.
 */
void mls_acct_start(struct mm_struct *mm, enum mls_mode mode)
{
	struct mls_seq_step step;
	struct mls_use *use;
	enum mls_level level;

	if (!mls_guard_enter(&level))
		return;
	if (!wanted(mm))
		goto out;
	use = get_use(level, mm);
	if (unlikely(!use))
		goto out;
	use->nvcsw = current->nvcsw;
	mls_count_mode(mode, MLS_C_ATTEMPTS, 1);
	step = mls_seq_start(&use->seq, mode, mls_clock_ns());
	settle(&step, mode);
out:
	mls_guard_leave(level);
}

/*
 * A failed trylock or a killed wait?  A trylock never sleeps, and a killable
 * lock fails only while a fatal signal is pending.  What is left, a failure
 * without sleep in a dying task, may be either: taken for a killed wait, and
 * status says that the split is inferred.
 */
static bool was_killed(const struct mls_use *use, enum mls_level level,
		       enum mls_mode mode)
{
	if (level != MLS_LEVEL_TASK)
		return false;
	if (mode == MLS_WRITE && !MLS_KERNEL_HAS_WRITE_TRYLOCK)
		return true;
	return fatal_signal_pending(current) ||
	       (use && use->nvcsw != current->nvcsw);
}

static void acct_failed(struct mm_struct *mm, enum mls_mode mode,
			enum mls_level level)
{
	struct mls_use *use = find_use(level, mm);
	struct mls_lockseq unknown = { 0 };
	struct mls_seq_step step;

	step = mls_seq_failed(use ? &use->seq : &unknown, mode, mls_clock_ns());
	if (was_killed(use, level, mode)) {
		mls_count_mode(mode, MLS_C_ABORTED, 1);
		if (step.happened & MLS_SEQ_WAIT)
			mls_count_mode(mode, MLS_C_ABORTED_WAIT_NS, step.wait_ns);
	} else {
		mls_count_mode(mode, MLS_C_TRYLOCK_FAILED, 1);
	}
	settle(&step, mode);
	if (use)
		put_use_if_idle(use, level == MLS_LEVEL_TASK);
}

/**
 * mls_acct_returned() - mmap_lock_acquire_returned
 * @mm: the mm
 * @mode: how it was to be locked; read for a downgrade
 * @success: whether it is locked
 *
 * Context: Any.
 */
void mls_acct_returned(struct mm_struct *mm, enum mls_mode mode, bool success)
{
	struct mls_seq_step step;
	struct mls_use *use;
	enum mls_level level;

	if (!mls_guard_enter(&level))
		return;
	if (!wanted(mm))
		goto out;
	if (unlikely(!success)) {
		acct_failed(mm, mode, level);
		goto out;
	}
	use = get_use(level, mm);
	if (unlikely(!use))
		goto out;
	step = mls_seq_acquired(&use->seq, mode, mls_clock_ns());
	if (unlikely(step.happened & MLS_SEQ_DOWNGRADED))
		mls_count_once(MLS_C_DOWNGRADED);
	else
		mls_count_mode(mode, MLS_C_ACQUIRED, 1);
	if (step.happened & MLS_SEQ_WAIT)
		mls_hist_percpu_add(MLS_S_READ_WAIT + mode, step.wait_ns);
	settle(&step, mode);
out:
	mls_guard_leave(level);
}

/**
 * mls_acct_released() - mmap_lock_released
 * @mm: the mm
 * @mode: how it was locked
 *
 * Context: Any.
 */
void mls_acct_released(struct mm_struct *mm, enum mls_mode mode)
{
	struct mls_lockseq unknown = { 0 };
	struct mls_use *use = NULL;
	struct mls_seq_step step;
	enum mls_level level;
	bool of_task = true;

	if (!mls_guard_enter(&level))
		return;
	if (!wanted(mm))
		goto out;

	if (unlikely(level != MLS_LEVEL_TASK)) {
		use = mls_context_find_held(level, mm);
		of_task = !use && level == MLS_LEVEL_IRQS_OFF &&
			  !in_serving_softirq();
	}
	/* A task may release with interrupts off what it took with them on. */
	if (likely(of_task))
		use = mls_holders_find(mm);

	step = mls_seq_released(use ? &use->seq : &unknown, mode, mls_clock_ns());
	settle(&step, mode);
	mls_count_mode(mode, MLS_C_RELEASED, 1);
	if (likely(use))
		put_use_if_idle(use, of_task);
out:
	mls_guard_leave(level);
}

/**
 * mls_acct_exec() - the current task has got another mm by exec
 *
 * Context: Probe of sched_process_exec.
 */
void mls_acct_exec(void)
{
	preempt_disable_notrace();
	if (READ_ONCE(enabled))
		mls_filter_follow_exec(READ_ONCE(filter));
	preempt_enable_notrace();
}

/**
 * mls_acct_enable() - record from now on
 * @use_filter: which mms, NULL for all; stays the caller's, who keeps it until
 *	after mls_acct_disable() and a grace period
 *
 * Context: Process.
 */
void mls_acct_enable(struct mls_filter *use_filter)
{
	WRITE_ONCE(filter, use_filter);
	/* Release: who sees @enabled sees the filter and a wiped table. */
	smp_store_release(&enabled, true);
}

/**
 * mls_acct_disable() - record no more
 *
 * Probes that run now may still record: the caller waits for them with
 * tracepoint_synchronize_unregister().
 *
 * Context: Process.
 */
void mls_acct_disable(void)
{
	WRITE_ONCE(enabled, false);
}
