// SPDX-License-Identifier: GPL-2.0-only
/* Sets of mms; see filter.h. */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "filter.h"
#include "health.h"

/**
 * mls_filter_alloc() - a filter that lets nothing pass
 *
 * Context: Process, may sleep.
 * Return: The filter with one reference, or NULL.
 */
struct mls_filter *mls_filter_alloc(void)
{
	struct mls_filter *filter = kvzalloc(sizeof(*filter), GFP_KERNEL);

	if (filter)
		kref_init(&filter->ref);
	return filter;
}

/* Takes a reference of its own where it adds.  May race with itself. */
static int add_mm(struct mls_filter *filter, struct mm_struct *mm)
{
	unsigned int i, home = mls_filter_home(mm);

	if (mls_filter_has(filter, mm))
		return 0;
	if (!atomic_add_unless(&filter->nr_mms, 1, MLS_FILTER_MM_MAX))
		return -ENOSPC;
	mmgrab(mm);
	for (i = 0; i < MLS_FILTER_MMS; i++) {
		struct mm_struct **at = &filter->mm[(home + i) & (MLS_FILTER_MMS - 1)];

		if (!READ_ONCE(*at) && !cmpxchg(at, NULL, mm))
			return 0;
	}
	/* The set is never full: not reached. */
	mmdrop(mm);
	return -ENOSPC;
}

/* The mm of a process, with a reference; its first thread may have exited. */
static struct mm_struct *get_process_mm(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	struct task_struct *thread;

	if (mm)
		return mm;
	rcu_read_lock();
	for_each_thread(task, thread) {
		mm = get_task_mm(thread);
		if (mm)
			break;
	}
	rcu_read_unlock();
	return mm;
}

static int add_mm_of(struct mls_filter *filter, struct task_struct *task)
{
	struct mm_struct *mm = get_process_mm(task);
	int err;

	if (!mm)
		return -ESRCH;
	err = add_mm(filter, mm);
	mmput(mm);
	return err;
}

/**
 * mls_filter_add_pid() - let a process's mm pass
 * @filter: not yet in use
 * @nr: its process id, in the caller's pid namespace; a thread's id names its
 *	process
 *
 * The target's mmap_lock is not taken.
 *
 * Context: Process, may sleep.
 * Return: 0; -ESRCH where there is no such process or it has no mm (a kernel
 * thread, a zombie); -ENOSPC above MLS_FILTER_PIDS.  A process named twice counts
 * once.
 */
int mls_filter_add_pid(struct mls_filter *filter, int nr)
{
	struct task_struct *task;
	struct pid *pid;
	int err, i;

	pid = find_get_pid(nr);
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return -ESRCH;
	rcu_read_lock();
	pid = get_pid(task_tgid(task));
	rcu_read_unlock();
	err = add_mm_of(filter, task);
	put_task_struct(task);

	for (i = 0; !err && i < filter->nr_pids; i++) {
		if (filter->pid[i] == pid)
			goto out;	/* named twice */
	}
	if (!err && filter->nr_pids == MLS_FILTER_PIDS)
		err = -ENOSPC;
	if (!err)
		filter->pid[filter->nr_pids++] = get_pid(pid);
out:
	put_pid(pid);
	return err;
}

/**
 * mls_filter_get() - a further reference
 * @filter: the filter, or NULL
 *
 * Context: Any.
 */
void mls_filter_get(struct mls_filter *filter)
{
	if (filter)
		kref_get(&filter->ref);
}

static void filter_free(struct kref *ref)
{
	struct mls_filter *filter = container_of(ref, struct mls_filter, ref);
	int i;

	for (i = 0; i < filter->nr_pids; i++)
		put_pid(filter->pid[i]);
	for (i = 0; i < MLS_FILTER_MMS; i++) {
		if (filter->mm[i])
			mmdrop(filter->mm[i]);
	}
	kvfree(filter);
}

/**
 * mls_filter_put() - give a reference back
 * @filter: the filter, or NULL; no probe uses it if this is the last reference
 *
 * Context: Process, may sleep.
 */
void mls_filter_put(struct mls_filter *filter)
{
	if (filter)
		kref_put(&filter->ref, filter_free);
}

/**
 * mls_filter_follow_exec() - the current task has a new mm: is it a filtered
 *	process?
 * @filter: the filter, or NULL
 *
 * The old mm stays in the set: its release may still come.
 *
 * Context: Probe of sched_process_exec, preemption off.
 */
void mls_filter_follow_exec(struct mls_filter *filter)
{
	int i;

	if (!filter || !current->mm)
		return;
	for (i = 0; i < filter->nr_pids; i++) {
		if (filter->pid[i] != task_tgid(current))
			continue;
		if (add_mm(filter, current->mm))
			mls_count_lost(MLS_LOST_FILTER_FULL);
		return;
	}
}

/**
 * mls_filter_refresh() - add the mms that the processes have now
 * @filter: the filter, or NULL; in use, so that an exec from now on is followed
 *
 * Closes the gap between naming a process and recording: an exec meanwhile was
 * seen by nobody.
 *
 * Context: Process, may sleep.
 */
void mls_filter_refresh(struct mls_filter *filter)
{
	struct task_struct *task;
	int i;

	for (i = 0; filter && i < filter->nr_pids; i++) {
		task = get_pid_task(filter->pid[i], PIDTYPE_TGID);
		if (!task)
			continue;
		if (add_mm_of(filter, task) == -ENOSPC)
			mls_count_lost(MLS_LOST_FILTER_FULL);
		put_task_struct(task);
	}
}
