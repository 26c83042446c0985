// SPDX-License-Identifier: GPL-2.0-only
/*
 * The null distribution of the rank sum is counted, not approximated: with
 * midranks doubled to whole numbers, ways[j][s] is the number of ways to pick
 * j of the pooled values with doubled rank sum s.  At 20 + 20 values that is
 * at most C(40, 20) = 1.4e11, exact in a double.
 */
#include "stats/rank.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tail of exactly 0.025 must not be lost to rounding. */
#define EPSILON (1 / 1e12)

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sorted(const double *x, size_t n)
{
	double *copy = malloc((n ? n : 1) * sizeof(*copy));

	if (!copy)
		return NULL;
	memcpy(copy, x, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), cmp_double);
	return copy;
}

/* How many of sorted @v are below @key, or not above it. */
static size_t count_below(const double *v, size_t n, double key, bool or_equal)
{
	size_t low = 0, high = n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (v[mid] < key || (or_equal && v[mid] == key))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Doubled midranks of the pooled values: of the sorted pool, tied values at
 * places a..b (from 1) have midrank (a + b) / 2.
 */
static void midranks2(const double *pool, size_t total, size_t *rank2)
{
	size_t i, j, k;

	for (i = 0; i < total; i = j) {
		for (j = i; j < total && pool[j] == pool[i]; j++)
			;
		for (k = i; k < j; k++)
			rank2[k] = i + 1 + j;
	}
}

/* The doubled rank sum of @x within the sorted pool. */
static size_t rank_sum2(const double *x, size_t m, const double *pool,
			size_t total)
{
	size_t sum = 0, i;

	for (i = 0; i < m; i++)
		sum += count_below(pool, total, x[i], false) + 1 +
		       count_below(pool, total, x[i], true);
	return sum;
}

/* Two-sided p by counting; @rank2 are the doubled midranks of the pool. */
static int exact_p(const size_t *rank2, size_t total, size_t m, size_t sum2,
		   double *p)
{
	double *ways, less = 0, more = 0, all = 0;
	size_t max = 0, i, j, s;

	for (i = 0; i < total; i++)
		max += rank2[i];
	ways = calloc((m + 1) * (max + 1), sizeof(*ways));
	if (!ways)
		return -ENOMEM;
	ways[0] = 1;
	for (i = 0; i < total; i++)
		for (j = i + 1 < m ? i + 1 : m; j > 0; j--)
			for (s = max; s >= rank2[i]; s--)	/* rank2 >= 2 */
				ways[j * (max + 1) + s] +=
					ways[(j - 1) * (max + 1) + s - rank2[i]];
	for (s = 0; s <= max; s++) {
		double w = ways[m * (max + 1) + s];

		all += w;
		if (s <= sum2)
			less += w;
		if (s >= sum2)
			more += w;
	}
	free(ways);
	*p = 2 * (less < more ? less : more) / all;
	if (*p > 1)
		*p = 1;
	return 0;
}

/* Two-sided p by the normal approximation, with ties and continuity. */
static double normal_p(const double *pool, size_t total, size_t m, size_t n,
		       size_t sum2)
{
	double mean2, var, ties = 0, t, d;
	size_t i, j;

	for (i = 0; i < total; i = j) {
		for (j = i; j < total && pool[j] == pool[i]; j++)
			;
		t = j - i;
		ties += t * t * t - t;
	}
	mean2 = (double)m * (total + 1);
	var = (double)m * n / 12 *
	      (total + 1 - ties / ((double)total * (total - 1)));
	if (var <= 0)
		return 1;
	d = fabs((double)sum2 - mean2) / 2 - 0.5;
	if (d < 0)
		d = 0;
	return fmin(1, erfc(d / sqrt(2 * var)));
}

/**
 * rank_p - two-sided p of the Mann-Whitney test
 * @x: one sample, no NaN
 * @m: its size
 * @y: the other
 * @n: its size
 * @p: twice the smaller tail, at most 1
 *
 * Exact, with midranks for ties, up to RANK_EXACT_MAX values a side; by the
 * normal approximation with corrections for ties and continuity above.
 *
 * Context: any.
 * Return: 1 when exact, 0 when approximated, -EINVAL for an empty sample,
 * -ENOMEM.
 */
int rank_p(const double *x, size_t m, const double *y, size_t n, double *p)
{
	bool exact = m <= RANK_EXACT_MAX && n <= RANK_EXACT_MAX;
	size_t total = m + n, sum2, *rank2 = NULL;
	double *pool;
	int rc = exact;

	if (!m || !n)
		return -EINVAL;
	pool = malloc(total * sizeof(*pool));
	if (!pool)
		return -ENOMEM;
	memcpy(pool, x, m * sizeof(*pool));
	memcpy(pool + m, y, n * sizeof(*pool));
	qsort(pool, total, sizeof(*pool), cmp_double);
	sum2 = rank_sum2(x, m, pool, total);
	if (exact) {
		rank2 = malloc(total * sizeof(*rank2));
		if (rank2) {
			midranks2(pool, total, rank2);
			if (exact_p(rank2, total, m, sum2, p))
				rc = -ENOMEM;
		} else {
			rc = -ENOMEM;
		}
	} else {
		*p = normal_p(pool, total, m, n, sum2);
	}
	free(rank2);
	free(pool);
	return rc;
}

/* The tie-free null distribution of U, as counts of arrangements, 0..m*n. */
static double *u_ways(size_t m, size_t n)
{
	size_t max = m * n, i, j, u;
	double *ways, *row;

	/* ways[j][u]: j values of x among the first i, u pairs inverted. */
	ways = calloc((m + 1) * (max + 1), sizeof(*ways));
	row = malloc((max + 1) * sizeof(*row));
	if (ways && row) {
		ways[0] = 1;
		/*
		 * The i-th value of the pool either belongs to y, or is the
		 * j-th of x and has i - j values of y below it.
		 */
		for (i = 1; i <= m + n; i++)
			for (j = i < m ? i : m; j > 0; j--)
				for (u = max + 1; u-- > i - j;)
					ways[j * (max + 1) + u] +=
						ways[(j - 1) * (max + 1) +
						     u - (i - j)];
		memcpy(row, ways + m * (max + 1), (max + 1) * sizeof(*row));
	} else {
		free(row);
		row = NULL;
	}
	free(ways);
	return row;
}

/**
 * rank_moses_k - which differences bound the interval
 * @m: values of one sample
 * @n: values of the other
 *
 * The interval goes from the k-th least to the k-th greatest difference and
 * misses on one side with P(U <= k - 1).  The largest k that still covers
 * RANK_COVERAGE makes the shortest exact one.  Above RANK_EXACT_MAX values a
 * side k is approximated.
 *
 * Context: any.
 * Return: k from 1; 0 when no interval covers that much, or without memory.
 */
size_t rank_moses_k(size_t m, size_t n)
{
	double tail = (1 - RANK_COVERAGE) / 2, sd, k, *ways, all = 0, sum = 0;
	size_t best = 0, u;

	if (!m || !n)
		return 0;
	if (m > RANK_EXACT_MAX || n > RANK_EXACT_MAX) {
		sd = sqrt((double)m * n * (m + n + 1) / 12);
		/* 1.96: the 97.5 % point of the normal distribution. */
		k = floor((double)m * n / 2 - 1.959963984540054 * sd + 0.5);
		return k < 1 ? 0 : k;
	}
	ways = u_ways(m, n);
	if (!ways)
		return 0;
	for (u = 0; u <= m * n; u++)
		all += ways[u];
	for (u = 0; u < m * n / 2; u++) {
		sum += ways[u];
		if (sum / all > tail + EPSILON)
			break;
		best = u + 1;
	}
	free(ways);
	return best;
}

/* Doubles in order as unsigned integers, to bisect over every one of them. */
static unsigned long long to_order(double d)
{
	unsigned long long u;

	memcpy(&u, &d, sizeof(u));
	return u >> 63 ? ~u : u | 1ULL << 63;
}

static double from_order(unsigned long long u)
{
	double d;

	u = u >> 63 ? u & ~(1ULL << 63) : ~u;
	memcpy(&d, &u, sizeof(d));
	return d;
}

/* How many of the differences y[j] - x[i] are at most @t; both sorted. */
static size_t count_diffs(const double *x, size_t m, const double *y, size_t n,
			  double t)
{
	size_t i, j = 0, count = 0;

	for (i = 0; i < m; i++) {
		while (j < n && y[j] - x[i] <= t)
			j++;
		count += j;
	}
	return count;
}

/*
 * The k-th least of the m * n differences (k from 1) without making them: at
 * 1,000 + 1,000 values there are a million for every row of a table.
 */
static double kth_diff(const double *x, size_t m, const double *y, size_t n,
		       size_t k)
{
	unsigned long long low = to_order(y[0] - x[m - 1]);
	unsigned long long high = to_order(y[n - 1] - x[0]), mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (count_diffs(x, m, y, n, from_order(mid)) >= k)
			high = mid;
		else
			low = mid + 1;
	}
	return from_order(low) + 0.0;	/* never -0 */
}

