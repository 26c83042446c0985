/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a record of a trace-cmd file is, by the file's own description of its events.
 */
#ifndef SOURCE_TRACE_KIND_H
#define SOURCE_TRACE_KIND_H

#include <event-parse.h>

#include "model/err.h"
#include "source/trace_event.h"

/* Numbers of kinds are 16 bits wide. */
#define TRACE_NR_IDS	(1 << 16)

/**
 * enum trace_record - what a record is
 * @TRACE_RECORD_OURS: one of our events
 * @TRACE_RECORD_OTHER: another kind that the file describes
 * @TRACE_RECORD_UNKNOWN: a kind that it does not
 * @TRACE_RECORD_BAD: too short, or one of our events with values that cannot be
 */
enum trace_record {
	TRACE_RECORD_OURS,
	TRACE_RECORD_OTHER,
	TRACE_RECORD_UNKNOWN,
	TRACE_RECORD_BAD,
};

/**
 * struct trace_place - where a field of a record is
 * @offset: bytes from the record's start
 * @size: 1, 2, 4 or 8 bytes; 0 where there is no such field
 */
struct trace_place {
	int offset, size;
};

/**
 * struct trace_kind - one of our events, as this file describes it
 * @what: enum trace_what
 * @id: number of it in records
 * @mm: where its fields are
 * @write: likewise
 * @success: likewise; only acquire_returned has it
 * @flags: common_flags
 * @pid: common_pid
 * @size: bytes that a record has at least
 */
struct trace_kind {
	enum trace_what what;
	int id;
	struct trace_place mm, write, success, flags, pid;
	int size;
};

/**
 * struct trace_kinds - a file's kinds of records
 * @kind: our events
 * @nr: how many of them it describes
 * @type: common_type, where every record says what it is
 * @swap: its numbers have their bytes the other way round
 * @known: a bit for the number of each kind that it describes
 */
struct trace_kinds {
	struct trace_kind kind[3];
	size_t nr;
	struct trace_place type;
	bool swap;
	uint8_t known[TRACE_NR_IDS / 8];
};

int trace_kinds_describe(struct trace_kinds *kinds, struct tep_handle *tep,
			 const char *path, struct err *err);
enum trace_record trace_kinds_take(const struct trace_kinds *kinds,
				   const struct tep_record *rec,
				   struct trace_event *ev);

#endif
