// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots and what lies between two of them.
 */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/delta.h"

#define HEAD "mmlockstat-snapshot 1\nversion 0.1.0\nload-id 00000000000000aa\n" \
	"reset-seq 0\nmark-seq 3\ngeneration 1\nrecording 1\nmode full\n"	\
	"wait-start locking\nclock local_clock\nscope all\n"		\
	"hook mmap_lock_released tracepoint\n"
#define NO_SERIES "series mmap_read_wait 0 0 0\nseries mmap_write_wait 0 0 0\n"	\
	"series mmap_read_hold 0 0 0\nseries mmap_write_hold 0 0 0\n"

static const struct delta_how none, marked = { .is_marked = true };

static int parse(const char *text, struct snapshot *snap, struct err *err)
{
	*snap = (struct snapshot){ 0 };
	err->text[0] = '\0';
	return snapshot_parse(text, strlen(text), snap, err);
}

static struct snapshot take(const char *text)
{
	struct snapshot snap;
	struct err err;

	if (parse(text, &snap, &err))
		fail_msg("%s", err.text);
	return snap;
}

static void refused(void **state)
{
	static const struct { const char *text, *says; int rc; } cases[] = {
		{ "", "empty", -EINVAL },
		{ "hello\n", "not a snapshot", -EINVAL },
		{ "mmlockstat-snapshot\n", "not a snapshot", -EINVAL },
		{ "mmlockstat-snapshot one\n", "not a snapshot", -EINVAL },
		{ "mmlockstat-snapshot 2\n", "version 2", -EPROTONOSUPPORT },
		{ "mmlockstat-snapshot 1", "truncated", -EINVAL },
		{ HEAD, "series mmap_read_wait missing", -EINVAL },
		{ "mmlockstat-snapshot 1\n" NO_SERIES, "truncated", -EINVAL },
		{ HEAD NO_SERIES "counter a", "ends within line 17", -EINVAL },
		{ HEAD NO_SERIES "counter a\n", "line 17 (counter)", -EINVAL },
		{ HEAD NO_SERIES "counter a -1\n", "NUMBER", -EINVAL },
		{ HEAD NO_SERIES "counter a 1x\n", "NUMBER", -EINVAL },
		{ HEAD NO_SERIES "counter a 99999999999999999999\n", "NUMBER",
		  -EINVAL },
		{ HEAD NO_SERIES "counter a 9223372036854775808\n", "2^63",
		  -EINVAL },
		{ HEAD NO_SERIES "counter a 1\ncounter a 1\n", "twice", -EINVAL },
		{ HEAD NO_SERIES "series mmap_read_wait 0 0 0\n", "twice",
		  -EINVAL },
		{ HEAD NO_SERIES "series s 1 2\n", "MAX_NS", -EINVAL },
		{ HEAD NO_SERIES "bucket other 1 2 1\n", "does not follow",
		  -EINVAL },
		{ HEAD NO_SERIES "bucket mmap_write_hold 2 2 1\n", "bounds",
		  -EINVAL },
		{ HEAD NO_SERIES "bucket mmap_write_hold 500 2000 1\n", "bounds",
		  -EINVAL },
		{ HEAD NO_SERIES "bucket mmap_write_hold 7 8 1\n"
		  "bucket mmap_write_hold 5 6 1\n", "out of order", -EINVAL },
		{ HEAD NO_SERIES "bucket mmap_write_hold 7 8\n", "COUNT",
		  -EINVAL },
		{ HEAD HEAD NO_SERIES, "twice", -EINVAL },
		{ HEAD NO_SERIES "series s 2 9 9\nbucket s 5 6 1\n",
		  "series s: count 2, but its buckets add up to 1", -EINVAL },
		{ HEAD NO_SERIES "series s 1 6 9\nbucket s 5 6 1\n",
		  "series s: sum_ns 6, but its buckets hold at most 5", -EINVAL },
	};
	struct snapshot snap;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(parse(cases[i].text, &snap, &err), cases[i].rc);
		assert_says(err, cases[i].says);
	}
	assert_int_equal(snapshot_parse("a\0b", 3, &snap, &err), -EINVAL);
	assert_says(err, "binary");
}

static void later_versions_add(void **state)
{
	struct snapshot snap = take(HEAD "new-key 1 2 3\nlonely\n\n" NO_SERIES
				    "blame 1 2 read 3 4 5 6 a comm\n"
				    "series mmap_read_wait/fault 1 2 3 4 5 6 7 8\n"
				    "bucket mmap_read_wait/fault 2 3 1 4 5\n");

	(void)state;
	assert_string_equal(snap.scope, "all");
	assert_true(run_series(&snap.data, "mmap_read_wait/fault")->max_ns == 3);
	snapshot_free(&snap);
}

/* One mode's counters; the rest is zero. */
static char *with(const char *mode, long attempts, long acquired, long failed,
		  long released, long open_wait, long open_hold,
		  const char *tail)
{
	char *text;
	int n;

	n = asprintf(&text, HEAD
		     "counter %s_attempts %ld\ncounter %s_acquired %ld\n"
		     "counter %s_trylock_failed %ld\ncounter %s_aborted 0\n"
		     "counter %s_released %ld\ncounter %s_orphan_acquire 0\n"
		     "counter %s_orphan_release 0\ncounter %s_unfinished_wait %ld\n"
		     "counter %s_unfinished_hold %ld\ncounter downgraded 0\n"
		     "counter unfinished_wait %ld\ncounter unfinished_hold %ld\n"
		     "lost table_full 0\n" NO_SERIES "%s",
		     mode, attempts, mode, acquired, mode, failed, mode, mode,
		     released, mode, mode, mode, open_wait, mode, open_hold,
		     open_wait, open_hold, tail);
	assert_true(n > 0);
	return text;
}

