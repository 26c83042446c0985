/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's snapshot file, taken apart.
 */
#ifndef SOURCE_SNAPSHOT_H
#define SOURCE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/err.h"
#include "model/recording.h"

/**
 * struct snapshot - what the module had counted at one moment
 * @version: of the module
 * @load_id: random for each load of it
 * @mode: full or contended
 * @wait_start: locking or slowpath
 * @clock: name of the clock
 * @scope: `all`, or `pids N N ...`
 * @failed_split: exact or inferred
 * @reset_seq: how often it was reset
 * @mark_seq: how often maxima were started anew
 * @generation: how often recording was started
 * @recording: whether it is on
 * @hooks: hook and backend
 * @thresholds: name and value
 * @counters: by name
 * @lost: events not recorded, by cause
 * @data: the histograms, in the form of a run
 */
struct snapshot {
	char *version, *load_id, *mode, *wait_start, *clock, *scope;
	char *failed_split;
	uint64_t reset_seq, mark_seq, generation;
	bool recording;
	struct pairs hooks, thresholds;
	struct counters counters, lost;
	struct run data;
};

int snapshot_parse(const char *text, size_t len, struct snapshot *snap,
		   struct err *err);
void snapshot_free(struct snapshot *snap);

#endif
