// SPDX-License-Identifier: GPL-2.0-only
#include "source/carry.h"

#include <errno.h>
#include <stdio.h>

enum mode { MODE_READ, MODE_WRITE, NR_MODES };

static const char * const mode_name[NR_MODES] = { "read", "write" };

/**
 * struct open - what the equations of one mode leave, and what is open
 * @wait: residue without the gauge: W of carry.h
 * @hold: likewise H
 * @waiting: waits that the gauge says are open
 * @holding: holds likewise
 *
 * Wide, so that no counter of a hostile file overflows them.
 */
struct open {
	__int128_t wait, hold, waiting, holding;
};

static int64_t get(const struct counters *c, enum mode mode, const char *name)
{
	char key[80];

	snprintf(key, sizeof(key), "%s_%s", mode_name[mode], name);
	return counters_get(c, key);
}

static struct open open_of(const struct counters *c, enum mode mode)
{
	__int128_t down = counters_get(c, "downgraded");
	__int128_t stale_wait = get(c, mode, "stale_wait");
	__int128_t stale_hold = get(c, mode, "stale_hold");
	__int128_t acquired = get(c, mode, "acquired");

	/* The gauges hold what was given up, too. */
	return (struct open){
		.wait = (__int128_t)get(c, mode, "attempts") +
			get(c, mode, "orphan_acquire") - acquired -
			get(c, mode, "trylock_failed") -
			get(c, mode, "aborted") - get(c, mode, "failed") -
			stale_wait,
		.hold = acquired + get(c, mode, "orphan_release") -
			get(c, mode, "released") - stale_hold +
			(mode == MODE_READ ? down : -down),
		.waiting = get(c, mode, "unfinished_wait") - stale_wait,
		.holding = get(c, mode, "unfinished_hold") - stale_hold,
	};
}

/**
 * carry_nonsense - refuse counters that no module can have written
 * @err: where the line goes
 * @name: one of them
 *
 * Context: any.
 * Return: -EPROTO.
 */
int carry_nonsense(struct err *err, const char *name)
{
	return err_set(err, -EPROTO, "%s contradicts the other counters", name);
}

static int add_to(struct counters *c, const char *name, __int128_t more,
		  struct err *err)
{
	struct counter *found;
	__int128_t sum;

	found = (struct counter *)counters_find(c, name, NULL);
	if (!found || !more)
		return 0;
	sum = found->value + more;
	if (sum < 0 || sum > INT64_MAX)
		return carry_nonsense(err, name);
	found->value = sum;
	return 0;
}

static int add(struct counters *c, enum mode mode, const char *name,
	       __int128_t more, struct err *err)
{
	char key[80];

	snprintf(key, sizeof(key), "%s_%s", mode_name[mode], name);
	return add_to(c, key, more, err);
}

static int carry(const struct open *was, struct counters *c, struct err *err)
{
	__int128_t attempts[NR_MODES], acquired[NR_MODES], early;
	int m, rc = 0;

	for (m = 0; m < NR_MODES; m++) {
		acquired[m] = was[m].hold;
		attempts[m] = was[m].hold + was[m].wait;
	}
	/* Downgrades that S0 does not have, though it has the release. */
	early = -(get(c, MODE_READ, "acquired") + acquired[MODE_READ]);
	if (early < -(get(c, MODE_READ, "attempts") + attempts[MODE_READ]))
		early = -(get(c, MODE_READ, "attempts") + attempts[MODE_READ]);
	if (early > counters_get(c, "downgraded"))
		early = counters_get(c, "downgraded");
	if (early > 0) {
		acquired[MODE_READ] += early;
		attempts[MODE_READ] += early;
		acquired[MODE_WRITE] -= early;
		attempts[MODE_WRITE] -= early;
		rc = add_to(c, "downgraded", -early, err);
	}
	for (m = 0; !rc && m < NR_MODES; m++) {
		/* Orphans that S0 does not have, though it has their end. */
		early = -(get(c, m, "attempts") + attempts[m]);
		if (early > get(c, m, "orphan_acquire"))
			early = get(c, m, "orphan_acquire");
		if (early > 0) {
			attempts[m] += early;
			rc = add(c, m, "orphan_acquire", -early, err);
			rc = rc ? rc : add_to(c, "orphan_acquire", -early, err);
		}
		rc = rc ? rc : add(c, m, "attempts", attempts[m], err);
		rc = rc ? rc : add(c, m, "acquired", acquired[m], err);
	}
	return rc;
}

