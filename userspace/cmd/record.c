// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat record: runs a command and records what mmap_lock did meanwhile.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/plan.h"
#include "cmd/progress.h"
#include "source/host.h"
#include "source/outfile.h"
#include "source/recfile.h"
#include "source/recorder.h"
#include "source/runner.h"

/**
 * struct session - a recording being made
 * @plan: what to do
 * @recorder: the module
 * @progress: how far we are
 * @rec: one recording for each side
 * @metrics: what the run now reported
 * @name: of the run now, for messages
 * @status: exit status so far
 * @stop: make no more runs
 * @output_failed: errno of our standard output
 */
struct session {
	struct plan plan;
	struct recorder recorder;
	struct progress progress;
	struct recording rec[2];
	struct run metrics;
	char name[160];
	int status;
	bool stop;
	int output_failed;
};

static void incomplete(struct session *s)
{
	if (s->status == EXIT_DONE)
		s->status = EXIT_INCOMPLETE;
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

static void on_line(void *arg, const char *line)
{
	struct session *s = arg;
	struct err err;
	size_t i;
	int rc;

	rc = metric_line(line, &s->metrics, &err);
	if (rc == 1)
		say("%s: '%.60s': printed before, this one counts", s->name,
		    line);
	else if (rc < 0)
		say("%s: %s: ignored", s->name, err.text);
	for (i = 0; i < s->plan.nr_rules; i++) {
		rc = metric_rule_apply(&s->plan.rule[i], line, &s->metrics,
				       &err);
		if (rc < 0)
			say("%s: %s: ignored", s->name, err.text);
	}
}

static void name_run(struct session *s, size_t group, size_t run, size_t side,
		     bool is_warmup)
{
	const struct pairs *set = &s->plan.group[group];
	size_t at, i;

	at = snprintf(s->name, sizeof(s->name), "%s %zu of %zu",
		      is_warmup ? "warm-up" : "run", run + 1,
		      is_warmup ? s->plan.warmup : s->plan.runs);
	if (s->plan.sides == 2 && at < sizeof(s->name))
		at += snprintf(s->name + at, sizeof(s->name) - at, " %s",
			       side ? "after" : "before");
	for (i = 0; i < set->nr && at < sizeof(s->name); i++)
		at += snprintf(s->name + at, sizeof(s->name) - at, " %s=%s",
			       set->v[i].name, set->v[i].value);
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
		incomplete(s);
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
		incomplete(s);
	for (i = 0; i < s->plan.nr_rules; i++) {
		if (run_metric(&s->metrics, s->plan.rule[i].name))
			continue;
		say("%s: no line with metric %s", s->name,
		    s->plan.rule[i].name);
		incomplete(s);
	}
	if (lost) {
		say("%s: %lld events were lost: 'mmlockstat report' tells why",
		    s->name, (long long)lost);
		incomplete(s);
	}
}

static void free_words(char **words)
{
	size_t n = 0;

	while (words[n])
		n++;
	free_list(words, n);
}

static void one_run(struct session *s, size_t group, size_t side,
		    bool is_warmup)
{
	struct runner r = { .on_data = on_data, .on_line = on_line,
			    .on_tick = on_tick, .arg = s };
	struct run run = { 0 };
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
	if (make_setting(s, side) || note_host(s, side))
		goto out;
	progress_run(&s->progress, s->name);
	rc = is_warmup ? 0 : recorder_begin(&s->recorder, &err);
	if (!rc)
		rc = runner_run(&r, &err);
	if (rc) {
		progress_clear(&s->progress);
		s->status = say_failed(&err);
		goto out;
	}
	if (r.output_failed && !s->output_failed)
		s->output_failed = r.output_failed;
	if (!is_warmup)
		rc = recorder_end(&s->recorder, &run, &err);
	progress_run_done(&s->progress);
	if (r.interrupted) {
		say("%s: interrupted (%s): not kept", s->name,
		    strsignal(r.interrupted));
		incomplete(s);
	} else if (rc == -ESTALE) {
		say("%s: %s: not kept", s->name, err.text);
		incomplete(s);
	} else if (rc) {
		s->status = say_failed(&err);
	} else if (is_warmup) {
		s->stop = false;
	} else {
		run.exit = r.exit;
		run.signal = r.signal;
		judge_run(s, &run);
		s->stop = keep_run(s, &run, group, side) != 0;
	}
	run_free(&run);
out:
	free_words(r.argv);
}

static void all_runs(struct session *s)
{
	size_t g, r, side, total = s->plan.warmup + s->plan.runs;

	progress_init(&s->progress,
		      s->plan.nr_groups * total * s->plan.sides);
	for (g = 0; g < s->plan.nr_groups; g++) {
		for (r = 0; r < total; r++) {
			for (side = 0; side < s->plan.sides; side++) {
				bool warm = r < s->plan.warmup;

				name_run(s, g, warm ? r : r - s->plan.warmup,
					 side, warm);
				if (runner_pending()) {
					say("%s: interrupted before it began",
					    s->name);
					incomplete(s);
					return;
				}
				one_run(s, g, side, warm);
				if (s->stop)
					return;
			}
		}
	}
}

static const char *output_name(const struct session *s, size_t side)
{
	if (s->plan.output[side])
		return s->plan.output[side];
	if (s->plan.sides == 1)
		return "mmlockstat.json";
	return side ? "mmlockstat-after.json" : "mmlockstat-before.json";
}

static int describe(struct session *s, size_t side)
{
	struct recording *rec = &s->rec[side];
	static const char * const labels[] = { "before", "after" };
	const char *label = s->plan.label[side];
	size_t i;

	if (!label && s->plan.sides == 2)
		label = labels[side];
	if (str_set(&rec->label, label) ||
	    str_set(&rec->tool, "mmlockstat " MMLOCKSTAT_VERSION))
		return -1;
	for (i = 0; s->plan.command[i]; i++) {
		if (grow(&rec->command, i, &rec->cap_command,
			 sizeof(*rec->command)))
			return -1;
		rec->command[i] = NULL;
		if (str_set(&rec->command[i], s->plan.command[i]))
			return -1;
		rec->nr_command++;
	}
	return 0;
}

static void write_all(struct session *s)
{
	const struct recording *rec;
	struct err err;
	size_t side, i, runs;

	for (side = 0; side < s->plan.sides; side++) {
		rec = &s->rec[side];
		runs = 0;
		for (i = 0; i < rec->nr_groups; i++)
			runs += rec->groups[i].nr_runs;
		if (!runs) {
			if (s->status == EXIT_INCOMPLETE)
				say("%s: not written: no run was finished",
				    output_name(s, side));
			continue;
		}
		if (describe(s, side)) {
			say("out of memory");
			s->status = EXIT_FAILED;
			return;
		}
		/* The usual name is no place that somebody chose. */
		if (!s->plan.output[side])
			keep_old(output_name(s, side));
		if (recfile_write(output_name(s, side), rec, &err))
			s->status = say_failed(&err);
		else if (isatty(STDERR_FILENO))
			say("%s: %zu run%s", output_name(s, side), runs,
			    runs == 1 ? "" : "s");
	}
}

/**
 * cmd_record - run a command and record
 * @argc: arguments
 * @argv: the arguments
 *
 * Context: main.
 * Return: exit status.
 */
int cmd_record(int argc, char **argv)
{
	struct session s = { .recorder.control = -1 };
	struct err err;
	size_t side;

	s.status = plan_parse(&s.plan, argc, argv);
	if (s.status >= 0)
		goto out;
	s.status = EXIT_DONE;
	for (side = 0; side < s.plan.sides; side++) {
		if (outfile_check(output_name(&s, side), &err)) {
			s.status = say_failed(&err);
			goto out;
		}
	}
	signal(SIGPIPE, SIG_IGN);
	if (recorder_open(&s.recorder, s.plan.pids, &err) ||
	    runner_open(&err)) {
		s.status = say_failed(&err);
		goto out;
	}
	if (s.recorder.was_off)
		say("recording was off: it is on during the runs, and off again afterwards");
	all_runs(&s);
	recorder_close(&s.recorder);
	write_all(&s);
	if (s.output_failed && s.output_failed != EPIPE) {
		say("standard output: %s", strerror(s.output_failed));
		s.status = EXIT_FAILED;
	}
out:
	recorder_close(&s.recorder);
	runner_close();
	for (side = 0; side < 2; side++)
		recording_free(&s.rec[side]);
	run_free(&s.metrics);
	plan_free(&s.plan);
	return s.status;
}
