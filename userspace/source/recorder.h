/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module under the control of one recording.
 */
#ifndef SOURCE_RECORDER_H
#define SOURCE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "model/err.h"
#include "model/recording.h"
#include "source/snapshot.h"

/**
 * struct recorder - control of the module
 * @control: descriptor; closing it puts the module's settings back
 * @was_off: recording was off before: it is on only during runs
 * @generation: how often recording had been started when we looked last
 * @is_started: it was started between then and the beginning of the run
 * @root: directory that proc and sys are in
 * @before: at the beginning of the run
 * @vmstat: likewise
 * @begin: likewise, CLOCK_MONOTONIC
 * @start: likewise, ISO 8601
 */
struct recorder {
	int control;
	bool was_off;
	uint64_t generation;
	bool is_started;
	const char *root;
	struct snapshot before;
	struct counters vmstat;
	struct timespec begin;
	char start[40];
};

int recorder_open(struct recorder *rec, const char *pids, struct err *err);
int recorder_begin(struct recorder *rec, struct err *err);
int recorder_end(struct recorder *rec, struct run *run, struct err *err);
void recorder_close(struct recorder *rec);

#endif
