// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a reset does to the sums: a baseline is taken off, what was in flight
 * is carried over.  Streams of events of many tasks with a baseline somewhere.
 */
#include "core.h"

#include <string.h>

/* The sums come from the fakes below; their real sources stay out. */
#define MLS_CORE_CONTEXT_H
#define MLS_CORE_HOLDERS_H
#define MLS_SINK_HIST_PERCPU_H
#include "../../module/sink/totals.h"

#include "../../module/core/hist.c"
#include "../../module/core/lockseq.c"
#include "../../module/sink/totals.c"

#define NR_TASKS 23

DEFINE_PER_CPU(struct mls_counters, mls_counters);

static struct mls_lockseq task[NR_TASKS];
static struct mls_counters counted;
static struct mls_hist hist[MLS_NR_SERIES];

/* What gather.c does, for the one CPU that there is. */
int mls_totals_take(struct mls_totals *totals, bool recording)
{
	int i;

	(void)recording;
	memset(totals, 0, sizeof(*totals));
	for (i = 0; i < NR_TASKS; i++) {
		totals->open.wait[task[i].wait_mode] += task[i].waiting;
		totals->open.hold[task[i].hold_mode] += task[i].depth;
	}
	totals->counters = counted;
	for (i = 0; i < MLS_NR_SERIES; i++) {
		totals->hist[i] = hist[i];
		totals->hist_count[i] = mls_hist_count(&hist[i]);
	}
	return 0;
}

static void begin(void)
{
	memset(task, 0, sizeof(task));
	memset(&counted, 0, sizeof(counted));
	memset(hist, 0, sizeof(hist));
}

static void sample(enum mls_series series, uint64_t ns)
{
	hist[series].bucket[mls_hist_bucket(ns)]++;
	hist[series].sum_ns += ns;
}

static void settle(const struct mls_seq_step *step, enum mls_mode mode)
{
	if (step->happened & MLS_SEQ_HOLD)
		sample(MLS_S_READ_HOLD + step->hold_mode, step->hold_ns);
	if (step->happened & MLS_SEQ_NESTED)
		counted.mode[mode][MLS_C_NESTED]++;
	if (step->happened & MLS_SEQ_ORPHAN_ACQUIRE)
		counted.mode[mode][MLS_C_ORPHAN_ACQUIRE]++;
	if (step->happened & MLS_SEQ_ORPHAN_RELEASE)
		counted.mode[mode][MLS_C_ORPHAN_RELEASE]++;
	if (step->happened & MLS_SEQ_STALE_WAIT)
		counted.mode[step->stale_wait_mode][MLS_C_STALE_WAIT]++;
	if (step->happened & MLS_SEQ_STALE_HOLD)
		counted.mode[step->stale_hold_mode][MLS_C_STALE_HOLD] += step->stale_holds;
}

static void start(int t, enum mls_mode mode, uint64_t now)
{
	struct mls_seq_step step = mls_seq_start(&task[t], mode, now);

	counted.mode[mode][MLS_C_ATTEMPTS]++;
	settle(&step, mode);
}

static void acquired(int t, enum mls_mode mode, uint64_t now)
{
	struct mls_seq_step step = mls_seq_acquired(&task[t], mode, now);

	if (step.happened & MLS_SEQ_DOWNGRADED)
		counted.once[MLS_C_DOWNGRADED]++;
	else
		counted.mode[mode][MLS_C_ACQUIRED]++;
	if (step.happened & MLS_SEQ_WAIT)
		sample(MLS_S_READ_WAIT + mode, step.wait_ns);
	settle(&step, mode);
}

static void failed(int t, enum mls_mode mode, uint64_t now)
{
	struct mls_seq_step step = mls_seq_failed(&task[t], mode, now);

	counted.mode[mode][MLS_C_TRYLOCK_FAILED]++;
	settle(&step, mode);
}

static void released(int t, enum mls_mode mode, uint64_t now)
{
	struct mls_seq_step step = mls_seq_released(&task[t], mode, now);

	counted.mode[mode][MLS_C_RELEASED]++;
	settle(&step, mode);
}

