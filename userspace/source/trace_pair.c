// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where events are missing, whatever was open may have ended unseen: it is given
 * up, and counted. So no time in the tables spans a gap, on whatever CPU it was.
 */
#include "source/trace_pair.h"

#include <errno.h>

/*
 * In the table of what is open: somebody holds that mm for write. No task's number.
 * Who takes the lock meanwhile is counted once: the other's release is late, as
 * kernels before 5.15 log it, or was not seen.
 */
#define WRITERS INT64_MIN

/* The idle task of every CPU is number 0: it is told apart by the CPU. */
static int64_t who_is(const struct trace_event *ev, enum trace_level level)
{
	if (level == TRACE_TASK && ev->tid)
		return ev->tid;
	return -1 - ((int64_t)(ev->cpu + 1) * TRACE_NR_LEVELS + level);
}

static void give_up(struct trace_pair *p, struct trace_slot *slot)
{
	struct trace_totals *t = p->totals;

	if (slot->who != WRITERS) {
		if (slot->seq.waiting)
			t->stale_wait[slot->seq.wait_mode]++;
		if (slot->seq.depth)
			t->stale_hold[slot->seq.hold_mode] += slot->seq.depth;
	}
	slot->seq = (struct mls_lockseq){ 0 };
	slot->era = p->era;
}

static struct trace_slot *find(struct trace_pair *p, int64_t who, uint64_t mm)
{
	struct trace_slot *slot = trace_table_find(&p->open, who, mm);

	if (slot && slot->era != p->era) {
		give_up(p, slot);
		trace_table_drop(&p->open, slot);
		return NULL;
	}
	return slot;
}

/* What was given up long ago need not be kept until it is met again. */
static void throw_away(struct trace_pair *p)
{
	struct trace_slot *slot;
	size_t i;

	for (i = 0; i < p->open.size; i++) {
		slot = &p->open.slot[i];
		/* What moves up into the hole is looked at, too. */
		while (slot->used && slot->era != p->era) {
			give_up(p, slot);
			trace_table_drop(&p->open, slot);
		}
	}
}

static struct trace_slot *take(struct trace_pair *p, int64_t who, uint64_t mm)
{
	struct trace_slot *slot;

	if (trace_table_is_full(&p->open) && p->era)
		throw_away(p);
	slot = trace_table_take(&p->open, who, mm);
	if (!slot)
		p->failed = -ENOMEM;
	else if (slot->era != p->era)
		give_up(p, slot);
	return slot;
}

static void drop_if_idle(struct trace_pair *p, struct trace_slot *slot)
{
	if (mls_seq_idle(&slot->seq))
		trace_table_drop(&p->open, slot);
}

static void add(struct trace_totals *t, struct mls_hist *hist, uint64_t ns)
{
	if (hist->sum_ns + ns > INT64_MAX) {
		t->too_long++;
		return;
	}
	hist->bucket[mls_hist_bucket(ns)]++;
	hist->sum_ns += ns;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
}

static void writer_comes(struct trace_pair *p, uint64_t mm)
{
	struct trace_slot *slot = take(p, WRITERS, mm);

	if (!slot)
		return;
	if (slot->seq.depth)
		p->totals->write_overlap++;
	else
		p->writers++;
	slot->seq.depth = 1;
}

static void writer_goes(struct trace_pair *p, uint64_t mm)
{
	struct trace_slot *slot = find(p, WRITERS, mm);

	if (slot) {
		trace_table_drop(&p->open, slot);
		p->writers--;
	}
}

static void reader_comes(struct trace_pair *p, uint64_t mm)
{
	if (!p->writers || !find(p, WRITERS, mm))
		return;
	p->totals->write_overlap++;
	writer_goes(p, mm);
}

static void settle(struct trace_pair *p, const struct trace_event *ev,
		   const struct mls_seq_step *step)
{
	struct trace_totals *t = p->totals;
	int mode = ev->mode;

	if (step->happened & MLS_SEQ_ORPHAN_ACQUIRE)
		t->orphan_acquire[mode]++;
	if (step->happened & MLS_SEQ_ORPHAN_RELEASE)
		t->orphan_release[mode]++;
	if (step->happened & MLS_SEQ_NESTED)
		t->nested[mode]++;
	if (step->happened & MLS_SEQ_STALE_WAIT)
		t->stale_wait[step->stale_wait_mode]++;
	if (step->happened & (MLS_SEQ_STALE_WAIT | MLS_SEQ_STALE_HOLD))
		t->contradictions++;
	if (step->happened & MLS_SEQ_NEGATIVE)
		t->negative_time++;
	if (step->happened & MLS_SEQ_HOLD) {
		add(t, &t->hold[step->hold_mode], step->hold_ns);
		if (step->hold_mode == MLS_WRITE)
			writer_goes(p, ev->mm);
	}
	if (step->happened & MLS_SEQ_STALE_HOLD) {
		t->stale_hold[step->stale_hold_mode] += step->stale_holds;
		if (step->stale_hold_mode == MLS_WRITE)
			writer_goes(p, ev->mm);
	}
}

static void acquired(struct trace_pair *p, const struct trace_event *ev,
		     struct trace_slot *slot)
{
	struct trace_totals *t = p->totals;
	struct mls_seq_step step;

