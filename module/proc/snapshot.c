// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot: for programs.  Lines `key value...`; new keys, counters and series
 * are appended, none changes its meaning.
 */
#include <linux/pid.h>

#include "../../include/uapi/mmlockstat.h"
#include "../core/filter.h"
#include "proc.h"

static void show_scope(struct seq_file *seq, const struct mls_filter *filter)
{
	int i;

	if (!filter) {
		seq_puts(seq, "scope all\n");
		return;
	}
	seq_puts(seq, "scope pids");
	for (i = 0; i < filter->nr_pids; i++)
		seq_printf(seq, " %d", pid_vnr(filter->pid[i]));
	seq_putc(seq, '\n');
}

static void show_hooks(struct seq_file *seq, const struct mls_session_info *info)
{
	int i;

	for (i = 0; i < MLS_NR_PROBES; i++) {
		const struct mls_probe *probe = mls_probes_get(i);
		enum mls_probe_state state = info->used_probes[i];

		if (state == MLS_PROBE_UNUSED || state == MLS_PROBE_DETACHED)
			continue;
		seq_printf(seq, "hook %s %s\n", probe->name,
			   state == MLS_PROBE_ABSENT ? "absent" : probe->backend);
	}
}

static void counter(struct seq_file *seq, const char *name, u64 value)
{
	seq_printf(seq, "counter %s %llu\n", name, value);
}

static void mode_counter(struct seq_file *seq, enum mls_mode mode,
			 const char *name, u64 value)
{
	seq_printf(seq, "counter %s_%s %llu\n", mls_mode_names[mode], name, value);
}

static void show_counters(struct seq_file *seq, const struct mls_totals *totals,
			  u64 nr_missed)
{
	const struct mls_counters *c = &totals->counters;
	u64 unfinished_wait = 0, unfinished_hold = 0, value;
	u64 orphans[2] = { 0 };
	int mode, i;

	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		for (i = 0; i < MLS_NR_MODE_COUNTERS; i++)
			mode_counter(seq, mode, mls_mode_counter_names[i],
				     c->mode[mode][i]);
		value = mls_totals_unfinished_wait(totals, mode);
		mode_counter(seq, mode, "unfinished_wait", value);
		unfinished_wait += value;
		value = mls_totals_unfinished_hold(totals, mode);
		mode_counter(seq, mode, "unfinished_hold", value);
		unfinished_hold += value;
		orphans[0] += c->mode[mode][MLS_C_ORPHAN_ACQUIRE];
		orphans[1] += c->mode[mode][MLS_C_ORPHAN_RELEASE];
	}
	for (i = 0; i < MLS_NR_COUNTERS; i++)
		counter(seq, mls_counter_names[i], c->once[i]);
	counter(seq, "orphan_acquire", orphans[0]);
	counter(seq, "orphan_release", orphans[1]);
	counter(seq, "unfinished_wait", unfinished_wait);
	counter(seq, "unfinished_hold", unfinished_hold);
	counter(seq, "nmi", c->lost[MLS_LOST_NMI]);
	counter(seq, "reentered", c->lost[MLS_LOST_REENTERED]);
	counter(seq, "nmissed", nr_missed);
	for (i = 0; i < MLS_NR_LOST; i++)
		seq_printf(seq, "lost %s %llu\n", mls_lost_names[i], c->lost[i]);
}

static void show_series(struct seq_file *seq, const char *name,
			const struct mls_hist *hist, u64 count)
{
	unsigned int b;

	seq_printf(seq, "series %s %llu %llu %llu\n", name, count, hist->sum_ns,
		   hist->max_ns);
	for (b = 0; b < MMLOCKSTAT_NR_BUCKETS; b++) {
		if (!hist->bucket[b])
			continue;
		seq_printf(seq, "bucket %s %llu ", name, mls_hist_lower(b));
		if (b == MMLOCKSTAT_NR_BUCKETS - 1)
			seq_puts(seq, "inf");
		else
			seq_printf(seq, "%llu", mls_hist_upper(b));
		seq_printf(seq, " %llu\n", hist->bucket[b]);
	}
}

/**
 * mls_snapshot_show() - the snapshot file
 * @seq: where; its private data is a struct mls_view
 * @unused: nothing
 *
 * Context: Process.
 * Return: 0.
 */
int mls_snapshot_show(struct seq_file *seq, void *unused)
{
	const struct mls_view *view = seq->private;
	const struct mls_session_info *info = &view->info;
	bool slowpath = info->wait_start == MLS_WAIT_START_SLOWPATH;
	int i;

	seq_printf(seq, "%s %d\n", MMLOCKSTAT_SNAPSHOT_MAGIC,
		   MMLOCKSTAT_SNAPSHOT_VERSION);
	seq_printf(seq, "version %s\n", MLS_VERSION);
	seq_printf(seq, "load-id %016llx\n", info->load_id);
	seq_printf(seq, "reset-seq %llu\n", info->reset_seq);
	seq_printf(seq, "mark-seq %llu\n", info->mark_seq);
	seq_printf(seq, "generation %llu\n", info->generation);
	seq_printf(seq, "recording %d\n", info->recording);
	seq_puts(seq, "mode full\n");
	seq_printf(seq, "wait-start %s\n", slowpath ? "slowpath" : "locking");
	seq_printf(seq, "clock %s\n", info->clock);
	show_scope(seq, info->filter);
	seq_printf(seq, "failed-split %s\n", slowpath ? "exact" : "inferred");
	show_hooks(seq, info);
	show_counters(seq, &view->totals, info->nr_missed);
	for (i = 0; i < MLS_NR_SERIES; i++)
		show_series(seq, mls_series_names[i], &view->totals.hist[i],
			    view->totals.hist_count[i]);
	return 0;
}
