// SPDX-License-Identifier: GPL-2.0-only
/*
 * The totals of a trace are put into the form of the module's snapshot, so that
 * what follows, equations and account included, is what a recording goes through.
 */
#include "source/trace_run.h"

#include <errno.h>
#include <stdio.h>

#include "source/delta.h"

/* CPUs with losses that are named; the others are summed up. */
#define NAMED_CPUS 6

static const char * const mode_name[MLS_NR_MODES] = { "read", "write" };

static int put(struct counters *c, const char *prefix, const char *name,
	       uint64_t value)
{
	char key[80];

	snprintf(key, sizeof(key), "%s%s", prefix, name);
	return counters_add(c, key, value);
}

static int mode_counters(const struct trace_totals *t, int m,
			 struct counters *c)
{
	const struct { const char *name; uint64_t value; } list[] = {
		{ "attempts", t->events[TRACE_START][m] },
		{ "acquired", t->acquired[m] },
		{ "failed", t->events[TRACE_FAILED][m] },
		{ "released", t->events[TRACE_RELEASED][m] },
		{ "nested", t->nested[m] },
		{ "orphan_acquire", t->orphan_acquire[m] },
		{ "orphan_release", t->orphan_release[m] },
		{ "stale_wait", t->stale_wait[m] },
		{ "stale_hold", t->stale_hold[m] },
		{ "unfinished_wait", t->open_wait[m] + t->stale_wait[m] },
		{ "unfinished_hold", t->open_hold[m] + t->stale_hold[m] },
	};
	char prefix[16];
	size_t i;

	snprintf(prefix, sizeof(prefix), "%s_", mode_name[m]);
	for (i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (put(c, prefix, list[i].name, list[i].value))
			return -ENOMEM;
	return 0;
}

static uint64_t both(const uint64_t value[MLS_NR_MODES])
{
	return value[MLS_READ] + value[MLS_WRITE];
}

static int counters(const struct trace_totals *t, struct counters *c)
{
	int m;

	for (m = 0; m < MLS_NR_MODES; m++)
		if (mode_counters(t, m, c))
			return -ENOMEM;
	if (put(c, "", "downgraded", t->downgraded) ||
	    put(c, "", "orphan_acquire", both(t->orphan_acquire)) ||
	    put(c, "", "orphan_release", both(t->orphan_release)) ||
	    put(c, "", "unfinished_wait",
		both(t->open_wait) + both(t->stale_wait)) ||
	    put(c, "", "unfinished_hold",
		both(t->open_hold) + both(t->stale_hold)) ||
	    put(c, "", "negative_time", t->negative_time))
		return -ENOMEM;
	return 0;
}

/* What is missing of each CPU; a gap that nobody counted is one event at least. */
static int lost_cpus(const struct trace_totals *t, struct counters *c)
{
	uint64_t others = 0;
	int cpu, named = 0;
	char name[32];

	for (cpu = 0; cpu < TRACE_NR_CPUS; cpu++) {
		if (!t->lost[cpu] && !t->gaps[cpu])
			continue;
		if (named == NAMED_CPUS) {
			others += t->lost[cpu] + t->gaps[cpu];
			continue;
		}
		named++;
		if (cpu == TRACE_NR_CPUS - 1)
			snprintf(name, sizeof(name), "unknown_cpu");
		else
			snprintf(name, sizeof(name), "cpu%d", cpu);
		if ((t->lost[cpu] && put(c, "", name, t->lost[cpu])) ||
		    (t->gaps[cpu] && put(c, "gaps_", name, t->gaps[cpu])))
			return -ENOMEM;
	}
	return others ? put(c, "", "other_cpus", others) : 0;
}

static int lost(const struct trace_totals *t, struct counters *c)
{
	const struct { const char *name; uint64_t value; } list[] = {
		{ "not_understood", t->malformed },
		{ "not_described", t->unknown },
		{ "pages_not_readable", t->missing },
		{ "too_long", t->too_long },
	};
	size_t i;

	for (i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].value && put(c, "", list[i].name, list[i].value))
			return -ENOMEM;
	return lost_cpus(t, c);
}

static int histogram(struct run *run, const char *mode, const char *what,
		     const struct mls_hist *hist)
{
	struct series *s;
	struct bucket b;
	unsigned int i;
	char name[40];

	snprintf(name, sizeof(name), "mmap_%s_%s", mode, what);
	s = run_add_series(run, name);
	if (!s)
		return -ENOMEM;
	s->count = mls_hist_count(hist);
	s->sum_ns = hist->sum_ns;
	s->max_ns = hist->max_ns;
	s->has_max = true;
	for (i = 0; i < MMLOCKSTAT_NR_BUCKETS; i++) {
		b = (struct bucket){ mls_hist_lower(i), mls_hist_upper(i),
				     hist->bucket[i] };
		if (b.count && series_add_bucket(s, b))
			return -ENOMEM;
	}
	return 0;
}

