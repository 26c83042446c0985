// SPDX-License-Identifier: GPL-2.0-only
/*
 * From one event of a probe to counters and histograms.
 *
 * Cost of an event, without the kernel's own part: docs/overhead.md.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "../compat/mmap_lock.h"
#include "../sink/hist_percpu.h"
#include "acct.h"
#include "clock.h"
#include "context.h"
#include "fastpath.h"
#include "guard.h"
#include "health.h"
#include "holders.h"
#include "state.h"

/**
 * struct place - where the state of an event's task or interrupt is kept
 * @level: what the event happened in
 * @holder: the task's slot; NULL in interrupts, and where there is none
 * @use: the use of the event's mm; NULL where there is none
 */
struct place {
	enum mls_level level;
	struct mls_holder *holder;
	struct mls_use *use;
};

static __always_inline void find_task_place(struct place *at, struct mm_struct *mm)
{
	at->holder = mls_holders_find();
	at->use = at->holder ? mls_use_find(at->holder->use, MLS_HOLDER_USES, mm) :
			       NULL;
}

static __always_inline void find_place(struct place *at, struct mm_struct *mm)
{
	if (likely(at->level == MLS_LEVEL_TASK)) {
		find_task_place(at, mm);
		return;
	}
	at->holder = NULL;
	at->use = mls_context_find(at->level, mm);
}

/* False where there is no room, which is counted. */
static __always_inline bool take_place(struct place *at, struct mm_struct *mm)
{
	if (at->use)
		return true;
	if (likely(at->level == MLS_LEVEL_TASK)) {
		if (!at->holder)
			at->holder = mls_holders_take();
		if (likely(at->holder))
			at->use = mls_holder_take_use(at->holder, mm);
		if (unlikely(!at->use))
			mls_count_lost(MLS_LOST_TABLE_FULL);
	} else {
		at->use = mls_context_take(at->level, mm);
		if (!at->use)
			mls_count_lost(MLS_LOST_CONTEXT_FULL);
	}
	return at->use;
}

static __always_inline void leave_place(struct place *at)
{
	if (at->use && mls_seq_idle(&at->use->seq)) {
		if (likely(at->holder))
			mls_holder_put_use(at->holder, at->use);
		else
			mls_context_put(at->use);
	}
	if (at->holder)
		mls_holders_put_if_idle(at->holder);
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
	struct place at;

	if (!mls_guard_enter(&at.level, mm))
		return;
	if (!mls_state_wants(mm))
		goto out;
	find_place(&at, mm);
	if (!take_place(&at, mm)) {
		leave_place(&at);
		goto out;
	}
	if (at.holder)
		at.holder->nvcsw = current->nvcsw;
	mls_count_mode(mode, MLS_C_ATTEMPTS, 1);
	step = mls_seq_start(&at.use->seq, mode, mls_clock_ns());
	settle(&step, mode);
out:
	mls_guard_leave(at.level);
}

/*
 * Has this task come through the slow path of this mm's lock in this mode?
 * Whichever slow path it entered last, it has left it: it is here.  The exception
 * is a trylock of a stack walk (BPF with build ids) inside a wait for the same
 * mm, which passes for the end of that wait where both are for read.  @since_ns
 * is set where it has.
 */
static bool claim_slowpath(struct mls_holder *holder,
			   const struct mm_struct *mm,
			   enum mls_mode mode, u64 *since_ns)
{
	const void *sem;

	if (!holder)
		return false;
	sem = holder->slow_sem;
	if (likely(!sem))
		return false;
	if (sem == &mm->mmap_lock && holder->slow_mode != mode)
		return false;
	holder->slow_sem = NULL;
	if (sem != &mm->mmap_lock)
		return false;
	*since_ns = holder->slow_since_ns;
	return true;
}

/*
 * An event about an mm that is not recorded: whatever slow path the task entered,
 * it has come out, and must not keep a slot for it.
 */
static void forget_slowpath(enum mls_level level)
{
	struct mls_holder *holder;

	if (!mls_state_is_enabled() || level != MLS_LEVEL_TASK)
		return;
	holder = mls_holders_find();
	if (!holder)
		return;
	holder->slow_sem = NULL;
	mls_holders_put_if_idle(holder);
}

/*
 * A failed trylock or a killed wait, where no slow path is hooked?  A trylock
 * never sleeps, and a killable lock fails only while a fatal signal is pending.
 * What is left, a failure without sleep in a dying task, may be either: taken
 * for a killed wait, and status says that the split is inferred.
 */
static bool looks_killed(const struct place *at, enum mls_mode mode)
{
	if (at->level != MLS_LEVEL_TASK)
		return false;
	if (mode == MLS_WRITE && !MLS_KERNEL_HAS_WRITE_TRYLOCK)
		return true;
	return fatal_signal_pending(current) ||
	       (at->holder && at->holder->nvcsw != current->nvcsw);
}

/*
 * @since_ns: when the attempt began, where the slow path tells; @waited: it came
 * there.
 */
