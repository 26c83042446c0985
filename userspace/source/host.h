/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine, and the settings of it that could make a difference.
 */
#ifndef SOURCE_HOST_H
#define SOURCE_HOST_H

#include "model/err.h"
#include "model/recording.h"

int host_read(const char *root, struct host *host, struct err *err);
int vmstat_read(const char *root, struct counters *out, struct err *err);
int vmstat_delta(const struct counters *before, const struct counters *after,
		 struct counters *out);

#endif