static int histograms(const struct trace_totals *t, struct run *run)
{
	int m;

	for (m = 0; m < MLS_NR_MODES; m++)
		if (histogram(run, mode_name[m], "wait", &t->wait[m]))
			return -ENOMEM;
	for (m = 0; m < MLS_NR_MODES; m++)
		if (histogram(run, mode_name[m], "hold", &t->hold[m]))
			return -ENOMEM;
	return 0;
}

static int describe(const struct trace_result *r, struct snapshot *snap)
{
	static const char * const hooks[] = {
		"mmap_lock_start_locking", "mmap_lock_acquire_returned",
		"mmap_lock_released",
	};
	size_t i;

	if (str_set(&snap->mode, "full") ||
	    str_set(&snap->wait_start, "locking") ||
	    str_set(&snap->clock, r->clock) || str_set(&snap->scope, "all"))
		return -ENOMEM;
	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		if (pairs_add(&snap->hooks, hooks[i], "trace event"))
			return -ENOMEM;
	return 0;
}

static int finish(const struct trace_result *r, struct run *run)
{
	const struct trace_totals *t = &r->totals;
	char ns[32];

	snprintf(ns, sizeof(ns), "%llu",
		 (unsigned long long)r->resolution_ns);
	run->seconds = (t->last_ns - t->first_ns) / 1e9;
	if (pairs_add(&run->recorder, "source", r->source) ||
	    pairs_add(&run->recorder, "resolution_ns", ns) ||
	    counters_add(&run->health, "out_of_order", t->out_of_order) ||
	    counters_add(&run->health, "write_overlap", t->write_overlap) ||
	    counters_add(&run->health, "overwritten", t->overwritten))
		return -ENOMEM;
	return 0;
}

/**
 * trace_run - a session as a run
 * @result: the session
 * @run: where to, empty; to be freed by the caller on success
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, -ENOMEM.
 */
int trace_run(const struct trace_result *result, struct run *run,
	      struct err *err)
{
	const struct delta_how how = { .is_marked = true };
	struct snapshot snap = { 0 };
	int rc = 0;

	if (describe(result, &snap) ||
	    counters(&result->totals, &snap.counters) ||
	    lost(&result->totals, &snap.lost) ||
	    histograms(&result->totals, &snap.data))
		rc = err_sys(err, ENOMEM, "trace");
	if (!rc)
		rc = delta(NULL, &snap, &how, run, err);
	if (!rc && finish(result, run)) {
		run_free(run);
		rc = err_sys(err, ENOMEM, "trace");
	}
	snapshot_free(&snap);
	return rc;
}

static uint64_t sum(const uint64_t *value, size_t nr)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		total += value[i];
	return total;
}

/**
 * trace_complaints - what is wrong with the data of a session
 * @result: the session
 * @buf: a text, empty when nothing is
 * @size: bytes there
 *
 * Context: any.
 * Return: true when the data are incomplete or in doubt; false where there is at
 * most a remark.
 */
bool trace_complaints(const struct trace_result *result, char *buf,
		      size_t size)
{
	const struct trace_totals *t = &result->totals;
	const struct { uint64_t nr; const char *what; } list[] = {
		{ sum(t->lost, TRACE_NR_CPUS), "events lost" },
		{ sum(t->gaps, TRACE_NR_CPUS),
		  "gaps where nobody counted what is missing" },
		{ t->missing, "pages of events that could not be read" },
		{ t->malformed, "events not understood" },
		{ t->unknown, "records of no known kind" },
		{ t->out_of_order, "events out of order" },
		{ t->negative_time, "times below zero" },
		{ t->contradictions,
		  "events that contradict those before them" },
		{ t->too_long, "times too long to be true" },
		{ t->write_overlap,
		  "acquisitions while another held the lock for write" },
		{ !both(t->events[TRACE_START]),
		  "kind of event missing, start_locking: no waits" },
		{ !both(t->events[TRACE_RELEASED]),
		  "kind of event missing, released: no holds" },
		{ !both(t->acquired),
		  "kind of event missing, acquire_returned: no times" },
	};
	bool doubtful = false;
	size_t at = 0, i;

	*buf = '\0';
	for (i = 0; i < sizeof(list) / sizeof(*list); i++) {
		if (!list[i].nr)
			continue;
		if (at < size)
			at += snprintf(buf + at, size - at, "%s%llu %s",
				       doubtful ? ", " : "",
				       (unsigned long long)list[i].nr,
				       list[i].what);
		doubtful = true;
	}
	if (t->overwritten && at < size)
		snprintf(buf + at, size - at,
			 "%solder events were overwritten: it covers the end only",
			 doubtful ? ", " : "");
	return doubtful;
}
