/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line on a terminal that says how far we are; nothing in a pipe.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/**
 * struct progress - how far we are
 * @is_terminal: whether anybody sees it
 * @shown: a line stands on the terminal now
 * @total: runs in all, warm-ups included
 * @done: of these, finished
 * @what: of the run now: its place and setting
 * @begin: of the first run
 * @begin_run: of the run now
 */
struct progress {
	bool is_terminal, shown;
	size_t total, done;
	char what[160];
	struct timespec begin, begin_run;
};

void progress_init(struct progress *p, size_t total);
void progress_run(struct progress *p, const char *what);
void progress_tick(struct progress *p);
void progress_clear(struct progress *p);
void progress_run_done(struct progress *p);

#endif
