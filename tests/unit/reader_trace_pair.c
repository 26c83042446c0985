// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traces paired: who holds what, what is given up at a gap, and that memory does
 * not grow with the trace.
 */
#include "reader.h"

#include <stdlib.h>

#include "source/trace_pair.h"

static struct trace_totals totals;
static struct trace_pair pair;

static int begin(void **state)
{
	(void)state;
	memset(&totals, 0, sizeof(totals));
	pair = (struct trace_pair){ .totals = &totals };
	return 0;
}

static int end(void **state)
{
	(void)state;
	trace_table_free(&pair.open);
	return 0;
}

static void event(uint64_t ns, int tid, int cpu, uint64_t mm,
		  enum trace_what what, enum mls_mode mode,
		  enum trace_level level)
{
	struct trace_event ev = {
		.ns = ns, .tid = tid, .cpu = cpu, .mm = mm, .what = what,
		.mode = mode, .level = level,
	};

	trace_pair_event(&pair, &ev);
}

static void simple(uint64_t ns, int tid, enum trace_what what,
		   enum mls_mode mode)
{
	event(ns, tid, 0, 0x1000, what, mode, TRACE_TASK);
}

static void closes(void)
{
	const struct trace_totals *t = &totals;
	int m;

	assert_int_equal(trace_pair_finish(&pair), 0);
	for (m = 0; m < MLS_NR_MODES; m++) {
		int64_t down = m == MLS_READ ? (int64_t)t->downgraded :
					       -(int64_t)t->downgraded;

		assert_int_equal(t->events[TRACE_START][m] +
				 t->orphan_acquire[m],
				 t->acquired[m] + t->events[TRACE_FAILED][m] +
				 t->open_wait[m] + t->stale_wait[m]);
		assert_int_equal(t->acquired[m] + down + t->orphan_release[m],
				 t->events[TRACE_RELEASED][m] +
				 t->open_hold[m] + t->stale_hold[m]);
	}
}

static void cycle_and_downgrade(void **state)
{
	(void)state;
	simple(100, 7, TRACE_START, MLS_WRITE);
	simple(130, 7, TRACE_ACQUIRED, MLS_WRITE);
	simple(200, 7, TRACE_ACQUIRED, MLS_READ);
	simple(290, 7, TRACE_RELEASED, MLS_READ);
	assert_int_equal(pair.open.nr, 0);
	closes();
	assert_int_equal(totals.downgraded, 1);
	assert_int_equal(totals.wait[MLS_WRITE].sum_ns, 30);
	assert_int_equal(totals.hold[MLS_WRITE].sum_ns, 70);
	assert_int_equal(totals.hold[MLS_READ].sum_ns, 90);
	assert_int_equal(totals.write_overlap, 0);
}

static void released_by_an_interrupt(void **state)
{
	(void)state;
	/* A stack walk of BPF: trylock with interrupts off, release by irq_work. */
	event(100, 7, 1, 0x1000, TRACE_START, MLS_READ, TRACE_IRQS_OFF);
	event(110, 7, 1, 0x1000, TRACE_ACQUIRED, MLS_READ, TRACE_IRQS_OFF);
	event(120, 9, 1, 0x1000, TRACE_START, MLS_READ, TRACE_TASK);
	event(130, 9, 1, 0x1000, TRACE_ACQUIRED, MLS_READ, TRACE_TASK);
	event(150, 9, 1, 0x1000, TRACE_RELEASED, MLS_READ, TRACE_HARDIRQ);
	event(160, 9, 1, 0x1000, TRACE_RELEASED, MLS_READ, TRACE_TASK);
	closes();
	assert_int_equal(totals.hold[MLS_READ].sum_ns, 40 + 30);
	assert_int_equal(totals.orphan_release[MLS_READ], 0);
	assert_int_equal(totals.open_hold[MLS_READ], 0);
}

static void idle_tasks_are_many(void **state)
{
	(void)state;
	event(100, 0, 0, 0x1000, TRACE_START, MLS_READ, TRACE_TASK);
	event(110, 0, 1, 0x1000, TRACE_START, MLS_READ, TRACE_TASK);
	event(120, 0, 0, 0x1000, TRACE_ACQUIRED, MLS_READ, TRACE_TASK);
	event(140, 0, 1, 0x1000, TRACE_ACQUIRED, MLS_READ, TRACE_TASK);
	closes();
	assert_int_equal(totals.wait[MLS_READ].sum_ns, 20 + 30);
	assert_int_equal(totals.contradictions, 0);
}

