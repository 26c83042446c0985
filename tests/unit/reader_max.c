// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histograms of a difference, and the maxima that a mark began.
 */
#include "reader_snapshot.h"

#include <stdlib.h>

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
		cmocka_unit_test(histograms),
		cmocka_unit_test(marked_by_another),
		cmocka_unit_test(max_between),
		cmocka_unit_test(max_of_either),
		cmocka_unit_test(not_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
