/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of things that are counted; all are array indices, and their printed
 * names stand in types.c in the same order.  Append only: the names are a
 * contract of /proc/mmlockstat/snapshot.
 */
#ifndef MLS_CORE_TYPES_H
#define MLS_CORE_TYPES_H

#include "lockseq.h"

/**
 * enum mls_mode_counter - counters that exist once a mode
 * @MLS_C_ATTEMPTS: start_locking events; where waits start in the slow path, their
 *	outcomes
 * @MLS_C_ACQUIRED: successful acquire_returned events that are no downgrade
 * @MLS_C_TRYLOCK_FAILED: trylocks that did not get the lock
 * @MLS_C_ABORTED: killable waits ended by a fatal signal
 * @MLS_C_ABORTED_WAIT_NS: time spent in those, ns
 * @MLS_C_RELEASED: released events
 * @MLS_C_NESTED: acquisitions inside a hold of the same task and mm
 * @MLS_C_ORPHAN_ACQUIRE: acquire_returned events whose start was not seen
 * @MLS_C_ORPHAN_RELEASE: released events whose acquisition was not seen
 * @MLS_C_STALE_WAIT: waits given up: their end can no longer be seen
 * @MLS_C_STALE_HOLD: holds given up likewise
 * @MLS_NR_MODE_COUNTERS: number of these
 */
enum mls_mode_counter {
	MLS_C_ATTEMPTS,
	MLS_C_ACQUIRED,
	MLS_C_TRYLOCK_FAILED,
	MLS_C_ABORTED,
	MLS_C_ABORTED_WAIT_NS,
	MLS_C_RELEASED,
	MLS_C_NESTED,
	MLS_C_ORPHAN_ACQUIRE,
	MLS_C_ORPHAN_RELEASE,
	MLS_C_STALE_WAIT,
	MLS_C_STALE_HOLD,
	MLS_NR_MODE_COUNTERS,
};

/**
 * enum mls_counter - counters that exist once
 * @MLS_C_DOWNGRADED: write holds turned into read holds
 * @MLS_C_NEGATIVE_TIME: differences of the clock below zero, taken as 0
 * @MLS_NR_COUNTERS: number of these
 */
enum mls_counter {
	MLS_C_DOWNGRADED,
	MLS_C_NEGATIVE_TIME,
	MLS_NR_COUNTERS,
};

/**
 * enum mls_lost - why something was not recorded
 * @MLS_LOST_NMI: an event in a non-maskable interrupt
 * @MLS_LOST_REENTERED: an event inside the handling of another one
 * @MLS_LOST_TABLE_FULL: no free slot in the table of holders
 * @MLS_LOST_CONTEXT_FULL: too many locks held by interrupts of one CPU
 * @MLS_LOST_FILTER_FULL: an exec of a filtered process that is not followed
 * @MLS_LOST_SLOWPATH_FULL: no free slot at the entry of a slow path, of any rwsem:
 *	a wait may have been counted as 0
 * @MLS_NR_LOST: number of causes
 */
enum mls_lost {
	MLS_LOST_NMI,
	MLS_LOST_REENTERED,
	MLS_LOST_TABLE_FULL,
	MLS_LOST_CONTEXT_FULL,
	MLS_LOST_FILTER_FULL,
	MLS_LOST_SLOWPATH_FULL,
	MLS_NR_LOST,
};

/**
 * enum mls_series - the histograms
 * @MLS_S_READ_WAIT: from start_locking, or from the entry of the slow path (0 for
 *	who does not come there), to acquire_returned, read
 * @MLS_S_WRITE_WAIT: the same for write
 * @MLS_S_READ_HOLD: from acquire_returned to the outermost released, read
 * @MLS_S_WRITE_HOLD: from acquire_returned to released or downgrade, write
 * @MLS_NR_SERIES: number of histograms
 */
enum mls_series {
	MLS_S_READ_WAIT,
	MLS_S_WRITE_WAIT,
	MLS_S_READ_HOLD,
	MLS_S_WRITE_HOLD,
	MLS_NR_SERIES,
};

/**
 * struct mls_open - what is open at a moment
 * @wait: waits, by mode
 * @hold: holds, nested ones included, by mode
 */
struct mls_open {
	u64 wait[MLS_NR_MODES];
	u64 hold[MLS_NR_MODES];
};

extern const char * const mls_mode_names[MLS_NR_MODES];
extern const char * const mls_mode_counter_names[MLS_NR_MODE_COUNTERS];
extern const char * const mls_counter_names[MLS_NR_COUNTERS];
extern const char * const mls_lost_names[MLS_NR_LOST];
extern const char * const mls_series_names[MLS_NR_SERIES];

#endif /* MLS_CORE_TYPES_H */