static void a_gap_ends_all(void **state)
{
	(void)state;
	simple(100, 7, TRACE_START, MLS_WRITE);
	simple(110, 7, TRACE_ACQUIRED, MLS_WRITE);
	simple(120, 8, TRACE_START, MLS_READ);
	trace_pair_lost(&pair, 3, 42);
	trace_pair_lost(&pair, 3, 0);
	simple(500, 7, TRACE_RELEASED, MLS_WRITE);
	simple(510, 8, TRACE_ACQUIRED, MLS_READ);
	simple(520, 8, TRACE_RELEASED, MLS_READ);
	closes();
	assert_int_equal(totals.lost[3], 42);
	assert_int_equal(totals.gaps[3], 1);
	assert_int_equal(totals.stale_hold[MLS_WRITE], 1);
	assert_int_equal(totals.stale_wait[MLS_READ], 1);
	assert_int_equal(totals.orphan_release[MLS_WRITE], 1);
	assert_int_equal(totals.orphan_acquire[MLS_READ], 1);
	assert_int_equal(mls_hist_count(&totals.hold[MLS_WRITE]), 0);
	assert_int_equal(totals.hold[MLS_READ].sum_ns, 10);
	assert_int_equal(totals.write_overlap, 0);
	assert_int_equal(totals.contradictions, 0);
}

static void overlaps(void **state)
{
	(void)state;
	simple(100, 7, TRACE_ACQUIRED, MLS_WRITE);
	event(105, 8, 0, 0x2000, TRACE_ACQUIRED, MLS_READ, TRACE_TASK);
	assert_int_equal(totals.write_overlap, 0);
	simple(110, 8, TRACE_ACQUIRED, MLS_READ);
	assert_int_equal(totals.write_overlap, 1);
	simple(120, 7, TRACE_RELEASED, MLS_WRITE);
	simple(130, 9, TRACE_ACQUIRED, MLS_WRITE);
	assert_int_equal(totals.write_overlap, 1);
	simple(140, 10, TRACE_ACQUIRED, MLS_WRITE);
	assert_int_equal(totals.write_overlap, 2);
	closes();
	assert_int_equal(totals.open_hold[MLS_WRITE], 2);
}

static void contradictions(void **state)
{
	(void)state;
	simple(100, 7, TRACE_ACQUIRED, MLS_WRITE);
	simple(120, 7, TRACE_START, MLS_WRITE);
	simple(130, 7, TRACE_ACQUIRED, MLS_WRITE);
	closes();
	assert_int_equal(totals.contradictions, 1);
	assert_int_equal(totals.stale_hold[MLS_WRITE], 1);
	assert_int_equal(totals.write_overlap, 0);
}

static void sums_fit(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 0; i < 10; i++) {
		simple(i, 7, TRACE_ACQUIRED, MLS_READ);
		simple(TRACE_MAX_NS - 1, 7, TRACE_RELEASED, MLS_READ);
	}
	closes();
	assert_true(totals.hold[MLS_READ].sum_ns <= INT64_MAX);
	assert_true(totals.too_long > 0);
	assert_int_equal(mls_hist_count(&totals.hold[MLS_READ]) +
			 totals.too_long, 10);
}

/* Holds that never end, given up by gaps: what is kept does not grow with them. */
static void memory_is_bounded(void **state)
{
	size_t size = 0;
	uint64_t i;
	int tid;

	(void)state;
	for (i = 0; i < 2000; i++) {
		for (tid = 1; tid <= 100; tid++)
			event(i * 1000 + tid, tid, 0, i << 12, TRACE_ACQUIRED,
			      MLS_READ, TRACE_TASK);
		trace_pair_lost(&pair, 0, 1);
		if (i == 20)
			size = pair.open.size;
	}
	assert_true(size > 0);
	assert_int_equal(pair.open.size, size);
	closes();
	assert_int_equal(totals.stale_hold[MLS_READ], 2000 * 100);
}

/* Against a plain array, with all that hashing can do to it. */
static void table_is_a_map(void **state)
{
	static uint32_t depth[64][64];
	struct trace_table t = { 0 };
	struct trace_slot *slot;
	unsigned int i, who, mm;
	size_t used = 0;

	(void)state;
	srandom(1);
	for (i = 0; i < 200000; i++) {
		who = random() % 64;
		mm = random() % 64;
		slot = trace_table_find(&t, who, mm << 6);
		assert_int_equal(slot ? slot->seq.depth : 0, depth[who][mm]);
		if (slot && random() % 3) {
			trace_table_drop(&t, slot);
			depth[who][mm] = 0;
			used--;
		} else {
			used += !slot;
			slot = trace_table_take(&t, who, mm << 6);
			assert_non_null(slot);
			slot->seq.depth = ++depth[who][mm];
		}
		assert_int_equal(t.nr, used);
	}
	trace_table_free(&t);
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(cycle_and_downgrade),
		T(released_by_an_interrupt),
		T(idle_tasks_are_many),
		T(a_gap_ends_all),
		T(overlaps),
		T(contradictions),
		T(sums_fit),
		T(memory_is_bounded),
		cmocka_unit_test(table_is_a_map),
	};

	return cmocka_run_group_tests_name("reader: pairing of traces", tests,
					   NULL, NULL);
}
