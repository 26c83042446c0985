/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the probes record, and how; read by each, written by the session. */
#ifndef MLS_CORE_STATE_H
#define MLS_CORE_STATE_H

#include "clock.h"
#include "context.h"
#include "fastpath.h"
#include "filter.h"

/* What keeps a probe out of itself, by level; see guard.h. */
DECLARE_PER_CPU(u8[MLS_NR_LEVELS], mls_guard_busy);

/*
 * All probes are attached while this is 0, then it is set: a task whose
 * start was seen has its acquire_returned seen, and so on.
 */
extern unsigned int mls_state;
extern struct mls_filter *mls_state_filter;

/*
 * Bits of the state.  With MLS_ENABLED alone the fast paths may serve: every mm is
 * wanted, who does not come through the slow path has not waited, and the clock
 * is the TSC.
 */
#define MLS_ENABLED	(1u << 0)
#define MLS_FILTERED	(1u << 1)
#define MLS_LOCKING	(1u << 2)
#define MLS_MONO	(1u << 3)

/**
 * mls_state_get() - the state
 *
 * Context: Any.
 * Return: Its bits.
 */
static __always_inline unsigned int mls_state_get(void)
{
	/* Acquire: pairs with the release in mls_acct_enable(). */
	return smp_load_acquire(&mls_state);
}

/**
 * mls_state_is_enabled() - is anything recorded?
 *
 * Context: Any.
 * Return: true when it is.
 */
static __always_inline bool mls_state_is_enabled(void)
{
	return mls_state_get() & MLS_ENABLED;
}

/**
 * mls_state_from_slowpath() - do waits start in the slow path?
 *
 * Context: Any.
 * Return: false where they start at start_locking.
 */
static __always_inline bool mls_state_from_slowpath(void)
{
	return !(READ_ONCE(mls_state) & MLS_LOCKING);
}

/**
 * mls_state_may_be_fast() - may a fast path be tried?
 *
 * Context: Any, preemption off.
 * Return: true when it may.
 */
static __always_inline bool mls_state_may_be_fast(void)
{
	/* Not inside a general path whose functions somebody has hooked. */
	return likely(mls_state_get() == MLS_ENABLED) &&
	       likely(mls_fast_context()) &&
	       likely(!__this_cpu_read(mls_guard_busy[MLS_LEVEL_TASK]));
}

/**
 * mls_fast_enter() - a fast path begins
 *
 * Context: mls_state_may_be_fast(), preemption off until mls_fast_leave().
 */
static __always_inline void mls_fast_enter(void)
{
	__this_cpu_write(mls_guard_busy[MLS_LEVEL_TASK], 1);
	barrier();	/* an interrupt that reads the sums sees it */
}

/**
 * mls_fast_leave() - a fast path has done its work, or nothing
 *
 * Context: As mls_fast_enter().
 */
static __always_inline void mls_fast_leave(void)
{
	barrier();	/* all is counted */
	__this_cpu_write(mls_guard_busy[MLS_LEVEL_TASK], 0);
}

/**
 * mls_state_wants() - is this mm recorded?
 * @mm: compared, not followed
 *
 * Context: Any, preemption off.
 * Return: true when it is.
 */
static __always_inline bool mls_state_wants(const struct mm_struct *mm)
{
	return mls_state_is_enabled() &&
	       mls_filter_has(READ_ONCE(mls_state_filter), mm);
}

#endif /* MLS_CORE_STATE_H */
