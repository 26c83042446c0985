/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots for tests, and what lies between two of them.
 */
#ifndef TESTS_UNIT_READER_SNAPSHOT_H
#define TESTS_UNIT_READER_SNAPSHOT_H

#include "reader.h"

#include <stdio.h>

#include "source/delta.h"

#define HEAD "mmlockstat-snapshot 1\nversion 0.1.0\nload-id 00000000000000aa\n" \
	"reset-seq 0\nmark-seq 3\ngeneration 1\nrecording 1\nmode full\n"	\
	"wait-start locking\nclock local_clock\nscope all\n"		\
	"hook mmap_lock_released tracepoint\n"
#define NO_SERIES "series mmap_read_wait 0 0 0\nseries mmap_write_wait 0 0 0\n"	\
	"series mmap_read_hold 0 0 0\nseries mmap_write_hold 0 0 0\n"

static const struct delta_how none __attribute__((unused)), marked = { .is_marked = true };

static inline int parse(const char *text, struct snapshot *snap, struct err *err)
{
	*snap = (struct snapshot){ 0 };
	err->text[0] = '\0';
	return snapshot_parse(text, strlen(text), snap, err);
}

static inline struct snapshot take(const char *text)
{
	struct snapshot snap;
	struct err err;

	if (parse(text, &snap, &err))
		fail_msg("%s", err.text);
	return snap;
}

/* One mode's counters; the rest is zero. */
static inline char *with(const char *mode, long attempts, long acquired,
			 long failed, long released, long open_wait,
			 long open_hold, const char *tail)
{
	char *text;
	int n;

	n = asprintf(&text, HEAD
		     "counter %s_attempts %ld\ncounter %s_acquired %ld\n"
		     "counter %s_trylock_failed %ld\ncounter %s_aborted 0\n"
		     "counter %s_released %ld\ncounter %s_orphan_acquire 0\n"
		     "counter %s_orphan_release 0\ncounter %s_unfinished_wait %ld\n"
		     "counter %s_unfinished_hold %ld\ncounter downgraded 0\n"
		     "counter unfinished_wait %ld\ncounter unfinished_hold %ld\n"
		     "lost table_full 0\n" NO_SERIES "%s",
		     mode, attempts, mode, acquired, mode, failed, mode, mode,
		     released, mode, mode, mode, open_wait, mode, open_hold,
		     open_wait, open_hold, tail);
	assert_true(n > 0);
	return text;
}

static inline void between(const char *a, const char *b, struct run *run)
{
	struct snapshot before = take(a), after = take(b);
	struct err err;

	*run = (struct run){ 0 };
	if (delta(&before, &after, &marked, run, &err))
		fail_msg("%s", err.text);
	snapshot_free(&before);
	snapshot_free(&after);
}

static inline void check(const struct counters *c, const char *name, long want)
{
	if (counters_get(c, name) != want)
		fail_msg("%s is %ld, not %ld", name,
			 (long)counters_get(c, name), want);
}

static inline char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out;

	assert_non_null(at);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to,
			     at + strlen(from)) > 0);
	return out;
}

#endif
