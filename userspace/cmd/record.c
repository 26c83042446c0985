// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat record: runs a command and records what mmap_lock did meanwhile.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/session.h"
#include "source/ends.h"
#include "source/outfile.h"
#include "source/runner.h"

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
				if (ends_told()) {
					session_end(s, "interrupted (%s) before it began",
						    strsignal(ends_told()));
					return;
				}
				session_run(s, g, side, warm);
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

static size_t nr_runs(const struct recording *rec)
{
	size_t i, runs = 0;

	for (i = 0; i < rec->nr_groups; i++)
		runs += rec->groups[i].nr_runs;
	return runs;
}

/* With a run there is a recording, if not a complete one; without, there is none. */
static bool settle(struct session *s)
{
	bool any = nr_runs(&s->rec[0]) || nr_runs(&s->rec[1]);

	if (*s->why)
		say("%s%s", s->why, any ? "" : ": nothing is written");
	if (any && s->status == EXIT_FAILED)
		s->status = EXIT_INCOMPLETE;
	else if (!any)
		s->status = EXIT_FAILED;
	return any;
}

static void write_all(struct session *s)
{
	const struct recording *rec;
	struct err err;
	size_t side, runs;

	for (side = 0; side < s->plan.sides; side++) {
		rec = &s->rec[side];
		runs = nr_runs(rec);
		if (!runs) {
			say("%s: not written: no run was finished",
			    output_name(s, side));
			continue;
		}
		if (describe(s, side)) {
			say("out of memory");
			s->status = EXIT_FAILED;
			return;
		}
		/* Nobody may read a pipe: that must be to be ended. */
		if (outfile_is_special(output_name(s, side)))
			runner_close();
		if (save_recording(rec, output_name(s, side),
				   s->plan.output[side], &err)) {
			rescue_recording(rec, output_name(s, side), &err);
			s->status = say_failed(&err);
		} else if (isatty(STDERR_FILENO)) {
			say("%s: %zu run%s", output_name(s, side), runs,
			    runs == 1 ? "" : "s");
		}
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
		if (check_output(output_name(&s, side), s.plan.output[side],
				 &err)) {
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
	if (settle(&s))
		write_all(&s);
	if (s.output_failed && s.output_failed != EPIPE &&
	    s.status != EXIT_FAILED) {
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
