// SPDX-License-Identifier: GPL-2.0-only
/*
 * The statistics, against counting by hand: every way to deal the pooled
 * values to the two samples, every pairwise difference.
 */
#include "reader.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stats/rank.h"

#define NEAR (1 / 1e12)

/* Twice the rank of @v in the pool: midranks for ties. */
static int rank2(const double *pool, int total, double v)
{
	int below = 0, equal = 0, i;

	for (i = 0; i < total; i++) {
		below += pool[i] < v;
		equal += pool[i] == v;
	}
	return 2 * below + equal + 1;
}

/* Two-sided p over all subsets of size m. */
static double brute_p(const double *x, int m, const double *y, int n)
{
	double pool[24], less = 0, more = 0, all = 0;
	int total = m + n, sum = 0, s, i;
	unsigned int set;

	memcpy(pool, x, m * sizeof(*x));
	memcpy(pool + m, y, n * sizeof(*y));
	for (i = 0; i < m; i++)
		sum += rank2(pool, total, x[i]);
	for (set = 0; set < 1U << total; set++) {
		if (__builtin_popcount(set) != m)
			continue;
		s = 0;
		for (i = 0; i < total; i++)
			if (set >> i & 1)
				s += rank2(pool, total, pool[i]);
		all++;
		less += s <= sum;
		more += s >= sum;
	}
	return fmin(1, 2 * fmin(less, more) / all);
}

static int cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int brute_diffs(const double *x, int m, const double *y, int n,
		       double *d)
{
	int i, j, k = 0;

	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++)
			d[k++] = y[j] - x[i];
	qsort(d, k, sizeof(*d), cmp);
	return k;
}

/* Samples with many ties, zeros and a one-sided spike now and then. */
static void make(double *v, int n, unsigned int *seed)
{
	int i, kind = rand_r(seed) % 4;

	for (i = 0; i < n; i++) {
		switch (kind) {
		case 0:
			v[i] = rand_r(seed) % 4;
			break;
		case 1:
			v[i] = rand_r(seed) % 1000 / 7.0;
			break;
		case 2:
			v[i] = rand_r(seed) % 3 ? 1 : 1e9;
			break;
		default:
			v[i] = rand_r(seed) % 2 ? 0 : rand_r(seed) % 10;
		}
	}
}

static void p_is_that_of_counting(void **state)
{
	double x[8], y[8], p;
	unsigned int seed = 1;
	int round, m, n;

	(void)state;
	for (round = 0; round < 1500; round++) {
		m = 1 + rand_r(&seed) % 6;
		n = 1 + rand_r(&seed) % 6;
		make(x, m, &seed);
		make(y, n, &seed);
		assert_int_equal(rank_p(x, m, y, n, &p), 1);
		assert_float_equal(p, brute_p(x, m, y, n), NEAR);
	}
}

static void known_p(void **state)
{
	const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };
	double p;

	(void)state;
	assert_int_equal(rank_p(low, 3, high, 3, &p), 1);
	assert_float_equal(p, 2.0 / 20, NEAR);
	assert_int_equal(rank_p(low, 4, high, 4, &p), 1);
	assert_float_equal(p, 2.0 / 70, NEAR);
	assert_int_equal(rank_p(low, 5, high, 5, &p), 1);
	assert_float_equal(p, 2.0 / 252, NEAR);
	assert_int_equal(rank_p(low, 5, low, 5, &p), 1);
	assert_float_equal(p, 1, NEAR);
	assert_int_equal(rank_p(low, 1, high, 1, &p), 1);
	assert_float_equal(p, 1, NEAR);
}

static void twenty_a_side(void **state)
{
	double x[21], y[21], p;
	int i;

	(void)state;
	for (i = 0; i < 21; i++) {
		x[i] = i;
		y[i] = 100 + i;
	}
	/* All apart: 2 / C(40, 20), still counted. */
	assert_int_equal(rank_p(x, 20, y, 20, &p), 1);
	assert_float_equal(p * 137846528820.0, 2, 1 / 1e9);
	/* One more, and it is approximated. */
	assert_int_equal(rank_p(x, 21, y, 20, &p), 0);
	assert_true(p > 0 && p * 1000000 < 1);
}

