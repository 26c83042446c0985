// SPDX-License-Identifier: GPL-2.0-only
/* The state machine of one task on one mmap_lock; see lockseq.h. */
#include "lockseq.h"

static u64 elapsed(struct mls_seq_step *step, u64 since_ns, u64 now_ns)
{
	if (now_ns < since_ns) {
		step->happened |= MLS_SEQ_NEGATIVE;
		return 0;
	}
	return now_ns - since_ns;
}

static void give_up_wait(struct mls_lockseq *seq, struct mls_seq_step *step)
{
	step->happened |= MLS_SEQ_STALE_WAIT;
	step->stale_wait_mode = seq->wait_mode;
	seq->waiting = false;
}

static void give_up_holds(struct mls_lockseq *seq, struct mls_seq_step *step)
{
	step->happened |= MLS_SEQ_STALE_HOLD;
	step->stale_hold_mode = seq->hold_mode;
	step->stale_holds = seq->depth;
	seq->depth = 0;
}

static void end_hold(struct mls_lockseq *seq, struct mls_seq_step *step,
		     u64 now_ns)
{
	step->happened |= MLS_SEQ_HOLD;
	step->hold_mode = seq->hold_mode;
	step->hold_ns = elapsed(step, seq->hold_since_ns, now_ns);
	seq->depth = 0;
}

static void begin_hold(struct mls_lockseq *seq, enum mls_mode mode, u64 now_ns)
{
	seq->hold_since_ns = now_ns;
	seq->hold_mode = mode;
	seq->depth = 1;
}

/*
 * An acquire_returned, of either outcome, ends the wait that began in its mode.
 * A wait in the other mode cannot be its start, and will not end any more.
 */
static void end_wait(struct mls_lockseq *seq, struct mls_seq_step *step,
		     enum mls_mode mode, u64 now_ns)
{
	if (seq->waiting && seq->wait_mode == mode) {
		step->happened |= MLS_SEQ_WAIT;
		step->wait_ns = elapsed(step, seq->wait_since_ns, now_ns);
		seq->waiting = false;
		return;
	}
	if (seq->waiting)
		give_up_wait(seq, step);
	step->happened |= MLS_SEQ_ORPHAN_ACQUIRE;
}

/**
 * mls_seq_start() - mmap_lock_start_locking
 * @seq: the (task, mm)
 * @mode: mode asked for
 * @now_ns: time of the event
 *
 * Context: Any; @seq is the caller's alone.
 * Return: MLS_SEQ_STALE_WAIT at the most.
 */
struct mls_seq_step mls_seq_start(struct mls_lockseq *seq, enum mls_mode mode,
				  u64 now_ns)
{
	struct mls_seq_step step = { 0 };

	if (seq->waiting)
		give_up_wait(seq, &step);
	seq->waiting = true;
	seq->wait_mode = mode;
	seq->wait_since_ns = now_ns;
	return step;
}

/**
 * mls_seq_acquired() - mmap_lock_acquire_returned with success
 * @seq: the (task, mm)
 * @mode: mode that the event names
 * @now_ns: time of the event
 *
 * Context: Any; @seq is the caller's alone.
 * Return: MLS_SEQ_DOWNGRADED with the write hold that ended, or the wait that
 * ended (or MLS_SEQ_ORPHAN_ACQUIRE).
 */
struct mls_seq_step mls_seq_acquired(struct mls_lockseq *seq,
				     enum mls_mode mode, u64 now_ns)
{
	struct mls_seq_step step = { 0 };

	if (mls_seq_is_downgrade(seq, mode)) {
		step.happened |= MLS_SEQ_DOWNGRADED;
		end_hold(seq, &step, now_ns);
		begin_hold(seq, MLS_READ, now_ns);
		return step;
	}

	end_wait(seq, &step, mode, now_ns);

	if (seq->depth && mode == MLS_READ && seq->hold_mode == MLS_READ) {
		step.happened |= MLS_SEQ_NESTED;
		seq->depth++;
		return step;
	}

	/* Nobody takes the lock over a write hold, nor for write over a hold. */
	if (seq->depth)
		give_up_holds(seq, &step);
	begin_hold(seq, mode, now_ns);
	return step;
}

/**
 * mls_seq_failed() - mmap_lock_acquire_returned without success
 * @seq: the (task, mm)
 * @mode: mode that was asked for
 * @now_ns: time of the event
 *
 * A failed trylock and a killed wait look alike; which it was is the caller's
 * to find out, and the time goes into no distribution of waits.
 *
 * Context: Any; @seq is the caller's alone.
 * Return: MLS_SEQ_WAIT with the time spent, or MLS_SEQ_ORPHAN_ACQUIRE.
 */
struct mls_seq_step mls_seq_failed(struct mls_lockseq *seq, enum mls_mode mode,
				   u64 now_ns)
{
	struct mls_seq_step step = { 0 };

	end_wait(seq, &step, mode, now_ns);
	return step;
}

/**
 * mls_seq_released() - mmap_lock_released
 * @seq: the (task, mm)
 * @mode: mode that the event names
 * @now_ns: time of the event
 *
 * Context: Any; @seq is the caller's alone.
 * Return: MLS_SEQ_HOLD at the outermost release, MLS_SEQ_ORPHAN_RELEASE where
 * no hold of that mode is known (one of the other mode is given up:
 * MLS_SEQ_STALE_HOLD), nothing at an inner one.
 */
struct mls_seq_step mls_seq_released(struct mls_lockseq *seq,
				     enum mls_mode mode, u64 now_ns)
{
	struct mls_seq_step step = { 0 };

	if (seq->depth && seq->hold_mode != mode)
		give_up_holds(seq, &step);	/* the lock is not held so any more */
	if (!seq->depth)
		step.happened |= MLS_SEQ_ORPHAN_RELEASE;
	else if (seq->depth > 1)
		seq->depth--;
	else
		end_hold(seq, &step, now_ns);
	return step;
}
