// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: waits and holds of known length.
 *
 * Each is bracketed by clock readings: `inside` is certainly part of it,
 * `outside` certainly contains it.  What a recorder says lies between.
 */
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>

#ifdef CONFIG_X86_TSC
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

#include "mlt.h"

#ifdef CONFIG_X86_TSC
static u64 read_tsc(void)
{
	return rdtsc_ordered();
}

static u64 tsc_to_ns(u64 ticks)
{
	return div_u64(ticks * USEC_PER_SEC, tsc_khz);
}
#else
static u64 read_tsc(void)
{
	return 0;
}

static u64 tsc_to_ns(u64 ticks)
{
	return 0;
}
#endif

/**
 * mlt_now() - all clocks
 *
 * Context: any.
 * Return: the moment.
 */
struct mlt_stamp mlt_now(void)
{
	struct mlt_stamp s;

	s.mono = ktime_get_ns();
	s.tsc = read_tsc();
	return s;
}

/**
 * mlt_say_span() - report a bracketed time: inside and outside, on each clock, ns
 * @run: the command
 * @what: wait, hold or abort
 * @mode: read or write
 * @out0: before its start
 * @in0: after its start
 * @in1: before its end
 * @out1: after its end
 *
 * Context: process context.
 */
void mlt_say_span(struct mlt_run *run, const char *what, enum mlt_mode mode,
		  struct mlt_stamp out0, struct mlt_stamp in0,
		  struct mlt_stamp in1, struct mlt_stamp out1)
{
	mlt_say(run, "%s %s %llu %llu %llu %llu\n", what,
		mode == MLT_WRITE ? "write" : "read",
		in1.mono - in0.mono, out1.mono - out0.mono,
		tsc_to_ns(in1.tsc - in0.tsc), tsc_to_ns(out1.tsc - out0.tsc));
}

/* A wait that found the lock free: at most the time between two readings. */
static void say_uncontended(struct mlt_run *run, enum mlt_mode mode,
			    struct mlt_stamp out0, struct mlt_stamp in0)
{
	mlt_say_span(run, "wait", mode, out0, in0, in0, in0);
}

/**
 * mlt_sleep_ns() - sleep at least so long
 * @ns: 0 is not at all
 *
 * Context: process context; not ended by signals.
 */
void mlt_sleep_ns(u64 ns)
{
	ktime_t t = ns_to_ktime(ns);

	if (!ns)
		return;
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_hrtimeout(&t, HRTIMER_MODE_REL);
}

static void do_hold(struct mlt_run *run)
{
	struct mlt_stamp out0, in0, in1, out1;
	u32 i;

	for (i = 0; i < run->n; i++) {
		out0 = mlt_now();
		mlt_lock(run, run->mm, run->holder);
		in0 = mlt_now();
		mlt_sleep_ns(run->ns);
		in1 = mlt_now();
		mlt_unlock(run, run->mm, run->holder);
		out1 = mlt_now();
		mlt_say_span(run, "hold", run->holder, out0, in0, in1, out1);
		say_uncontended(run, run->holder, out0, in0);
	}
}

/* A write hold, downgraded half way: two holds, each of a known length. */
static void do_hold_downgrade(struct mlt_run *run)
{
	struct mlt_stamp out0, in0, in1, mid, in2, out1;
	u32 i;

	for (i = 0; i < run->n; i++) {
		out0 = mlt_now();
		mlt_lock(run, run->mm, MLT_WRITE);
		in0 = mlt_now();
		mlt_sleep_ns(run->ns);
		in1 = mlt_now();
		mlt_downgrade(run, run->mm);
		mid = mlt_now();
		mlt_sleep_ns(run->ns);
		in2 = mlt_now();
		mlt_unlock(run, run->mm, MLT_READ);
		out1 = mlt_now();
		mlt_say_span(run, "hold", MLT_WRITE, out0, in0, in1, mid);
		mlt_say_span(run, "hold", MLT_READ, in1, mid, in2, out1);
	}
}

