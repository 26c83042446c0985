// SPDX-License-Identifier: GPL-2.0-only
#include "model/check.h"

#include <errno.h>

/* A time or a count, of at most 2^127. */
static int too(struct err *why, const char *what, uint64_t is,
	       const char *but, __uint128_t limit)
{
	if (limit > UINT64_MAX)
		return err_set(why, -EINVAL, "%s %llu, but %s more than 2^64",
			       what, (unsigned long long)is, but);
	return err_set(why, -EINVAL, "%s %llu, but %s %llu", what,
		       (unsigned long long)is, but, (unsigned long long)limit);
}

static int check_max(const struct series *s, const struct bucket *top,
		     struct err *why)
{
	if (s->max_ns < top->lower)
		return too(why, "max_ns", s->max_ns,
			   "its highest bucket begins at", top->lower);
	/* A bound may be above what it bounds. */
	if (!s->max_bound && top->upper != BUCKET_INF && s->max_ns >= top->upper)
		return too(why, "max_ns", s->max_ns,
			   "its highest bucket ends at", top->upper);
	return 0;
}

/**
 * series_check - whether a histogram contradicts itself
 * @s: the histogram, its buckets ascending
 * @has_max: its maximum is that of these times, not of others
 * @why: what contradicts what
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int series_check(const struct series *s, bool has_max, struct err *why)
{
	__uint128_t count = 0, least = 0, most = 0;
	const struct bucket *top = NULL, *b;
	bool endless = false;
	uint64_t last;
	size_t i;

	for (i = 0; i < s->nr_buckets; i++) {
		b = &s->buckets[i];
		if (!b->count)
			continue;
		/* All buckets below: each time is at most the last ns of it. */
		if (top)
			most += (__uint128_t)(top->upper - 1) * top->count;
		count += b->count;
		least += (__uint128_t)b->lower * b->count;
		top = b;
	}
	if (count != s->count)
		return too(why, "count", s->count, "its buckets add up to", count);
	if (!top) {
		if (s->sum_ns)
			return too(why, "sum_ns", s->sum_ns, "its count is", 0);
		if (has_max && s->has_max && s->max_ns)
			return too(why, "max_ns", s->max_ns, "its count is", 0);
		return 0;
	}
	has_max = has_max && s->has_max;
	if (has_max && check_max(s, top, why))
		return -EINVAL;
	last = top->upper - 1;
	if (has_max && s->max_ns < last)
		last = s->max_ns;
	else if (top->upper == BUCKET_INF)
		endless = !has_max;
	most += (__uint128_t)last * top->count;
	if (s->sum_ns < least)
		return too(why, "sum_ns", s->sum_ns,
			   "its buckets hold at least", least);
	if (!endless && s->sum_ns > most)
		return too(why, "sum_ns", s->sum_ns,
			   "its buckets hold at most", most);
	return 0;
}