static void between(const char *a, const char *b, struct run *run)
{
	struct snapshot before = take(a), after = take(b);
	struct err err;

	*run = (struct run){ 0 };
	if (delta(&before, &after, &marked, run, &err))
		fail_msg("%s", err.text);
	snapshot_free(&before);
	snapshot_free(&after);
}

static void check(const struct counters *c, const char *name, long want)
{
	if (counters_get(c, name) != want)
		fail_msg("%s is %ld, not %ld", name,
			 (long)counters_get(c, name), want);
}

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

static char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out;

	assert_non_null(at);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to,
			     at + strlen(from)) > 0);
	return out;
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

#define SERIES(more) HEAD						\
	"series mmap_read_wait " more "series mmap_write_wait 0 0 0\n"	\
	"series mmap_read_hold 0 0 0\nseries mmap_write_hold 0 0 0\n"

static const char series_before[] = SERIES("5 70 20\n"
	"bucket mmap_read_wait 5 6 2\nbucket mmap_read_wait 20 21 3\n");
static const char series_after[] = SERIES("9 1357 1207\n"
	"bucket mmap_read_wait 5 6 2\nbucket mmap_read_wait 20 21 4\n"
	"bucket mmap_read_wait 30 31 2\nbucket mmap_read_wait 1200 1300 1\n");

static void histograms(void **state)
{
	const struct series *s;
	struct run run;

	(void)state;
	between(series_before, series_after, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->count == 4 && s->sum_ns == 1287);
	assert_true(s->has_max && !s->max_bound && s->max_ns == 1207);
	/* What did not grow is not there. */
	assert_int_equal(s->nr_buckets, 3);
	assert_true(s->buckets[0].lower == 20 && s->buckets[0].count == 1);
	assert_true(s->buckets[2].upper == 1300 && s->buckets[2].count == 1);
	run_free(&run);
}

/* Somebody else's mark: the maximum is only known from above. */
static void marked_by_another(void **state)
{
	char *moved = changed(series_after, "mark-seq 3", "mark-seq 4");
	char *quiet = changed(series_before, "mark-seq 3", "mark-seq 4");
	char *fewer = changed(moved, "bucket mmap_read_wait 1200 1300 1\n", "");
	char *narrow = changed(fewer, "9 1357 1207", "8 150 30");
	char *above = changed(moved, "1200 1300 1", "1000000000000 inf 1");
	char *endless = changed(above, "9 1357 ", "9 1000000000157 ");
	const struct series *s;
	struct run run;

	(void)state;
	between(series_before, moved, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->max_bound && s->max_ns == 1300);
	run_free(&run);
	/* Of a bucket of one ns the maximum is known all the same. */
	between(series_before, narrow, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(!s->max_bound && s->has_max && s->max_ns == 30);
	run_free(&run);
	/* Of the overflow bucket nothing is known. */
	between(series_before, endless, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(!s->max_bound && !s->has_max && s->max_ns == 0);
	run_free(&run);
	between(series_before, quiet, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->count == 0 && s->max_ns == 0);
	run_free(&run);
	free(moved);
	free(fewer);
	free(narrow);
	free(above);
	free(endless);
	free(quiet);
}

/* A maximum set between the mark and the first snapshot: not of the run. */
static void max_between(void **state)
{
	char *high = changed(series_after, "9 1357 1207", "9 1357 70000");
	const struct series *s;
	struct run run;

	(void)state;
	between(series_before, high, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->max_bound && s->max_ns == 1300);
	run_free(&run);
	free(high);
}

/* One set there that fits: of the run, or as long as one of the run. */
static void max_of_either(void **state)
{
	char *early = changed(series_before, "5 70 20", "5 70 1290");
	char *same = changed(series_after, "9 1357 1207", "9 1357 1290");
	const struct series *s;
	struct run run;

	(void)state;
	between(early, same, &run);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->has_max && s->max_bound && s->max_ns == 1290);
	run_free(&run);
	free(early);
	free(same);
}

/* Nobody's mark at the beginning: what `show` sees. */
static void not_marked(void **state)
{
	char *fresh = changed(series_after, "mark-seq 3", "mark-seq 0");
	struct snapshot before = take(series_before);
	struct snapshot after = take(series_after), never = take(fresh);
	const struct series *s;
	struct run run = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(delta(&before, &after, &none, &run, &err), 0);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->max_bound && s->max_ns == 1300);
	run_free(&run);
	/* All since the load, but the maxima are younger. */
	assert_int_equal(delta(NULL, &after, &none, &run, &err), 0);
	s = run_series(&run, "mmap_read_wait");
	assert_true(s->count == 9 && s->max_bound && s->max_ns == 1300);
	run_free(&run);
	assert_int_equal(delta(NULL, &never, &none, &run, &err), 0);
	s = run_series(&run, "mmap_read_wait");
	assert_true(!s->max_bound && s->max_ns == 1207);
	run_free(&run);
	snapshot_free(&before);
	snapshot_free(&after);
	snapshot_free(&never);
	free(fresh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(later_versions_add),
		cmocka_unit_test(open_ones_are_carried),
		cmocka_unit_test(given_up_before),
		cmocka_unit_test(stopped_by_us),
		cmocka_unit_test(given_up_by_the_stop),
		cmocka_unit_test(started_by_us),
		cmocka_unit_test(ends_before_it_begins),
		cmocka_unit_test(orphan_ends_before_it_begins),
		cmocka_unit_test(not_one_run),
		cmocka_unit_test(went_down),
		cmocka_unit_test(histograms),
		cmocka_unit_test(marked_by_another),
		cmocka_unit_test(max_between),
		cmocka_unit_test(max_of_either),
		cmocka_unit_test(not_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
