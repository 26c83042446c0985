// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of the lock: acquisitions and waits, distributions, percentiles,
 * rates, counters.
 */
#include "stats/tables.h"

#include <errno.h>
#include <string.h>

#include "model/decade.h"

/**
 * struct lock_series - one of the histograms that every recording has
 * @series: its name
 * @table: of its distribution table
 * @title: of that
 * @mode: a word for labels: Read
 * @what: another: Wait
 */
struct lock_series {
	const char *series, *table, *title, *mode, *what;
};

static const struct lock_series lock_series[] = {
	{ "mmap_read_wait", "read_wait",
	  "mmap_lock: how long read locks waited", "Read", "Wait" },
	{ "mmap_write_wait", "write_wait",
	  "mmap_lock: how long write locks waited", "Write", "Wait" },
	{ "mmap_read_hold", "read_hold",
	  "mmap_lock: how long it was held for read", "Read", "Hold" },
	{ "mmap_write_hold", "write_hold",
	  "mmap_lock: how long it was held for write", "Write", "Hold" },
};

#define NR_LOCK_SERIES (sizeof(lock_series) / sizeof(*lock_series))

/**
 * table_row - make a row, if any recording has something in it
 * @doc: the document
 * @table: the table
 * @group: by recording
 * @def: the row; its label NULL is taken as no memory
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int table_row(struct doc *doc, struct table *table,
	      const struct group * const *group, const struct rowdef *def)
{
	struct value value = def->value;
	struct row *row;

	row = doc_add_row(doc, table, def->label);
	if (!row)
		return -ENOMEM;
	row->style = def->style;
	row->tested = def->tested;
	row->better = def->better;
	if (row_fill(doc, row, group, &value))
		return -ENOMEM;
	if (row_is_absent(doc, row))
		doc_drop_row(table);
	return 0;
}

static int summary(struct doc *doc, struct context *ctx,
		   const struct group * const *group)
{
	struct table *t;
	size_t i;

	t = doc_add_table(doc, ctx, "summary",
			  "mmap_lock: acquisitions, waits and holds", "Metric");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < NR_LOCK_SERIES; i++) {
		const struct lock_series *s = &lock_series[i];
		struct rowdef rows[] = {
			/* Downgrades begin holds that no lock began. */
			{ doc_printf(doc, "%s %s Count", s->mode,
				     strcmp(s->what, "Wait") ? s->what : "Lock"),
			  STYLE_COUNT, true, BETTER_UNKNOWN,
			  { VALUE_COUNT, s->series, NULL, 0, 0 } },
			{ doc_printf(doc, "%s Total %s (us)", s->mode, s->what),
			  STYLE_COUNT, true, BETTER_LOWER,
			  { VALUE_TOTAL_US, s->series, NULL, 0, 0 } },
			{ doc_printf(doc, "%s Avg %s (us)", s->mode, s->what),
			  STYLE_DECIMAL, true, BETTER_LOWER,
			  { VALUE_AVG_US, s->series, NULL, 0, 0 } },
		};
		size_t j;

		for (j = 0; j < sizeof(rows) / sizeof(*rows); j++)
			if (table_row(doc, t, group, &rows[j]))
				return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}

