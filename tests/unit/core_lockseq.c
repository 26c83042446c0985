// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state machine: a test for every shape that the event stream can have,
 * and what must hold whatever comes.
 */
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

static struct mls_seq_step feed(struct account *a, struct mls_lockseq *seq,
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
static void assert_equations(const struct account *a, const struct mls_lockseq *seq)
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

#define FEED(event, mode, now)						\
	do {								\
		happened = feed(&a, &seq, event, MLS_##mode, now).happened; \
		assert_equations(&a, &seq);				\
	} while (0)

#define BEGIN								\
	struct mls_lockseq seq = { 0 };					\
	struct account a = { 0 };					\
	unsigned int happened = 0;					\
	(void)happened;							\
	(void)state

#define END								\
	assert_true(mls_seq_idle(&seq));				\
	assert_int_equal(a.orphan_acquire[0] + a.orphan_acquire[1], 0);	\
	assert_int_equal(a.orphan_release[0] + a.orphan_release[1], 0);	\
	assert_int_equal(a.stale_wait[0] + a.stale_wait[1] +		\
			 a.stale_hold[0] + a.stale_hold[1], 0)

static void test_read(void **state)
{
	BEGIN;
	FEED(START, READ, 100);
	assert_int_equal(happened, 0);
	assert_false(mls_seq_idle(&seq));
	FEED(ACQUIRED, READ, 150);
	assert_int_equal(happened, MLS_SEQ_WAIT);
	assert_int_equal(a.last_wait, 50);
	FEED(RELEASED, READ, 350);
	assert_int_equal(happened, MLS_SEQ_HOLD);
	assert_int_equal(a.last_hold, 200);
	assert_int_equal(a.holds[MLS_READ], 1);
	END;
}

static void test_write(void **state)
{
	BEGIN;
	FEED(START, WRITE, 100);
	FEED(ACQUIRED, WRITE, 107);
	assert_int_equal(a.last_wait, 7);
	FEED(RELEASED, WRITE, 118);
	assert_int_equal(a.last_hold, 11);
	assert_int_equal(a.holds[MLS_WRITE], 1);
	END;
}

/* A failed trylock and a killed wait have this shape: never a wait sample. */
static void test_failed(void **state)
{
	BEGIN;
	FEED(START, READ, 100);
	FEED(FAILED, READ, 900);
	assert_int_equal(happened, MLS_SEQ_WAIT);
	assert_int_equal(a.waits[MLS_READ], 0);
	assert_true(mls_seq_idle(&seq));
	FEED(START, WRITE, 1000);
	FEED(FAILED, WRITE, 1001);
	END;
}

/* The length of a killed wait is kept apart by the caller: it must be there. */
static void test_failed_length(void **state)
{
	struct mls_lockseq seq = { 0 };
	struct mls_seq_step step;

	(void)state;
	mls_seq_start(&seq, MLS_WRITE, 5);
	step = mls_seq_failed(&seq, MLS_WRITE, 905);
	assert_int_equal(step.wait_ns, 900);
}

/* A contended page fault: the trylock fails, then a lock that waits. */
static void test_two_starts(void **state)
{
	BEGIN;
	FEED(START, READ, 100);
	FEED(FAILED, READ, 110);
	FEED(START, READ, 120);
	FEED(ACQUIRED, READ, 220);
	assert_int_equal(a.last_wait, 100);
	FEED(RELEASED, READ, 230);
	assert_int_equal(a.attempts[MLS_READ], 2);
	assert_int_equal(a.waits[MLS_READ], 1);
	END;
}

static void test_downgrade(void **state)
{
	BEGIN;
	FEED(START, WRITE, 100);
	FEED(ACQUIRED, WRITE, 110);
	FEED(ACQUIRED, READ, 140);
	assert_int_equal(happened, MLS_SEQ_DOWNGRADED | MLS_SEQ_HOLD);
	assert_int_equal(a.last_hold, 30);
	assert_int_equal(a.holds[MLS_WRITE], 1);
	FEED(RELEASED, READ, 147);
	assert_int_equal(happened, MLS_SEQ_HOLD);
	assert_int_equal(a.last_hold, 7);
	assert_int_equal(a.holds[MLS_READ], 1);
	assert_int_equal(a.waits[MLS_READ], 0);
	assert_int_equal(a.acquired[MLS_READ], 0);
	END;
}

/* Known by the state alone: without a write hold it is an orphan. */
static void test_no_downgrade_without_write_hold(void **state)
{
	BEGIN;
	FEED(ACQUIRED, READ, 10);
	assert_int_equal(happened, MLS_SEQ_ORPHAN_ACQUIRE);
	FEED(ACQUIRED, READ, 20);
	assert_int_equal(happened, MLS_SEQ_ORPHAN_ACQUIRE | MLS_SEQ_NESTED);
	assert_int_equal(a.downgraded, 0);
	FEED(RELEASED, READ, 30);
	FEED(RELEASED, READ, 40);
	assert_int_equal(a.last_hold, 30);
	assert_true(mls_seq_idle(&seq));
}

static void test_downgrade_then_nested(void **state)
{
	BEGIN;
	FEED(START, WRITE, 0);
	FEED(ACQUIRED, WRITE, 10);
	FEED(ACQUIRED, READ, 20);
	FEED(START, READ, 30);
	FEED(ACQUIRED, READ, 31);
	assert_int_equal(happened, MLS_SEQ_WAIT | MLS_SEQ_NESTED);
	FEED(RELEASED, READ, 40);
	assert_int_equal(happened, 0);
	FEED(RELEASED, READ, 50);
	assert_int_equal(a.last_hold, 30);
	END;
}

/* Counters count every event, one hold sample at the outermost release. */
static void test_nested_reads(void **state)
{
	BEGIN;
	FEED(START, READ, 0);
	FEED(ACQUIRED, READ, 10);
	FEED(START, READ, 20);
	FEED(ACQUIRED, READ, 25);
	assert_int_equal(happened, MLS_SEQ_WAIT | MLS_SEQ_NESTED);
	FEED(START, READ, 30);
	FEED(ACQUIRED, READ, 31);
	FEED(RELEASED, READ, 40);
	assert_int_equal(happened, 0);
	FEED(RELEASED, READ, 41);
	FEED(RELEASED, READ, 60);
	assert_int_equal(happened, MLS_SEQ_HOLD);
	assert_int_equal(a.last_hold, 50);
	assert_int_equal(a.nested, 2);
	assert_int_equal(a.waits[MLS_READ], 3);
	assert_int_equal(a.holds[MLS_READ], 1);
	END;
}

/* fork: each mm has its own state, whatever the order of the releases. */
static void test_two_mms(void **state)
{
	struct mls_lockseq old = { 0 }, new = { 0 };
	struct account a = { 0 }, b = { 0 };

	(void)state;
	feed(&a, &old, START, MLS_WRITE, 1);
	feed(&a, &old, ACQUIRED, MLS_WRITE, 2);
	feed(&b, &new, START, MLS_WRITE, 3);
	feed(&b, &new, ACQUIRED, MLS_WRITE, 4);
	feed(&a, &old, RELEASED, MLS_WRITE, 10);
	feed(&b, &new, RELEASED, MLS_WRITE, 30);
	assert_int_equal(a.last_hold, 8);
	assert_int_equal(b.last_hold, 26);
	assert_true(mls_seq_idle(&old) && mls_seq_idle(&new));
}

/* Attached in mid-flight: the ends of what began before. */
static void test_orphans(void **state)
{
	BEGIN;
	FEED(RELEASED, READ, 10);
	assert_int_equal(happened, MLS_SEQ_ORPHAN_RELEASE);
	FEED(RELEASED, WRITE, 10);
	assert_int_equal(happened, MLS_SEQ_ORPHAN_RELEASE);
	FEED(FAILED, READ, 10);
	assert_int_equal(happened, MLS_SEQ_ORPHAN_ACQUIRE);
	FEED(ACQUIRED, WRITE, 11);
	assert_int_equal(happened, MLS_SEQ_ORPHAN_ACQUIRE);
	assert_int_equal(a.waits[MLS_WRITE], 0);
	FEED(RELEASED, WRITE, 15);
	assert_int_equal(happened, MLS_SEQ_HOLD);
	assert_int_equal(a.last_hold, 4);
	assert_true(mls_seq_idle(&seq));
	assert_int_equal(a.holds[MLS_READ], 0);
}

/* Open at a stop: still open, in the mode it was in. */
static void test_unfinished(void **state)
{
	BEGIN;
	FEED(START, READ, 0);
	FEED(ACQUIRED, READ, 1);
	FEED(START, READ, 2);
	assert_true(seq.waiting && seq.wait_mode == MLS_READ);
	assert_true(seq.depth == 1 && seq.hold_mode == MLS_READ);
	assert_false(mls_seq_idle(&seq));
}

/* An event was not recorded between the two: the first start is given up. */
static void test_start_over_start(void **state)
{
	BEGIN;
	FEED(START, WRITE, 10);
	FEED(START, READ, 20);
	assert_int_equal(happened, MLS_SEQ_STALE_WAIT);
	assert_int_equal(a.stale_wait[MLS_WRITE], 1);
	FEED(ACQUIRED, READ, 25);
	assert_int_equal(a.last_wait, 5);
	FEED(RELEASED, READ, 26);
	assert_true(mls_seq_idle(&seq));
}

static void test_acquired_in_the_other_mode(void **state)
{
	BEGIN;
	FEED(START, WRITE, 10);
	FEED(ACQUIRED, READ, 20);
	assert_int_equal(happened, MLS_SEQ_STALE_WAIT | MLS_SEQ_ORPHAN_ACQUIRE);
	assert_int_equal(a.waits[MLS_READ] + a.waits[MLS_WRITE], 0);
	FEED(RELEASED, READ, 30);
	assert_true(mls_seq_idle(&seq));
}

/* Impossible while the hold lasts, so its release was not recorded. */
static void test_write_over_holds(void **state)
{
	BEGIN;
	FEED(START, READ, 0);
	FEED(ACQUIRED, READ, 1);
	FEED(START, READ, 2);
	FEED(ACQUIRED, READ, 3);
	FEED(START, WRITE, 10);
	FEED(ACQUIRED, WRITE, 11);
	assert_true(happened & MLS_SEQ_STALE_HOLD);
	assert_int_equal(a.stale_hold[MLS_READ], 2);
	FEED(RELEASED, WRITE, 15);
	assert_int_equal(a.last_hold, 4);
	assert_int_equal(a.holds[MLS_READ], 0);
	FEED(START, WRITE, 20);
	FEED(ACQUIRED, WRITE, 21);
	FEED(START, WRITE, 30);
	FEED(ACQUIRED, WRITE, 31);
	assert_int_equal(a.stale_hold[MLS_WRITE], 1);
	FEED(RELEASED, WRITE, 32);
	assert_int_equal(a.last_hold, 1);
	assert_true(mls_seq_idle(&seq));
}

/* A read lock over a write hold, with a start: no downgrade. */
static void test_read_over_write(void **state)
{
	BEGIN;
	FEED(START, WRITE, 0);
	FEED(ACQUIRED, WRITE, 1);
	FEED(START, READ, 10);
	FEED(ACQUIRED, READ, 12);
	assert_int_equal(happened, MLS_SEQ_WAIT | MLS_SEQ_STALE_HOLD);
	assert_int_equal(a.downgraded, 0);
	FEED(RELEASED, READ, 13);
	assert_true(mls_seq_idle(&seq));
}

static void test_released_in_the_other_mode(void **state)
{
	BEGIN;
	FEED(START, WRITE, 0);
	FEED(ACQUIRED, WRITE, 1);
	FEED(RELEASED, READ, 10);
	assert_true(happened & MLS_SEQ_ORPHAN_RELEASE);
	assert_int_equal(a.holds[MLS_READ] + a.holds[MLS_WRITE], 0);
}

/* Another CPU's clock may be behind: 0, and counted. */
static void test_negative(void **state)
{
	BEGIN;
	FEED(START, READ, 1000);
	FEED(ACQUIRED, READ, 999);
	assert_int_equal(happened, MLS_SEQ_WAIT | MLS_SEQ_NEGATIVE);
	assert_int_equal(a.last_wait, 0);
	FEED(RELEASED, READ, 900);
	assert_int_equal(happened, MLS_SEQ_HOLD | MLS_SEQ_NEGATIVE);
	assert_int_equal(a.last_hold, 0);
	FEED(START, READ, 1000);
	FEED(ACQUIRED, READ, 1000);
	assert_int_equal(happened, MLS_SEQ_WAIT);
	FEED(RELEASED, READ, 1000);
	assert_int_equal(happened, MLS_SEQ_HOLD);
	END;
	assert_int_equal(a.negative, 2);
}

static void test_long_times(void **state)
{
	BEGIN;
	FEED(START, WRITE, 1);
	FEED(ACQUIRED, WRITE, UINT64_MAX - 1);
	assert_true(a.last_wait == UINT64_MAX - 2);
	FEED(RELEASED, WRITE, UINT64_MAX);
	assert_int_equal(a.last_hold, 1);
	END;
}

/* Whatever the order of events, sensible or not: the equations close. */
static void test_any_stream(void **state)
{
	uint64_t seed = 0x2545f4914f6cdd1dULL, now = 0;
	int round, i;

	(void)state;
	for (round = 0; round < 20000; round++) {
		struct mls_lockseq seq = { 0 };
		struct account a = { 0 };

		for (i = 0; i < 60; i++) {
			uint64_t r = random_next(&seed);

			now += (r >> 32) % 100;
			feed(&a, &seq, r % NR_EVENTS, (r >> 8) % MLS_NR_MODES, now);
			assert_equations(&a, &seq);
			/* More than one hold only for read. */
			assert_true(seq.depth <= 1 || seq.hold_mode == MLS_READ);
		}
		assert_true(a.waits[0] <= a.acquired[0]);
		assert_true(a.waits[1] <= a.acquired[1]);
	}
}

/* A sensible stream: nothing is an orphan, stale, or lost. */
static void test_any_sensible_stream(void **state)
{
	uint64_t seed = 0x9e3779b97f4a7c15ULL, now = 1;
	struct mls_lockseq seq = { 0 };
	struct account a = { 0 };
	uint64_t reads = 0, writes = 0;
	int i;

	(void)state;
	for (i = 0; i < 300000; i++) {
		uint64_t r = random_next(&seed);
		enum mls_mode mode = seq.depth ? MLS_READ : r % 2;

		now += (r >> 40) % 1000;
		if (seq.depth && (r >> 8) % 3) {
			if (seq.hold_mode == MLS_WRITE && (r >> 16) % 2)
				feed(&a, &seq, ACQUIRED, MLS_READ, now);
			else
				feed(&a, &seq, RELEASED, seq.hold_mode, now);
		} else if (!(seq.depth && seq.hold_mode == MLS_WRITE)) {
			feed(&a, &seq, START, mode, now);
			feed(&a, &seq, (r >> 20) % 5 ? ACQUIRED : FAILED, mode, now + 1);
		}
		assert_equations(&a, &seq);
	}
	while (seq.depth)
		feed(&a, &seq, RELEASED, seq.hold_mode, now + 2);
	END;
	reads = a.acquired[MLS_READ] - a.nested + a.downgraded;
	writes = a.acquired[MLS_WRITE];
	assert_int_equal(a.holds[MLS_READ], reads);
	assert_int_equal(a.holds[MLS_WRITE], writes);
	assert_int_equal(a.waits[MLS_READ], a.acquired[MLS_READ]);
	assert_int_equal(a.waits[MLS_WRITE], a.acquired[MLS_WRITE]);
	assert_true(a.downgraded > 1000 && a.nested > 1000 && a.failed[0] > 1000);
}

/* What the fast paths do is what the machine does. */
static void test_fast_is_the_same(void **state)
{
	int mode;

	(void)state;
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		struct mls_lockseq fast = { 0 }, general = { 0 };
		struct mls_seq_step step;

		assert_false(mls_seq_is_only(&fast, mode));
		mls_seq_start(&general, mode, 1000);
		assert_false(mls_seq_is_only(&general, mode));
		step = mls_seq_acquired(&general, mode, 1000);
		assert_int_equal(step.happened, MLS_SEQ_WAIT);
		assert_int_equal(step.wait_ns, 0);
		mls_seq_first(&fast, mode, 1000);

		assert_int_equal(fast.hold_since_ns, general.hold_since_ns);
		assert_int_equal(fast.hold_mode, general.hold_mode);
		assert_int_equal(fast.depth, general.depth);
		assert_int_equal(fast.waiting, general.waiting);
		assert_true(mls_seq_is_only(&fast, mode));
		assert_true(mls_seq_is_only(&general, mode));
		assert_false(mls_seq_is_only(&general, !mode));

		/* not where something else is open */
		mls_seq_start(&general, MLS_READ, 1500);
		assert_false(mls_seq_is_only(&general, mode));
		mls_seq_failed(&general, MLS_READ, 1600);
		assert_true(mls_seq_is_only(&general, mode));

		step = mls_seq_released(&general, mode, 2500);
		assert_int_equal(step.happened, MLS_SEQ_HOLD);
		assert_int_equal(step.hold_mode, mode);
		assert_int_equal(step.hold_ns, 2500 - fast.hold_since_ns);
		assert_true(mls_seq_idle(&general));
	}
}

TESTS_MAIN(
	cmocka_unit_test(test_read),
	cmocka_unit_test(test_write),
	cmocka_unit_test(test_failed),
	cmocka_unit_test(test_failed_length),
	cmocka_unit_test(test_two_starts),
	cmocka_unit_test(test_downgrade),
	cmocka_unit_test(test_no_downgrade_without_write_hold),
	cmocka_unit_test(test_downgrade_then_nested),
	cmocka_unit_test(test_nested_reads),
	cmocka_unit_test(test_two_mms),
	cmocka_unit_test(test_orphans),
	cmocka_unit_test(test_unfinished),
	cmocka_unit_test(test_start_over_start),
	cmocka_unit_test(test_acquired_in_the_other_mode),
	cmocka_unit_test(test_write_over_holds),
	cmocka_unit_test(test_read_over_write),
	cmocka_unit_test(test_released_in_the_other_mode),
	cmocka_unit_test(test_negative),
	cmocka_unit_test(test_long_times),
	cmocka_unit_test(test_fast_is_the_same),
	cmocka_unit_test(test_any_stream),
	cmocka_unit_test(test_any_sensible_stream),
)
