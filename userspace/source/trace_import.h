/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace session of any kind, paired and added up.
 */
#ifndef SOURCE_TRACE_IMPORT_H
#define SOURCE_TRACE_IMPORT_H

#include "model/err.h"
#include "source/trace_datopt.h"
#include "source/trace_pair.h"

/**
 * struct trace_result - a session
 * @totals: what it comes to
 * @dat: what a trace-cmd file says of itself; all zero of a text
 * @source: what kind of file it was, in words
 * @clock: name of its clock
 * @resolution_ns: least difference of two times that it can tell, ns
 */
struct trace_result {
	struct trace_totals totals;
	struct trace_datopt dat;
	const char *source, *clock;
	uint64_t resolution_ns;
};

int trace_import(const char *path, const char *buffer,
		 struct trace_result **result, struct err *err);
void trace_result_free(struct trace_result *result);

#endif