static int distribution(struct doc *doc, struct context *ctx,
			const struct group * const *group,
			const struct lock_series *s)
{
	struct table *t;
	unsigned int d;

	t = doc_add_table(doc, ctx, s->table, s->title, "Range (us)");
	if (!t)
		return -ENOMEM;
	for (d = 0; d < NR_DECADES; d++) {
		struct rowdef row = {
			decades[d].label, STYLE_COUNT, false, BETTER_UNKNOWN,
			{ VALUE_DECADE, s->series, NULL, d, 0 },
		};

		if (table_row(doc, t, group, &row))
			return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}

/* The worst maximum beside the mean one: one bad run must not hide. */
static int worst_row(struct doc *doc, struct table *t, const char *label)
{
	struct row *row, *max;
	size_t i;

	row = doc_add_row(doc, t, label);
	if (!row)
		return -ENOMEM;
	max = &t->row[t->nr_rows - 2];
	row->style = STYLE_DECIMAL;
	row->better = BETTER_LOWER;
	for (i = 0; i < doc->nr; i++) {
		row->cell[i] = max->cell[i];
		if (max->cell[i].state == CELL_VALUE)
			row->cell[i].avg = num_real(max->cell[i].max);
	}
	for (i = 1; i < doc->nr && !doc->opts.no_change; i++)
		if (change_fill(&row->change[i], &row->cell[0], &row->cell[i],
				false))
			return -ENOMEM;
	return 0;
}

static bool has_more_runs(const struct doc *doc,
			  const struct group * const *group)
{
	size_t i;

	for (i = 0; i < doc->nr; i++)
		if (group[i] && group[i]->nr_runs > 1)
			return true;
	return false;
}

static int percentiles(struct doc *doc, struct context *ctx,
		       const struct group * const *group)
{
	static const struct { unsigned int arg; const char *name; } which[] = {
		{ 5000, "p50" }, { 9900, "p99" }, { 9990, "p99.9" },
	};
	struct table *t;
	size_t i, j, was;

	t = doc_add_table(doc, ctx, "percentiles",
			  "mmap_lock: percentiles of waits and holds (us)",
			  "Percentile (us)");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < NR_LOCK_SERIES; i++) {
		const struct lock_series *s = &lock_series[i];
		struct rowdef row = { .style = STYLE_DECIMAL, .tested = true,
				      .better = BETTER_LOWER };

		for (j = 0; j < sizeof(which) / sizeof(*which); j++) {
			row.label = doc_printf(doc, "%s %s %s", s->mode,
					       s->what, which[j].name);
			row.value = (struct value){ VALUE_PERCENTILE_US,
						    s->series, NULL,
						    which[j].arg, 0 };
			if (table_row(doc, t, group, &row))
				return -ENOMEM;
		}
		was = t->nr_rows;
		row.label = doc_printf(doc, "%s %s max", s->mode, s->what);
		row.value = (struct value){ VALUE_MAX_US, s->series, NULL,
					    0, 0 };
		if (table_row(doc, t, group, &row))
			return -ENOMEM;
		if (t->nr_rows > was && has_more_runs(doc, group) &&
		    worst_row(doc, t, doc_printf(doc, "%s %s worst max",
						 s->mode, s->what)))
			return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}

/* The rate of work that a workload reported, if any. */
static const struct metric *work_metric(const struct doc *doc,
					const struct group * const *group)
{
	const struct metric *m;
	size_t i, j, k, len;

	for (i = 0; i < doc->nr; i++) {
		for (j = 0; group[i] && j < group[i]->nr_runs; j++) {
			for (k = 0; k < group[i]->runs[j].nr_metrics; k++) {
				m = &group[i]->runs[j].metrics[k];
				len = strlen(m->unit);
				if (m->better == BETTER_HIGHER && len >= 2 &&
				    !strcmp(m->unit + len - 2, "/s"))
					return m;
			}
		}
	}
	return NULL;
}

static int rates(struct doc *doc, struct context *ctx,
		 const struct group * const *group)
{
	const struct metric *work = work_metric(doc, group);
	struct table *t;
	size_t i;

	t = doc_add_table(doc, ctx, "rates", "mmap_lock: rates", "Rate");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < 2; i++) {
		const struct lock_series *s = &lock_series[i];
		struct rowdef rows[] = {
			{ doc_printf(doc, "%s Locks per Second", s->mode),
			  STYLE_DECIMAL, true, BETTER_UNKNOWN,
			  { VALUE_COUNT_PER_S, s->series, NULL, 0, 0 } },
			{ doc_printf(doc, "%s Wait per Second (us)", s->mode),
			  STYLE_DECIMAL, true, BETTER_LOWER,
			  { VALUE_TOTAL_PER_S, s->series, NULL, 0, 0 } },
			{ doc_printf(doc, "%s Locks per %s", s->mode,
				     work ? work->name : ""),
			  STYLE_DECIMAL, true, BETTER_LOWER,
			  { VALUE_COUNT_PER_WORK, s->series,
			    work ? work->name : "", 0, 0 } },
		};
		size_t j;

		for (j = 0; j < (work ? 3 : 2); j++)
			if (table_row(doc, t, group, &rows[j]))
				return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}

static bool is_zero_everywhere(const struct doc *doc, const struct row *row)
{
	size_t i;

	for (i = 0; i < doc->nr; i++)
		if (row->cell[i].state == CELL_VALUE &&
		    !num_is_zero(row->cell[i].avg))
			return false;
	return true;
}

static int counters(struct doc *doc, struct context *ctx,
		    const struct group * const *group)
{
	static const struct { const char *name, *label; } rows[] = {
		{ "read_attempts", "Read Attempts" },
		{ "read_trylock_failed", "Read Trylocks Failed" },
		{ "read_aborted", "Read Waits Aborted" },
		{ "read_aborted_wait_ns", "Read Aborted Wait (ns)" },
		{ "read_failed", "Read Attempts Failed" },
		{ "read_nested", "Read Locks Nested" },
		{ "write_attempts", "Write Attempts" },
		{ "write_trylock_failed", "Write Trylocks Failed" },
		{ "write_aborted", "Write Waits Aborted" },
		{ "write_aborted_wait_ns", "Write Aborted Wait (ns)" },
		{ "write_failed", "Write Attempts Failed" },
		{ "downgraded", "Downgrades" },
		{ "khugepaged_skipped", "khugepaged Skipped" },
		{ "range_disjoint", "Range Disjoint" },
		{ "range_overlapping", "Range Overlapping" },
		{ "range_unknown", "Range Unknown" },
		{ "vma_ok", "Faults under VMA Lock" },
		{ "vma_abort", "VMA Lock Aborts" },
		{ "vma_retry", "VMA Lock Retries" },
	};
	struct table *t;
	size_t i, was;

	t = doc_add_table(doc, ctx, "counters", "mmap_lock: other counts",
			  "Count");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rowdef row = {
			rows[i].label, STYLE_COUNT, true, BETTER_UNKNOWN,
			{ VALUE_COUNTER, rows[i].name, NULL, 0, 0 },
		};

		was = t->nr_rows;
		if (table_row(doc, t, group, &row))
			return -ENOMEM;
		if (t->nr_rows > was &&
		    is_zero_everywhere(doc, &t->row[t->nr_rows - 1]))
			doc_drop_row(t);
	}
	doc_drop_empty_table(doc);
	return 0;
}

/**
 * tables_lock - the tables of the lock, for one group
 * @doc: the document
 * @ctx: the group's context
 * @group: the group, by recording
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int tables_lock(struct doc *doc, struct context *ctx,
		const struct group * const *group)
{
	size_t i;

	if (summary(doc, ctx, group))
		return -ENOMEM;
	for (i = 0; i < NR_LOCK_SERIES; i++)
		if (distribution(doc, ctx, group, &lock_series[i]))
			return -ENOMEM;
	if (percentiles(doc, ctx, group))
		return -ENOMEM;
	if (doc->opts.is_live)
		return 0;
	if (rates(doc, ctx, group) || counters(doc, ctx, group))
		return -ENOMEM;
	return 0;
}
