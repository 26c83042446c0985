/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the runs' numbers to a row: means, change and test.
 */
#ifndef STATS_CELL_H
#define STATS_CELL_H

#include "stats/value.h"

int cell_fill(struct doc *doc, struct cell *cell, const struct group *group,
	      struct value *which);
int change_fill(struct change *change, const struct cell *before,
		const struct cell *after, bool tested);
int row_fill(struct doc *doc, struct row *row,
	     const struct group * const *group, struct value *which);
bool row_is_absent(const struct doc *doc, const struct row *row);

#endif
