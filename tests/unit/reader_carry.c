// SPDX-License-Identifier: GPL-2.0-only
/*
 * Differences of snapshots of a busy machine, against a model that knows each
 * operation's life and does no arithmetic with counters: tasks migrate at every
 * step, a snapshot reads one CPU after the other while they go on, the gauges
 * later still, and a reset may have been in between.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "source/delta.h"

#define CPUS		3
#define NR_TASKS	5
#define NR_OPS		400
#define NEVER		(-1L)
#define TRIALS		20000

enum { READ, WRITE, NR_MODES };
enum {
	ATTEMPTS,
	ACQUIRED,
	TRYLOCK_FAILED,
	ABORTED,
	RELEASED,
	ORPHAN_ACQUIRE,
	ORPHAN_RELEASE,
	STALE_WAIT,
	STALE_HOLD,
	NR_COUNTS
};

static const char * const count_name[NR_COUNTS] = {
	"attempts", "acquired", "trylock_failed", "aborted", "released",
	"orphan_acquire", "orphan_release", "stale_wait", "stale_hold",
};

static const char * const mode_name[NR_MODES] = { "read", "write" };

/* When, and on which CPU. */
struct moment {
	long time;
	int cpu;
};

/* A hold, and the wait before it, if there was any. */
struct op {
	int mode;
	struct moment start;		/* NEVER: an orphan, or a downgrade */
	struct moment acquired;		/* NEVER: waits, or never got it */
	struct moment over;		/* failed, released, downgraded, stale */
	int by_downgrade;
};

/* What a snapshot has seen: all of each CPU up to a time of its own. */
struct look {
	long until[CPUS];
	long count[NR_MODES][NR_COUNTS], downgraded;
	long waiting[NR_MODES], holding[NR_MODES];
};

struct world {
	uint64_t seed;
	long now;
	struct op op[NR_OPS];
	int nr_ops, task[NR_TASKS];	/* its operation, or -1 */
	long count[CPUS][NR_MODES][NR_COUNTS], downgraded[CPUS];
};

static unsigned int pick(struct world *w, unsigned int n)
{
	w->seed ^= w->seed << 13;
	w->seed ^= w->seed >> 7;
	w->seed ^= w->seed << 17;
	return (w->seed >> 20) % n;
}

static int begin(struct world *w, int mode)
{
	const struct moment never = { NEVER, 0 };

	assert_true(w->nr_ops < NR_OPS);
	w->op[w->nr_ops] = (struct op){ mode, never, never, never, 0 };
	return w->nr_ops++;
}

static struct moment at(const struct world *w, int cpu)
{
	return (struct moment){ w->now, cpu };
}

static void idle_task(struct world *w, int task, int cpu)
{
	int mode = pick(w, NR_MODES), what = pick(w, 12);
	long *count = w->count[cpu][mode];
	struct op *op;

	if (what == 0) {
		count[RELEASED]++;
		count[ORPHAN_RELEASE]++;
		return;
	}
	w->task[task] = begin(w, mode);
	op = &w->op[w->task[task]];
	if (what == 1) {
		count[ORPHAN_ACQUIRE]++;
	} else {
		count[ATTEMPTS]++;
		op->start = at(w, cpu);
	}
	/* Without a start, or not having had to wait. */
	if (what == 1 || what < 5) {
		count[ACQUIRED]++;
		op->acquired = at(w, cpu);
	}
}

static void step(struct world *w)
{
	int task = pick(w, NR_TASKS), cpu = pick(w, CPUS), what = pick(w, 10);
	struct op *op;
	long *count;

	w->now++;
	if (w->task[task] < 0) {
		idle_task(w, task, cpu);
		return;
	}
	op = &w->op[w->task[task]];
	count = w->count[cpu][op->mode];
	if (op->acquired.time == NEVER && !op->by_downgrade && what > 2) {
		count[ACQUIRED]++;
		op->acquired = at(w, cpu);
		return;
	}
	op->over = at(w, cpu);
	w->task[task] = -1;
	if (op->acquired.time == NEVER && !op->by_downgrade) {
		count[what == 0 ? STALE_WAIT : what == 1 ? ABORTED :
							   TRYLOCK_FAILED]++;
	} else if (what == 0) {
		count[STALE_HOLD]++;
	} else if (op->mode == WRITE && what < 5) {
		w->downgraded[cpu]++;
		w->task[task] = begin(w, READ);
		op = &w->op[w->task[task]];
		op->acquired = at(w, cpu);
		op->by_downgrade = 1;
	} else {
		count[RELEASED]++;
	}
}

static void steps(struct world *w, int most)
{
	int n = pick(w, most + 1);

	while (n--)
		step(w);
}

