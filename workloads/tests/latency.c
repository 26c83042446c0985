// SPDX-License-Identifier: GPL-2.0-only
/* The histogram of latency.c against sorting the values themselves. TAP. */

#include <stdio.h>
#include <stdlib.h>

#include "../frame.h"
#include "../latency.c"

#define VALUES	20000

static int number, bad;

static void ok(bool good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
	bad |= !good;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Values of every size, from a fixed sequence. */
static void fill(uint64_t *value, uint64_t seed)
{
	int i;

	for (i = 0; i < VALUES; i++) {
		value[i] = ml_random(&seed);
		value[i] >>= ml_random(&seed) % 64;
	}
}

static bool percentiles(const struct ml_latency *lat, const uint64_t *sorted,
			size_t nr)
{
	static const double percent[] = { 0, 0.01, 1, 25, 50, 90, 99, 99.9, 100 };
	size_t i;

	for (i = 0; i < sizeof(percent) / sizeof(*percent); i++) {
		uint64_t got = ml_latency_percentile(lat, percent[i]), want;
		double exact = percent[i] / 100 * nr;
		size_t rank = exact;

		if ((double)rank < exact || !rank)
			rank++;
		want = sorted[rank - 1];
		if (got >= want && (double)got <= (double)want * 1.016)
			continue;
		printf("# p%g: %llu, sorting gives %llu\n", percent[i],
		       (unsigned long long)got, (unsigned long long)want);
		return false;
	}
	return true;
}

static bool edges(void)
{
	unsigned int i, last = latency_index(UINT64_MAX);

	for (i = 0; i <= last; i++) {
		if (latency_index(latency_upper(i)) != i)
			return false;
		if (i < last && latency_index(latency_upper(i) + 1) != i + 1)
			return false;
	}
	return last == ML_LATENCY_BUCKETS - 1;
}

int main(void)
{
	static uint64_t value[2 * VALUES];
	static struct ml_latency one, two, all;
	uint64_t over = 0;
	int i;

	puts("1..6");
	ok(edges(), "buckets follow on one another without gap or overlap");
	ok(!ml_latency_percentile(&one, 99), "nothing counted: 0");

	fill(value, 1);
	fill(value + VALUES, 2);
	all.limit_ns = 1000000;
	one.limit_ns = 1000000;
	two.limit_ns = 1000000;
	for (i = 0; i < 2 * VALUES; i++) {
		ml_latency_add(i < VALUES ? &one : &two, value[i]);
		ml_latency_add(&all, value[i]);
		over += value[i] > 1000000;
	}
	ml_latency_merge(&one, &two);
	qsort(value, 2 * VALUES, sizeof(*value), compare);
	ok(percentiles(&all, value, 2 * VALUES), "percentiles are those of sorting");
	ok(percentiles(&one, value, 2 * VALUES), "the same after merging");
	ok(all.min_ns == value[0] && all.max_ns == value[2 * VALUES - 1] &&
	   one.min_ns == all.min_ns && one.max_ns == all.max_ns,
	   "least and greatest are exact");
	ok(all.over == over && one.over == over && one.count == 2 * VALUES &&
	   one.sum_ns == all.sum_ns, "counts and sums are exact");
	return bad;
}
