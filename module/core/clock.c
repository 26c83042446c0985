// SPDX-License-Identifier: GPL-2.0-only
/* Which clock; see clock.h. */
#include "clock.h"

u64 mls_clock_tsc_mult;

#ifdef CONFIG_X86_TSC
/* The kernel calls it unstable too where CPUs are not synchronous. */
static bool tsc_is_good(void)
{
	return tsc_khz && !check_tsc_unstable();
}

/**
 * mls_clock_init() - choose the clock, before anything is recorded
 * @may_be_tsc: take the TSC where the kernel calls it stable
 *
 * Context: Process; no probe runs.
 */
void mls_clock_init(bool may_be_tsc)
{
	mls_clock_tsc_mult = 0;
	if (may_be_tsc && tsc_is_good())
		mls_clock_tsc_mult = div_u64(1000000ULL << 32, tsc_khz);
}

/**
 * mls_clock_name() - for status, snapshot and recordings
 *
 * Context: Process.
 * Return: "tsc"; "mono"; "tsc-unstable" where the kernel has given the TSC up
 * since it was chosen: differences between CPUs are not to be trusted then.
 */
const char *mls_clock_name(void)
{
	if (!mls_clock_tsc_mult)
		return "mono";
	return check_tsc_unstable() ? "tsc-unstable" : "tsc";
}
#else
/**
 * mls_clock_init() - choose the clock, before anything is recorded
 * @may_be_tsc: there is none
 *
 * Context: Process; no probe runs.
 */
void mls_clock_init(bool may_be_tsc)
{
}

/**
 * mls_clock_name() - for status, snapshot and recordings
 *
 * Context: Process.
 * Return: "mono".
 */
const char *mls_clock_name(void)
{
	return "mono";
}
#endif
