/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in memory: what one `mmlockstat record` measured, by group (one
 * setting of --set) and run.  Unknown keys of a file are kept as text.
 */
#ifndef MODEL_RECORDING_H
#define MODEL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/index.h"

#define RECORDING_FORMAT	"mmlockstat-recording"
#define RECORDING_VERSION	1

/* Upper edge of a bucket without one. */
#define BUCKET_INF		UINT64_MAX

/**
 * struct bucket - part of a histogram of times
 * @lower: least time in it, ns
 * @upper: least time above it, ns; BUCKET_INF for none
 * @count: how many times fell in
 */
struct bucket {
	uint64_t lower, upper, count;
};

/**
 * struct series - one histogram of times
 * @name: as in the snapshot, `mmap_read_wait` or `NAME/OPERATION`
 * @count: number of times
 * @sum_ns: their sum, ns
 * @max_ns: the greatest, ns
 * @has_max: @max_ns is known
 * @max_bound: @max_ns is only an upper bound of it
 * @rounded: these are means of several runs, each rounded by itself: they need
 *	not add up
 * @buckets: ascending, without overlap; empty ones may be missing
 * @nr_buckets: how many
 * @cap_buckets: room
 * @extra: unknown keys as the text of a JSON object, or NULL
 */
struct series {
	char *name;
	uint64_t count, sum_ns, max_ns;
	bool has_max, max_bound, rounded;
	struct bucket *buckets;
	size_t nr_buckets, cap_buckets;
	char *extra;
};

/**
 * struct counter - a named whole number
 * @name: its name
 * @value: its value; below zero only for gauges of vmstat and residues
 */
struct counter {
	char *name;
	int64_t value;
};

/**
 * struct counters - named whole numbers, in the order of the file
 * @v: the numbers
 * @nr: how many
 * @cap: room
 * @index: of their names
 */
struct counters {
	struct counter *v;
	size_t nr, cap;
	struct index index;
};

/**
 * struct pair - a named word
 * @name: its name
 * @value: the word
 */
struct pair {
	char *name, *value;
};

/**
 * struct pairs - named words, in the order of the file
 * @v: the pairs
 * @nr: how many
 * @cap: room
 * @index: of their names
 */
struct pairs {
	struct pair *v;
	size_t nr, cap;
	struct index index;
};

/**
 * enum better - which way a metric improves
 * @BETTER_UNKNOWN: nobody said
 * @BETTER_HIGHER: more is better
 * @BETTER_LOWER: less is better
 */
enum better { BETTER_UNKNOWN, BETTER_HIGHER, BETTER_LOWER };

/**
 * struct metric - a number that the workload reported of itself
 * @name: its name
 * @unit: its unit, possibly empty; `/s` at the end makes it a rate of work
 * @value: finite
 * @better: which way it improves
 */
struct metric {
	char *name, *unit;
	double value;
	enum better better;
};

/**
 * struct run - one execution of the command
 * @start: when, ISO 8601 in UTC; or NULL
 * @seconds: wall time, s
 * @exit: exit status; 128 + signal when killed
 * @signal: the signal that killed the command, or 0
 * @recorder: how it was recorded: mode, wait_start, clock, scope, module
 * @hooks: hook and backend
 * @thresholds: name and value
 * @metrics: what the workload reported
 * @nr_metrics: how many
 * @cap_metrics: room
 * @metric_index: of their names
 * @vmstat: what /proc/vmstat gained
 * @counters: the module's counters
 * @health: what was lost, unpaired or in flight
 * @series: the histograms
 * @nr_series: how many
 * @cap_series: room
 * @series_index: of their names
 * @recorder_extra: unknown keys of the recorder as the text of a JSON object
 * @extra: unknown keys as the text of a JSON object, or NULL
 */
struct run {
	char *start;
	double seconds;
	int exit, signal;
	struct pairs recorder, hooks, thresholds;
	struct metric *metrics;
	size_t nr_metrics, cap_metrics;
	struct index metric_index;
	struct counters vmstat, counters, health;
	struct series *series;
	size_t nr_series, cap_series;
	struct index series_index;
	char *recorder_extra, *extra;
};

/**
 * struct group - the runs of one setting of --set
 * @set: the setting; empty without --set
 * @runs: in the order they were made
 * @nr_runs: how many
 * @cap_runs: room
 * @extra: unknown keys as the text of a JSON object, or NULL
 */
struct group {
	struct pairs set;
	struct run *runs;
	size_t nr_runs, cap_runs;
	char *extra;
};

/**
 * struct host - the machine
 * @kernel: release
 * @arch: machine
 * @cpus: CPUs online, 0 for not known
 * @memory_kib: memory, KiB, 0 for not known
 * @settings: what could make a difference
 * @extra: unknown keys as the text of a JSON object, or NULL
 */
struct host {
	char *kernel, *arch;
	int64_t cpus, memory_kib;
	struct pairs settings;
	char *extra;
};

/**
 * struct recording - the whole
 * @label: what its maker called it; or NULL
 * @tool: the program and version that wrote it; or NULL
 * @host: the machine
 * @command: words of the command
 * @nr_command: how many
 * @cap_command: room
 * @groups: by setting
 * @nr_groups: how many
 * @cap_groups: room
 * @extra: unknown keys as the text of a JSON object, or NULL
 */
struct recording {
	char *label, *tool;
	struct host host;
	char **command;
	size_t nr_command, cap_command;
	struct group *groups;
	size_t nr_groups, cap_groups;
	char *extra;
};

int grow(void *array, size_t nr, size_t *cap, size_t size);
int str_set(char **where, const char *text);

int counters_add(struct counters *c, const char *name, int64_t value);
const struct counter *counters_find(const struct counters *c, const char *name,
				    size_t *hint);
int64_t counters_get(const struct counters *c, const char *name);
void counters_free(struct counters *c);

int pairs_add(struct pairs *p, const char *name, const char *value);
const char *pairs_get(const struct pairs *p, const char *name);
bool pairs_equal(const struct pairs *a, const struct pairs *b);
void pairs_free(struct pairs *p);

int series_add_bucket(struct series *s, struct bucket b);
struct series *run_add_series(struct run *run, const char *name);
const struct series *run_series(const struct run *run, const char *name);
int run_add_metric(struct run *run, const char *name, double value,
		   const char *unit, enum better better);
const struct metric *run_metric(const struct run *run, const char *name);
const struct metric *run_metric_at(const struct run *run, const char *name,
				   size_t *hint);
void run_free(struct run *run);

struct group *recording_add_group(struct recording *rec);
const struct group *recording_group(const struct recording *rec,
				    const struct pairs *set);
struct run *group_add_run(struct group *group);
void recording_free(struct recording *rec);

#endif
