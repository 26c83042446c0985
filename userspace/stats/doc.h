/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a report or a comparison says, before it is printed: tables of rows of
 * cells.  Built once, then rendered as text, markdown, csv or json.
 */
#ifndef STATS_DOC_H
#define STATS_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"
#include "model/recording.h"

/**
 * enum style - how a row's values are printed
 * @STYLE_COUNT: counts and totals: whole
 * @STYLE_DECIMAL: two decimals
 */
enum style { STYLE_COUNT, STYLE_DECIMAL };

/**
 * enum cell_state - whether a cell has a value
 * @CELL_VALUE: it has
 * @CELL_ABSENT: it was not measured
 * @CELL_EMPTY: it was, but there was nothing: the average of no waits
 */
enum cell_state { CELL_VALUE, CELL_ABSENT, CELL_EMPTY };

/**
 * struct cell - one recording's value in a row
 * @state: whether there is one
 * @avg: mean over the runs that have it
 * @bound: it is only an upper bound
 * @n: runs that have it
 * @median: over these runs
 * @min: the least
 * @max: the greatest
 * @v: the runs' values, @n of them
 */
struct cell {
	enum cell_state state;
	struct num avg;
	bool bound;
	size_t n;
	double median, min, max;
	double *v;
};

/**
 * enum change_kind - what can be said of a change
 * @CHANGE_NONE: nothing: a side has no value
 * @CHANGE_PERCENT: so many per cent
 * @CHANGE_NA: before was zero (or below): no percentage
 */
enum change_kind { CHANGE_NONE, CHANGE_PERCENT, CHANGE_NA };

/**
 * struct change - from the base recording to another, in a row
 * @kind: what can be said
 * @percent: of the means, from unrounded values
 * @factor: after / before where @percent is above 1000, else 0
 * @diff: after - before
 * @tested: the test was made: more than one run on a side
 * @few: fewer than RANK_FEW runs on a side
 * @exact: p and interval are exact, not approximated
 * @p: two-sided p of the Mann-Whitney test
 * @has_shift: the shift is known
 * @is_ratio: shift, low and high are per cent; else differences
 * @negative: differences, because a run's number is below zero
 * @shift: Hodges-Lehmann median of the ratios; or difference of medians
 * @has_interval: @low and @high hold
 * @low: lower end of the Moses interval
 * @high: its upper end
 */
struct change {
	enum change_kind kind;
	double percent, factor;
	struct num diff;
	bool tested, few, exact;
	double p;
	bool has_shift, is_ratio, negative;
	double shift;
	bool has_interval;
	double low, high;
};

/**
 * struct row - one line of a table
 * @label: what it is
 * @style: how values are printed
 * @tested: a number a run that the test is made for
 * @better: which way it improves
 * @cell: by recording
 * @change: by recording, the first unused
 */
struct row {
	const char *label;
	enum style style;
	bool tested;
	enum better better;
	struct cell *cell;
	struct change *change;
};

/**
 * struct cost - what recording an operation cost
 * @first: the run that it was chosen by, or NULL
 * @kernel: where it was measured; NULL where there is no measurement
 * @same_version: that is the recording's own version, not the nearest one
 * @per_op: instructions for a read and for a write operation
 * @why_not: why there is none; NULL without memory
 */
struct cost {
	const struct run *first;
	const char *kernel;
	bool same_version;
	unsigned int per_op[2];
	const char *why_not;
};

/**
 * struct side - what one recording brings to a table
 * @runs: runs in it
 * @failed: of these, ended by a failed command
 * @seconds: wall time of all, s
 * @cpus: of the machine
 * @kernel: of the machine
 * @scope: what was recorded
 * @ops: lock operations recorded, read and write
 * @cost: what recording them cost
 * @has_health: it has an account of losses
 * @health: the account, summed over the runs
 */
struct side {
	size_t runs, failed;
	double seconds;
	int64_t cpus;
	const char *kernel, *scope;
	__int128_t ops[2];
	struct cost cost;
	bool has_health;
	struct counters health;
};

/**
 * struct context - where a table's numbers come from
 * @set: the setting of --set, `writers=8`; empty for none or all
 * @side: by recording
 */
struct context {
	const char *set;
	struct side *side;
};

/**
 * struct table - a table
 * @name: for programs: summary, read_wait, ...
 * @title: for people
 * @head: of the column of labels
 * @ctx: where its numbers come from
 * @row: the rows
 * @nr_rows: how many
 * @cap_rows: room
 */
struct table {
	const char *name, *title, *head;
	struct context *ctx;
	struct row *row;
	size_t nr_rows, cap_rows;
};

/**
 * struct doc_opts - what is asked for
 * @labels: by recording; NULL for the usual ones
 * @rows: patterns of the rows of vmstat that are shown; NULL for those that
 *	changed
 * @nr_rows: how many
 * @spread: median, least and greatest are asked for
 * @is_live: the module now, not recordings: waits and holds only
 * @no_change: the recordings stand side by side and are not compared
 */
struct doc_opts {
	const char * const *labels;
	const char * const *rows;
	size_t nr_rows;
	bool spread, is_live, no_change;
};

struct doc_mem;

/**
 * struct doc - all tables, and what stands above them
 * @rec: the recordings, the first is the base
 * @label: by recording
 * @nr: how many
 * @opts: what was asked for
 * @note: lines above the tables: settings that differ, failed runs
 * @nr_notes: how many
 * @cap_notes: room
 * @table: the tables
 * @nr_tables: how many
 * @cap_tables: room
 * @mem: everything else that the tables point to
 */
struct doc {
	const struct recording * const *rec;
	const char **label;
	size_t nr;
	struct doc_opts opts;
	const char **note;
	size_t nr_notes, cap_notes;
	struct table *table;
	size_t nr_tables, cap_tables;
	struct doc_mem *mem;
};

void *doc_alloc(struct doc *doc, size_t size);
char *doc_printf(struct doc *doc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int doc_note(struct doc *doc, const char *text);
struct table *doc_add_table(struct doc *doc, struct context *ctx,
			    const char *name, const char *title,
			    const char *head);
struct row *doc_add_row(struct doc *doc, struct table *table,
			const char *label);
void doc_drop_row(struct table *table);
void doc_drop_empty_table(struct doc *doc);

int doc_build(struct doc *doc, const struct recording * const *rec, size_t nr,
	      const struct doc_opts *opts);
void doc_free(struct doc *doc);

#endif
