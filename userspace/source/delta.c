// SPDX-License-Identifier: GPL-2.0-only
/*
 * Differences of snapshots.
 */
#include "source/delta.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/health.h"
#include "source/carry.h"

/* A gauge goes down, too; what it gained is worked out later. */
static bool is_gauge(const char *name)
{
	if (!strncmp(name, "read_", 5))
		name += 5;
	else if (!strncmp(name, "write_", 6))
		name += 6;
	return !strcmp(name, "unfinished_wait") ||
	       !strcmp(name, "unfinished_hold");
}

static int sub_counters(const struct counters *before,
			const struct counters *after, const char *prefix,
			struct counters *out, struct err *err)
{
	const struct counter *was;
	size_t i, hint = 0;
	char name[300];
	int64_t v;

	for (i = 0; i < after->nr; i++) {
		hint = i;
		was = before ? counters_find(before, after->v[i].name, &hint) :
			       NULL;
		v = after->v[i].value - (was ? was->value : 0);
		if (v < 0 && !is_gauge(after->v[i].name))
			return err_set(err, -EPROTO, "%s went down",
				       after->v[i].name);
		snprintf(name, sizeof(name), "%s%s", prefix,
			 after->v[i].name);
		if (counters_add(out, name, v))
			return err_sys(err, ENOMEM, "snapshot");
	}
	return 0;
}

static int sub_buckets(const struct series *was, const struct series *now,
		       struct series *out, struct err *err)
{
	size_t i, j = 0;
	struct bucket b;

	for (i = 0; i < now->nr_buckets; i++) {
		b = now->buckets[i];
		while (was && j < was->nr_buckets &&
		       was->buckets[j].lower < b.lower)
			j++;
		if (was && j < was->nr_buckets &&
		    was->buckets[j].lower == b.lower) {
			if (was->buckets[j].count > b.count)
				return err_set(err, -EPROTO, "%s went down",
					       now->name);
			b.count -= was->buckets[j].count;
		}
		if (b.count && series_add_bucket(out, b))
			return err_sys(err, ENOMEM, "snapshot");
	}
	return 0;
}

/*
 * The module's maximum is that of another time.  The highest bucket that grew
 * bounds the one asked for from above.
 */
static void bound_max(struct series *out)
{
	const struct bucket *top;

	out->max_ns = 0;
	if (!out->nr_buckets)
		return;
	top = &out->buckets[out->nr_buckets - 1];
	/* Of one ns, it holds one value only. */
	out->max_bound = top->upper - top->lower > 1;
	out->max_ns = out->max_bound ? top->upper : top->lower;
	if (top->upper == BUCKET_INF) {
		out->has_max = false;
		out->max_bound = false;
		out->max_ns = 0;
	}
}

/*
 * A maximum set between the mark and the first snapshot lies in no bucket that
 * grew: it is not of this time.
 */
static bool max_fits(const struct series *s)
{
	const struct bucket *top;

	if (!s->nr_buckets)
		return s->max_ns == 0;
	top = &s->buckets[s->nr_buckets - 1];
	return s->max_ns >= top->lower && s->max_ns < top->upper;
}

/*
 * Set between the mark and the first snapshot, and fits: that time, or one as
 * long behind it.
 */
static void max_of_either(struct series *s)
{
	const struct bucket *top;

	if (!s->nr_buckets)
		return;
	top = &s->buckets[s->nr_buckets - 1];
	s->max_bound = top->upper - top->lower > 1;
}

static int sub_series(const struct snapshot *before,
		      const struct snapshot *after, bool marked,
		      struct run *run, struct err *err)
{
	const struct series *was, *now;
	struct series *out;
	size_t i;
	int rc;

	/* All since the load or reset: so are the maxima, if nobody marked. */
	if (!before)
		marked = after->mark_seq == after->reset_seq;
	else if (before->mark_seq != after->mark_seq)
		marked = false;
	for (i = 0; i < after->data.nr_series; i++) {
		now = &after->data.series[i];
		was = before ? run_series(&before->data, now->name) : NULL;
		out = run_add_series(run, now->name);
		if (!out)
			return err_sys(err, ENOMEM, "snapshot");
		if (was && (was->count > now->count ||
			    was->sum_ns > now->sum_ns))
			return err_set(err, -EPROTO, "%s went down",
				       now->name);
		out->count = now->count - (was ? was->count : 0);
		out->sum_ns = now->sum_ns - (was ? was->sum_ns : 0);
		out->max_ns = out->count ? now->max_ns : 0;
		out->has_max = true;
		rc = sub_buckets(was, now, out, err);
		if (rc)
			return rc;
		if (!marked || !max_fits(out))
			bound_max(out);
		else if (was && was->max_ns == out->max_ns)
			max_of_either(out);
	}
	return 0;
}

/* A residue, if it is any. */
static int add_left(struct counters *health, const char *name, __int128_t v,
		    bool always, struct err *err)
{
	if (!v && !always)
		return 0;
	if (v < INT64_MIN || v > INT64_MAX)
		return carry_nonsense(err, name);
	return counters_add(health, name, v);
}

