/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must be carried from a snapshot S0 into the difference to another one, S1,
 * so that its equations close as those of a whole recording do.
 *
 * An operation has a beginning and an end, counted on the CPUs where they
 * happen.  A snapshot of a running recorder reads one CPU after the other, so
 * of each operation it has counted the start (s = 1) or not (s = 0), likewise
 * the acquisition (a) and the end of the hold, which is a release, a downgrade
 * or its being given up as stale (e).  The residues of its equations, the
 * gauges of what is open left out, are
 *
 *	W = attempts + orphan_acquire - acquired - trylock_failed - aborted
 *	    - stale_wait				= sum of s - a
 *	H = acquired (read: + downgraded) + orphan_release - released
 *	    (write: - downgraded) - stale_hold		= sum of a - e
 *
 * (a trace that was imported cannot tell the two failures apart, and has `failed` in
 * their place).  A term is 1 where the operation is open, and -1 where its end was counted on
 * a CPU that was read late and its beginning is on one that was read early: so
 * W and H may be below zero, and differ from the gauges, which are read at yet
 * another time.  The bare differences of two snapshots leave W1 - W0 and
 * H1 - H0.  With W0 + H0 carried into attempts and H0 into acquired (with their
 * signs) they leave W1 and H1, exactly, and an operation counts
 *
 *	s1 - s0 + (s0 - a0) + (a0 - e0) = s1 - e0  times among the attempts
 *	a1 - a0 + (a0 - e0)             = a1 - e0  times among the acquired
 *
 * which is 0 or 1: what has ended by S0 was in S1 from its very beginning.
 * There are two exceptions.  A read hold whose release S0 has, and whose downgrade
 * only S1, is a downgrade more, and an acquisition less.  Where the sum would fall
 * below zero by that, the downgrade is taken as before S0.  And an orphan has no
 * start: one whose end S0 has, and whose acquisition only S1, is an orphan more, and
 * an attempt less.  Where the attempts would fall below zero, it is taken as before
 * S0.
 *
 * The cases:
 *
 * - S0 and S1 of a running recorder: as above; W1 and H1 are in flight, and the
 *   gauges' part of unfinished_* is taken away: stale ones remain.
 * - S0 of a running one, and the caller stopped it right before S1: every
 *   counter stands still, so the gauges are exact; what they say is open is in
 *   flight, and what W1 and H1 are besides is unexplained.  At the stop the module
 *   gives up what is open, as stale: what has become stale since the counters that
 *   the caller read right before it is in flight likewise.
 * - S0 and S1 of a stopped one: nothing happened, and nothing is carried: what
 *   was open at the stop had been counted as unfinished by then.
 * - No S0, all since the load or the last reset: the module has carried what
 *   was in flight at the reset.  Stopped meanwhile, what is open is unfinished
 *   and a residue unexplained; else it is in flight.
 * - A reset, a start or a stop by somebody else between the two: no difference.
 */
#ifndef SOURCE_CARRY_H
#define SOURCE_CARRY_H

#include "model/err.h"
#include "source/snapshot.h"

/**
 * struct carry_left - what the equations of the difference leave, of both modes
 * @flight: waits and holds that are in flight at S1
 * @unexplained: waits and holds that nothing accounts for
 */
struct carry_left {
	__int128_t flight[2], unexplained[2];
};

int carry_nonsense(struct err *err, const char *name);
int carry_settle(const struct snapshot *before, const struct snapshot *after,
		 const struct counters *at_stop, struct counters *c,
		 struct carry_left *left, struct err *err);

#endif