static int set_unfinished(struct counters *c, const char *name, const char *of,
			  struct err *err)
{
	int64_t a = get(c, MODE_READ, name), b = get(c, MODE_WRITE, name);
	struct counter *sum = (struct counter *)counters_find(c, name, NULL);

	if (a < 0 || b < 0 || a > INT64_MAX - b)
		return carry_nonsense(err, of);
	if (sum)
		sum->value = a + b;
	return 0;
}

static void gauge(struct counters *c, enum mode mode, const char *name,
		  __int128_t v)
{
	struct counter *found;
	char key[80];

	snprintf(key, sizeof(key), "%s_%s", mode_name[mode], name);
	found = (struct counter *)counters_find(c, key, NULL);
	/* What does not fit is refused by set_unfinished(). */
	if (found)
		found->value = v < 0 || v > INT64_MAX ? -1 : (int64_t)v;
}

/*
 * What was open when the caller stopped recording, and was given up for that: it
 * is taken off the difference of what was given up for other reasons.
 */
static int give_back(const struct snapshot *after,
		     const struct counters *at_stop, enum mode mode,
		     const char *name, struct counters *c, __int128_t *flight,
		     struct err *err)
{
	int64_t all = get(&after->counters, mode, name);
	int64_t late = all - get(at_stop, mode, name);

	if (late < 0 || late > get(c, mode, name))
		return carry_nonsense(err, name);
	gauge(c, mode, name, get(c, mode, name) - late);
	*flight += late;
	return 0;
}

/**
 * carry_settle - from bare differences to those whose equations close
 * @before: the first snapshot, or NULL
 * @after: the second
 * @at_stop: what the counters were before the caller stopped recording, or NULL
 * @c: differences of all counters, changed
 * @left: what the equations leave
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0; -EPROTO when counters contradict each other.
 */
int carry_settle(const struct snapshot *before, const struct snapshot *after,
		 const struct counters *at_stop, struct counters *c,
		 struct carry_left *left, struct err *err)
{
	struct open was[NR_MODES] = { 0 }, now;
	static const char * const stale[] = { "stale_wait", "stale_hold" };
	bool stopped = !after->recording;
	__int128_t waits, holds;
	int m, i, rc = 0;

	*left = (struct carry_left){ 0 };
	for (m = 0; !rc && m < NR_MODES; m++) {
		if (stopped && at_stop) {
			for (i = 0; !rc && i < 2; i++)
				rc = give_back(after, at_stop, m, stale[i], c,
					       &left->flight[i], err);
		}
		waits = get(c, m, "stale_wait");
		holds = get(c, m, "stale_hold");
		if (before && before->recording)
			was[m] = open_of(&before->counters, m);
		now = open_of(&after->counters, m);
		if (!stopped) {
			left->flight[0] += now.wait;
			left->flight[1] += now.hold;
		} else if (!before || before->recording) {
			left->unexplained[0] += now.wait - now.waiting;
			left->unexplained[1] += now.hold - now.holding;
			if (at_stop) {
				left->flight[0] += now.waiting;
				left->flight[1] += now.holding;
			} else {
				waits += now.waiting;
				holds += now.holding;
			}
		}
		gauge(c, m, "unfinished_wait", waits);
		gauge(c, m, "unfinished_hold", holds);
	}
	rc = rc ? rc : carry(was, c, err);
	rc = rc ? rc : set_unfinished(c, "unfinished_wait", "stale_wait", err);
	return rc ? rc : set_unfinished(c, "unfinished_hold", "stale_hold", err);
}
