// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: operations in interrupts, while the interrupted task is itself
 * between two events of the same mm.
 *
 * Only trylocks can happen there.  The kernel's own case is the BPF build-id
 * stack walk: trylock with interrupts off, release later from irq_work.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>

#include "irq.h"

static void shot_fire(struct irq_work *work)
{
	struct mlt_shot *s = container_of(work, struct mlt_shot, work);

	if (current == s->actor)
		atomic64_inc(&s->run->hits);
	s->fn(s->run);
	complete(&s->done);
}

/**
 * mlt_shot_init() - prepare an interrupt that hits the calling task
 * @s: the shot
 * @run: the command
 * @fn: what the interrupt does; hard interrupt context
 *
 * Context: the task that is to be hit.
 */
void mlt_shot_init(struct mlt_shot *s, struct mlt_run *run, mlt_fn fn)
{
	s->work = IRQ_WORK_INIT_HARD(shot_fire);
	s->run = run;
	s->fn = fn;
	s->actor = current;
	init_completion(&s->done);
}

/**
 * mlt_shot_fire_here() - interrupt the calling task now
 * @s: a prepared shot
 *
 * Context: interrupts on; returns when the interrupt is over.
 */
void mlt_shot_fire_here(struct mlt_shot *s)
{
	preempt_disable();
	irq_work_queue(&s->work);
	while (irq_work_is_busy(&s->work))
		cpu_relax();
	preempt_enable();
}

/**
 * mlt_irq_trylock() - one read trylock, released at once where it succeeds
 * @run: the command
 *
 * Context: any but NMI with waiters.
 */
void mlt_irq_trylock(struct mlt_run *run)
{
	if (mlt_trylock(run, run->mm, MLT_READ))
		mlt_unlock(run, run->mm, MLT_READ);
}

static void irq_unlock(struct mlt_run *run)
{
	mlt_count(run, MLT_READ, MLT_RELEASED);
	mmap_read_unlock_non_owner(run->mm);
}

/* Trylock with interrupts off; the release comes as soon as they are on. */
static void irq_release_once(struct mlt_run *run, struct mlt_shot *s)
{
	bool ok;

	local_irq_disable();
	ok = mlt_trylock(run, run->mm, MLT_READ);
	if (ok)
		irq_work_queue(&s->work);
	local_irq_enable();
	if (!WARN_ON_ONCE(!ok))
		wait_for_completion(&s->done);
}

static void do_irq_release(struct mlt_run *run)
{
	struct mlt_shot s;
	u32 i;

	mlt_shot_init(&s, run, irq_unlock);
	for (i = 0; i < run->n; i++)
		irq_release_once(run, &s);
	irq_work_sync(&s.work);
}

/* The same while the task holds the lock: its own hold must stay open. */
static void do_irq_release_held(struct mlt_run *run)
{
	struct mlt_shot s;
	u32 i;

	mlt_shot_init(&s, run, irq_unlock);
	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_READ);
		irq_release_once(run, &s);
		mlt_unlock(run, run->mm, MLT_READ);
	}
	irq_work_sync(&s.work);
}

/* At the next tick, by when anybody may be running. */
static void do_irq_release_lazy(struct mlt_run *run)
{
	struct mlt_shot s;
	u32 i;

	mlt_shot_init(&s, run, irq_unlock);
	s.work = IRQ_WORK_INIT_LAZY(shot_fire);
	for (i = 0; i < run->n; i++)
		irq_release_once(run, &s);
	irq_work_sync(&s.work);
}

static void do_hardirq(struct mlt_run *run)
{
	struct mlt_shot s;
	u32 i;

	mlt_shot_init(&s, run, mlt_irq_trylock);
	for (i = 0; i < run->n; i++)
		mlt_shot_fire_here(&s);
	irq_work_sync(&s.work);
}

static void hardirq_held(struct mlt_run *run, enum mlt_mode mode)
{
	struct mlt_shot s;
	u32 i;

	mlt_shot_init(&s, run, mlt_irq_trylock);
	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, mode);
		mlt_shot_fire_here(&s);
		mlt_unlock(run, run->mm, mode);
	}
	irq_work_sync(&s.work);
}

static void do_hardirq_in_read(struct mlt_run *run)
{
	hardirq_held(run, MLT_READ);
}