/* One CPU after the other, in any order; @busy: while tasks go on. */
static void take_look(struct world *w, struct look *look, int busy)
{
	int order[CPUS] = { 0, 1, 2 }, i, m, k, j;

	memset(look, 0, sizeof(*look));
	for (i = CPUS - 1; i > 0; i--) {
		j = pick(w, i + 1);
		k = order[i];
		order[i] = order[j];
		order[j] = k;
	}
	for (i = 0; i < CPUS; i++) {
		look->until[order[i]] = w->now;
		look->downgraded += w->downgraded[order[i]];
		for (m = 0; m < NR_MODES; m++)
			for (k = 0; k < NR_COUNTS; k++)
				look->count[m][k] += w->count[order[i]][m][k];
		if (busy)
			steps(w, 6);
	}
	for (i = 0; i < NR_TASKS; i++) {
		const struct op *op = w->task[i] < 0 ? NULL : &w->op[w->task[i]];

		if (op && op->acquired.time == NEVER)
			look->waiting[op->mode]++;
		else if (op)
			look->holding[op->mode]++;
	}
}

static int seen(const struct look *look, struct moment m)
{
	return m.time != NEVER && m.time <= look->until[m.cpu];
}

/*
 * Operations that a look has the beginning of and not the end, less those that
 * it has the end of and not the beginning.
 */
static long half(const struct world *w, const struct look *look, int mode,
		 int holds)
{
	long n = 0;
	int i;

	for (i = 0; i < w->nr_ops; i++) {
		const struct op *op = &w->op[i];

		if (op->mode != mode)
			continue;
		if (holds && op->acquired.time != NEVER)
			n += seen(look, op->acquired) - seen(look, op->over);
		else if (!holds && op->start.time != NEVER)
			n += seen(look, op->start) -
			     seen(look, op->acquired.time != NEVER ?
				  op->acquired : op->over);
	}
	return n;
}

/* A reset: the module takes it off, and carries what was in flight then. */
static int rebase(const struct world *w, struct look *look,
		  const struct look *base)
{
	long sum = 0;
	int m, k;

	look->downgraded -= base->downgraded;
	for (m = 0; m < NR_MODES; m++) {
		for (k = 0; k < NR_COUNTS; k++)
			look->count[m][k] -= base->count[m][k];
		look->count[m][ATTEMPTS] += half(w, base, m, 0) + half(w, base, m, 1);
		look->count[m][ACQUIRED] += half(w, base, m, 1);
		for (k = 0; k < NR_COUNTS; k++)
			sum += look->count[m][k] < 0;
	}
	return !sum;
}

static void fill(struct snapshot *snap, const struct look *look, int recording)
{
	char name[60];
	int m, k;

	*snap = (struct snapshot){ .recording = recording };
	assert_true(!str_set(&snap->load_id, "a") && !str_set(&snap->mode, "full"));
	for (m = 0; m < NR_MODES; m++) {
		for (k = 0; k < NR_COUNTS; k++) {
			snprintf(name, sizeof(name), "%s_%s", mode_name[m],
				 count_name[k]);
			counters_add(&snap->counters, name, look->count[m][k]);
		}
		snprintf(name, sizeof(name), "%s_unfinished_wait", mode_name[m]);
		counters_add(&snap->counters, name, look->waiting[m] +
			     look->count[m][STALE_WAIT]);
		snprintf(name, sizeof(name), "%s_unfinished_hold", mode_name[m]);
		counters_add(&snap->counters, name, look->holding[m] +
			     look->count[m][STALE_HOLD]);
	}
	counters_add(&snap->counters, "downgraded", look->downgraded);
	counters_add(&snap->counters, "unfinished_wait", 7);
	counters_add(&snap->counters, "unfinished_hold", 7);
}

static long get(const struct run *run, int mode, const char *what)
{
	char name[60];

	snprintf(name, sizeof(name), "%s_%s", mode_name[mode], what);
	return counters_get(&run->counters, name);
}

static void same(long got, long want, const char *what, int trial)
{
	if (got != want)
		fail_msg("trial %d: %s is %ld, not %ld", trial, what, got, want);
}

/* What was begun by the second look and was not over at the first. */
static void expect(const struct world *w, const struct look *a,
		   const struct look *b, long attempts[], long acquired[])
{
	int i;

	for (i = 0; i < NR_MODES; i++) {
		attempts[i] = 0;
		acquired[i] = 0;
	}
	for (i = 0; i < w->nr_ops; i++) {
		const struct op *op = &w->op[i];
		int open = seen(a, op->acquired) && !seen(a, op->over);

		if (op->by_downgrade) {
			open -= !seen(a, op->acquired) && seen(a, op->over);
			attempts[op->mode] += open;
			acquired[op->mode] += open;
			continue;
		}
		if (op->start.time == NEVER)	/* in orphan_acquire if later */
			attempts[op->mode] += open -
				(!seen(a, op->acquired) && seen(a, op->over));
		else
			attempts[op->mode] += seen(b, op->start) &&
					      !seen(a, op->over);
		acquired[op->mode] += seen(b, op->acquired) && !seen(a, op->over);
	}
}

/* A stop gives up what is open: from now on it is stale. */
static void give_up(struct look *look)
{
	int m;

	for (m = 0; m < NR_MODES; m++) {
		look->count[m][STALE_WAIT] += look->waiting[m];
		look->count[m][STALE_HOLD] += look->holding[m];
		look->waiting[m] = 0;
		look->holding[m] = 0;
	}
}

