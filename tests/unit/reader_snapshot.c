// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots, right and wrong ones.
 */
#include "reader_snapshot.h"

#include <errno.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(later_versions_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