static void do_hardirq_in_write(struct mlt_run *run)
{
	hardirq_held(run, MLT_WRITE);
}

/**
 * struct soft - a soft interrupt
 * @tasklet: it
 * @run: the command
 * @actor: the task it is meant to hit
 * @done: completed at its end
 */
struct soft {
	struct tasklet_struct tasklet;
	struct mlt_run *run;
	struct task_struct *actor;
	struct completion done;
};

static void soft_fn(struct tasklet_struct *t)
{
	struct soft *s = container_of(t, struct soft, tasklet);

	if (current == s->actor)
		atomic64_inc(&s->run->hits);
	mlt_irq_trylock(s->run);
	complete(&s->done);
}

/* Scheduled with bottom halves off it runs on this task, not in ksoftirqd. */
static void soft_fire(struct soft *s)
{
	local_bh_disable();
	tasklet_schedule(&s->tasklet);
	local_bh_enable();
	wait_for_completion(&s->done);
}

static void softirq(struct mlt_run *run, bool hold, enum mlt_mode mode)
{
	struct soft s = { .run = run, .actor = current };
	u32 i;

	init_completion(&s.done);
	tasklet_setup(&s.tasklet, soft_fn);
	for (i = 0; i < run->n; i++) {
		if (hold)
			mlt_lock(run, run->mm, mode);
		soft_fire(&s);
		if (hold)
			mlt_unlock(run, run->mm, mode);
	}
	tasklet_kill(&s.tasklet);
}

static void do_softirq_free(struct mlt_run *run)
{
	softirq(run, false, MLT_READ);
}

static void do_softirq_in_read(struct mlt_run *run)
{
	softirq(run, true, MLT_READ);
}

static void do_softirq_in_write(struct mlt_run *run)
{
	softirq(run, true, MLT_WRITE);
}

/*
 * Storm: a timer interrupts the task at points nobody chose, some of them in
 * the middle of a recorder's handlers.
 */
struct storm {
	struct hrtimer timer;
	struct mlt_run *run;
	struct task_struct *actor;
	ktime_t period;
};

static enum hrtimer_restart storm_fn(struct hrtimer *timer)
{
	struct storm *s = container_of(timer, struct storm, timer);

	if (current == s->actor)
		atomic64_inc(&s->run->hits);
	mlt_irq_trylock(s->run);
	hrtimer_forward_now(timer, s->period);
	return HRTIMER_RESTART;
}

static void do_storm(struct mlt_run *run)
{
	struct storm s = {
		.run = run,
		.actor = current,
		.period = ns_to_ktime(run->ns ?: 100000),
	};
	u32 i;

#ifdef MLT_HRTIMER_SETUP
	hrtimer_setup_on_stack(&s.timer, storm_fn, CLOCK_MONOTONIC,
			       HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init_on_stack(&s.timer, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
	s.timer.function = storm_fn;
#endif
	hrtimer_start(&s.timer, s.period, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_READ);
		mlt_unlock(run, run->mm, MLT_READ);
		mlt_lock(run, run->mm, MLT_WRITE);
		mlt_unlock(run, run->mm, MLT_WRITE);
		cond_resched();
	}
	hrtimer_cancel(&s.timer);
	destroy_hrtimer_on_stack(&s.timer);
}

#define MLT_OP(word)							\
static int op_##word(struct mlt_run *run)				\
{									\
	return mlt_run_by(run, do_##word);				\
}

MLT_OP(irq_release)
MLT_OP(irq_release_held)
MLT_OP(irq_release_lazy)
MLT_OP(hardirq)
MLT_OP(hardirq_in_read)
MLT_OP(hardirq_in_write)
MLT_OP(softirq_free)
MLT_OP(softirq_in_read)
MLT_OP(softirq_in_write)
MLT_OP(storm)

const struct mlt_op mlt_irq_ops[] = {
	{ "irq-release", op_irq_release },
	{ "irq-release-held", op_irq_release_held },
	{ "irq-release-lazy", op_irq_release_lazy },
	{ "hardirq", op_hardirq },
	{ "hardirq-in-read", op_hardirq_in_read },
	{ "hardirq-in-write", op_hardirq_in_write },
	{ "softirq", op_softirq_free },
	{ "softirq-in-read", op_softirq_in_read },
	{ "softirq-in-write", op_softirq_in_write },
	{ "storm", op_storm },
	{ }
};
