// SPDX-License-Identifier: GPL-2.0-only
/* status: the recorder's state and the account of what was not seen. */
#include <linux/pid.h>

#include "../compat/mmap_lock.h"
#include "../core/filter.h"
#include "format.h"
#include "proc.h"

static void show_scope(struct seq_file *seq, const struct mls_filter *filter)
{
	int i;

	if (!filter) {
		seq_puts(seq, "scope:        all processes\n");
		return;
	}
	seq_puts(seq, "scope:        processes");
	for (i = 0; i < filter->nr_pids; i++)
		seq_printf(seq, " %d", pid_vnr(filter->pid[i]));
	seq_putc(seq, '\n');
}

static void show_state(struct seq_file *seq, const struct mls_session_info *info)
{
	seq_printf(seq, "mmlockstat %s\n\n", MLS_VERSION);
	seq_printf(seq, "state:        %s\n",
		   info->recording ? "recording" : "stopped");
	seq_printf(seq, "generation:   %llu, %llu resets, %llu marks\n",
		   info->generation, info->reset_seq, info->mark_seq);
	show_scope(seq, info->filter);
	if (info->owner)
		seq_printf(seq, "control:      owned, by a file that process %d has opened\n",
			   info->owner);
	else
		seq_puts(seq, "control:      free\n");
	seq_puts(seq, "mode:         full\n");
	seq_printf(seq, "wait start:   %s\n",
		   info->wait_start == MLS_WAIT_START_SLOWPATH ?
		   "slowpath (rwsem_down_*_slowpath; else no wait)" :
		   "locking (mmap_lock_start_locking)");
	seq_printf(seq, "clock:        %s\n", info->clock);
	seq_puts(seq, "thresholds:   none (every operation is counted)\n");
	seq_printf(seq, "holder table: %s of %s slots in use\n",
		   mls_number(info->nr_used).text, mls_number(info->nr_slots).text);
}

static void show_hooks(struct seq_file *seq, const struct mls_session_info *info)
{
	static const char * const states[MLS_NR_PROBE_STATES] = {
		[MLS_PROBE_DETACHED] = "detached",
		[MLS_PROBE_ATTACHED] = "attached",
		[MLS_PROBE_UNUSED] = "not needed",
		[MLS_PROBE_ABSENT] = "ABSENT",
	};
	int i;

	seq_puts(seq, "\nhooks:\n");
	for (i = 0; i < MLS_NR_PROBES; i++) {
		const struct mls_probe *probe = mls_probes_get(i);
		enum mls_probe_state state = info->probes[i];

		seq_printf(seq, "  %-28s %-12s %s", probe->name, probe->backend,
			   states[state]);
		if (state == MLS_PROBE_ABSENT)
			seq_printf(seq, ": %s", probe->why);
		seq_putc(seq, '\n');
	}
}

/*
 * CPUs are read one after the other (sink/gather.c): what ends on one of the later
 * and began on one of the earlier leaves less than nothing.
 */
static void show_flight(struct seq_file *seq, s64 open)
{
	if (open >= 0)
		seq_printf(seq, "    in flight: %lld\n", open);
	else
		seq_printf(seq, "    in flight: 0 (%lld ended while this was counted)\n",
			   -open);
}

/* What is open is part of the equation only where it stands still. */
static u64 unfinished(u64 all, u64 open, bool recording)
{
	return recording ? all - open : all;
}

static void show_left(struct seq_file *seq, bool recording, s64 left, u64 open)
{
	if (recording)
		show_flight(seq, left + (s64)open);
	else if (left)
		seq_printf(seq, "    UNEXPLAINED: %lld\n", left);
	else
		seq_puts(seq, "    unexplained: 0\n");
}

static void show_split(struct seq_file *seq, enum mls_wait_start wait_start)
{
	if (wait_start == MLS_WAIT_START_SLOWPATH)
		seq_puts(seq, "  trylock_failed and aborted are told apart exactly, by the slow path; attempts\n"
			 "  are counted by their outcome\n");
	else if (MLS_KERNEL_HAS_WRITE_TRYLOCK)
		seq_puts(seq, "  trylock_failed and aborted: their sum is exact, the split is inferred from\n"
			 "  sleep and pending fatal signals\n");
	else
		seq_puts(seq, "  trylock_failed and aborted: exact for write (this kernel traces no write\n"
			 "  trylock); for read the sum is exact, the split is inferred from sleep and\n"
			 "  pending fatal signals\n");
}