/* @last: the stale ones of it are those of the time of the recording. */
static void check(const struct world *w, const struct look *a,
		  const struct look *last, const struct look *b,
		  const struct run *run, int trial)
{
	long waits = 0, holds = 0, attempts[NR_MODES], acquired[NR_MODES], down;
	int m, early, name;

	expect(w, a, b, attempts, acquired);
	early = acquired[READ] < 0 || attempts[READ] < 0 ||
		attempts[WRITE] < 0;
	down = counters_get(&run->counters, "downgraded");
	if (!early)
		same(down, b->downgraded - a->downgraded, "downgraded", trial);
	for (m = 0; m < NR_MODES; m++) {
		/* Given up between the last look and the stop: in flight, too. */
		long wait = half(w, b, m, 0) + b->count[m][STALE_WAIT] -
			    last->count[m][STALE_WAIT];
		long hold = half(w, b, m, 1) + b->count[m][STALE_HOLD] -
			    last->count[m][STALE_HOLD];

		waits += wait;
		holds += hold;
		if (!early) {
			same(get(run, m, "attempts"), attempts[m], "attempts", trial);
			same(get(run, m, "acquired"), acquired[m], "acquired", trial);
		}
		same(get(run, m, "unfinished_wait"), last->count[m][STALE_WAIT] -
		     a->count[m][STALE_WAIT], "unfinished_wait", trial);
		same(get(run, m, "attempts") + get(run, m, "orphan_acquire"),
		     get(run, m, "acquired") + get(run, m, "trylock_failed") +
		     get(run, m, "aborted") + get(run, m, "unfinished_wait") +
		     wait, "the equation of waits", trial);
		same(get(run, m, "acquired") + get(run, m, "orphan_release") +
		     (m == READ ? down : -down), get(run, m, "released") +
		     get(run, m, "unfinished_hold") + hold,
		     "the equation of holds", trial);
		for (name = 0; name < NR_COUNTS; name++)
			assert_true(get(run, m, count_name[name]) >= 0);
	}
	assert_true(down >= 0);
	same(counters_get(&run->health, "in_flight_wait"), waits,
	     "in_flight_wait", trial);
	same(counters_get(&run->health, "in_flight_hold"), holds,
	     "in_flight_hold", trial);
	same(counters_get(&run->health, "unexplained_wait"), 0,
	     "unexplained_wait", trial);
	same(counters_get(&run->health, "unexplained_hold"), 0,
	     "unexplained_hold", trial);
	/* The sum of both modes is the health, whatever the snapshot said. */
	same(counters_get(&run->health, "unfinished_hold"),
	     get(run, READ, "unfinished_hold") + get(run, WRITE, "unfinished_hold"),
	     "unfinished_hold", trial);
}

static int trial(uint64_t seed, int nr, int *negative)
{
	static struct world w;
	struct look base, a, last, b, end;
	struct snapshot before, live, after;
	int reset, stopped, gives_up, i, m;
	struct delta_how how = { .is_marked = true };
	struct run run = { 0 };
	struct err err;

	memset(&w, 0, sizeof(w));
	w.seed = seed;
	for (i = 0; i < NR_TASKS; i++)
		w.task[i] = -1;
	reset = pick(&w, 2);
	stopped = pick(&w, 2);
	gives_up = pick(&w, 2);
	steps(&w, 25);
	take_look(&w, &base, 1);
	steps(&w, 25);
	take_look(&w, &a, 1);
	steps(&w, 40);
	take_look(&w, &last, 1);
	if (stopped) {
		steps(&w, 3);
		take_look(&w, &b, 0);
	} else {
		b = last;
	}
	for (m = 0; m < NR_MODES; m++)
		*negative += half(&w, &a, m, 0) < 0 || half(&w, &a, m, 1) < 0;
	if (reset && !(rebase(&w, &a, &base) && rebase(&w, &b, &base) &&
		       rebase(&w, &last, &base)))
		return 0;
	end = b;
	if (stopped && gives_up)
		give_up(&end);
	fill(&before, &a, 1);
	fill(&live, &last, 1);
	fill(&after, &end, !stopped);
	if (stopped)
		how.at_stop = &live.counters;
	if (delta(&before, &after, &how, &run, &err))
		fail_msg("trial %d: %s", nr, err.text);
	check(&w, &a, &last, &b, &run, nr);
	run_free(&run);
	snapshot_free(&before);
	snapshot_free(&live);
	snapshot_free(&after);
	return 1;
}

static void any_stream(void **state)
{
	uint64_t seed = 0x9e3779b97f4a7c15ULL;
	int i, done = 0, negative = 0;

	(void)state;
	for (i = 0; i < TRIALS; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		done += trial(seed | 1, i, &negative);
	}
	/* The hard cases have come, and next to none was passed over. */
	assert_true(done > TRIALS * 95 / 100);
	assert_true(negative > TRIALS / 50);
	printf("# %d of %d trials, %d with a residue below zero\n", done, TRIALS,
	       negative);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
