/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tables there are, and which rows they have.
 */
#ifndef STATS_TABLES_H
#define STATS_TABLES_H

#include "stats/cell.h"

/**
 * struct rowdef - a row to be made
 * @label: its label, of the document's memory or static
 * @style: how it is printed
 * @tested: the test is made
 * @better: which way it improves
 * @value: what it is made of
 */
struct rowdef {
	const char *label;
	enum style style;
	bool tested;
	enum better better;
	struct value value;
};

int table_row(struct doc *doc, struct table *table,
	      const struct group * const *group, const struct rowdef *def);
int tables_lock(struct doc *doc, struct context *ctx,
		const struct group * const *group);
int tables_workload(struct doc *doc, struct context *ctx,
		    const struct group * const *group);
int tables_vmstat(struct doc *doc, struct context *ctx,
		  const struct group * const *group);
int tables_by_set(struct doc *doc);

#endif
