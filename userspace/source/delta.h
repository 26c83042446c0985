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
 * enum delta_how - what the caller did; bits
 * @DELTA_MARKED: maxima were started anew right before S0
 * @DELTA_STOPPED: recording, on at S0, was stopped by the caller before S1
 */
enum delta_how {
	DELTA_MARKED	= 1 << 0,
	DELTA_STOPPED	= 1 << 1,
};

int delta(const struct snapshot *before, const struct snapshot *after,
	  unsigned int how, struct run *run, struct err *err);

#endif
