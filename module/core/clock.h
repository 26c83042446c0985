/* SPDX-License-Identifier: GPL-2.0-only */
/* The one clock of all times recorded. */
#ifndef MLS_CORE_CLOCK_H
#define MLS_CORE_CLOCK_H

#include <linux/ktime.h>

/* Printed in status, in the snapshot and in recordings. */
#define MLS_CLOCK_NAME "mono"

/**
 * mls_clock_ns() - now
 *
 * CLOCK_MONOTONIC, the same on all CPUs: a wait may begin on one and end on
 * another.  local_clock() would be cheaper, but drifts apart between CPUs where
 * the TSC is unstable.  The fast reader may step back by some ns while the
 * timekeeper is updated; such differences are counted as negative_time.
 *
 * Context: Any, NMI included.
 * Return: Time, ns.
 */
static __always_inline u64 mls_clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

#endif /* MLS_CORE_CLOCK_H */
