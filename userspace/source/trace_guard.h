/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that may crash or never end, done in a process of its own.
 */
#ifndef SOURCE_TRACE_GUARD_H
#define SOURCE_TRACE_GUARD_H

#include <stdint.h>
#include <sys/types.h>

#include "model/err.h"

/**
 * struct trace_guard - a piece of work
 * @work: does it; what it finds it leaves in memory that both processes share
 * @arg: passed to @work
 * @name: of the file, for messages
 * @outcome: shared; what @work said
 */
struct trace_guard {
	int (*work)(void *arg, volatile uint64_t *progress, struct err *err);
	void *arg;
	const char *name;
	struct trace_outcome *outcome;
};

/**
 * struct trace_outcome - what the other process has to say
 * @progress: how far it is
 * @is_done: it came to its end
 * @rc: 0 or -errno
 * @err: what went wrong
 */
struct trace_outcome {
	volatile uint64_t progress;
	volatile int is_done;
	int rc;
	struct err err;
};

int trace_guard_run(struct trace_guard *guard, off_t size, struct err *err);

#endif
