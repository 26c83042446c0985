/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line of a trace printed as text: by `trace-cmd report`, by the kernel's
 * file `trace`, by `perf script`.
 */
#ifndef SOURCE_TRACE_LINE_H
#define SOURCE_TRACE_LINE_H

#include "source/trace_event.h"

/**
 * enum trace_line_kind - what a line is
 * @TRACE_LINE_OTHER: nothing that concerns us
 * @TRACE_LINE_EVENT: one of our events
 * @TRACE_LINE_BAD: one of our events, but not understood
 * @TRACE_LINE_NO_TIME: one of our events, its time is a bare number
 * @TRACE_LINE_LOST: events are missing here
 * @TRACE_LINE_BUFFER: from here on the file has the events of a CPU
 * @TRACE_LINE_ENTRIES: the head that says how many events there were
 */
enum trace_line_kind {
	TRACE_LINE_OTHER,
	TRACE_LINE_EVENT,
	TRACE_LINE_BAD,
	TRACE_LINE_NO_TIME,
	TRACE_LINE_LOST,
	TRACE_LINE_BUFFER,
	TRACE_LINE_ENTRIES,
};

/**
 * struct trace_line - a line, taken apart
 * @kind: enum trace_line_kind
 * @perf: of an event: printed by perf
 * @digits: of an event: decimals of its time
 * @event: of an event; its CPU is also that of TRACE_LINE_LOST
 * @count: events lost, 0 for not known; of the head: in the buffer
 * @written: of the head: written in all
 */
struct trace_line {
	enum trace_line_kind kind;
	bool perf;
	unsigned int digits;
	struct trace_event event;
	uint64_t count, written;
};

void trace_line_parse(const char *text, struct trace_line *line);

#endif
