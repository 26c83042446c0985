// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat show: the module's histograms as tables, now or again and again.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "source/delta.h"
#include "source/host.h"
#include "source/proc.h"

/**
 * struct view - what has been counted, all of it and lately
 * @snap: the last snapshot
 * @when: when that was, CLOCK_MONOTONIC
 * @total: a recording of one run: since the load or the last reset
 * @lately: likewise, since the snapshot before
 */
struct view {
	struct snapshot snap;
	struct timespec when;
	struct recording total, lately;
};

static double seconds_between(const struct timespec *a,
			      const struct timespec *b)
{
	return b->tv_sec - a->tv_sec + (b->tv_nsec - a->tv_nsec) / 1e9;
}

static int one_run(struct recording *rec, const struct snapshot *from,
		   const struct snapshot *to, double seconds, struct err *err)
{
	/* Without a reset, recording began where the counts do. */
	struct delta_how how = { .is_started = !from && !to->reset_seq };
	struct group *group;
	struct run *run;
	int rc;

	recording_free(rec);
	group = recording_add_group(rec);
	run = group ? group_add_run(group) : NULL;
	if (!run)
		return err_sys(err, ENOMEM, "snapshot");
	rc = delta(from, to, &how, run, err);
	run->seconds = seconds;
	return rc ? rc : host_read("/", &rec->host, err);
}

/* A new snapshot; @fresh when there is none to compare it with. */
static int look(struct view *view, bool *fresh, struct err *err)
{
	struct snapshot snap;
	struct timespec now;
	struct err why;
	int rc;

	rc = proc_snapshot(&snap, err);
	if (rc)
		return rc;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!*fresh) {
		rc = one_run(&view->lately, &view->snap, &snap,
			     seconds_between(&view->when, &now), &why);
		if (rc == -ESTALE || rc == -EPROTO) {
			say("%s: counting anew", why.text);
			*fresh = true;
		} else if (rc) {
			*err = why;
			snapshot_free(&snap);
			return rc;
		}
	}
	snapshot_free(&view->snap);
	view->snap = snap;
	view->when = now;
	return one_run(&view->total, NULL, &view->snap, 0, err);
}

static int print(const struct view *view, bool with_lately)
{
	static const char * const labels[] = { "Total", "Lately" };
	const struct recording *rec[] = { &view->total, &view->lately };
	struct doc_opts opts = { .labels = labels, .is_live = true,
				 .no_change = true };
	char when[40];
	time_t now = time(NULL);
	struct tm tm;

	if (with_lately) {
		if (isatty(STDOUT_FILENO))
			fputs("\033[H\033[2J", stdout);
		if (localtime_r(&now, &tm) &&
		    strftime(when, sizeof(when), "%F %T", &tm))
			printf("%s\n", when);
	}
	if (!view->snap.recording)
		puts("Recording is off: these are the counts until it was stopped.");
	return print_recordings(rec, with_lately ? 2 : 1, &opts, "text", NULL);
}

static int show(double interval, long times)
{
	struct view view = { 0 };
	struct timespec pause = { interval,
				  (interval - (long)interval) * 1e9 };
	int status = EXIT_DONE;
	bool fresh = true, away = false, was_away = false;
	struct err err;
	long i;
	int rc;

	for (i = 0; status == EXIT_DONE; i++) {
		rc = look(&view, &fresh, &err);
		if (rc == -ENOENT && i) {
			/* It was there: it may come again. */
			if (!away)
				say("%s", err.text);
			away = true;
			was_away = true;
		} else if (!rc) {
			status = print(&view, !fresh);
			fresh = false;
			away = false;
		} else {
			status = say_failed(&err);
			break;
		}
		if (!interval || (times && i + 1 == times))
			break;
		if (fflush(stdout)) {
			say("standard output: %s", strerror(errno));
			status = EXIT_FAILED;
			break;
		}
		if (clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL))
			break;
		if (!away)
			putchar('\n');
	}
	if (status == EXIT_DONE && was_away)
		status = EXIT_INCOMPLETE;
	snapshot_free(&view.snap);
	recording_free(&view.total);
	recording_free(&view.lately);
	return status == EXIT_FAILED ? status : stdout_done(status);
}

/**
 * cmd_show - print the module's histograms
 * @argc: arguments
 * @argv: the arguments
 *
 * Context: main.
 * Return: exit status.
 */
int cmd_show(int argc, char **argv)
{
	static const struct opt opts[] = {
		{ "interval", 'i', "SECONDS",
		  "again every SECONDS, with what was counted since" },
		{ "count", 'c', "TIMES", "so many times, then end" },
		{ 0 },
	};
	double interval = 0;
	const char *arg;
	long times = 0;
	char *end;
	int c;

	for (;;) {
		c = opt_next(opts, "show [OPTIONS]", true, argc, argv, &arg);
		if (c == OPT_END)
			break;
		if (c == OPT_HELP)
			return stdout_done(EXIT_DONE);
		if (c == OPT_BAD)
			return EXIT_USAGE;
		errno = 0;
		if (c == 'i') {
			interval = strtod(arg, &end);
			if (*end || end == arg || !(interval >= 0.1) ||
			    interval > 86400)
				return usage_error("show",
						   "-i %s: must be 0.1 to 86400 seconds",
						   arg);
		} else {
			times = strtol(arg, &end, 10);
			if (errno || *end || end == arg || times < 1)
				return usage_error("show",
						   "-c %s: must be a number from 1",
						   arg);
		}
	}
	if (opt_rest() < argc)
		return usage_error("show", "takes no argument");
	return show(interval, times);
}
