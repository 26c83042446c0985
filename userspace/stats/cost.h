/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What recording cost: operations times the cost that was measured of one.
 */
#ifndef STATS_COST_H
#define STATS_COST_H

#include "stats/doc.h"

void cost_add(struct doc *doc, struct cost *cost, const struct host *host,
	      const struct run *run);

#endif
