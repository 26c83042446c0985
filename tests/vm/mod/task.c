// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: helper threads, and operations that need a second task.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched/signal.h>

#include "mlt.h"

static int mlt_thread_fn(void *arg)
{
	struct mlt_thread *t = arg;

	if (t->use_mm)
		kthread_use_mm(t->run->mm);
	t->fn(t->run);
	if (t->use_mm)
		kthread_unuse_mm(t->run->mm);
	complete(&t->done);
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

/**
 * mlt_thread_start() - run a function in a thread of its own
 * @t: the thread; must live until mlt_thread_join()
 * @run: the command
 * @fn: the function
 * @use_mm: with the run's mm borrowed
 * @name: the thread's name
 *
 * Context: process context, sleeps.
 * Return: 0 or -errno.
 */
int mlt_thread_start(struct mlt_thread *t, struct mlt_run *run, mlt_fn fn,
		     bool use_mm, const char *name)
{
	t->run = run;
	t->fn = fn;
	t->use_mm = use_mm;
	init_completion(&t->done);
	t->task = kthread_run(mlt_thread_fn, t, "%s", name);
	return PTR_ERR_OR_ZERO(t->task);
}

/**
 * mlt_thread_join() - wait until the thread's function is through, end it
 * @t: a started thread
 *
 * Context: process context, sleeps.
 */
void mlt_thread_join(struct mlt_thread *t)
{
	wait_for_completion(&t->done);
	kthread_stop(t->task);
}

/**
 * mlt_run_by() - carry out a function in the task that the command names
 * @run: the command
 * @fn: the function
 *
 * Context: process context, sleeps.
 * Return: 0 or -errno.
 */
int mlt_run_by(struct mlt_run *run, mlt_fn fn)
{
	struct mlt_thread t;
	int ret;

	if (run->by == MLT_BY_SELF) {
		fn(run);
		return 0;
	}
	ret = mlt_thread_start(&t, run, fn, run->by == MLT_BY_KTHREAD_USE,
			       "mlt_actor");
	if (!ret)
		mlt_thread_join(&t);
	return ret;
}

static int mlt_holder_fn(void *arg)
{
	struct mlt_holder *h = arg;

	mlt_lock(h->run, h->mm, h->mode);
	complete(&h->held);
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	mlt_unlock(h->run, h->mm, h->mode);
	return 0;
}

/**
 * mlt_holder_start() - have the lock held by a thread
 * @h: the holder; must live until mlt_holder_stop()
 * @run: the command
 * @mm: whose lock
 * @mode: read or write
 *
 * The holder sleeps meanwhile, so nobody spins on it as the lock's owner.
 *
 * Context: process context, sleeps.
 * Return: 0 with the lock held, or -errno.
 */
int mlt_holder_start(struct mlt_holder *h, struct mlt_run *run,
		     struct mm_struct *mm, enum mlt_mode mode)
{
	h->run = run;
	h->mm = mm;
	h->mode = mode;
	init_completion(&h->held);
	h->task = kthread_run(mlt_holder_fn, h, "mlt_holder");
	if (IS_ERR(h->task))
		return PTR_ERR(h->task);
	wait_for_completion(&h->held);
	return 0;
}

/**
 * mlt_holder_stop() - let the lock go
 * @h: a started holder
 *
 * Context: process context, sleeps; the lock is released on return.
 */
void mlt_holder_stop(struct mlt_holder *h)
{
	kthread_stop(h->task);
}

/**
 * mlt_wait_blocked() - wait until a task sleeps in the queue of an mmap_lock
 * @task: the task; the caller keeps it alive
 * @mm: whose lock
 * @state: the state it sleeps in, TASK_KILLABLE or TASK_UNINTERRUPTIBLE
 *
 * Context: process context, sleeps.
 * Return: 0, or -ETIMEDOUT after 10 s.
 */
int mlt_wait_blocked(struct task_struct *task, struct mm_struct *mm,
		     unsigned int state)
{
	unsigned long end = jiffies + 10 * HZ;

	while (!rwsem_is_contended(&mm->mmap_lock) ||
	       READ_ONCE(task->__state) != state) {
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
		usleep_range(20, 40);
	}
	return 0;
}

static int trylock_fail(struct mlt_run *run, enum mlt_mode mode, mlt_fn fn)
{
	struct mlt_holder h;
	int ret;

	/* A write trylock fails on any holder, a read trylock on a writer. */
	if (mode == MLT_READ && run->holder != MLT_WRITE)
		return -EINVAL;
	ret = mlt_holder_start(&h, run, run->mm, run->holder);
	if (ret)
		return ret;
	ret = mlt_run_by(run, fn);
	mlt_holder_stop(&h);
	return ret;
}

static void do_read_trylocks(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++)
		if (WARN_ON_ONCE(mlt_trylock(run, run->mm, MLT_READ)))
			mlt_unlock(run, run->mm, MLT_READ);
}

