/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums over all CPUs at a moment, and their difference from a baseline.
 *
 * Nothing is ever zeroed: a reset is a baseline on the reading side, so that
 * what is in flight keeps its state and no orphan appears because of it.
 */
#ifndef MLS_SINK_TOTALS_H
#define MLS_SINK_TOTALS_H

#include "../core/health.h"
#include "../core/hist.h"
#include "../core/types.h"

/**
 * struct mls_totals - everything counted, at one moment
 * @counters: counters; after mls_totals_since() attempts and acquired hold what
 *	was in flight at the baseline too
 * @open: waits and holds open at that moment
 * @hist: histograms
 * @hist_count: number of values of each
 */
struct mls_totals {
	struct mls_counters counters;
	struct mls_open open;
	struct mls_hist hist[MLS_NR_SERIES];
	u64 hist_count[MLS_NR_SERIES];
};

/**
 * struct mls_equation - one mode's two equations, with what is left over
 * @wait_left: attempts + orphan_acquire - acquired - trylock_failed - aborted -
 *	unfinished_wait
 * @hold_left: read: acquired + downgraded + orphan_release - released -
 *	unfinished_hold; write: acquired + orphan_release - released - downgraded -
 *	unfinished_hold
 *
 * Zero when nothing is being recorded; else what was in flight while the sums
 * were taken.
 */
struct mls_equation {
	s64 wait_left;
	s64 hold_left;
};

int mls_totals_take(struct mls_totals *totals, bool recording);
void mls_totals_since(struct mls_totals *totals, const struct mls_totals *base);
struct mls_equation mls_totals_equation(const struct mls_totals *totals,
					enum mls_mode mode);
u64 mls_totals_unfinished_wait(const struct mls_totals *totals, enum mls_mode mode);
u64 mls_totals_unfinished_hold(const struct mls_totals *totals, enum mls_mode mode);

#endif /* MLS_SINK_TOTALS_H */