/* One event of one task, such as can follow what it has open. */
static void one_event(uint64_t r, uint64_t now)
{
	int t = (r >> 40) % NR_TASKS;
	struct mls_lockseq *seq = &task[t];

	if (seq->waiting && (r >> 8) % 4 == 0)
		failed(t, seq->wait_mode, now);
	else if (seq->waiting)
		acquired(t, seq->wait_mode, now);
	else if (!seq->depth)
		start(t, r % 2, now);
	else if (seq->hold_mode == MLS_WRITE && (r >> 8) % 2)
		acquired(t, MLS_READ, now);
	else if (seq->hold_mode == MLS_READ && (r >> 8) % 3 == 0)
		start(t, MLS_READ, now);
	else
		released(t, seq->hold_mode, now);
}

static void assert_sane(const struct mls_totals *totals)
{
	const uint64_t *counter = (const uint64_t *)&totals->counters;
	struct mls_equation left;
	size_t i;
	int m;

	for (i = 0; i < sizeof(totals->counters) / sizeof(*counter); i++)
		assert_true(counter[i] < 1ULL << 40);
	for (i = 0; i < MLS_NR_SERIES; i++)
		assert_true(totals->hist[i].sum_ns < 1ULL << 40);
	for (m = 0; m < MLS_NR_MODES; m++) {
		left = mls_totals_equation(totals, m);
		assert_int_equal(left.wait_left, 0);
		assert_int_equal(left.hold_left, 0);
	}
}

static void test_since_nothing(void **state)
{
	static struct mls_totals now, base, before;
	uint64_t seed = 1234567, i;

	(void)state;
	begin();
	for (i = 0; i < 5000; i++)
		one_event(random_next(&seed), i);
	mls_totals_take(&now, true);
	before = now;
	mls_totals_since(&now, &base);
	assert_memory_equal(&now, &before, sizeof(now));
	assert_sane(&now);
}

/* A hold downgraded on one CPU after that was read, and released on one before. */
static void test_release_without_downgrade(void **state)
{
	struct mls_totals base = { 0 }, now;

	(void)state;
	base.counters.mode[MLS_WRITE][MLS_C_ATTEMPTS] = 1;
	base.counters.mode[MLS_WRITE][MLS_C_ACQUIRED] = 1;
	base.counters.mode[MLS_READ][MLS_C_RELEASED] = 1;
	now = base;
	now.counters.once[MLS_C_DOWNGRADED] = 1;
	mls_totals_since(&now, &base);
	assert_sane(&now);
	assert_int_equal(now.counters.mode[MLS_READ][MLS_C_ACQUIRED], 0);
	assert_int_equal(now.counters.mode[MLS_READ][MLS_C_ATTEMPTS], 0);
	assert_int_equal(now.counters.mode[MLS_READ][MLS_C_RELEASED], 1);
	assert_int_equal(now.counters.mode[MLS_WRITE][MLS_C_ACQUIRED], 1);
}

/* The same as the guest's test of a reset in mid-flight. */
static void test_carried(void **state)
{
	static struct mls_totals base, at, end;

	(void)state;
	begin();
	start(0, MLS_WRITE, 1);
	acquired(0, MLS_WRITE, 2);
	start(1, MLS_READ, 3);
	start(2, MLS_READ, 4);
	acquired(2, MLS_READ, 5);
	start(2, MLS_READ, 6);
	acquired(2, MLS_READ, 7);
	mls_totals_take(&base, true);

	mls_totals_take(&at, true);
	mls_totals_since(&at, &base);
	assert_sane(&at);
	assert_int_equal(at.counters.mode[MLS_WRITE][MLS_C_ATTEMPTS], 1);
	assert_int_equal(at.counters.mode[MLS_WRITE][MLS_C_ACQUIRED], 1);
	assert_int_equal(at.counters.mode[MLS_READ][MLS_C_ATTEMPTS], 3);
	assert_int_equal(at.counters.mode[MLS_READ][MLS_C_ACQUIRED], 2);
	assert_int_equal(mls_totals_unfinished_wait(&at, MLS_READ), 1);
	assert_int_equal(mls_totals_unfinished_hold(&at, MLS_READ), 2);
	assert_int_equal(mls_totals_unfinished_hold(&at, MLS_WRITE), 1);

	released(0, MLS_WRITE, 10);
	acquired(1, MLS_READ, 11);
	released(1, MLS_READ, 12);
	released(2, MLS_READ, 13);
	released(2, MLS_READ, 14);
	mls_totals_take(&end, true);
	mls_totals_since(&end, &base);
	assert_sane(&end);
	assert_int_equal(end.counters.mode[MLS_READ][MLS_C_ACQUIRED], 3);
	assert_int_equal(end.counters.mode[MLS_READ][MLS_C_RELEASED], 3);
	assert_int_equal(end.counters.mode[MLS_WRITE][MLS_C_RELEASED], 1);
	assert_int_equal(end.counters.mode[MLS_READ][MLS_C_ORPHAN_ACQUIRE], 0);
	assert_int_equal(end.counters.mode[MLS_READ][MLS_C_ORPHAN_RELEASE], 0);
	assert_int_equal(end.hist_count[MLS_S_READ_WAIT], 1);
	assert_int_equal(end.hist_count[MLS_S_READ_HOLD], 2);
	assert_int_equal(end.hist_count[MLS_S_WRITE_HOLD], 1);
	assert_int_equal(end.hist[MLS_S_WRITE_HOLD].sum_ns, 8);
}

