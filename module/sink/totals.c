// SPDX-License-Identifier: GPL-2.0-only
/* Sums and differences; see totals.h. */
#include <linux/build_bug.h>

#include "totals.h"

/* Attempts that have neither succeeded, nor failed, nor been given up. */
static s64 waits_open(const struct mls_counters *c, enum mls_mode mode)
{
	const u64 *m = c->mode[mode];

	return m[MLS_C_ATTEMPTS] + m[MLS_C_ORPHAN_ACQUIRE] - m[MLS_C_ACQUIRED] -
	       m[MLS_C_TRYLOCK_FAILED] - m[MLS_C_ABORTED] - m[MLS_C_STALE_WAIT];
}

/* Acquisitions that have neither been released nor given up. */
static s64 holds_open(const struct mls_counters *c, enum mls_mode mode)
{
	const u64 *m = c->mode[mode];
	s64 open = m[MLS_C_ACQUIRED] + m[MLS_C_ORPHAN_RELEASE] -
		   m[MLS_C_RELEASED] - m[MLS_C_STALE_HOLD];

	if (mode == MLS_READ)
		return open + c->once[MLS_C_DOWNGRADED];
	return open - c->once[MLS_C_DOWNGRADED];
}

/*
 * What was open at the baseline.  Fewer than none are where the end of something
 * was read on one CPU, and its beginning on another before it had happened: that
 * follows, and cancels out.  It may be a downgrade, though, which is no
 * acquisition: then the end is taken for one behind the baseline.
 */
static void carry(u64 *m, s64 waits, s64 holds)
{
	s64 missing = -(s64)(m[MLS_C_ACQUIRED] + holds);

	if (missing > 0) {
		holds += missing;
		m[MLS_C_RELEASED] += missing;
	}
	m[MLS_C_ATTEMPTS] += waits + holds;
	m[MLS_C_ACQUIRED] += holds;
}

/**
 * mls_totals_since() - take a baseline off
 * @totals: becomes the difference
 * @base: the baseline, taken earlier; may be of a running recorder
 *
 * What was in flight at the baseline, by its own equations, is carried into
 * attempts and acquired: so the equations of the difference leave what those of
 * @totals left, however the baseline was taken.  Maxima are not touched: they
 * count from the last mark.
 *
 * Context: Any.
 */
void mls_totals_since(struct mls_totals *totals, const struct mls_totals *base)
{
	u64 *now = (u64 *)&totals->counters;
	const u64 *then = (const u64 *)&base->counters;
	int i, b;

	BUILD_BUG_ON(sizeof(struct mls_counters) % sizeof(u64));
	for (i = 0; i < sizeof(struct mls_counters) / sizeof(u64); i++)
		now[i] -= then[i];

	for (i = 0; i < MLS_NR_MODES; i++) {
		s64 waits = waits_open(&base->counters, i);
		s64 holds = holds_open(&base->counters, i);

		carry(totals->counters.mode[i], waits, holds);
	}

	for (i = 0; i < MLS_NR_SERIES; i++) {
		totals->hist[i].sum_ns -= base->hist[i].sum_ns;
		for (b = 0; b < MMLOCKSTAT_NR_BUCKETS; b++)
			totals->hist[i].bucket[b] -= base->hist[i].bucket[b];
		totals->hist_count[i] -= base->hist_count[i];
	}
}

/**
 * mls_totals_unfinished_wait() - waits whose end was not seen
 * @totals: the sums
 * @mode: which
 *
 * Context: Any.
 * Return: Those open at that moment, and those given up.
 */
u64 mls_totals_unfinished_wait(const struct mls_totals *totals, enum mls_mode mode)
{
	return totals->open.wait[mode] +
	       totals->counters.mode[mode][MLS_C_STALE_WAIT];
}

/**
 * mls_totals_unfinished_hold() - holds whose end was not seen
 * @totals: the sums
 * @mode: which
 *
 * Context: Any.
 * Return: Those open at that moment, nested ones included, and those given up.
 */
u64 mls_totals_unfinished_hold(const struct mls_totals *totals, enum mls_mode mode)
{
	return totals->open.hold[mode] +
	       totals->counters.mode[mode][MLS_C_STALE_HOLD];
}

/**
 * mls_totals_equation() - do the counters add up?
 * @totals: the sums
 * @mode: which
 *
 * Context: Any.
 * Return: What is left over.
 */
struct mls_equation mls_totals_equation(const struct mls_totals *totals,
					enum mls_mode mode)
{
	return (struct mls_equation){
		.wait_left = waits_open(&totals->counters, mode) -
			     (s64)totals->open.wait[mode],
		.hold_left = holds_open(&totals->counters, mode) -
			     (s64)totals->open.hold[mode],
	};
}
