// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happened between two snapshots.
 *
 * An operation that was open at the first one has its attempt (and, when it
 * already held the lock, its acquisition) before it and its end behind it.
 * Such ends must not look like ends of nothing: what was open at the first
 * snapshot is carried into the attempts and acquisitions of the difference, so
 * that its equations close as those of a whole recording do:
 *
 *	attempts + orphan_acquire = acquired + trylock_failed + aborted
 *				    + unfinished_wait + in flight
 *	read:  acquired + downgraded + orphan_release
 *	       = released + unfinished_hold + in flight
 *	write: acquired + orphan_release
 *	       = released + downgraded + unfinished_hold + in flight
 *
 * An imported trace cannot tell the two failures apart and has `failed` in their
 * place.
 *
 * The module's gauges unfinished_* hold what is open and what was given up
 * (stale_*).  While recording is on, what is open is in flight; once it was
 * stopped, it is unfinished.
 */
#include "source/delta.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum mode { MODE_READ, MODE_WRITE, NR_MODES };

static const char * const mode_name[NR_MODES] = { "read", "write" };

static int64_t get(const struct counters *c, enum mode mode, const char *name)
{
	char key[80];

	snprintf(key, sizeof(key), "%s_%s", mode_name[mode], name);
	return counters_get(c, key);
}

/* Attempts that neither an outcome nor a gauge accounts for. */
static int64_t wait_residue(const struct counters *c, enum mode mode)
{
	return get(c, mode, "attempts") + get(c, mode, "orphan_acquire") -
	       get(c, mode, "acquired") - get(c, mode, "trylock_failed") -
	       get(c, mode, "aborted") - get(c, mode, "failed") - get(c, mode, "unfinished_wait");
}

/* Acquisitions that neither a release nor a gauge accounts for. */
static int64_t hold_residue(const struct counters *c, enum mode mode)
{
	int64_t down = counters_get(c, "downgraded");

	return get(c, mode, "acquired") + get(c, mode, "orphan_release") -
	       get(c, mode, "released") - get(c, mode, "unfinished_hold") +
	       (mode == MODE_READ ? down : -down);
}

static int64_t not_below_0(int64_t v)
{
	return v < 0 ? 0 : v;
}

/* What the gauges say is open now; what was given up stays given up. */
static int64_t open_waits(const struct counters *c, enum mode mode)
{
	return not_below_0(get(c, mode, "unfinished_wait") -
			   get(c, mode, "stale_wait"));
}

static int64_t open_holds(const struct counters *c, enum mode mode)
{
	return not_below_0(get(c, mode, "unfinished_hold") -
			   get(c, mode, "stale_hold"));
}

static void add(struct counters *c, enum mode mode, const char *name,
		int64_t more)
{
	struct counter *found;
	char key[80];

	snprintf(key, sizeof(key), "%s_%s", mode_name[mode], name);
	found = (struct counter *)counters_find(c, key, NULL);
	if (found)
		found->value += more;
}

static void set_sum(struct counters *c, const char *name)
{
	struct counter *sum = (struct counter *)counters_find(c, name, NULL);

	if (sum)
		sum->value = get(c, MODE_READ, name) + get(c, MODE_WRITE, name);
}

/* From the bare differences @c to those whose equations close. */
static void carry(const struct counters *before, const struct counters *after,
		  bool live, struct counters *c)
{
	int64_t waits = 0, holds = 0;
	int m;

	for (m = 0; m < NR_MODES; m++) {
		if (before) {
			/* The gauges' differences forget what was open. */
			add(c, m, "unfinished_wait", open_waits(before, m));
			add(c, m, "unfinished_hold", open_holds(before, m));
			waits = open_waits(before, m) +
				not_below_0(wait_residue(before, m));
			holds = open_holds(before, m) +
				not_below_0(hold_residue(before, m));
			add(c, m, "attempts", waits + holds);
			add(c, m, "acquired", holds);
		}
		if (live) {
			add(c, m, "unfinished_wait", -open_waits(after, m));
			add(c, m, "unfinished_hold", -open_holds(after, m));
		}
	}
	set_sum(c, "unfinished_wait");
	set_sum(c, "unfinished_hold");
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
		if (v < 0 && !strstr(after->v[i].name, "unfinished_"))
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
	}
	return 0;
}

/* Counters that tell of the recording, not of the lock. */
static bool is_health(const char *name)
{
	static const char * const names[] = {
		"orphan_acquire", "orphan_release", "unfinished_wait",
		"unfinished_hold", "negative_time", "nmi", "reentered",
		"nmissed",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static int health(const struct snapshot *before, const struct snapshot *after,
		  struct counters *all, struct run *run, struct err *err)
{
	int64_t waits = 0, holds = 0, lost = 0;
	const char *wait_name, *hold_name;
	struct counters causes = { 0 };
	size_t i;
	int m, rc;

	rc = sub_counters(before ? &before->lost : NULL, &after->lost, "lost_",
			  &causes, err);
	for (i = 0; !rc && i < causes.nr; i++)
		lost += causes.v[i].value;
	if (!rc && counters_add(&run->health, "lost", lost))
		rc = -ENOMEM;
	for (i = 0; !rc && i < causes.nr; i++)
		if (counters_add(&run->health, causes.v[i].name,
				 causes.v[i].value))
			rc = -ENOMEM;
	counters_free(&causes);
	for (i = 0; !rc && i < all->nr; i++)
		if (counters_add(is_health(all->v[i].name) ? &run->health :
							     &run->counters,
				 all->v[i].name, all->v[i].value))
			rc = -ENOMEM;
	for (m = 0; m < NR_MODES; m++) {
		waits += wait_residue(all, m);
		holds += hold_residue(all, m);
	}
	/* Once stopped, nothing is in flight: a residue is unexplained. */
	wait_name = after->recording ? "in_flight_wait" : "unexplained_wait";
	hold_name = after->recording ? "in_flight_hold" : "unexplained_hold";
	if (!rc && (counters_add(&run->health, wait_name, waits) ||
		    counters_add(&run->health, hold_name, holds)))
		rc = -ENOMEM;
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
		      const struct snapshot *after, struct err *err)
{
	const char *what = NULL;

	if (strcmp(before->load_id, after->load_id))
		what = "the module was loaded anew";
	else if (before->reset_seq != after->reset_seq)
		what = "the module was reset";
	else if (before->generation != after->generation)
		what = "recording was stopped and started";
	else if (before->recording && !after->recording)
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
 * @after: the second; its recording may have been stopped by the caller, who
 *	then sets @before's to match
 * @marked: maxima were started anew right before the first one, so that they
 *	are those of this time, unless somebody else did so later
 * @run: where to: recorder, counters, health and series; freed on failure
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0; -ESTALE when the two do not belong together (reload, reset,
 * restart, change of mode or filter); -EPROTO when a counter went down;
 * -ENOMEM.
 */
int delta(const struct snapshot *before, const struct snapshot *after,
	  bool marked, struct run *run, struct err *err)
{
	struct counters all = { 0 };
	int rc = 0;

	if (before)
		rc = comparable(before, after, err);
	if (!rc)
		rc = sub_counters(before ? &before->counters : NULL,
				  &after->counters, "", &all, err);
	if (!rc) {
		carry(before ? &before->counters : NULL, &after->counters,
		      after->recording, &all);
		rc = health(before, after, &all, run, err);
	}
	if (!rc)
		rc = sub_series(before, after, marked, run, err);
	if (!rc && recorder(after, run))
		rc = err_sys(err, ENOMEM, "snapshot");
	counters_free(&all);
	if (rc)
		run_free(run);
	return rc;
}
