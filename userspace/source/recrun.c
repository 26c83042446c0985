// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of a recording, from JSON.  Everything that a table will be made of
 * is checked here, so that the layers behind need not.
 */
#include "source/rectake.h"

#include <string.h>

#include "model/check.h"
#include "model/decade.h"
#include "model/health.h"

static int take_bucket(const json_t *v, struct series *s,
		       const struct at *up, struct err *err)
{
	uint64_t *part[3];
	struct bucket b;
	uint64_t edge;
	size_t i;
	int rc;

	if (!json_is_array(v) || json_array_size(v) != 3)
		return take_bad(err, up, "must be [lower, upper, count]");
	part[0] = &b.lower;
	part[1] = &b.upper;
	part[2] = &b.count;
	for (i = 0; i < 3; i++) {
		struct at at = { up, NULL, i };
		const json_t *value = json_array_get(v, i);

		if (i == 1 && json_is_null(value)) {
			b.upper = BUCKET_INF;
			continue;
		}
		rc = take_count(value, part[i], &at, err);
		if (rc)
			return rc;
	}
	if (b.lower >= b.upper)
		return take_bad(err, up, "lower edge not below the upper");
	edge = bucket_straddles(&b);
	if (edge && b.upper == BUCKET_INF)
		return take_bad(err, up,
			   "the bucket [%llu, +) of %s straddles the decade edge at %llu ns",
			   (unsigned long long)b.lower, s->name,
			   (unsigned long long)edge);
	if (edge)
		return take_bad(err, up,
			   "the bucket [%llu, %llu) of %s straddles the decade edge at %llu ns",
			   (unsigned long long)b.lower,
			   (unsigned long long)b.upper, s->name,
			   (unsigned long long)edge);
	if (s->nr_buckets && b.lower < s->buckets[s->nr_buckets - 1].upper)
		return take_bad(err, up,
			   "buckets must ascend and not overlap");
	return series_add_bucket(s, b) ? take_no_memory(err) : 0;
}

static int take_buckets(const json_t *v, struct series *s, const struct at *up,
			struct err *err)
{
	__uint128_t sum = 0;
	size_t i;
	int rc;

	if (!json_is_array(v))
		return take_bad(err, up, "must be an array, not %s", take_kind(v));
	for (i = 0; i < json_array_size(v); i++) {
		struct at at = { up, NULL, i };

		rc = take_bucket(json_array_get(v, i), s, &at, err);
		if (rc)
			return rc;
		sum += s->buckets[i].count;
	}
	if (sum > INT64_MAX)
		return take_bad(err, up, "the counts add up to more than 2^63 - 1");
	return 0;
}

static int take_series(const json_t *v, struct run *run, const char *name,
		       const struct at *up, struct err *err)
{
	struct series *s = run_add_series(run, name);
	bool have_count = false, have_sum = false, have_buckets = false;
	struct err why;
	json_t *value, *unknown = NULL;
	const char *key;
	int rc = 0;

	if (!s)
		return take_no_memory(err);
	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		if (!strcmp(key, "count")) {
			rc = take_count(value, &s->count, &at, err);
			have_count = true;
		} else if (!strcmp(key, "sum_ns")) {
			rc = take_count(value, &s->sum_ns, &at, err);
			have_sum = true;
		} else if (!strcmp(key, "max_ns")) {
			rc = take_count(value, &s->max_ns, &at, err);
			s->has_max = true;
		} else if (!strcmp(key, "max_is_bound") ||
			   !strcmp(key, "rounded")) {
			if (!json_is_boolean(value))
				return take_bad(err, &at, "must be true or false");
			*(*key == 'm' ? &s->max_bound : &s->rounded) =
				json_is_true(value);
		} else if (!strcmp(key, "buckets")) {
			rc = take_buckets(value, s, &at, err);
			have_buckets = true;
		} else if (take_unknown(&unknown, key, value)) {
			rc = take_no_memory(err);
		}
		if (rc)
			return rc;
	}
	if (!have_count || !have_sum)
		return take_bad(err, up, "has no %s",
			   have_count ? "sum_ns" : "count");
	/* Without buckets there is something to hold against only where nothing is. */
	if ((have_buckets || !s->count) && !s->rounded &&
	    series_check(s, true, &why))
		return take_bad(err, up, "%s", why.text);
	return take_unknown_done(unknown, &s->extra, err);
}