static void acct_failed(struct place *at, enum mls_mode mode, u64 now_ns,
			u64 since_ns, bool waited)
{
	struct mls_lockseq unknown = { 0 };
	struct mls_lockseq *seq = at->use ? &at->use->seq : &unknown;
	struct mls_seq_step step;
	bool killed;

	if (mls_state_from_slowpath()) {
		/* Without a write trylock a write that fails was killed. */
		killed = waited || (mode == MLS_WRITE && !MLS_KERNEL_HAS_WRITE_TRYLOCK);
		mls_count_mode(mode, MLS_C_ATTEMPTS, 1);
		mls_seq_start(seq, mode, since_ns);
	} else {
		killed = looks_killed(at, mode);
	}
	step = mls_seq_failed(seq, mode, now_ns);
	if (killed) {
		mls_count_mode(mode, MLS_C_ABORTED, 1);
		if (step.happened & MLS_SEQ_WAIT)
			mls_count_mode(mode, MLS_C_ABORTED_WAIT_NS, step.wait_ns);
	} else {
		mls_count_mode(mode, MLS_C_TRYLOCK_FAILED, 1);
	}
	settle(&step, mode);
}

static void acct_acquired(struct place *at, enum mls_mode mode, u64 now_ns,
			  u64 since_ns)
{
	struct mls_lockseq *seq = &at->use->seq;
	struct mls_seq_step step;

	/* Without start_locking a wait's start is put in where it belongs. */
	if (mls_state_from_slowpath() && !mls_seq_is_downgrade(seq, mode)) {
		mls_count_mode(mode, MLS_C_ATTEMPTS, 1);
		mls_seq_start(seq, mode, since_ns);
	}
	step = mls_seq_acquired(seq, mode, now_ns);
	if (unlikely(step.happened & MLS_SEQ_DOWNGRADED))
		mls_count_once(MLS_C_DOWNGRADED);
	else
		mls_count_mode(mode, MLS_C_ACQUIRED, 1);
	if (step.happened & MLS_SEQ_WAIT)
		mls_hist_percpu_add(MLS_S_READ_WAIT + mode, step.wait_ns);
	settle(&step, mode);
}

static noinline void returned(struct mm_struct *mm, enum mls_mode mode,
			      bool success)
{
	u64 now_ns, since_ns;
	struct place at;
	bool waited;

	if (!mls_guard_enter(&at.level, mm))
		return;
	if (!mls_state_wants(mm)) {
		forget_slowpath(at.level);
		goto out;
	}
	now_ns = mls_clock_ns();
	since_ns = now_ns;
	find_place(&at, mm);
	/* First of all: it has come out of the slow path, whatever follows. */
	waited = claim_slowpath(at.holder, mm, mode, &since_ns);
	if (unlikely(!success))
		acct_failed(&at, mode, now_ns, since_ns, waited);
	else if (likely(take_place(&at, mm)))
		acct_acquired(&at, mode, now_ns, since_ns);
	leave_place(&at);
out:
	mls_guard_leave(at.level);
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
	bool done = false;

	preempt_disable_notrace();
	if (mls_state_may_be_fast() && success) {
		mls_fast_enter();
		done = mls_fast_acquired(mm, mode);
		mls_fast_leave();
	}
	preempt_enable_notrace();
	if (unlikely(!done))
		returned(mm, mode, success);
}

/* Whose hold does this release end? */
static __always_inline void find_held_place(struct place *at, struct mm_struct *mm)
{
	if (likely(at->level == MLS_LEVEL_TASK)) {
		find_task_place(at, mm);
		return;
	}
	at->holder = NULL;
	at->use = mls_context_find_held(at->level, mm);
	/* A task may release with interrupts off what it took with them on. */
	if (!at->use && at->level == MLS_LEVEL_IRQS_OFF && !in_serving_softirq())
		find_task_place(at, mm);
}

static noinline void released(struct mm_struct *mm, enum mls_mode mode)
{
	struct mls_lockseq unknown = { 0 };
	struct mls_seq_step step;
	struct place at;

	if (!mls_guard_enter(&at.level, mm))
		return;
	if (!mls_state_wants(mm)) {
		forget_slowpath(at.level);
		goto out;
	}
	find_held_place(&at, mm);
	/*
	 * A task that releases has come out of whatever slow path it entered; but
	 * a stack walk inside a wait for the same mm releases too.
	 */
	if (at.level == MLS_LEVEL_TASK && at.holder &&
	    at.holder->slow_sem != &mm->mmap_lock)
		at.holder->slow_sem = NULL;
	step = mls_seq_released(at.use ? &at.use->seq : &unknown, mode,
				mls_clock_ns());
	settle(&step, mode);
	mls_count_mode(mode, MLS_C_RELEASED, 1);
	leave_place(&at);
out:
	mls_guard_leave(at.level);
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
	bool done = false;

	preempt_disable_notrace();
	if (mls_state_may_be_fast()) {
		mls_fast_enter();
		done = mls_fast_released(mm, mode);
		mls_fast_leave();
	}
	preempt_enable_notrace();
	if (unlikely(!done))
		released(mm, mode);
}
