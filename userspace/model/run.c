// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of a recording.
 */
#include "model/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * series_add_bucket - append a bucket
 * @s: to this histogram
 * @b: the bucket
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int series_add_bucket(struct series *s, struct bucket b)
{
	if (grow(&s->buckets, s->nr_buckets, &s->cap_buckets,
		 sizeof(*s->buckets)))
		return -ENOMEM;
	s->buckets[s->nr_buckets++] = b;
	return 0;
}

/**
 * run_add_series - append an empty histogram
 * @run: to this run
 * @name: its name
 *
 * Context: any; the pointer is good until the next histogram is added.
 * Return: the histogram, or NULL without memory.
 */
struct series *run_add_series(struct run *run, const char *name)
{
	struct series *s;

	if (grow(&run->series, run->nr_series, &run->cap_series,
		 sizeof(*run->series)))
		return NULL;
	s = &run->series[run->nr_series];
	*s = (struct series){ 0 };
	if (str_set(&s->name, name))
		return NULL;
	run->nr_series++;
	return s;
}

/**
 * run_series - look a histogram up
 * @run: in this run
 * @name: its name
 *
 * Context: any.
 * Return: the histogram, or NULL when it was not recorded.
 */
const struct series *run_series(const struct run *run, const char *name)
{
	size_t i = index_find(&run->series_index, run->series, run->nr_series,
			      sizeof(*run->series), name);

	return i < run->nr_series ? &run->series[i] : NULL;
}

/**
 * run_add_metric - note what the workload reported
 * @run: in this run
 * @name: name
 * @value: value
 * @unit: unit
 * @better: which way it improves
 *
 * A metric of the same name is replaced.
 *
 * Context: any.
 * Return: 0 when new, 1 when replaced, or -ENOMEM.
 */
int run_add_metric(struct run *run, const char *name, double value,
		   const char *unit, enum better better)
{
	size_t i = index_find(&run->metric_index, run->metrics, run->nr_metrics,
			      sizeof(*run->metrics), name);
	struct metric *m;

	if (i < run->nr_metrics) {
		m = &run->metrics[i];
		if (str_set(&m->unit, unit))
			return -ENOMEM;
		m->value = value;
		m->better = better;
		return 1;
	}
	if (grow(&run->metrics, run->nr_metrics, &run->cap_metrics,
		 sizeof(*run->metrics)))
		return -ENOMEM;
	m = &run->metrics[run->nr_metrics];
	*m = (struct metric){ .value = value, .better = better };
	if (str_set(&m->name, name) || str_set(&m->unit, unit)) {
		free(m->name);
		return -ENOMEM;
	}
	run->nr_metrics++;
	return 0;
}

/**
 * run_metric - look a metric up
 * @run: in this run
 * @name: its name
 *
 * Context: any.
 * Return: the metric, or NULL.
 */
const struct metric *run_metric(const struct run *run, const char *name)
{
	return run_metric_at(run, name, NULL);
}

/**
 * run_metric_at - look a metric up where it was in another run
 * @run: in this run
 * @name: its name
 * @hint: as of counters_find()
 *
 * Context: any.
 * Return: the metric, or NULL.
 */
const struct metric *run_metric_at(const struct run *run, const char *name,
				   size_t *hint)
{
	size_t i;

	if (hint && *hint < run->nr_metrics &&
	    !strcmp(run->metrics[*hint].name, name))
		return &run->metrics[*hint];
	i = index_find(&run->metric_index, run->metrics, run->nr_metrics,
		       sizeof(*run->metrics), name);
	if (i == run->nr_metrics)
		return NULL;
	if (hint)
		*hint = i;
	return &run->metrics[i];
}

/**
 * run_free - free what a run holds
 * @run: the run, empty afterwards; half-built ones too
 *
 * Context: any.
 */
void run_free(struct run *run)
{
	size_t i;

	free(run->start);
	pairs_free(&run->recorder);
	pairs_free(&run->hooks);
	pairs_free(&run->thresholds);
	for (i = 0; i < run->nr_metrics; i++) {
		free(run->metrics[i].name);
		free(run->metrics[i].unit);
	}
	free(run->metrics);
	index_free(&run->metric_index);
	counters_free(&run->vmstat);
	counters_free(&run->counters);
	counters_free(&run->health);
	for (i = 0; i < run->nr_series; i++) {
		free(run->series[i].name);
		free(run->series[i].buckets);
		free(run->series[i].extra);
	}
	free(run->series);
	index_free(&run->series_index);
	free(run->recorder_extra);
	free(run->extra);
	*run = (struct run){ 0 };
}