/* Two read holds over each other are one hold, the outer. */
static void do_hold_nested(struct mlt_run *run)
{
	struct mlt_stamp out0, in0, in1, out1;
	u32 i;

	for (i = 0; i < run->n; i++) {
		out0 = mlt_now();
		mlt_lock(run, run->mm, MLT_READ);
		in0 = mlt_now();
		mlt_sleep_ns(run->ns);
		mlt_lock(run, run->mm, MLT_READ);
		mlt_count(run, MLT_READ, MLT_NESTED);
		mlt_unlock(run, run->mm, MLT_READ);
		mlt_sleep_ns(run->ns);
		in1 = mlt_now();
		mlt_unlock(run, run->mm, MLT_READ);
		out1 = mlt_now();
		mlt_say_span(run, "hold", MLT_READ, out0, in0, in1, out1);
	}
}

/**
 * struct waiter - the task that waits, and what it read off the clocks
 * @run: the command
 * @out0: before it asked for the lock
 * @in0: when it had it
 * @in1: before it let go
 * @out1: after that
 * @cpus: where it may run once it has the lock, or NULL
 */
struct waiter {
	struct mlt_run *run;
	struct mlt_stamp out0, in0, in1, out1;
	const struct cpumask *cpus;
};

static int waiter_fn(void *arg)
{
	struct waiter *w = arg;

	w->out0 = mlt_now();
	mlt_lock(w->run, w->run->mm, w->run->waiter);
	w->in0 = mlt_now();
	if (w->cpus)
		set_cpus_allowed_ptr(current, w->cpus);
	w->in1 = mlt_now();
	mlt_unlock(w->run, w->run->mm, w->run->waiter);
	w->out1 = mlt_now();
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void pin(struct task_struct *task, unsigned int cpu)
{
	set_cpus_allowed_ptr(task, cpumask_of(cpu));
}

/*
 * With `migrate` the waiter starts on the first CPU, is moved to the last
 * while it waits, and goes back to the first while it holds.
 */
static int wait_once(struct mlt_run *run)
{
	struct mlt_stamp before, held, asleep, release, after;
	struct waiter w = { .run = run };
	struct task_struct *task;
	int ret;

	task = kthread_create(waiter_fn, &w, "mlt_waiter");
	if (IS_ERR(task))
		return PTR_ERR(task);
	if (run->migrate) {
		w.cpus = cpumask_of(cpumask_first(cpu_online_mask));
		set_cpus_allowed_ptr(task, w.cpus);
	}
	before = mlt_now();
	mlt_lock(run, run->mm, run->holder);
	held = mlt_now();
	wake_up_process(task);
	ret = mlt_wait_blocked(task, run->mm, TASK_UNINTERRUPTIBLE);
	if (run->migrate)
		pin(task, cpumask_last(cpu_online_mask));
	asleep = mlt_now();
	mlt_sleep_ns(run->ns);
	release = mlt_now();
	mlt_unlock(run, run->mm, run->holder);
	after = mlt_now();
	kthread_stop(task);
	mlt_say_span(run, "hold", run->holder, before, held, release, after);
	say_uncontended(run, run->holder, before, held);
	mlt_say_span(run, "wait", run->waiter, w.out0, asleep, release, w.in0);
	mlt_say_span(run, "hold", run->waiter, release, w.in0, w.in1, w.out1);
	return ret;
}

static int op_wait(struct mlt_run *run)
{
	int ret = 0;
	u32 i;

	if (run->holder == MLT_READ && run->waiter == MLT_READ)
		return -EINVAL;
	for (i = 0; i < run->n && !ret; i++)
		ret = wait_once(run);
	return ret;
}

#define MLT_OP(word)							\
static int op_##word(struct mlt_run *run)				\
{									\
	return mlt_run_by(run, do_##word);				\
}

MLT_OP(hold)
MLT_OP(hold_downgrade)
MLT_OP(hold_nested)

const struct mlt_op mlt_timed_ops[] = {
	{ "hold", op_hold },
	{ "hold-downgrade", op_hold_downgrade },
	{ "hold-nested", op_hold_nested },
	{ "wait", op_wait },
	{ }
};
