/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of one task's use of one mm's mmap_lock, from the three tracepoints.
 *
 * PURE: the caller keeps one struct mls_lockseq a (task, mm), brings the events
 * in the order in which that task made them, and adds up what comes out.  The
 * kernel's probes and the reader of trace files use the same code.
 *
 * What the stream looks like, and why each case is treated so:
 * docs/kernel-facts.md, section 2.
 */
#ifndef MLS_CORE_LOCKSEQ_H
#define MLS_CORE_LOCKSEQ_H

#include "port.h"

/**
 * enum mls_mode - how mmap_lock is taken; an array index
 * @MLS_READ: shared
 * @MLS_WRITE: exclusive
 * @MLS_NR_MODES: number of modes
 */
enum mls_mode {
	MLS_READ,
	MLS_WRITE,
	MLS_NR_MODES,
};

/**
 * enum mls_seq_happened - what one event was; bits of mls_seq_step.happened
 * @MLS_SEQ_ORPHAN_ACQUIRE: an acquire_returned, of either outcome, whose start
 *	was not seen
 * @MLS_SEQ_ORPHAN_RELEASE: a release of a hold that was not seen
 * @MLS_SEQ_NESTED: a read hold inside a read hold
 * @MLS_SEQ_DOWNGRADED: a write hold became a read hold
 * @MLS_SEQ_WAIT: step.wait_ns holds a wait that has ended
 * @MLS_SEQ_HOLD: step.hold_ns holds a hold of step.hold_mode that has ended
 * @MLS_SEQ_STALE_WAIT: a wait of step.stale_wait_mode will never end: another
 *	began in its place
 * @MLS_SEQ_STALE_HOLD: step.stale_holds holds of step.stale_hold_mode will never
 *	end: what followed is impossible while they last
 * @MLS_SEQ_NEGATIVE: the clock went backwards; the time was taken as 0
 */
enum mls_seq_happened {
	MLS_SEQ_ORPHAN_ACQUIRE	= 1 << 0,
	MLS_SEQ_ORPHAN_RELEASE	= 1 << 1,
	MLS_SEQ_NESTED		= 1 << 2,
	MLS_SEQ_DOWNGRADED	= 1 << 3,
	MLS_SEQ_WAIT		= 1 << 4,
	MLS_SEQ_HOLD		= 1 << 5,
	MLS_SEQ_STALE_WAIT	= 1 << 6,
	MLS_SEQ_STALE_HOLD	= 1 << 7,
	MLS_SEQ_NEGATIVE	= 1 << 8,
};

/**
 * struct mls_lockseq - state of one (task, mm); all zero is: nothing open
 * @wait_since_ns: start of the open wait, where @waiting
 * @hold_since_ns: start of the outermost open hold, where @depth
 * @depth: open holds; more than one only for read
 * @waiting: a start was seen and its acquire_returned was not
 * @wait_mode: enum mls_mode of that wait
 * @hold_mode: enum mls_mode of the open holds
 */
struct mls_lockseq {
	u64 wait_since_ns;
	u64 hold_since_ns;
	u32 depth;
	bool waiting;
	u8 wait_mode;
	u8 hold_mode;
};

/**
 * struct mls_seq_step - what one event brought about
 * @wait_ns: length of the wait that ended, ns
 * @hold_ns: length of the hold that ended, ns
 * @stale_holds: how many holds were given up
 * @happened: bits of enum mls_seq_happened
 * @hold_mode: enum mls_mode of the hold that ended
 * @stale_wait_mode: enum mls_mode of the wait given up
 * @stale_hold_mode: enum mls_mode of the holds given up
 *
 * The other members mean something only where @happened says so.
 */
struct mls_seq_step {
	u64 wait_ns;
	u64 hold_ns;
	u32 stale_holds;
	u16 happened;
	u8 hold_mode;
	u8 stale_wait_mode;
	u8 stale_hold_mode;
};

struct mls_seq_step mls_seq_start(struct mls_lockseq *seq, enum mls_mode mode,
				  u64 now_ns);
struct mls_seq_step mls_seq_acquired(struct mls_lockseq *seq,
				     enum mls_mode mode, u64 now_ns);
struct mls_seq_step mls_seq_failed(struct mls_lockseq *seq, enum mls_mode mode,
				   u64 now_ns);
struct mls_seq_step mls_seq_released(struct mls_lockseq *seq,
				     enum mls_mode mode, u64 now_ns);

/**
 * mls_seq_is_downgrade() - would a successful acquire_returned be a downgrade?
 * @seq: the (task, mm)
 * @mode: mode that the event names
 *
 * A downgrade fires this event for read, without a start and without a release
 * of the write hold.  It is known by the state alone: this task holds that mm
 * for write and asked for nothing.
 *
 * Context: Any; @seq is the caller's alone.
 * Return: true when it would.
 */
static inline bool mls_seq_is_downgrade(const struct mls_lockseq *seq,
					enum mls_mode mode)
{
	return mode == MLS_READ && seq->depth && seq->hold_mode == MLS_WRITE &&
	       !seq->waiting;
}

/**
 * mls_seq_first() - acquired by who has nothing open and did not wait
 * @seq: the (task, mm), idle
 * @mode: mode that the event names
 * @now_ns: time of the event
 *
 * What mls_seq_start() and mls_seq_acquired() at the same time come to, for fast
 * paths.
 *
 * Context: Any; @seq is the caller's alone.
 */
static inline void mls_seq_first(struct mls_lockseq *seq, enum mls_mode mode,
				 u64 now_ns)
{
	seq->hold_since_ns = now_ns;
	seq->hold_mode = mode;
	seq->depth = 1;
}

/**
 * mls_seq_is_only() - is a hold of this mode open, once, and nothing else?
 * @seq: the (task, mm)
 * @mode: mode that a released event names
 *
 * Then mls_seq_released() comes to a hold of now - hold_since_ns, and idle.
 *
 * Context: Any; @seq is the caller's alone.
 * Return: true when it is.
 */
static inline bool mls_seq_is_only(const struct mls_lockseq *seq,
				   enum mls_mode mode)
{
	return seq->depth == 1 && seq->hold_mode == mode && !seq->waiting;
}

/**
 * mls_seq_idle() - is nothing open?
 * @seq: the state
 *
 * Context: Any.
 * Return: true when @seq may be forgotten.
 */
static inline bool mls_seq_idle(const struct mls_lockseq *seq)
{
	return !seq->waiting && !seq->depth;
}

#endif /* MLS_CORE_LOCKSEQ_H */