static int op_read_trylock_fail(struct mlt_run *run)
{
	return trylock_fail(run, MLT_READ, do_read_trylocks);
}

static void do_write_trylocks(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++)
		if (WARN_ON_ONCE(mlt_trylock(run, run->mm, MLT_WRITE)))
			mlt_unlock(run, run->mm, MLT_WRITE);
}

static int op_write_trylock_fail(struct mlt_run *run)
{
	if (!__is_defined(MLT_WRITE_TRYLOCK))
		return -EOPNOTSUPP;
	return trylock_fail(run, MLT_WRITE, do_write_trylocks);
}

/*
 * Killed waits.  The victim is a thread that lets SIGKILL in: the signal ends
 * its killable sleep as it would a user's task, but not the thread, so one
 * thread can be killed as often as asked.
 */
struct victim {
	struct mlt_run *run;
	bool pending;		/* the signal is there before the lock is asked for */
	bool quit;
	struct completion go;
	struct completion done;
	struct mlt_stamp before, after;
	int ret;
};

static int victim_fn(void *arg)
{
	struct victim *v = arg;

	allow_signal(SIGKILL);
	for (;;) {
		wait_for_completion(&v->go);
		if (v->quit)
			break;
		if (v->pending)
			send_sig(SIGKILL, current, 1);
		v->before = mlt_now();
		v->ret = mlt_lock_killable(v->run, v->run->mm, v->run->waiter);
		v->after = mlt_now();
		if (!v->ret)
			mlt_unlock(v->run, v->run->mm, v->run->waiter);
		flush_signals(current);
		complete(&v->done);
	}
	complete(&v->done);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int kill_once(struct mlt_run *run, struct victim *v,
		     struct task_struct *task)
{
	struct mlt_stamp asleep, kill;
	int ret = 0;

	complete(&v->go);
	if (!v->pending)
		ret = mlt_wait_blocked(task, run->mm, TASK_KILLABLE);
	asleep = mlt_now();
	kill = asleep;
	if (!v->pending) {
		mlt_sleep_ns(run->ns);
		kill = mlt_now();
		send_sig(SIGKILL, task, 1);
	}
	wait_for_completion(&v->done);
	mlt_say_span(run, "abort", run->waiter, v->before, asleep, kill, v->after);
	return ret ?: v->ret == -EINTR ? 0 : -EIO;
}

static int killed(struct mlt_run *run, bool pending)
{
	struct victim v = { .run = run, .pending = pending };
	struct task_struct *task;
	struct mlt_holder h;
	u32 i;
	int ret;

	if (run->waiter == MLT_READ && run->holder != MLT_WRITE)
		return -EINVAL;
	init_completion(&v.go);
	init_completion(&v.done);
	ret = mlt_holder_start(&h, run, run->mm, run->holder);
	if (ret)
		return ret;
	task = kthread_run(victim_fn, &v, "mlt_victim");
	ret = PTR_ERR_OR_ZERO(task);
	if (ret)
		goto out_holder;
	for (i = 0; i < run->n && !ret; i++)
		ret = kill_once(run, &v, task);

	v.quit = true;
	complete(&v.go);
	wait_for_completion(&v.done);
	kthread_stop(task);
out_holder:
	mlt_holder_stop(&h);
	return ret;
}

static int op_killed(struct mlt_run *run)
{
	return killed(run, false);
}

static int op_killed_at_once(struct mlt_run *run)
{
	return killed(run, true);
}

const struct mlt_op mlt_task_ops[] = {
	{ "read-trylock-fail", op_read_trylock_fail },
	{ "write-trylock-fail", op_write_trylock_fail },
	{ "killed", op_killed },
	{ "killed-at-once", op_killed_at_once },
	{ }
};
