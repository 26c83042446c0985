// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is carried from one snapshot into the difference to another.
 */
#include "reader_snapshot.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Two waits and three holds were open at first and ended in the run, which
 * made ten more; one wait and two holds are open at its end.
 */
static void open_ones_are_carried(void **state)
{
	char *gauges[2], *bare[2];
	struct run run;
	int i;

	(void)state;
	/* A module that counts open ones in its gauges, and one that does not. */
	gauges[0] = with("read", 105, 100, 3, 97, 2, 3, "");
	gauges[1] = with("read", 115, 111, 3, 109, 1, 2, "");
	bare[0] = with("read", 105, 100, 3, 97, 0, 0, "");
	bare[1] = with("read", 115, 111, 3, 109, 0, 0, "");
	for (i = 0; i < 2; i++) {
		between(i ? bare[0] : gauges[0], i ? bare[1] : gauges[1], &run);
		check(&run.counters, "read_attempts", 10 + 2 + 3);
		check(&run.counters, "read_acquired", 11 + 3);
		check(&run.counters, "read_released", 12);
		check(&run.counters, "read_unfinished_wait", 0);
		check(&run.counters, "read_unfinished_hold", 0);
		check(&run.health, "unfinished_wait", 0);
		check(&run.health, "unfinished_hold", 0);
		check(&run.health, "in_flight_wait", 1);
		check(&run.health, "in_flight_hold", 2);
		check(&run.health, "lost", 0);
		run_free(&run);
	}
	for (i = 0; i < 2; i++) {
		free(gauges[i]);
		free(bare[i]);
	}
}

/* What was given up long before the run is none of its affair. */
static void given_up_before(void **state)
{
	char *a = with("write", 50, 40, 0, 35, 10, 5,
		       "counter write_stale_wait 10\ncounter write_stale_hold 5\n");
	char *b = with("write", 60, 49, 0, 43, 11, 6,
		       "counter write_stale_wait 11\ncounter write_stale_hold 5\n");
	struct run run;

	(void)state;
	between(a, b, &run);
	check(&run.counters, "write_attempts", 10);
	check(&run.counters, "write_acquired", 9);
	check(&run.health, "unfinished_wait", 1);
	check(&run.health, "unfinished_hold", 0);
	check(&run.health, "in_flight_wait", 0);
	check(&run.health, "in_flight_hold", 1);
	run_free(&run);
	free(a);
	free(b);
}

/* Stopped by the caller: what the gauges say is open is in flight. */
static void stopped_by_us(void **state)
{
	char *a = with("read", 0, 0, 0, 0, 0, 0, "");
	char *live = with("read", 10, 9, 0, 6, 1, 2, "");
	char *b = changed(live, "recording 1", "recording 0");
	struct snapshot before = take(a), after = take(b), last = take(live);
	struct delta_how how = { .is_marked = true, .at_stop = &last.counters };
	struct run run = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(delta(&before, &after, &marked, &run, &err), -ESTALE);
	assert_says(err, "stopped");
	assert_int_equal(delta(&before, &after, &how, &run, &err), 0);
	check(&run.health, "in_flight_wait", 1);
	check(&run.health, "in_flight_hold", 2);
	check(&run.health, "unfinished_wait", 0);
	check(&run.health, "unfinished_hold", 0);
	check(&run.health, "unexplained_wait", 0);
	/* Of the three holds that were not released the gauge knows two. */
	check(&run.health, "unexplained_hold", 1);
	run_free(&run);
	/* All since the load, of a module that somebody stopped. */
	assert_int_equal(delta(NULL, &after, &none, &run, &err), 0);
	check(&run.health, "unfinished_wait", 1);
	check(&run.health, "unfinished_hold", 2);
	check(&run.health, "unexplained_hold", 1);
	check(&run.health, "in_flight_hold", 0);
	run_free(&run);
	/* Nothing happens in a stopped one: what it left open is told already. */
	assert_int_equal(delta(&after, &after, &none, &run, &err), 0);
	check(&run.counters, "read_attempts", 0);
	check(&run.health, "unfinished_wait", 0);
	check(&run.health, "unfinished_hold", 0);
	check(&run.health, "unexplained_hold", 0);
	run_free(&run);
	snapshot_free(&before);
	snapshot_free(&after);
	snapshot_free(&last);
	free(a);
	free(b);
	free(live);
}