/*
 * Of the orphans, as many as may have begun before recording did: each of them,
 * as nobody can tell.
 */
static int add_early(struct counters *health)
{
	static const char * const names[][2] = {
		{ "early_acquire", "orphan_acquire" },
		{ "early_release", "orphan_release" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (counters_add(health, names[i][0],
				 counters_get(health, names[i][1])))
			return -ENOMEM;
	return 0;
}

static int health(const struct snapshot *before, const struct snapshot *after,
		  const struct delta_how *how, const struct carry_left *left,
		  struct counters *all, struct run *run, struct err *err)
{
	struct counters causes = { 0 };
	int64_t lost = 0;
	bool live;
	size_t i;
	int rc;

	rc = sub_counters(before ? &before->lost : NULL, &after->lost, "lost_",
			  &causes, err);
	for (i = 0; !rc && i < causes.nr; i++)
		if (__builtin_add_overflow(lost, causes.v[i].value, &lost))
			rc = carry_nonsense(err, causes.v[i].name);
	if (!rc && counters_add(&run->health, "lost", lost))
		rc = -ENOMEM;
	for (i = 0; !rc && i < causes.nr; i++)
		if (counters_add(&run->health, causes.v[i].name,
				 causes.v[i].value))
			rc = -ENOMEM;
	counters_free(&causes);
	for (i = 0; !rc && i < all->nr; i++)
		if (counters_add(health_is(all->v[i].name, HEALTH_COUNTER) ?
					 &run->health : &run->counters,
				 all->v[i].name, all->v[i].value))
			rc = -ENOMEM;
	if (!rc && how->is_started)
		rc = add_early(&run->health);
	live = after->recording;
	if (!rc)
		rc = add_left(&run->health, "in_flight_wait", left->flight[0],
			      live, err);
	if (!rc)
		rc = add_left(&run->health, "in_flight_hold", left->flight[1],
			      live, err);
	if (!rc)
		rc = add_left(&run->health, "unexplained_wait",
			      left->unexplained[0], !live, err);
	if (!rc)
		rc = add_left(&run->health, "unexplained_hold",
			      left->unexplained[1], !live, err);
	return rc == -ENOMEM ? err_sys(err, ENOMEM, "snapshot") : rc;
}

static int recorder(const struct snapshot *snap, struct run *run)
{
	struct { const char *key, *value; } words[] = {
		{ "mode", snap->mode },
		{ "wait_start", snap->wait_start },
		{ "clock", snap->clock },
		{ "scope", snap->scope },
		{ "failed_split", snap->failed_split },
		{ "module", snap->version },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].value &&
		    pairs_add(&run->recorder, words[i].key, words[i].value))
			return -ENOMEM;
	for (i = 0; i < snap->hooks.nr; i++)
		if (pairs_add(&run->hooks, snap->hooks.v[i].name,
			      snap->hooks.v[i].value))
			return -ENOMEM;
	for (i = 0; i < snap->thresholds.nr; i++)
		if (pairs_add(&run->thresholds, snap->thresholds.v[i].name,
			      snap->thresholds.v[i].value))
			return -ENOMEM;
	return 0;
}

/* The two belong to one recording; else their difference means nothing. */
static int comparable(const struct snapshot *before,
		      const struct snapshot *after,
		      const struct delta_how *how, struct err *err)
{
	const char *what = NULL;

	if (strcmp(before->load_id, after->load_id))
		what = "the module was loaded anew";
	else if (before->reset_seq != after->reset_seq)
		what = "the module was reset";
	else if (before->generation != after->generation)
		what = "recording was stopped and started";
	else if (before->recording && !after->recording && !how->at_stop)
		what = "recording was stopped";
	else if (strcmp(before->mode, after->mode))
		what = "the module's mode was changed";
	else if (before->scope && after->scope &&
		 strcmp(before->scope, after->scope))
		what = "the module's pid filter was changed";
	if (what)
		return err_set(err, -ESTALE, "%s", what);
	return 0;
}

/**
 * delta - what happened between two snapshots
 * @before: the first; NULL for all since the load or the last reset
 * @after: the second
 * @how: what the caller did
 * @run: where to: recorder, counters, health and series; freed on failure
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0; -ESTALE when the two do not belong together (reload, reset,
 * restart, change of mode or filter); -EPROTO when a counter went down, or
 * contradicts others; -ENOMEM.
 */
int delta(const struct snapshot *before, const struct snapshot *after,
	  const struct delta_how *how, struct run *run, struct err *err)
{
	struct counters all = { 0 };
	struct carry_left left;
	int rc = 0;

	if (before)
		rc = comparable(before, after, how, err);
	if (!rc)
		rc = sub_counters(before ? &before->counters : NULL,
				  &after->counters, "", &all, err);
	if (!rc)
		rc = carry_settle(before, after, how->at_stop, &all, &left, err);
	if (!rc)
		rc = health(before, after, how, &left, &all, run, err);
	if (!rc)
		rc = sub_series(before, after, how->is_marked, run, err);
	if (!rc && recorder(after, run))
		rc = err_sys(err, ENOMEM, "snapshot");
	counters_free(&all);
	if (rc)
		run_free(run);
	return rc;
}
