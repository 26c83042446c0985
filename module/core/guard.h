/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every probe does first and last: preemption off (7.x calls probes
 * preemptible and migratable), no work in NMI, no work inside itself.
 *
 * A probe may be interrupted by one of a higher level: the levels share no
 * state but counters that interrupts may add to.
 */
#ifndef MLS_CORE_GUARD_H
#define MLS_CORE_GUARD_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "context.h"
#include "health.h"
#include "state.h"

/**
 * mls_guard_enter() - may this probe run?
 * @level: where it runs, filled when it may
 * @mm: whose lock the event is about; compared, not followed
 *
 * Context: Any.  On true preemption is off until mls_guard_leave().
 * Return: false when the event must be left, which has been counted if it was
 * wanted.
 */
static __always_inline bool mls_guard_enter(enum mls_level *level,
					    const struct mm_struct *mm)
{
	enum mls_lost cause = MLS_LOST_NMI;

	preempt_disable_notrace();
	if (unlikely(in_nmi()))
		goto refused;
	*level = mls_level();
	cause = MLS_LOST_REENTERED;
	if (unlikely(__this_cpu_read(mls_guard_busy[*level])))
		goto refused;
	__this_cpu_write(mls_guard_busy[*level], 1);
	barrier();	/* a re-entry on this CPU sees it */
	return true;

refused:
	if (mls_state_wants(mm))
		mls_count_lost(cause);
	preempt_enable_notrace();
	return false;
}

/**
 * mls_guard_enter_task() - the same where it must be a task
 *
 * Context: A task, whatever the context looks like.  On true preemption is off
 * until mls_guard_leave(MLS_LEVEL_TASK).
 * Return: false when the event must be left, which has been counted.
 */
static __always_inline bool mls_guard_enter_task(void)
{
	preempt_disable_notrace();
	if (unlikely(__this_cpu_read(mls_guard_busy[MLS_LEVEL_TASK]))) {
		if (mls_state_is_enabled())
			mls_count_lost(MLS_LOST_REENTERED);
		preempt_enable_notrace();
		return false;
	}
	__this_cpu_write(mls_guard_busy[MLS_LEVEL_TASK], 1);
	barrier();	/* a re-entry on this CPU sees it */
	return true;
}

/**
 * mls_guard_leave() - the end of what mls_guard_enter() allowed
 * @level: as filled there, or MLS_LEVEL_TASK
 *
 * Context: As there.
 */
static __always_inline void mls_guard_leave(enum mls_level level)
{
	barrier();	/* all work done before a re-entry is allowed */
	__this_cpu_write(mls_guard_busy[level], 0);
	preempt_enable_notrace();
}

#endif /* MLS_CORE_GUARD_H */