/*
 * A stop gives up what is open: that was in flight, and what had been given up
 * by then was not.
 */
static void given_up_by_the_stop(void **state)
{
	char *a = with("read", 0, 0, 0, 0, 0, 0, "");
	char *live = with("read", 10, 9, 0, 5, 1, 4,
			  "counter read_stale_wait 0\ncounter read_stale_hold 1\n");
	char *late = with("read", 12, 11, 0, 6, 1, 5,
			  "counter read_stale_wait 1\ncounter read_stale_hold 5\n");
	char *b = changed(late, "recording 1", "recording 0");
	struct snapshot before = take(a), after = take(b), last = take(live);
	struct delta_how how = { .is_marked = true, .at_stop = &last.counters };
	struct run run = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(delta(&before, &after, &how, &run, &err), 0);
	check(&run.health, "in_flight_wait", 1);
	check(&run.health, "in_flight_hold", 4);
	check(&run.health, "unfinished_wait", 0);
	check(&run.health, "unfinished_hold", 1);
	check(&run.counters, "read_unfinished_hold", 1);
	check(&run.counters, "read_stale_wait", 0);
	check(&run.counters, "read_stale_hold", 1);
	check(&run.health, "unexplained_wait", 0);
	check(&run.health, "unexplained_hold", 0);
	run_free(&run);
	/* More given up before the stop than behind it: no module counts like that. */
	how.at_stop = &after.counters;
	snapshot_free(&before);
	before = take(a);
	assert_int_equal(delta(&before, &last, &how, &run, &err), 0);
	run_free(&run);
	last.recording = false;
	assert_int_equal(delta(&before, &last, &how, &run, &err), -EPROTO);
	assert_says(err, "stale_wait contradicts");
	snapshot_free(&before);
	snapshot_free(&after);
	snapshot_free(&last);
	free(a);
	free(b);
	free(late);
	free(live);
}

/* What began before recording did is told apart only where it was started. */
static void started_by_us(void **state)
{
	char *a = with("write", 5, 5, 0, 5, 0, 0, "counter orphan_acquire 1\n"
		       "counter orphan_release 2\n");
	char *b = with("write", 9, 9, 0, 9, 0, 0, "counter orphan_acquire 4\n"
		       "counter orphan_release 9\n");
	struct snapshot before = take(a), after = take(b);
	struct delta_how how = { .is_marked = true, .is_started = true };
	struct run run = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(delta(&before, &after, &how, &run, &err), 0);
	check(&run.health, "orphan_acquire", 3);
	check(&run.health, "early_acquire", 3);
	check(&run.health, "orphan_release", 7);
	check(&run.health, "early_release", 7);
	run_free(&run);
	assert_int_equal(delta(&before, &after, &marked, &run, &err), 0);
	check(&run.health, "orphan_release", 7);
	assert_null(counters_find(&run.health, "early_acquire", NULL));
	assert_null(counters_find(&run.health, "early_release", NULL));
	run_free(&run);
	snapshot_free(&before);
	snapshot_free(&after);
	free(a);
	free(b);
}

/*
 * A release counted on a CPU that was read late, its acquisition on one that
 * was read early: the first snapshot has one hold less than none.
 */
