// SPDX-License-Identifier: GPL-2.0-only
/* The state machine: what must hold whatever comes. */
#include "core_account.h"

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
	assert_clean(&a, &seq);
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
	cmocka_unit_test(test_fast_is_the_same),
	cmocka_unit_test(test_any_stream),
	cmocka_unit_test(test_any_sensible_stream),
)