	step = mls_seq_acquired(&slot->seq, ev->mode, ev->ns);
	if (step.happened & MLS_SEQ_DOWNGRADED)
		t->downgraded++;
	else
		t->acquired[ev->mode]++;
	if (step.happened & MLS_SEQ_WAIT)
		add(t, &t->wait[ev->mode], step.wait_ns);
	/* From here on slots may move. */
	settle(p, ev, &step);
	if (step.happened & (MLS_SEQ_DOWNGRADED | MLS_SEQ_NESTED))
		return;
	if (ev->mode == MLS_WRITE)
		writer_comes(p, ev->mm);
	else
		reader_comes(p, ev->mm);
}

static void failed(struct trace_pair *p, const struct trace_event *ev)
{
	struct trace_slot *slot = find(p, who_is(ev, ev->level), ev->mm);
	struct mls_lockseq unknown = { 0 };
	struct mls_seq_step step;

	step = mls_seq_failed(slot ? &slot->seq : &unknown, ev->mode, ev->ns);
	if (slot)
		drop_if_idle(p, slot);
	settle(p, ev, &step);
}

/* Whose hold does this release end? As in the module's acct.c. */
static struct trace_slot *find_held(struct trace_pair *p,
				    const struct trace_event *ev)
{
	struct trace_slot *slot = find(p, who_is(ev, ev->level), ev->mm);

	if (slot || ev->level == TRACE_TASK || ev->level == TRACE_SOFTIRQ)
		return slot;
	if (ev->level == TRACE_HARDIRQ)
		return find(p, who_is(ev, TRACE_IRQS_OFF), ev->mm);
	return find(p, who_is(ev, ev->softirq ? TRACE_SOFTIRQ : TRACE_TASK),
		    ev->mm);
}

static void released(struct trace_pair *p, const struct trace_event *ev)
{
	struct trace_slot *slot = find_held(p, ev);
	struct mls_lockseq unknown = { 0 };
	struct mls_seq_step step;

	step = mls_seq_released(slot ? &slot->seq : &unknown, ev->mode, ev->ns);
	if (slot)
		drop_if_idle(p, slot);
	settle(p, ev, &step);
}

/**
 * trace_pair_event - the next event of the trace
 * @p: the trace
 * @ev: the event
 *
 * Context: any.
 */
void trace_pair_event(struct trace_pair *p, const struct trace_event *ev)
{
	struct trace_totals *t = p->totals;
	struct trace_slot *slot;
	struct mls_seq_step step;

	if (p->failed)
		return;
	if (!t->last_ns)
		t->first_ns = ev->ns;
	if (ev->ns < p->before_ns)
		t->out_of_order++;
	p->before_ns = ev->ns;
	if (ev->ns < t->first_ns)
		t->first_ns = ev->ns;
	if (ev->ns > t->last_ns)
		t->last_ns = ev->ns;
	t->events[ev->what][ev->mode]++;
	switch (ev->what) {
	case TRACE_START:
		slot = take(p, who_is(ev, ev->level), ev->mm);
		if (!slot)
			return;
		step = mls_seq_start(&slot->seq, ev->mode, ev->ns);
		settle(p, ev, &step);
		break;
	case TRACE_ACQUIRED:
		slot = take(p, who_is(ev, ev->level), ev->mm);
		if (slot)
			acquired(p, ev, slot);
		break;
	case TRACE_FAILED:
		failed(p, ev);
		break;
	default:
		released(p, ev);
	}
}

/**
 * trace_pair_gap - from here on nothing that is open is believed
 * @p: the trace
 *
 * Context: any.
 */
void trace_pair_gap(struct trace_pair *p)
{
	p->era++;
	p->writers = 0;
}

/**
 * trace_pair_lost - events are missing here
 * @p: the trace
 * @cpu: where, or TRACE_NO_CPU
 * @count: how many; 0 where nobody counted
 *
 * Context: any.
 */
void trace_pair_lost(struct trace_pair *p, int cpu, uint64_t count)
{
	if (cpu < 0 || cpu >= TRACE_NR_CPUS)
		cpu = TRACE_NR_CPUS - 1;
	if (!count)
		p->totals->gaps[cpu]++;
	else if (count < INT64_MAX / TRACE_NR_CPUS - p->totals->lost[cpu])
		p->totals->lost[cpu] += count;
	else
		p->totals->malformed++;
	trace_pair_gap(p);
}

/**
 * trace_pair_finish - the trace has ended
 * @p: the trace; nothing of it but the totals is there afterwards
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int trace_pair_finish(struct trace_pair *p)
{
	struct trace_totals *t = p->totals;
	const struct trace_slot *slot;
	size_t i;

	throw_away(p);
	for (i = 0; i < p->open.size; i++) {
		slot = &p->open.slot[i];
		if (!slot->used || slot->who == WRITERS)
			continue;
		if (slot->seq.waiting)
			t->open_wait[slot->seq.wait_mode]++;
		t->open_hold[slot->seq.hold_mode] += slot->seq.depth;
	}
	trace_table_free(&p->open);
	return p->failed;
}
