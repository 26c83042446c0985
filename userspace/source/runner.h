/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command, run to its end while its output is looked at.
 */
#ifndef SOURCE_RUNNER_H
#define SOURCE_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include "model/err.h"

/**
 * struct runner - how to run, and what came of it
 * @argv: the command, NULL behind
 * @on_data: called with output before it is passed on; or NULL
 * @on_line: called with each whole line of output, without its newline
 * @on_tick: called about once a second; or NULL
 * @arg: their first argument
 * @exit: exit status, 128 + signal when killed
 * @signal: the signal that killed it, or 0
 * @interrupted: the signal that we were told to end by, or 0
 * @output_failed: errno of the first write of passed-on output that failed
 */
struct runner {
	char **argv;
	void (*on_data)(void *arg);
	void (*on_line)(void *arg, const char *line);
	void (*on_tick)(void *arg);
	void *arg;
	int exit, signal, interrupted, output_failed;
};

int runner_open(struct err *err);
void runner_close(void);
int runner_pending(void);
int runner_run(struct runner *r, struct err *err);

#endif
