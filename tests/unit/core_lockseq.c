// SPDX-License-Identifier: GPL-2.0-only
/* The state machine: a test for every shape that the event stream can have. */
#include "core_account.h"

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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
	assert_clean(&a, &seq);
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
)
