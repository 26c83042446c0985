// SPDX-License-Identifier: GPL-2.0-only
/* histograms: the summary and the decade tables, for people. */
#include <linux/math64.h>

#include "../../include/uapi/mmlockstat.h"
#include "format.h"
#include "proc.h"

/* Widths of the first column and of the numbers behind it. */
#define MLS_ROW_WIDTH	22
#define MLS_CELL_WIDTH	13

/* Decades of a table: [0, 1) us, then a power of ten each, then the rest. */
#define MLS_NR_ROWS 8

static const char * const ranges[MLS_NR_ROWS] = {
	"[0, 1)", "[1, 10)", "[10, 100)", "[100, 1000)", "[1000, 10000)",
	"[10000, 100000)", "[100000, 1000000)", "[1000000, +)",
};

/* Columns of the distributions, in the order of enum mls_series. */
static const char * const headings[MLS_NR_SERIES] = {
	"Read Wait", "Write Wait", "Read Hold", "Write Hold",
};

static void cell(struct seq_file *seq, struct mls_number number)
{
	seq_printf(seq, " %*s", MLS_CELL_WIDTH, number.text);
}

static void row(struct seq_file *seq, const char *name)
{
	seq_printf(seq, "%-*s", MLS_ROW_WIDTH, name);
}

static u64 average_ns(u64 sum_ns, u64 count)
{
	return count ? div64_u64(sum_ns, count) : 0;
}

static void show_times(struct seq_file *seq, const struct mls_totals *totals,
		       const char *total, const char *average, const char *max,
		       enum mls_series first)
{
	int mode;

	row(seq, total);
	for (mode = 0; mode < MLS_NR_MODES; mode++)
		cell(seq, mls_number(div_u64(totals->hist[first + mode].sum_ns, 1000)));
	seq_putc(seq, '\n');
	row(seq, average);
	for (mode = 0; mode < MLS_NR_MODES; mode++)
		cell(seq, mls_number_us(average_ns(totals->hist[first + mode].sum_ns,
						   totals->hist_count[first + mode])));
	seq_putc(seq, '\n');
	row(seq, max);
	for (mode = 0; mode < MLS_NR_MODES; mode++)
		cell(seq, mls_number_us(totals->hist[first + mode].max_ns));
	seq_putc(seq, '\n');
}

static void show_summary(struct seq_file *seq, const struct mls_totals *totals)
{
	int mode;

	mls_format_title(seq, "mmap_lock Acquisitions, Wait And Hold Time");
	seq_printf(seq, "%-*s %*s %*s\n", MLS_ROW_WIDTH, "Metric",
		   MLS_CELL_WIDTH, "Read", MLS_CELL_WIDTH, "Write");
	mls_format_rule(seq, MLS_ROW_WIDTH + 2 * (MLS_CELL_WIDTH + 1));
	row(seq, "Lock Count");
	for (mode = 0; mode < MLS_NR_MODES; mode++)
		cell(seq, mls_number(totals->counters.mode[mode][MLS_C_ACQUIRED]));
	seq_putc(seq, '\n');
	show_times(seq, totals, "Total Wait (us)", "Avg Wait (us)",
		   "Max Wait (us)", MLS_S_READ_WAIT);
	show_times(seq, totals, "Total Hold (us)", "Avg Hold (us)",
		   "Max Hold (us)", MLS_S_READ_HOLD);
}

/* The decade edges are bucket edges, so the rows are exact. */
static u64 count_between(const struct mls_hist *hist, u64 from_ns, u64 to_ns)
{
	u64 count = 0;
	unsigned int b;

	for (b = mls_hist_bucket(from_ns); b < MMLOCKSTAT_NR_BUCKETS &&
	     mls_hist_lower(b) < to_ns; b++)
		count += hist->bucket[b];
	return count;
}

static void show_distributions(struct seq_file *seq, const struct mls_totals *totals)
{
	u64 from_ns = 0, to_ns = 1000;
	int r, s;

	mls_format_title(seq, "Distribution of mmap_lock Wait And Hold Time");
	row(seq, "Range (us)");
	for (s = 0; s < MLS_NR_SERIES; s++)
		seq_printf(seq, " %*s", MLS_CELL_WIDTH, headings[s]);
	seq_putc(seq, '\n');
	mls_format_rule(seq, MLS_ROW_WIDTH + MLS_NR_SERIES * (MLS_CELL_WIDTH + 1));
	for (r = 0; r < MLS_NR_ROWS; r++) {
		if (r == MLS_NR_ROWS - 1)
			to_ns = U64_MAX;
		row(seq, ranges[r]);
		for (s = 0; s < MLS_NR_SERIES; s++)
			cell(seq, mls_number(count_between(&totals->hist[s],
							   from_ns, to_ns)));
		seq_putc(seq, '\n');
		from_ns = to_ns;
		to_ns *= 10;
	}
}

static void show_account(struct seq_file *seq, const struct mls_view *view)
{
	const struct mls_counters *c = &view->totals.counters;
	u64 lost = 0, unpaired = 0;
	int i;

	for (i = 0; i < MLS_NR_LOST; i++)
		lost += c->lost[i];
	for (i = 0; i < MLS_NR_MODES; i++) {
		unpaired += c->mode[i][MLS_C_ORPHAN_ACQUIRE];
		unpaired += c->mode[i][MLS_C_ORPHAN_RELEASE];
		unpaired += c->mode[i][MLS_C_STALE_WAIT];
		unpaired += c->mode[i][MLS_C_STALE_HOLD];
		if (view->info.recording)
			continue;
		/* what is open now never ends */
		unpaired += view->totals.open.wait[i];
		unpaired += view->totals.open.hold[i];
	}
	seq_putc(seq, '\n');
	if (lost)
		seq_printf(seq, "LOST: %s events were not recorded; the causes are in status.\n",
			   mls_number(lost).text);
	if (unpaired)
		seq_printf(seq, "Not paired: %s events (operations open when recording began or ended).\n",
			   mls_number(unpaired).text);
	if (!lost && !unpaired)
		seq_puts(seq, "Nothing was lost, every event is paired.\n");
}

/**
 * mls_histograms_show() - the histograms file
 * @seq: where; its private data is a struct mls_view
 * @unused: nothing
 *
 * Context: Process.
 * Return: 0.
 */
int mls_histograms_show(struct seq_file *seq, void *unused)
{
	const struct mls_view *view = seq->private;
	u64 seconds = div_u64(view->info.since_reset_ns, NSEC_PER_SEC);

	seq_printf(seq, "mmlockstat %s, %s, %llu s since %s, %u CPUs, %s\n",
		   MLS_VERSION, view->info.recording ? "recording" : "stopped",
		   seconds, view->info.reset_seq ? "the last reset" : "loading",
		   view->info.nr_online_cpus,
		   view->info.filter ? "chosen processes" : "all processes");
	show_summary(seq, &view->totals);
	show_distributions(seq, &view->totals);
	show_account(seq, view);
	return 0;
}
