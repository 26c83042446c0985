/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command, run to its end while its output is looked at.
 */
#ifndef SOURCE_RUNNER_H
#define SOURCE_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include "model/err.h"

/* Longest line that is looked at whole, bytes. */
#define RUNNER_LINE_MAX	65535

/**
 * struct runner - how to run, and what came of it
 * @argv: the command, NULL behind
 * @on_data: called with output before it is passed on; or NULL
 * @on_line: called with each whole line of output, without its newline, NUL
 *	behind; at most RUNNER_LINE_MAX bytes of it, and whether that is not all
 * @on_tick: called about once a second; or NULL
 * @on_end: called when the command has ended, before the rest of its output is
 *	looked at and passed on; or NULL
 * @arg: their first argument
 * @exit: exit status, 128 + signal when killed
 * @signal: the signal that killed it, or 0
 * @interrupted: the signal that we were told to end by, or 0
 * @output_failed: errno of the first write of passed-on output that failed
 * @is_cut: not all output was passed on: nobody took it when we were told to end
 */
struct runner {
	char **argv;
	void (*on_data)(void *arg);
	void (*on_line)(void *arg, const char *line, size_t len, bool is_cut);
	void (*on_tick)(void *arg);
	void (*on_end)(void *arg);
	void *arg;
	int exit, signal, interrupted, output_failed;
	bool is_cut;
};

int runner_open(struct err *err);
void runner_close(void);
bool runner_say(const char *text, size_t len);
bool runner_hint(const char *text, size_t len);
int runner_run(struct runner *r, struct err *err);

#endif
