// SPDX-License-Identifier: GPL-2.0-only
/* The buckets: every bound, every edge, and what must hold for any value. */
#include "core.h"

#include <string.h>

#include "../../module/core/hist.c"

#define LAST (MMLOCKSTAT_NR_BUCKETS - 1)
#define OVERFLOW_NS 1000000000000ULL

/* The contract again, in the slow and obvious way: two significant digits. */
static unsigned int reference_bucket(uint64_t value)
{
	unsigned int decade = 0;

	if (value >= OVERFLOW_NS)
		return LAST;
	if (value < 100)
		return value;
	for (; value >= 100; value /= 10)
		decade++;
	return 100 + (decade - 1) * 90 + value - 10;
}

static uint64_t power(unsigned int k)
{
	uint64_t p = 1;

	while (k--)
		p *= 10;
	return p;
}

static void test_number_of_buckets(void **state)
{
	(void)state;
	assert_int_equal(MMLOCKSTAT_NR_BUCKETS, 100 + 10 * 90 + 1);
}

static void test_named_values(void **state)
{
	unsigned int k;

	(void)state;
	assert_int_equal(mls_hist_bucket(0), 0);
	assert_int_equal(mls_hist_bucket(1), 1);
	assert_int_equal(mls_hist_bucket(99), 99);
	assert_int_equal(mls_hist_bucket(100), 100);
	assert_int_equal(mls_hist_bucket(109), 100);
	assert_int_equal(mls_hist_bucket(110), 101);
	assert_int_equal(mls_hist_bucket(999), 189);
	assert_int_equal(mls_hist_bucket(1000), 190);
	for (k = 2; k < 12; k++) {
		/* The first and the last bucket of the decade. */
		assert_int_equal(mls_hist_bucket(power(k)), 100 + (k - 2) * 90);
		assert_int_equal(mls_hist_bucket(power(k + 1) - 1), 100 + (k - 1) * 90 - 1);
		assert_int_equal(mls_hist_bucket(power(k) - 1),
				 mls_hist_bucket(power(k)) - 1);
	}
	assert_int_equal(mls_hist_bucket(OVERFLOW_NS - 1), LAST - 1);
	assert_int_equal(mls_hist_bucket(OVERFLOW_NS), LAST);
	assert_int_equal(mls_hist_bucket(UINT64_MAX), LAST);
	assert_int_equal(mls_hist_bucket(1ULL << 63), LAST);
}

/* The buckets cover everything, without gap or overlap, and no more. */
static void test_every_bound(void **state)
{
	unsigned int b;

	(void)state;
	assert_int_equal(mls_hist_lower(0), 0);
	for (b = 0; b < MMLOCKSTAT_NR_BUCKETS; b++) {
		uint64_t lower = mls_hist_lower(b), upper = mls_hist_upper(b);

		assert_true(lower < upper);
		assert_int_equal(mls_hist_bucket(lower), b);
		assert_int_equal(mls_hist_bucket(upper - 1), b);
		if (b < LAST) {
			assert_int_equal(mls_hist_bucket(upper), b + 1);
			assert_int_equal(mls_hist_lower(b + 1), upper);
			/* A tenth at the most, exact below 100 ns. */
			assert_true(upper - lower <= (lower < 100 ? 1 : lower / 10));
		}
	}
	assert_int_equal(mls_hist_lower(LAST), OVERFLOW_NS);
	assert_true(mls_hist_upper(LAST) == UINT64_MAX);
}

/* Tables by decade are exact only if every decade edge is a bucket edge. */
static void test_decades_are_edges(void **state)
{
	unsigned int k;

	(void)state;
	for (k = 0; k <= 12; k++)
		assert_int_equal(mls_hist_lower(mls_hist_bucket(power(k))), power(k));
}

static void test_all_small_values(void **state)
{
	uint64_t value;

	(void)state;
	for (value = 0; value < 3000000; value++)
		if (mls_hist_bucket(value) != reference_bucket(value))
			fail_msg("%llu: bucket %u, want %u", (unsigned long long)value,
				 mls_hist_bucket(value), reference_bucket(value));
}

