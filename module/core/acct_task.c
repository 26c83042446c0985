// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to a task beside the three events of its locks, and the switch of
 * it all.
 */
#include <linux/string.h>

#include "acct.h"
#include "guard.h"
#include "holders.h"
#include "state.h"

DEFINE_PER_CPU(u8[MLS_NR_LEVELS], mls_guard_busy);

unsigned int mls_state;
struct mls_filter *mls_state_filter;

/* The rwsem of a test of the hooks, and which of its slow paths was seen. */
static const void *watched_sem;
static bool watched[MLS_NR_MODES];

/**
 * mls_acct_watch() - say whether the slow paths of one rwsem are seen
 * @sem: which; NULL for none
 *
 * Context: Process; nothing is recorded meanwhile.
 */
void mls_acct_watch(const void *sem)
{
	memset(watched, 0, sizeof(watched));
	WRITE_ONCE(watched_sem, sem);
}

/**
 * mls_acct_watched() - has its slow path been seen?
 * @mode: which of the two
 *
 * Context: Process.
 * Return: true where it has, since mls_acct_watch().
 */
bool mls_acct_watched(enum mls_mode mode)
{
	return READ_ONCE(watched[mode]);
}

/**
 * mls_acct_slowpath() - the current task enters the slow path of an rwsem
 * @sem: any rwsem of the kernel; compared, never followed
 * @mode: how it is to be locked
 *
 * Whether it is an mmap_lock is not known here: acquire_returned claims it.
 *
 * Context: Task: the slow paths sleep.  But a kprobe may bring us here from a
 * breakpoint, which looks like an NMI.
 */
void mls_acct_slowpath(const void *sem, enum mls_mode mode)
{
	struct mls_holder *holder;

	if (!mls_guard_enter_task())
		return;
	if (!mls_state_is_enabled()) {
		if (sem == READ_ONCE(watched_sem))
			WRITE_ONCE(watched[mode], true);
		goto out;
	}
	holder = mls_holders_find();
	if (!holder)
		holder = mls_holders_take();
	if (unlikely(!holder)) {
		mls_count_lost(MLS_LOST_SLOWPATH_FULL);
		goto out;
	}
	holder->slow_sem = sem;
	holder->slow_mode = mode;
	holder->slow_since_ns = mls_clock_ns();
out:
	mls_guard_leave(MLS_LEVEL_TASK);
}

/**
 * mls_acct_exec() - the current task has got another mm by exec
 *
 * Context: Probe of sched_process_exec.
 */
void mls_acct_exec(void)
{
	preempt_disable_notrace();
	if (mls_state_is_enabled())
		mls_filter_follow_exec(READ_ONCE(mls_state_filter));
	preempt_enable_notrace();
}

/**
 * mls_acct_task_freed() - a task is gone for good
 * @task: which
 *
 * Context: Probe of sched_process_free.
 */
void mls_acct_task_freed(const struct task_struct *task)
{
	preempt_disable_notrace();
	if (mls_state_is_enabled())
		mls_holders_task_freed(task);
	preempt_enable_notrace();
}

/**
 * mls_acct_enable() - record from now on
 * @use_filter: which mms, NULL for all; stays the caller's, who keeps it until
 *	after mls_acct_disable() and a grace period
 * @wait_start: which hook marks the start of a wait
 *
 * Context: Process.
 */
void mls_acct_enable(struct mls_filter *use_filter, enum mls_wait_start wait_start)
{
	unsigned int bits = MLS_ENABLED;

	if (use_filter)
		bits |= MLS_FILTERED;
	if (wait_start == MLS_WAIT_START_LOCKING)
		bits |= MLS_LOCKING;
	if (!mls_clock_is_tsc())
		bits |= MLS_MONO;
	WRITE_ONCE(mls_state_filter, use_filter);
	/*
	 * Release: who sees the state sees the filter and a wiped table; pairs
	 * with the acquire in mls_state_get().
	 */
	smp_store_release(&mls_state, bits);
}

/**
 * mls_acct_disable() - record no more
 *
 * Probes that run now may still record: the caller waits for them, with
 * tracepoint_synchronize_unregister() for tracepoints and synchronize_rcu() for
 * hooked functions.
 *
 * Context: Process.
 */
void mls_acct_disable(void)
{
	WRITE_ONCE(mls_state, READ_ONCE(mls_state) & ~MLS_ENABLED);
}
