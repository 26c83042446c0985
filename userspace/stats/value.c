// SPDX-License-Identifier: GPL-2.0-only
#include "stats/value.h"

#include <stdio.h>
#include <string.h>

#include "model/decade.h"

static const char * const zones[VMSTAT_ZONES - 1] = {
	"_dma", "_dma32", "_normal", "_high", "_movable", "_device",
};

/**
 * vmstat_base - length of a row's name without the zone at its end
 * @name: the name
 *
 * Context: any.
 * Return: the length; that of the whole name when there is no zone.
 */
size_t vmstat_base(const char *name)
{
	size_t len = strlen(name), n, i;

	for (i = 0; i < VMSTAT_ZONES - 1; i++) {
		n = strlen(zones[i]);
		if (len > n && !strcmp(name + len - n, zones[i]))
			return len - n;
	}
	return len;
}

/**
 * vmstat_zone - the name of a row of one zone
 * @base: name without the zone
 * @i: which zone, 0 for none, VMSTAT_ZONES - 1 at the most
 * @buf: where to
 * @size: bytes there
 *
 * Context: any.
 * Return: false when that is no such row: the name does not fit, or its own
 * base is another one (`a_dma` is zone DMA of `a`, not `a_dma` without one).
 */
bool vmstat_zone(const char *base, unsigned int i, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s%s", base, i ? zones[i - 1] : "");

	return n >= 0 && (size_t)n < size && vmstat_base(buf) == strlen(base);
}

static enum cell_state vmstat_value(const struct run *run, struct value *which,
				    struct num *out)
{
	const struct counter *c;
	char name[VMSTAT_NAME];
	__int128_t sum = 0;
	bool found = false;
	unsigned int i;

	if (!which->arg) {
		c = counters_find(&run->vmstat, which->name, &which->hint);
		if (!c)
			return CELL_ABSENT;
		*out = num_ratio(c->value, 1);
		return CELL_VALUE;
	}
	for (i = 0; i < VMSTAT_ZONES; i++) {
		if (!vmstat_zone(which->name, i, name, sizeof(name)))
			continue;
		c = counters_find(&run->vmstat, name, NULL);
		if (!c)
			continue;
		found = true;
		sum += c->value;
	}
	*out = num_ratio(sum, 1);
	return found ? CELL_VALUE : CELL_ABSENT;
}

static enum cell_state series_value(const struct run *run, struct value *which,
				    struct num *out, bool *bound)
{
	const struct series *s = run_series(run, which->name);
	const struct metric *work;
	uint64_t counts[NR_DECADES], ns;

	if (!s)
		return CELL_ABSENT;
	switch (which->kind) {
	case VALUE_COUNT:
		*out = num_ratio(s->count, 1);
		return CELL_VALUE;
	case VALUE_TOTAL_US:
		*out = num_ratio(s->sum_ns, 1000);
		return CELL_VALUE;
	case VALUE_AVG_US:
		if (!s->count)
			return CELL_EMPTY;
		if (s->count > UINT64_MAX / 1000)
			*out = num_real((double)s->sum_ns / s->count / 1000);
		else
			*out = num_ratio(s->sum_ns, 1000 * s->count);
		return CELL_VALUE;
	case VALUE_MAX_US:
		if (!s->has_max)
			return CELL_ABSENT;
		if (!s->count)
			return CELL_EMPTY;
		*out = num_ratio(s->max_ns, 1000);
		*bound = s->max_bound;
		return CELL_VALUE;
	case VALUE_PERCENTILE_US:
		if (!series_bucket_sum(s))
			return CELL_EMPTY;
		ns = series_percentile(s, which->arg);
		if (ns == BUCKET_INF)
			return CELL_EMPTY;
		*out = num_ratio(ns, 1000);
		return CELL_VALUE;
	case VALUE_DECADE:
		series_decades(s, counts);
		*out = num_ratio(counts[which->arg], 1);
		return CELL_VALUE;
	case VALUE_COUNT_PER_S:
		if (run->seconds <= 0)
			return CELL_EMPTY;
		*out = num_real(s->count / run->seconds);
		return out->kind == NUM_ABSENT ? CELL_EMPTY : CELL_VALUE;
	case VALUE_TOTAL_PER_S:
		if (run->seconds <= 0)
			return CELL_EMPTY;
		*out = num_real(s->sum_ns / 1000.0 / run->seconds);
		return out->kind == NUM_ABSENT ? CELL_EMPTY : CELL_VALUE;
	case VALUE_COUNT_PER_WORK:
		work = run_metric(run, which->name2);
		if (!work || run->seconds <= 0)
			return CELL_ABSENT;
		if (work->value <= 0)
			return CELL_EMPTY;
		*out = num_real(s->count / run->seconds / work->value);
		return out->kind == NUM_ABSENT ? CELL_EMPTY : CELL_VALUE;
	default:
		return CELL_ABSENT;
	}
}

/**
 * value_of - one number of a run
 * @run: the run
 * @which: which; its hint is updated
 * @out: the number
 * @bound: set when it is only an upper bound
 *
 * Context: any.
 * Return: CELL_VALUE, or why there is none.
 */
enum cell_state value_of(const struct run *run, struct value *which,
			 struct num *out, bool *bound)
{
	const struct counter *c;
	const struct metric *m;

	switch (which->kind) {
	case VALUE_COUNTER:
		c = counters_find(&run->counters, which->name, &which->hint);
		if (!c)
			return CELL_ABSENT;
		*out = num_ratio(c->value, 1);
		return CELL_VALUE;
	case VALUE_VMSTAT:
		return vmstat_value(run, which, out);
	case VALUE_METRIC:
		m = run_metric_at(run, which->name, &which->hint);
		if (!m)
			return CELL_ABSENT;
		*out = num_real(m->value);
		return CELL_VALUE;
	default:
		return series_value(run, which, out, bound);
	}
}
