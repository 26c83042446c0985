/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recorder's account of one task's events, for the tests of the state machine.
 * The real lockseq.c is included here.
 */
#ifndef TESTS_UNIT_CORE_ACCOUNT_H
#define TESTS_UNIT_CORE_ACCOUNT_H

#include "core.h"

#include <string.h>

#include "../../module/core/lockseq.c"

/* The account that a recorder keeps of the steps, as the equations name it. */
struct account {
	uint64_t attempts[MLS_NR_MODES], acquired[MLS_NR_MODES];
	uint64_t failed[MLS_NR_MODES], released[MLS_NR_MODES];
	uint64_t orphan_acquire[MLS_NR_MODES], orphan_release[MLS_NR_MODES];
	uint64_t stale_wait[MLS_NR_MODES], stale_hold[MLS_NR_MODES];
	uint64_t waits[MLS_NR_MODES], holds[MLS_NR_MODES];
	uint64_t downgraded, nested, negative;
	uint64_t last_wait, last_hold;
};

enum event { START, ACQUIRED, FAILED, RELEASED, NR_EVENTS };

static struct mls_seq_step step_of(struct mls_lockseq *seq, enum event event,
				   enum mls_mode mode, uint64_t now)
{
	switch (event) {
	case START:
		return mls_seq_start(seq, mode, now);
	case ACQUIRED:
		return mls_seq_acquired(seq, mode, now);
	case FAILED:
		return mls_seq_failed(seq, mode, now);
	default:
		return mls_seq_released(seq, mode, now);
	}
}

static void settle(struct account *a, const struct mls_seq_step *step,
		   enum event event, enum mls_mode mode)
{
	a->orphan_acquire[mode] += !!(step->happened & MLS_SEQ_ORPHAN_ACQUIRE);
	a->orphan_release[mode] += !!(step->happened & MLS_SEQ_ORPHAN_RELEASE);
	a->nested += !!(step->happened & MLS_SEQ_NESTED);
	a->negative += !!(step->happened & MLS_SEQ_NEGATIVE);
	if (step->happened & MLS_SEQ_STALE_WAIT)
		a->stale_wait[step->stale_wait_mode]++;
	if (step->happened & MLS_SEQ_STALE_HOLD)
		a->stale_hold[step->stale_hold_mode] += step->stale_holds;
	if (step->happened & MLS_SEQ_HOLD) {
		a->holds[step->hold_mode]++;
		a->last_hold = step->hold_ns;
	}
	if (event == ACQUIRED && step->happened & MLS_SEQ_WAIT) {
		a->waits[mode]++;
		a->last_wait = step->wait_ns;
	}
}

static inline struct mls_seq_step feed(struct account *a, struct mls_lockseq *seq,
				       enum event event, enum mls_mode mode, uint64_t now)
{
	struct mls_seq_step step = step_of(seq, event, mode, now);

	if (event == START)
		a->attempts[mode]++;
	else if (event == FAILED)
		a->failed[mode]++;
	else if (event == RELEASED)
		a->released[mode]++;
	else if (step.happened & MLS_SEQ_DOWNGRADED)
		a->downgraded++;
	else
		a->acquired[mode]++;
	settle(a, &step, event, mode);
	return step;
}

/* The equations of the contract, with what is open now as the gauge. */
static inline void assert_equations(const struct account *a, const struct mls_lockseq *seq)
{
	int m;

	for (m = 0; m < MLS_NR_MODES; m++) {
		uint64_t waiting = seq->waiting && seq->wait_mode == m;
		uint64_t holding = seq->hold_mode == m ? seq->depth : 0;
		uint64_t gained = m == MLS_READ ? a->downgraded : 0;
		uint64_t turned = m == MLS_WRITE ? a->downgraded : 0;

		assert_int_equal(a->attempts[m] + a->orphan_acquire[m],
				 a->acquired[m] + a->failed[m] + waiting +
				 a->stale_wait[m]);
		assert_int_equal(a->acquired[m] + gained + a->orphan_release[m],
				 a->released[m] + turned + holding + a->stale_hold[m]);
	}
}

/* At the end of a stream without gaps nothing is open, orphaned or given up. */
static inline void assert_clean(const struct account *a, const struct mls_lockseq *seq)
{
	int m;

	assert_true(mls_seq_idle(seq));
	for (m = 0; m < MLS_NR_MODES; m++) {
		assert_int_equal(a->orphan_acquire[m] + a->orphan_release[m], 0);
		assert_int_equal(a->stale_wait[m] + a->stale_hold[m], 0);
	}
}

#endif
