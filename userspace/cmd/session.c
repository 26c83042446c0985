// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of a recorded command, and what came of it.
 */
#include "cmd/session.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/ends.h"
#include "source/host.h"
#include "source/runner.h"

/**
 * session_incomplete - it will be done, but data lack
 * @s: the session
 *
 * Context: any.
 */
void session_incomplete(struct session *s)
{
	if (s->status == EXIT_DONE)
		s->status = EXIT_INCOMPLETE;
}

/**
 * session_end - a run is not kept, and there will be no other
 * @s: the session
 * @fmt: printf format of why; said when it is known what there is without it
 *
 * Context: any; the session stops behind it.
 */
void session_end(struct session *s, const char *fmt, ...)
{
	size_t at = snprintf(s->why, sizeof(s->why), "%s: ", s->name);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->why + at, sizeof(s->why) - at, fmt, ap);
	va_end(ap);
	session_incomplete(s);
}

static void on_data(void *arg)
{
	struct session *s = arg;

	progress_clear(&s->progress);
}

static void on_tick(void *arg)
{
	struct session *s = arg;

	progress_tick(&s->progress);
}

/* The command has ended: what is still to be passed on is no part of the run. */
static void on_end(void *arg)
{
	struct session *s = arg;

	if (s->is_recording)
		s->end_rc = recorder_end(&s->recorder, &s->run, &s->end_err);
	s->is_recording = false;
}

/* The setting of this side, made by a command of the user's. */
static int make_setting(struct session *s, size_t side)
{
	char *argv[4] = { "sh", "-c", NULL, NULL };
	struct runner r = { .argv = argv };
	struct err err;

	if (!s->plan.interleave[side])
		return 0;
	argv[2] = (char *)s->plan.interleave[side];
	if (runner_run(&r, &err)) {
		s->status = say_failed(&err);
		return -1;
	}
	if (r.interrupted) {
		session_end(s, "interrupted (%s) before it began",
			    strsignal(r.interrupted));
	} else if (r.exit) {
		say("%s: '%s' ended with status %d: no setting, no run",
		    s->name, s->plan.interleave[side], r.exit);
		s->status = EXIT_FAILED;
	} else {
		return 0;
	}
	return -1;
}

/* What the machine is like; told again when it changed between runs. */
static int note_host(struct session *s, size_t side)
{
	struct host *host = &s->rec[side].host, now = { 0 };
	const char *value;
	struct err err;
	size_t i;

	if (!host->kernel) {
		if (!host_read("/", host, &err))
			return 0;
		s->status = say_failed(&err);
		return -1;
	}
	if (host_read("/", &now, &err)) {
		s->status = say_failed(&err);
		return -1;
	}
	for (i = 0; i < now.settings.nr; i++) {
		value = pairs_get(&host->settings, now.settings.v[i].name);
		if (value && strcmp(value, now.settings.v[i].value))
			say("%s: %s is '%s', it was '%s' in the first run",
			    s->name, now.settings.v[i].name,
			    now.settings.v[i].value, value);
	}
	free(now.kernel);
	free(now.arch);
	pairs_free(&now.settings);
	return 0;
}

static struct group *group_for(struct recording *rec, const struct pairs *set)
{
	struct group *g = (struct group *)recording_group(rec, set);
	size_t i;

	if (g)
		return g;
	g = recording_add_group(rec);
	for (i = 0; g && i < set->nr; i++)
		if (pairs_add(&g->set, set->v[i].name, set->v[i].value))
			return NULL;
	return g;
}

/* A finished run into its recording, with what the command reported. */
static int keep_run(struct session *s, struct run *run, size_t group,
		    size_t side)
{
	struct group *g = group_for(&s->rec[side], &s->plan.group[group]);
	struct run *slot = g ? group_add_run(g) : NULL;

	if (!slot) {
		say("out of memory");
		s->status = EXIT_FAILED;
		return -1;
	}
	run->metrics = s->metrics.metrics;
	run->nr_metrics = s->metrics.nr_metrics;
	run->cap_metrics = s->metrics.cap_metrics;
	run->metric_index = s->metrics.metric_index;
	s->metrics = (struct run){ 0 };
	*slot = *run;
	*run = (struct run){ 0 };
	return 0;
}

static void judge_run(struct session *s, const struct run *run)
{
	int64_t lost = counters_get(&run->health, "lost");
	size_t i;

	if (run->signal)
		say("%s: the command was killed by signal %d (%s): the run is kept, and marked",
		    s->name, run->signal, strsignal(run->signal));
	else if (run->exit)
		say("%s: the command ended with status %d: the run is kept, and marked",
		    s->name, run->exit);
	if (run->exit)
		session_incomplete(s);
	for (i = 0; i < s->plan.nr_rules; i++) {
		if (run_metric(&s->metrics, s->plan.rule[i].name))
			continue;
		say("%s: no line with metric %s", s->name,
		    s->plan.rule[i].name);
		session_incomplete(s);
	}
	if (lost) {
		say("%s: %lld events were lost: 'mmlockstat report' tells why",
		    s->name, (long long)lost);
		session_incomplete(s);
	}
}

static void free_words(char **words)
{
	size_t n = 0;

	while (words[n])
		n++;
	free_list(words, n);
}

/* What came of a run; whether there may be another. */
static bool finish_run(struct session *s, const struct runner *r, size_t group,
		       size_t side, bool is_warmup)
{
	if (r->output_failed && !s->output_failed)
		s->output_failed = r->output_failed;
	progress_run_done(&s->progress);
	if (r->interrupted) {
		session_end(s, "interrupted (%s): not kept",
			    strsignal(r->interrupted));
		return false;
	}
	if (s->end_rc == -ESTALE) {
		session_end(s, "%s: not kept", s->end_err.text);
		return false;
	}
	if (s->end_rc) {
		s->status = say_failed(&s->end_err);
		return false;
	}
	session_tell(s);
	if (r->is_cut) {
		say("%s: interrupted (%s): not all of its output was passed on",
		    s->name, strsignal(ends_told()));
		session_incomplete(s);
	}
	if (is_warmup)
		return true;
	s->run.exit = r->exit;
	s->run.signal = r->signal;
	judge_run(s, &s->run);
	return !keep_run(s, &s->run, group, side);
}

/**
 * session_run - make one run
 * @s: the session; stop is set when no more runs are to be made
 * @group: setting, an index into the plan's
 * @side: 0, or 1 for the second of --interleave
 * @is_warmup: it is not recorded
 *
 * Context: between recorder_open() and recorder_close(), and of the runner.
 */
void session_run(struct session *s, size_t group, size_t side, bool is_warmup)
{
	struct runner r = { .on_data = on_data, .on_line = session_line,
			    .on_tick = on_tick, .on_end = on_end, .arg = s };
	struct err err;
	int rc;

	s->stop = true;
	r.argv = plan_command(&s->plan, &s->plan.group[group]);
	if (!r.argv) {
		say("out of memory");
		s->status = EXIT_FAILED;
		return;
	}
	run_free(&s->metrics);
	s->end_rc = 0;
	if (make_setting(s, side) || note_host(s, side))
		goto out;
	progress_run(&s->progress, s->name);
	rc = is_warmup ? 0 : recorder_begin(&s->recorder, &err);
	if (!rc) {
		s->is_recording = !is_warmup;
		rc = runner_run(&r, &err);
		s->is_recording = false;
	}
	if (rc) {
		progress_clear(&s->progress);
		s->status = say_failed(&err);
	} else {
		s->stop = !finish_run(s, &r, group, side, is_warmup);
	}
	run_free(&s->run);
out:
	free_words(r.argv);
}