/* Wherever the baseline is and wherever one looks: all adds up. */
static void test_any_baseline(void **state)
{
	static struct mls_totals base, now;
	uint64_t seed = 0x9e3779b97f4a7c15ULL, time = 0;
	int round, i, before;

	(void)state;
	for (round = 0; round < 400; round++) {
		begin();
		before = random_next(&seed) % 400;
		for (i = 0; i < before; i++)
			one_event(random_next(&seed), time++);
		mls_totals_take(&base, true);
		for (i = 0; i < 300; i++) {
			one_event(random_next(&seed), time++);
			if (i % 10)
				continue;
			mls_totals_take(&now, true);
			mls_totals_since(&now, &base);
			assert_sane(&now);
			assert_int_equal(now.counters.mode[MLS_READ][MLS_C_ORPHAN_RELEASE], 0);
			assert_int_equal(now.counters.mode[MLS_READ][MLS_C_ORPHAN_ACQUIRE], 0);
		}
	}
}

/* A baseline of a baseline is the later baseline. */
static void test_resets_in_a_row(void **state)
{
	static struct mls_totals base, now, empty;
	uint64_t seed = 42, i;

	(void)state;
	begin();
	for (i = 0; i < 3000; i++)
		one_event(random_next(&seed), i);
	mls_totals_take(&base, true);
	mls_totals_take(&now, true);
	mls_totals_since(&now, &base);
	assert_sane(&now);
	for (i = 0; i < MLS_NR_SERIES; i++) {
		assert_true(base.hist[i].sum_ns > 0);
		assert_int_equal(now.hist[i].sum_ns, 0);
		assert_int_equal(now.hist_count[i], 0);
		assert_memory_equal(now.hist[i].bucket, empty.hist[i].bucket,
				    sizeof(empty.hist[i].bucket));
	}
	assert_int_equal(now.counters.mode[MLS_READ][MLS_C_RELEASED], 0);
	assert_int_equal(now.counters.mode[MLS_READ][MLS_C_ATTEMPTS],
			 now.open.wait[MLS_READ] + now.open.hold[MLS_READ]);
}

/* A counter that lost an event shows: the equations are no tautology. */
static void test_a_lost_event_shows(void **state)
{
	static struct mls_totals now;
	struct mls_equation left;

	(void)state;
	begin();
	start(0, MLS_READ, 1);
	acquired(0, MLS_READ, 2);
	task[0].depth = 0;	/* the release was not recorded, the state is gone */
	mls_totals_take(&now, true);
	left = mls_totals_equation(&now, MLS_READ);
	assert_int_equal(left.wait_left, 0);
	assert_int_equal(left.hold_left, 1);
	start(1, MLS_WRITE, 1);
	task[1].waiting = false;
	mls_totals_take(&now, true);
	left = mls_totals_equation(&now, MLS_WRITE);
	assert_int_equal(left.wait_left, 1);
}

TESTS_MAIN(
	cmocka_unit_test(test_since_nothing),
	cmocka_unit_test(test_release_without_downgrade),
		cmocka_unit_test(test_carried),
	cmocka_unit_test(test_any_baseline),
	cmocka_unit_test(test_resets_in_a_row),
	cmocka_unit_test(test_a_lost_event_shows),
)
