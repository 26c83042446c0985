// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: an interrupt inside each of the three events.
 *
 * A probe of our own on the event, next to the recorder's, fires the interrupt
 * at that very moment: the task is between start and acquire, or its release
 * is half told.
 */
#include <linux/tracepoint.h>
#include <trace/events/mmap_lock.h>

#include "irq.h"

/* Set while an actor runs; one at a time, see @probe_lock. */
static struct mlt_shot *probe_shot;
static DEFINE_MUTEX(probe_lock);

static void probe_hit(struct mm_struct *mm)
{
	struct mlt_shot *s = READ_ONCE(probe_shot);

	if (s && s->actor == current && in_task() && mm == s->run->mm)
		mlt_shot_fire_here(s);
}

#ifdef MLT_PROBE_PATH
#define PATH const char *path,
#else
#define PATH
#endif

static void probe_start(void *data, struct mm_struct *mm, PATH bool write)
{
	probe_hit(mm);
}

static void probe_acquired(void *data, struct mm_struct *mm, PATH bool write,
			   bool success)
{
	probe_hit(mm);
}

static void probe_released(void *data, struct mm_struct *mm, PATH bool write)
{
	probe_hit(mm);
}

static void irq_trylock_other(struct mlt_run *run)
{
	struct mm_struct *mm = run->mm2 ?: run->mm;

	if (mlt_trylock(run, mm, MLT_READ))
		mlt_unlock(run, mm, MLT_READ);
}

static void do_under_probe(struct mlt_run *run)
{
	struct mlt_shot s;
	u32 i;

	mlt_shot_init(&s, run, irq_trylock_other);
	WRITE_ONCE(probe_shot, &s);
	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, run->waiter);
		mlt_unlock(run, run->mm, run->waiter);
	}
	WRITE_ONCE(probe_shot, NULL);
	irq_work_sync(&s.work);
}

static int op_irq_in_start(struct mlt_run *run)
{
	int ret;

	mutex_lock(&probe_lock);
	ret = register_trace_mmap_lock_start_locking(probe_start, NULL);
	if (!ret) {
		ret = mlt_run_by(run, do_under_probe);
		unregister_trace_mmap_lock_start_locking(probe_start, NULL);
		tracepoint_synchronize_unregister();
	}
	mutex_unlock(&probe_lock);
	return ret;
}

static int op_irq_in_acquired(struct mlt_run *run)
{
	int ret;

	mutex_lock(&probe_lock);
	ret = register_trace_mmap_lock_acquire_returned(probe_acquired, NULL);
	if (!ret) {
		ret = mlt_run_by(run, do_under_probe);
		unregister_trace_mmap_lock_acquire_returned(probe_acquired, NULL);
		tracepoint_synchronize_unregister();
	}
	mutex_unlock(&probe_lock);
	return ret;
}

static int op_irq_in_released(struct mlt_run *run)
{
	int ret;

	mutex_lock(&probe_lock);
	ret = register_trace_mmap_lock_released(probe_released, NULL);
	if (!ret) {
		ret = mlt_run_by(run, do_under_probe);
		unregister_trace_mmap_lock_released(probe_released, NULL);
		tracepoint_synchronize_unregister();
	}
	mutex_unlock(&probe_lock);
	return ret;
}

const struct mlt_op mlt_probe_ops[] = {
	{ "irq-in-start", op_irq_in_start },
	{ "irq-in-acquired", op_irq_in_acquired },
	{ "irq-in-released", op_irq_in_released },
	{ }
};
