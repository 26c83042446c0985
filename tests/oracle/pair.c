// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's own state machine and buckets over a recorded session: reads
 * the text of `trace-cmd report -t FILE` on standard input, prints what pair.py
 * prints.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../module/core/hist.c"
#include "../../module/core/lockseq.c"

#define NR_KEYS 65536	/* (task, mm) pairs of a session; a power of two */
#define NR_BANDS 8

struct key {
	unsigned long tid;
	unsigned long long mm;
	struct mls_lockseq seq;
};

enum { WAIT, HOLD, NR_WHAT };

static struct key keys[NR_KEYS];
static struct mls_hist hists[NR_WHAT][MLS_NR_MODES];
static uint64_t attempts[MLS_NR_MODES], acquired[MLS_NR_MODES];
static uint64_t failed[MLS_NR_MODES], released[MLS_NR_MODES];
static uint64_t nested[MLS_NR_MODES], downgraded;
static uint64_t orphan_acquire, orphan_release, stale;

static const char *const mode_name[] = { "read", "write" };

static struct mls_lockseq *find(unsigned long tid, unsigned long long mm)
{
	size_t i = (tid * 2654435761UL ^ mm >> 6) & (NR_KEYS - 1);
	size_t n;

	for (n = 0; n < NR_KEYS; n++, i = (i + 1) & (NR_KEYS - 1)) {
		if (!keys[i].tid) {
			keys[i].tid = tid;
			keys[i].mm = mm;
		}
		if (keys[i].tid == tid && keys[i].mm == mm)
			return &keys[i].seq;
	}
	fprintf(stderr, "pair: more than %d tasks and mms\n", NR_KEYS);
	exit(1);
}

static void add(int what, int mode, uint64_t ns)
{
	struct mls_hist *hist = &hists[what][mode];

	hist->bucket[mls_hist_bucket(ns)]++;
	hist->sum_ns += ns;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
}

static void settle(const struct mls_seq_step *step)
{
	if (step->happened & MLS_SEQ_HOLD)
		add(HOLD, step->hold_mode, step->hold_ns);
	if (step->happened & MLS_SEQ_ORPHAN_ACQUIRE)
		orphan_acquire++;
	if (step->happened & MLS_SEQ_ORPHAN_RELEASE)
		orphan_release++;
	if (step->happened & (MLS_SEQ_STALE_WAIT | MLS_SEQ_STALE_HOLD |
			      MLS_SEQ_NEGATIVE))
		stale++;
}

static void event(const char *name, struct mls_lockseq *seq, enum mls_mode mode,
		  int success, uint64_t now)
{
	struct mls_seq_step step;

	if (!strcmp(name, "start_locking")) {
		attempts[mode]++;
		step = mls_seq_start(seq, mode, now);
	} else if (!strcmp(name, "released")) {
		released[mode]++;
		step = mls_seq_released(seq, mode, now);
	} else if (!success) {
		failed[mode]++;
		step = mls_seq_failed(seq, mode, now);
	} else {
		step = mls_seq_acquired(seq, mode, now);
		if (step.happened & MLS_SEQ_DOWNGRADED)
			downgraded++;
		else
			acquired[mode]++;
		if (step.happened & MLS_SEQ_NESTED)
			nested[mode]++;
		if (step.happened & MLS_SEQ_WAIT)
			add(WAIT, mode, step.wait_ns);
	}
	settle(&step);
}

/* "  COMM-TID [CPU] SECONDS.NANOSECONDS: mmap_lock_NAME: mm=0x... write=..." */
static void line(const char *text)
{
	const char *at = strstr(text, ": mmap_lock_"), *p;
	unsigned long long seconds, ns, mm;
	char name[32];
	const char *stamp, *cpu, *tid;

	if (!at)
		return;
	for (stamp = at; stamp > text && stamp[-1] != ' '; stamp--)
		;
	for (cpu = stamp; cpu > text && *cpu != '['; cpu--)
		;
	for (tid = cpu; tid > text && tid[-1] != '-'; tid--)
		;
	p = strstr(at, " mm=");
	if (!p || sscanf(p, " mm=%llx", &mm) != 1 ||
	    sscanf(at, ": mmap_lock_%31[a-z_]", name) != 1 ||
	    sscanf(stamp, "%llu.%9llu", &seconds, &ns) != 2) {
		fprintf(stderr, "pair: not understood: %s", text);
		exit(1);
	}
	event(name, find(strtoul(tid, NULL, 10), mm),
	      strstr(at, "write=true") ? MLS_WRITE : MLS_READ,
	      !!strstr(at, "success=true"), seconds * 1000000000 + ns);
}

static void say(const char *mode, const char *name, uint64_t n)
{
	if (n)
		printf("%s%s %" PRIu64 "\n", mode, name, n);
}

static void say_series(int what, int mode)
{
	const struct mls_hist *hist = &hists[what][mode];
	uint64_t band[NR_BANDS] = { 0 }, edge;
	unsigned int i, b;

	for (i = 0; i < MMLOCKSTAT_NR_BUCKETS; i++) {
		for (b = 0, edge = 1000; b < NR_BANDS - 1 &&
		     mls_hist_lower(i) >= edge; b++)
			edge *= 10;
		band[b] += hist->bucket[i];
	}
	printf("mmap_%s_%s count %" PRIu64 " sum_ns %" PRIu64 " max_ns %" PRIu64 " bands",
	       mode_name[mode], what == WAIT ? "wait" : "hold",
	       mls_hist_count(hist), hist->sum_ns, hist->max_ns);
	for (b = 0; b < NR_BANDS; b++)
		printf(" %" PRIu64, band[b]);
	printf("\n");
}

int main(void)
{
	uint64_t waiting = 0, holding = 0;
	static char text[4096];
	int mode;
	size_t i;

	while (fgets(text, sizeof(text), stdin))
		line(text);
	for (i = 0; i < NR_KEYS; i++) {
		waiting += keys[i].seq.waiting;
		holding += keys[i].seq.depth;
	}
	/* In the order of the alphabet, as pair.py prints them. */
	say("", "downgraded", downgraded);
	say("", "orphan_acquire", orphan_acquire);
	say("", "orphan_release", orphan_release);
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		if (mode == MLS_WRITE) {
			printf("unfinished_hold %" PRIu64 "\n", holding);
			printf("unfinished_wait %" PRIu64 "\n", waiting);
		}
		say(mode_name[mode], "_acquired", acquired[mode]);
		say(mode_name[mode], "_attempts", attempts[mode]);
		say(mode_name[mode], "_failed", failed[mode]);
		say(mode_name[mode], "_nested", nested[mode]);
		say(mode_name[mode], "_released", released[mode]);
	}
	for (i = 0; i < NR_WHAT; i++)
		for (mode = 0; mode < MLS_NR_MODES; mode++)
			say_series(i, mode);
	if (stale)
		printf("impossible %" PRIu64 "\n", stale);
	return 0;
}