/**
 * rank_shift - Hodges-Lehmann shift from x to y, and its Moses interval
 * @x: one sample, finite
 * @m: its size
 * @y: the other
 * @n: its size
 * @shift: median of all differences y - x
 * @low: lower bound of the interval
 * @high: upper bound
 * @has_interval: whether an interval of RANK_COVERAGE exists
 *
 * Context: any.
 * Return: 1 when exact, 0 when the interval is approximated, -EINVAL for an
 * empty sample, -ENOMEM.
 */
int rank_shift(const double *x, size_t m, const double *y, size_t n,
	       double *shift, double *low, double *high, bool *has_interval)
{
	size_t pairs = m * n, k;
	double *xs, *ys;
	int rc = -ENOMEM;

	if (!m || !n)
		return -EINVAL;
	xs = sorted(x, m);
	ys = sorted(y, n);
	if (xs && ys) {
		*shift = kth_diff(xs, m, ys, n, (pairs + 1) / 2);
		if (pairs % 2 == 0)
			*shift = (*shift + kth_diff(xs, m, ys, n,
						    pairs / 2 + 1)) / 2;
		k = rank_moses_k(m, n);
		*has_interval = k > 0;
		if (k) {
			*low = kth_diff(xs, m, ys, n, k);
			*high = kth_diff(xs, m, ys, n, pairs + 1 - k);
		}
		rc = m <= RANK_EXACT_MAX && n <= RANK_EXACT_MAX;
	}
	free(xs);
	free(ys);
	return rc;
}

/**
 * rank_median - the median, for even sizes the mean of the middle two
 * @x: the sample
 * @n: its size
 * @median: where to
 *
 * Context: any.
 * Return: 0, -EINVAL for an empty sample, -ENOMEM.
 */
int rank_median(const double *x, size_t n, double *median)
{
	double *s;

	if (!n)
		return -EINVAL;
	s = sorted(x, n);
	if (!s)
		return -ENOMEM;
	*median = n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
	free(s);
	return 0;
}