static void ends_before_it_begins(void **state)
{
	char *a = with("read", 7, 7, 0, 8, 0, 0, "");
	char *live = with("read", 11, 11, 0, 11, 0, 0, "");
	char *b = changed(live, "recording 1", "recording 0");
	struct snapshot before = take(a), after = take(b);
	struct delta_how how = { .is_marked = true, .at_stop = &after.counters };
	struct run run = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(delta(&before, &after, &how, &run, &err), 0);
	check(&run.counters, "read_attempts", 3);
	check(&run.counters, "read_acquired", 3);
	check(&run.counters, "read_released", 3);
	check(&run.health, "unexplained_hold", 0);
	check(&run.health, "in_flight_hold", 0);
	run_free(&run);
	snapshot_free(&before);
	snapshot_free(&after);
	/* What no module can have written is refused, not printed as it is. */
	before = take("mmlockstat-snapshot 1\nversion 1\nload-id a\n"
		      "recording 1\nmode full\nclock c\n" NO_SERIES
		      "counter read_acquired 0\ncounter read_released 5\n");
	assert_int_equal(delta(&before, &before, &none, &run, &err), -EPROTO);
	assert_says(err, "read_acquired contradicts");
	snapshot_free(&before);
	free(a);
	free(b);
	free(live);
}

/*
 * An orphan whose end was counted on a CPU that was read early, and its acquisition
 * on one that was read late, in a run without another attempt.
 */
static void orphan_ends_before_it_begins(void **state)
{
	static const char text[] = HEAD NO_SERIES
		"counter write_attempts 4\ncounter write_acquired %d\n"
		"counter write_orphan_acquire %d\ncounter write_orphan_release 0\n"
		"counter write_released 7\ncounter orphan_acquire %d\n";
	struct snapshot before, after;
	struct run run = { 0 };
	struct err err;
	char *a, *b;

	(void)state;
	assert_true(asprintf(&a, text, 6, 2, 2) > 0);
	assert_true(asprintf(&b, text, 7, 3, 3) > 0);
	before = take(a);
	after = take(b);
	if (delta(&before, &after, &marked, &run, &err))
		fail_msg("%s", err.text);
	check(&run.counters, "write_attempts", 0);
	check(&run.counters, "write_acquired", 0);
	check(&run.counters, "write_orphan_acquire", 0);
	check(&run.health, "orphan_acquire", 0);
	check(&run.health, "in_flight_hold", 0);
	run_free(&run);
	snapshot_free(&before);
	snapshot_free(&after);
	free(a);
	free(b);
}

static void not_one_run(void **state)
{
	static const struct { const char *from, *to, *says; } cases[] = {
		{ "load-id 00000000000000aa", "load-id 00000000000000ab",
		  "loaded anew" },
		{ "reset-seq 0", "reset-seq 1", "reset" },
		{ "generation 1", "generation 2", "stopped and started" },
		{ "mode full", "mode contended", "mode" },
		{ "scope all", "scope pids 1", "filter" },
	};
	struct snapshot before = take(HEAD NO_SERIES), after;
	struct run run = { 0 };
	struct err err;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		text = changed(HEAD NO_SERIES, cases[i].from, cases[i].to);
		after = take(text);
		assert_int_equal(delta(&before, &after, &marked, &run, &err), -ESTALE);
		assert_says(err, cases[i].says);
		assert_int_equal(run.nr_series, 0);
		snapshot_free(&after);
		free(text);
	}
	snapshot_free(&before);
}

static void went_down(void **state)
{
	char *a = with("read", 10, 10, 0, 10, 0, 0, "");
	char *b = with("read", 9, 9, 0, 9, 0, 0, "");
	struct snapshot before = take(a), after = take(b);
	struct run run = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(delta(&before, &after, &marked, &run, &err), -EPROTO);
	assert_says(err, "went down");
	snapshot_free(&before);
	snapshot_free(&after);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_ones_are_carried),
		cmocka_unit_test(given_up_before),
		cmocka_unit_test(stopped_by_us),
		cmocka_unit_test(given_up_by_the_stop),
		cmocka_unit_test(started_by_us),
		cmocka_unit_test(ends_before_it_begins),
		cmocka_unit_test(orphan_ends_before_it_begins),
		cmocka_unit_test(not_one_run),
		cmocka_unit_test(went_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