/* The textbook's formula, from U counted pair by pair. */
static double textbook_p(const double *x, int m, const double *y, int n)
{
	double u = 0, ties = 0, var, z, t;
	int i, j, total = m + n;
	double pool[100];

	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++)
			u += x[i] > y[j] ? 1 : x[i] == y[j] ? 0.5 : 0;
	memcpy(pool, x, m * sizeof(*x));
	memcpy(pool + m, y, n * sizeof(*y));
	/* Sum of t^2 - 1 over the values is that of t^3 - t over the ties. */
	for (i = 0; i < total; i++) {
		t = 0;
		for (j = 0; j < total; j++)
			t += pool[i] == pool[j];
		ties += t * t - 1;
	}
	var = m * n / 12.0 * (total + 1 - ties / total / (total - 1.0));
	if (var == 0)
		return 1;
	z = (fabs(u - m * n / 2.0) - 0.5) / sqrt(var);
	return fmin(1, erfc(fmax(z, 0) / sqrt(2)));
}

static void approximation_is_the_textbooks(void **state)
{
	double x[40], y[40], p;
	unsigned int seed = 3;
	int round, m, n;

	(void)state;
	for (round = 0; round < 500; round++) {
		m = 21 + rand_r(&seed) % 19;
		n = 1 + rand_r(&seed) % 40;
		make(x, m, &seed);
		make(y, n, &seed);
		assert_int_equal(rank_p(x, m, y, n, &p), 0);
		assert_float_equal(p, textbook_p(x, m, y, n), NEAR * 100);
	}
}

/* P(U <= u) by dealing tie-free ranks. */
static double brute_tail(int m, int n, int u)
{
	double hit = 0, all = 0;
	unsigned int set;
	int i, got, y_below;

	for (set = 0; set < 1U << (m + n); set++) {
		if (__builtin_popcount(set) != m)
			continue;
		got = 0;
		y_below = 0;
		for (i = 0; i < m + n; i++) {
			if (set >> i & 1)
				got += y_below;
			else
				y_below++;
		}
		all++;
		hit += got <= u;
	}
	return hit / all;
}

static void interval_is_the_shortest(void **state)
{
	size_t k;
	int m, n;

	(void)state;
	for (m = 1; m <= 7; m++) {
		for (n = 1; n <= 7; n++) {
			k = rank_moses_k(m, n);
			if (k)
				assert_true(brute_tail(m, n, k - 1) <=
					    0.025 + NEAR);
			assert_true(brute_tail(m, n, k) > 0.025 ||
				    (int)k >= m * n / 2);
		}
	}
	assert_int_equal(rank_moses_k(3, 3), 0);
	assert_int_equal(rank_moses_k(4, 4), 1);
	assert_int_equal(rank_moses_k(5, 5), 3);
	assert_int_equal(rank_moses_k(0, 5), 0);
}

static void shift_is_that_of_all_pairs(void **state)
{
	double x[8], y[8], d[64], shift, low, high, median;
	unsigned int seed = 2;
	bool has_interval;
	int round, m, n, nr;
	size_t k;

	(void)state;
	for (round = 0; round < 2000; round++) {
		m = 1 + rand_r(&seed) % 8;
		n = 1 + rand_r(&seed) % 8;
		make(x, m, &seed);
		make(y, n, &seed);
		nr = brute_diffs(x, m, y, n, d);
		median = nr % 2 ? d[nr / 2] :
			 (d[nr / 2 - 1] + d[nr / 2]) / 2;
		assert_int_equal(rank_shift(x, m, y, n, &shift, &low, &high,
					    &has_interval), 1);
		assert_true(shift == median);
		k = rank_moses_k(m, n);
		assert_int_equal(has_interval, k > 0);
		if (k) {
			assert_true(low == d[k - 1]);
			assert_true(high == d[nr - k]);
		}
	}
}

static void nothing_to_compare(void **state)
{
	double one = 1, p, shift, low, high;
	bool has;

	(void)state;
	assert_int_equal(rank_p(&one, 0, &one, 1, &p), -EINVAL);
	assert_int_equal(rank_p(&one, 1, &one, 0, &p), -EINVAL);
	assert_int_equal(rank_shift(&one, 0, &one, 1, &shift, &low, &high,
				    &has), -EINVAL);
	assert_int_equal(rank_median(&one, 0, &p), -EINVAL);
}

static void medians(void **state)
{
	const double v[] = { 9, 1, 5, 3 };
	double m;

	(void)state;
	assert_int_equal(rank_median(v, 3, &m), 0);
	assert_true(m == 5);
	assert_int_equal(rank_median(v, 4, &m), 0);
	assert_true(m == 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p_is_that_of_counting),
		cmocka_unit_test(known_p),
		cmocka_unit_test(twenty_a_side),
		cmocka_unit_test(approximation_is_the_textbooks),
		cmocka_unit_test(interval_is_the_shortest),
		cmocka_unit_test(shift_is_that_of_all_pairs),
		cmocka_unit_test(nothing_to_compare),
		cmocka_unit_test(medians),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