static int take_metric(const json_t *v, struct run *run, const char *name,
		       const struct at *up, struct err *err)
{
	const json_t *value = json_object_get(v, "value");
	const json_t *unit = json_object_get(v, "unit");
	const json_t *better = json_object_get(v, "better");
	enum better way = BETTER_UNKNOWN;
	const char *word;

	if (!json_is_number(value))
		return take_bad(err, up, "has no number as its value");
	if (unit && !json_is_string(unit))
		return take_bad(err, up, "unit must be a string");
	if (better) {
		word = json_string_value(better);
		if (word && !strcmp(word, "higher"))
			way = BETTER_HIGHER;
		else if (word && !strcmp(word, "lower"))
			way = BETTER_LOWER;
		else
			return take_bad(err, up,
				   "better must be \"higher\" or \"lower\"");
	}
	if (run_add_metric(run, name, json_number_value(value),
			   unit ? json_string_value(unit) : "", way) < 0)
		return take_no_memory(err);
	return 0;
}

static int take_recorder(const json_t *v, struct run *run, const struct at *up,
			 struct err *err)
{
	json_t *value, *unknown = NULL;
	const char *key;
	int rc;

	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		rc = 0;
		if (!strcmp(key, "hooks")) {
			rc = take_pairs(value, &run->hooks, &at, err);
		} else if (!strcmp(key, "thresholds")) {
			rc = take_pairs(value, &run->thresholds, &at, err);
		} else if (json_is_string(value)) {
			if (pairs_add(&run->recorder, key,
				      json_string_value(value)))
				rc = take_no_memory(err);
		} else if (take_unknown(&unknown, key, value)) {
			rc = take_no_memory(err);
		}
		if (rc)
			return rc;
	}
	return take_unknown_done(unknown, &run->recorder_extra, err);
}

static int take_health(const json_t *v, struct run *run, const struct at *up,
		       struct err *err)
{
	__int128_t causes = 0;
	bool any = false;
	size_t i;
	int rc;

	rc = take_counters(v, &run->health, true, up, err);
	for (i = 0; !rc && i < run->health.nr; i++) {
		const struct counter *c = &run->health.v[i];
		struct at at = { up, c->name, 0 };

		if (c->value < 0 && health_is(c->name, HEALTH_COUNT))
			return take_bad(err, &at, "must not be negative");
		if (!strncmp(c->name, "lost_", 5)) {
			causes += c->value;
			any = true;
		}
	}
	if (!rc && (health_unpaired(&run->health, "orphan_acquire") < 0 ||
		    health_unpaired(&run->health, "orphan_release") < 0))
		return take_bad(err, up,
			   "more early ones than orphans in all");
	if (!rc && any && causes != counters_get(&run->health, "lost"))
		return take_bad(err, up,
			   "lost is not the sum of its causes, the lost_*");
	return rc;
}

static int take_run_key(struct run *run, const char *key, json_t *value,
			json_t **unknown, const struct at *at, struct err *err)
{
	const char *name;
	uint64_t n;
	json_t *e;
	int rc = 0;

	if (!strcmp(key, "start"))
		return take_text(value, &run->start, at, err);
	if (!strcmp(key, "seconds")) {
		if (!json_is_number(value) || json_number_value(value) < 0)
			return take_bad(err, at, "must be a number, 0 or above");
		run->seconds = json_number_value(value);
		return 0;
	}
	if (!strcmp(key, "exit") || !strcmp(key, "signal")) {
		rc = take_count(value, &n, at, err);
		if (!rc && n > 255)
			rc = take_bad(err, at, "must be 0 to 255");
		if (!rc && *key == 'e')
			run->exit = n;
		else if (!rc)
			run->signal = n;
		return rc;
	}
	if (!strcmp(key, "recorder"))
		return take_recorder(value, run, at, err);
	if (!strcmp(key, "vmstat"))
		return take_counters(value, &run->vmstat, true, at, err);
	if (!strcmp(key, "counters"))
		return take_counters(value, &run->counters, false, at, err);
	if (!strcmp(key, "health"))
		return take_health(value, run, at, err);
	if (!strcmp(key, "metrics") || !strcmp(key, "series")) {
		if (!json_is_object(value))
			return take_bad(err, at, "must be an object, not %s",
				   take_kind(value));
		json_object_foreach(value, name, e) {
			struct at in = { at, name, 0 };

			rc = *key == 'm' ?
				take_metric(e, run, name, &in, err) :
				take_series(e, run, name, &in, err);
			if (rc)
				return rc;
		}
		return 0;
	}
	return take_unknown(unknown, key, value) ? take_no_memory(err) : 0;
}

/**
 * take_run - append a run to a group
 * @v: the run's object
 * @group: to this group
 * @up: place in the file
 * @err: what went wrong
 *
 * Context: between arena_begin() and arena_end().
 * Return: 0, -EINVAL, -ENOMEM; what was taken so far stays in the group.
 */
int take_run(const json_t *v, struct group *group, const struct at *up,
	     struct err *err)
{
	struct run *run = group_add_run(group);
	json_t *value, *unknown = NULL;
	const char *key;
	int rc;

	if (!run)
		return take_no_memory(err);
	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		rc = take_run_key(run, key, value, &unknown, &at, err);
		if (rc)
			return rc;
	}
	return take_unknown_done(unknown, &run->extra, err);
}
