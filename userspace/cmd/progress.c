// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "source/runner.h"

#define CLEAR	"\r\033[K"

static double since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - begin->tv_sec +
	       (now.tv_nsec - begin->tv_nsec) / 1e9;
}

/**
 * progress_init - nothing done yet
 * @p: the progress
 * @total: runs to do
 *
 * Context: any.
 */
void progress_init(struct progress *p, size_t total)
{
	*p = (struct progress){ .total = total };
	p->is_terminal = isatty(STDERR_FILENO);
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

/**
 * progress_run - a run begins
 * @p: the progress
 * @what: which
 *
 * Context: any.
 */
void progress_run(struct progress *p, const char *what)
{
	snprintf(p->what, sizeof(p->what), "%s", what);
	clock_gettime(CLOCK_MONOTONIC, &p->begin_run);
	progress_tick(p);
}

/**
 * progress_tick - show how far we are
 * @p: the progress
 *
 * Context: any.
 */
void progress_tick(struct progress *p)
{
	double run = since(&p->begin_run), each, left;
	char line[300];
	int at;

	if (!p->is_terminal)
		return;
	at = snprintf(line, sizeof(line), CLEAR "%s: %.0f s", p->what, run);
	/* How long is left is known once a run has shown how long one takes. */
	if (p->done && (size_t)at < sizeof(line)) {
		each = (since(&p->begin) - run) / p->done;
		left = each * (p->total - p->done) - run;
		if (left < 0)
			left = 0;
		at += snprintf(line + at, sizeof(line) - at,
			       ", about %.0f %s left",
			       left >= 90 ? left / 60 : left,
			       left >= 90 ? "min" : "s");
	}
	if (runner_hint(line, strlen(line)))
		p->shown = true;
}

/**
 * progress_clear - take the line away
 * @p: the progress
 *
 * Context: before anything else is printed.
 */
void progress_clear(struct progress *p)
{
	if (!p->shown)
		return;
	if (runner_hint(CLEAR, strlen(CLEAR)))
		p->shown = false;
}

/**
 * progress_run_done - a run has ended
 * @p: the progress
 *
 * Context: any.
 */
void progress_run_done(struct progress *p)
{
	progress_clear(p);
	p->done++;
}
