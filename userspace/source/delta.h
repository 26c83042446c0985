/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened between two snapshots; what is carried from the first one into
 * the difference is worked out in carry.h.
 */
#ifndef SOURCE_DELTA_H
#define SOURCE_DELTA_H

#include "model/err.h"
#include "source/snapshot.h"

/**
 * struct delta_how - what the caller did
 * @is_marked: maxima were started anew right before S0
 * @is_started: recording was started right before S0, or since there is no S0: what
 *	had begun by then has no beginning in the recording
 * @at_stop: recording, on at S0, was stopped by the caller before S1; this is what
 *	the counters were right before that.  NULL where it was not
 */
struct delta_how {
	bool is_marked, is_started;
	const struct counters *at_stop;
};

int delta(const struct snapshot *before, const struct snapshot *after,
	  const struct delta_how *how, struct run *run, struct err *err);

#endif
