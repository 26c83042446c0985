/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one clock of all times recorded, the same on all CPUs: a wait may begin on
 * one and end on another.
 *
 * Where the kernel calls the TSC stable and synchronous it is read directly;
 * else CLOCK_MONOTONIC.  local_clock() would do no better: it drifts apart
 * between CPUs where the TSC is unstable.
 */
#ifndef MLS_CORE_CLOCK_H
#define MLS_CORE_CLOCK_H

#include <linux/ktime.h>
#include <linux/math64.h>
#ifdef CONFIG_X86_TSC
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

/* ns a tick of the TSC, 32 bits behind the point; 0 where it is not used. */
extern u64 mls_clock_tsc_mult;

void mls_clock_init(bool may_be_tsc);
const char *mls_clock_name(void);

/**
 * mls_clock_is_tsc() - is the TSC the clock?
 *
 * Context: Any.
 * Return: true when mls_clock_tsc_ns() may be used.
 */
static __always_inline bool mls_clock_is_tsc(void)
{
	return mls_clock_tsc_mult;
}

/**
 * mls_clock_tsc_ns() - now, where the TSC is the clock
 *
 * Context: Any, NMI included; mls_clock_is_tsc().
 * Return: Time, ns.
 */
static __always_inline u64 mls_clock_tsc_ns(void)
{
#ifdef CONFIG_X86_TSC
	return mul_u64_u64_shr(rdtsc(), mls_clock_tsc_mult, 32);
#else
	return 0;
#endif
}

/**
 * mls_clock_ns() - now
 *
 * Only differences mean something.  The TSC is read without a fence: a reading
 * may be some cycles off.  CLOCK_MONOTONIC's fast reader may step back by some ns
 * while the timekeeper is updated.  Negative differences are counted.
 *
 * Context: Any, NMI included.
 * Return: Time, ns.
 */
static __always_inline u64 mls_clock_ns(void)
{
	if (likely(mls_clock_is_tsc()))
		return mls_clock_tsc_ns();
	return ktime_get_mono_fast_ns();
}

#endif /* MLS_CORE_CLOCK_H */