static void show_equations(struct seq_file *seq, const struct mls_totals *totals,
			   const struct mls_session_info *info)
{
	bool recording = info->recording;
	const struct mls_counters *c = &totals->counters;
	int mode;

	seq_puts(seq, "\nequations since the last reset:\n");
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		const u64 *m = c->mode[mode];
		struct mls_equation eq = mls_totals_equation(totals, mode);
		bool read = mode == MLS_READ;

		seq_printf(seq, "  %s: attempts %llu + orphan_acquire %llu\n"
			   "    = acquired %llu + trylock_failed %llu + aborted %llu + unfinished_wait %llu\n",
			   mls_mode_names[mode], m[MLS_C_ATTEMPTS],
			   m[MLS_C_ORPHAN_ACQUIRE], m[MLS_C_ACQUIRED],
			   m[MLS_C_TRYLOCK_FAILED], m[MLS_C_ABORTED],
			   unfinished(mls_totals_unfinished_wait(totals, mode),
				      totals->open.wait[mode], recording));
		show_left(seq, recording, eq.wait_left, totals->open.wait[mode]);

		seq_printf(seq, "  %s: acquired %llu", mls_mode_names[mode],
			   m[MLS_C_ACQUIRED]);
		if (read)
			seq_printf(seq, " + downgraded %llu",
				   c->once[MLS_C_DOWNGRADED]);
		seq_printf(seq, " + orphan_release %llu\n    = released %llu",
			   m[MLS_C_ORPHAN_RELEASE], m[MLS_C_RELEASED]);
		if (!read)
			seq_printf(seq, " + downgraded %llu",
				   c->once[MLS_C_DOWNGRADED]);
		seq_printf(seq, " + unfinished_hold %llu\n",
			   unfinished(mls_totals_unfinished_hold(totals, mode),
				      totals->open.hold[mode], recording));
		show_left(seq, recording, eq.hold_left, totals->open.hold[mode]);
	}
	show_split(seq, info->wait_start);
}

static void show_health(struct seq_file *seq, const struct mls_totals *totals,
			unsigned long nr_missed)
{
	const struct mls_counters *c = &totals->counters;
	char name[32];
	int mode, i;

	seq_puts(seq, "\nnot recorded, by cause:\n");
	for (i = 0; i < MLS_NR_LOST; i++)
		seq_printf(seq, "  %-22s %llu\n", mls_lost_names[i], c->lost[i]);
	seq_puts(seq, "\nhealth:\n");
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		for (i = 0; i < MLS_NR_MODE_COUNTERS; i++) {
			if (i != MLS_C_NESTED && i != MLS_C_STALE_WAIT &&
			    i != MLS_C_STALE_HOLD && i != MLS_C_ABORTED_WAIT_NS)
				continue;
			snprintf(name, sizeof(name), "%s_%s", mls_mode_names[mode],
				 mls_mode_counter_names[i]);
			seq_printf(seq, "  %-22s %llu\n", name, c->mode[mode][i]);
		}
	}
	seq_printf(seq, "  %-22s %llu\n", mls_counter_names[MLS_C_NEGATIVE_TIME],
		   c->once[MLS_C_NEGATIVE_TIME]);
	seq_printf(seq, "  %-22s %lu\n", "nmissed", nr_missed);
}

/**
 * mls_status_show() - the status file
 * @seq: where; its private data is a struct mls_view
 * @unused: nothing
 *
 * Context: Process.
 * Return: 0.
 */
int mls_status_show(struct seq_file *seq, void *unused)
{
	const struct mls_view *view = seq->private;

	show_state(seq, &view->info);
	show_hooks(seq, &view->info);
	show_equations(seq, &view->totals, &view->info);
	show_health(seq, &view->totals, view->info.nr_missed);
	return 0;
}