/* Around every power of two and every bucket edge: where arithmetic slips. */
static void test_around_edges(void **state)
{
	unsigned int b;
	int off;

	(void)state;
	for (b = 0; b < 64; b++)
		for (off = -3; off <= 3; off++) {
			uint64_t value = (1ULL << b) + off;

			assert_int_equal(mls_hist_bucket(value), reference_bucket(value));
		}
	for (b = 0; b < MMLOCKSTAT_NR_BUCKETS; b++)
		for (off = -2; off <= 2; off++) {
			uint64_t value = mls_hist_lower(b) + off;

			assert_int_equal(mls_hist_bucket(value), reference_bucket(value));
		}
}

static void test_any_value_lies_in_its_bucket(void **state)
{
	uint64_t seed = 0x9e3779b97f4a7c15ULL;
	int i;

	(void)state;
	for (i = 0; i < 3000000; i++) {
		uint64_t value = random_any_size(&seed);
		unsigned int b = mls_hist_bucket(value);

		if (b >= MMLOCKSTAT_NR_BUCKETS || b != reference_bucket(value) ||
		    value < mls_hist_lower(b) ||
		    (b < LAST && value >= mls_hist_upper(b)))
			fail_msg("%llu: bucket %u", (unsigned long long)value, b);
	}
}

static void fill(struct mls_hist *hist, uint64_t *seed, int nr)
{
	memset(hist, 0, sizeof(*hist));
	while (nr--) {
		uint64_t value = random_any_size(seed) >> 20;

		hist->bucket[mls_hist_bucket(value)]++;
		hist->sum_ns += value;
		if (value > hist->max_ns)
			hist->max_ns = value;
	}
}

static void merged(struct mls_hist *into, const struct mls_hist *part,
		   const int *order)
{
	int i;

	memset(into, 0, sizeof(*into));
	for (i = 0; i < 3; i++)
		mls_hist_merge(into, &part[order[i]]);
}

static void test_merging_is_order_free(void **state)
{
	static const int orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	static struct mls_hist part[3], one, other, pair;
	uint64_t seed = 88172645463325252ULL;
	int round, i;

	(void)state;
	for (round = 0; round < 200; round++) {
		for (i = 0; i < 3; i++)
			fill(&part[i], &seed, random_next(&seed) % 500);
		merged(&one, part, orders[0]);
		for (i = 1; i < 6; i++) {
			merged(&other, part, orders[i]);
			assert_memory_equal(&one, &other, sizeof(one));
		}
		/* Grouped otherwise: a + (b + c). */
		pair = part[1];
		mls_hist_merge(&pair, &part[2]);
		other = part[0];
		mls_hist_merge(&other, &pair);
		assert_memory_equal(&one, &other, sizeof(one));
		assert_int_equal(mls_hist_count(&one), mls_hist_count(&part[0]) +
				 mls_hist_count(&part[1]) + mls_hist_count(&part[2]));
	}
}

static void test_merging_with_nothing(void **state)
{
	static struct mls_hist hist, copy, nothing;
	uint64_t seed = 7;

	(void)state;
	fill(&hist, &seed, 1000);
	copy = hist;
	mls_hist_merge(&copy, &nothing);
	assert_memory_equal(&hist, &copy, sizeof(hist));
	mls_hist_merge(&nothing, &hist);
	assert_memory_equal(&hist, &nothing, sizeof(hist));
	assert_int_equal(mls_hist_count(&hist), 1000);
}

TESTS_MAIN(
	cmocka_unit_test(test_number_of_buckets),
	cmocka_unit_test(test_named_values),
	cmocka_unit_test(test_every_bound),
	cmocka_unit_test(test_decades_are_edges),
	cmocka_unit_test(test_all_small_values),
	cmocka_unit_test(test_around_edges),
	cmocka_unit_test(test_any_value_lies_in_its_bucket),
	cmocka_unit_test(test_merging_is_order_free),
	cmocka_unit_test(test_merging_with_nothing),
)
