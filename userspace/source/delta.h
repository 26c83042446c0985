/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened between two snapshots.
 */
#ifndef SOURCE_DELTA_H
#define SOURCE_DELTA_H

#include "model/err.h"
#include "source/snapshot.h"

int delta(const struct snapshot *before, const struct snapshot *after,
	  bool marked, struct run *run, struct err *err);

#endif
