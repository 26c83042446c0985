// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decades and percentiles of a histogram.
 */
#include "reader.h"

#include "model/decade.h"

static struct bucket some[] = {
	{ 0, 1, 10 }, { 99, 100, 1 }, { 990, 1000, 2 }, { 1000, 1100, 3 },
	{ 9900, 10000, 4 }, { 900000000, 1000000000, 5 },
	{ 1000000000, 1100000000, 6 }, { 1000000000000, BUCKET_INF, 7 },
};

static const struct series full = {
	.count = 38, .buckets = some, .nr_buckets = 8,
};

static void rows(void **state)
{
	static const uint64_t want[NR_DECADES] = { 13, 7, 0, 0, 0, 0, 5, 13 };
	uint64_t got[NR_DECADES];

	(void)state;
	series_decades(&full, got);
	assert_memory_equal(got, want, sizeof(want));
	assert_true(series_bucket_sum(&full) == 38);
}

static void every_edge(void **state)
{
	struct bucket wide = { 9999999999, 10000000001, 1 };
	uint64_t edge;

	(void)state;
	for (edge = 1000; edge <= 1000000000; edge *= 10) {
		struct bucket over = { edge - 1, edge + 1, 1 };
		struct bucket below = { edge - 1, edge, 1 };
		struct bucket above = { edge, edge + 1, 1 };

		assert_true(bucket_straddles(&over) == edge);
		assert_true(bucket_straddles(&below) == 0);
		assert_true(bucket_straddles(&above) == 0);
	}
	/* The last row has no upper edge, and no edges inside. */
	assert_true(bucket_straddles(&some[7]) == 0);
	assert_true(bucket_straddles(&wide) == 0);
}

static void percentiles(void **state)
{
	struct bucket two[] = { { 5, 6, 99 }, { 1000, 1100, 1 } };
	struct series s = { .count = 100, .buckets = two, .nr_buckets = 2 };

	(void)state;
	/* A bucket of one ns is exact. */
	assert_true(series_percentile(&s, 5000) == 5);
	assert_true(series_percentile(&s, 9900) == 5);
	assert_true(series_percentile(&s, 9901) == 1100);
	s.has_max = true;
	s.max_ns = 1034;
	assert_true(series_percentile(&s, 9990) == 1034);
	/* The overflow bucket has no upper edge but the maximum. */
	assert_true(series_percentile(&full, 9990) == BUCKET_INF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(every_edge),
		cmocka_unit_test(percentiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
