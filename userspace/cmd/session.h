/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording being made, run by run.
 */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/plan.h"
#include "cmd/progress.h"
#include "source/recorder.h"

/**
 * struct complaint - what is said once, however often it happens in a run
 * @nr: how often
 * @first: the first
 */
struct complaint {
	size_t nr;
	char first[400];
};

/**
 * struct session - a recording being made
 * @plan: what to do
 * @recorder: the module
 * @progress: how far we are
 * @rec: one recording for each side
 * @metrics: what the run now reported
 * @bad: lines that the metrics could not be taken from
 * @again: metric lines that replaced one of the run
 * @run: the run now, when it has ended
 * @is_recording: between its beginning and its end
 * @end_rc: what its end came to
 * @end_err: and why
 * @name: of the run now, for messages
 * @why: why a run is not kept, and no more are made; empty where that is none
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
	struct complaint bad, again;
	struct run run;
	bool is_recording;
	int end_rc;
	struct err end_err;
	char name[160];
	char why[400];
	int status;
	bool stop;
	int output_failed;
};

void session_incomplete(struct session *s);
void session_end(struct session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void session_line(void *arg, const char *line, size_t len, bool is_cut);
void session_tell(struct session *s);
void session_run(struct session *s, size_t group, size_t side, bool is_warmup);

#endif
