/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace session as a recording's run.
 */
#ifndef SOURCE_TRACE_RUN_H
#define SOURCE_TRACE_RUN_H

#include "model/recording.h"
#include "source/trace_import.h"

int trace_run(const struct trace_result *result, struct run *run,
	      struct err *err);
bool trace_complaints(const struct trace_result *result, char *buf,
		      size_t size);

#endif
