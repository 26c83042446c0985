/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stock events of a trace, paired by the module's own state machine and added
 * up.
 */
#ifndef SOURCE_TRACE_PAIR_H
#define SOURCE_TRACE_PAIR_H

#include "../../module/core/hist.h"
#include "source/trace_event.h"
#include "source/trace_table.h"

/* CPUs whose losses are told apart; what is above goes to the last. */
#define TRACE_NR_CPUS	4096

/**
 * struct trace_totals - what a trace comes to; no pointers, so that it can be
 *	handed over between processes
 * @events: by enum trace_what and mode
 * @acquired: acquisitions that are no downgrade, by mode
 * @downgraded: write holds turned into read holds
 * @nested: acquisitions inside a hold of the same task and mm, by mode
 * @orphan_acquire: outcomes without a start, by mode
 * @orphan_release: releases without an acquisition, by mode
 * @stale_wait: waits whose end was not seen and cannot come any more, by mode
 * @stale_hold: holds likewise
 * @open_wait: waits open at the end, by mode
 * @open_hold: holds likewise
 * @wait: lengths of waits, by mode
 * @hold: lengths of holds, by mode
 * @negative_time: differences below zero, taken as 0
 * @out_of_order: events earlier than the one before them in the file
 * @contradictions: events that cannot follow those before: others are missing
 * @write_overlap: acquisitions while another held the lock for write
 * @too_long: times left out because their sum would not fit into 63 bits
 * @malformed: events that could not be understood
 * @unknown: records of a kind that the file does not describe
 * @missing: pages of events that the file has and that could not be read
 * @overwritten: events overwritten before the trace begins; at least
 * @first_ns: time of the first event
 * @last_ns: greatest time of an event
 * @lost: events lost on a CPU, where the file says how many
 * @gaps: places on a CPU where events are missing and nobody counted them
 */
struct trace_totals {
	uint64_t events[TRACE_NR_WHAT][MLS_NR_MODES];
	uint64_t acquired[MLS_NR_MODES], downgraded;
	uint64_t nested[MLS_NR_MODES];
	uint64_t orphan_acquire[MLS_NR_MODES], orphan_release[MLS_NR_MODES];
	uint64_t stale_wait[MLS_NR_MODES], stale_hold[MLS_NR_MODES];
	uint64_t open_wait[MLS_NR_MODES], open_hold[MLS_NR_MODES];
	struct mls_hist wait[MLS_NR_MODES], hold[MLS_NR_MODES];
	uint64_t negative_time, out_of_order, contradictions;
	uint64_t write_overlap, too_long;
	uint64_t malformed, unknown, missing, overwritten;
	uint64_t first_ns, last_ns;
	uint64_t lost[TRACE_NR_CPUS], gaps[TRACE_NR_CPUS];
};

/**
 * struct trace_pair - a trace being paired
 * @totals: what it came to so far
 * @open: what is open
 * @era: grows at every gap: what was open before it is not believed any more
 * @writers: mms with a writer, in @open
 * @before_ns: time of the event before
 * @failed: an errno, once memory ran out; nothing is added any more
 */
struct trace_pair {
	struct trace_totals *totals;
	struct trace_table open;
	uint32_t era;
	size_t writers;
	uint64_t before_ns;
	int failed;
};

void trace_pair_event(struct trace_pair *p, const struct trace_event *ev);
void trace_pair_lost(struct trace_pair *p, int cpu, uint64_t count);
void trace_pair_gap(struct trace_pair *p);
int trace_pair_finish(struct trace_pair *p);

#endif
