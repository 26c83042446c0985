/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands around the tables: runs, seconds, machine, account of losses,
 * and how the recordings differ besides.
 */
#ifndef STATS_CONTEXT_H
#define STATS_CONTEXT_H

#include "stats/doc.h"

struct context *context_new(struct doc *doc, const char *set,
			    const struct group * const *group);
struct context *context_all(struct doc *doc);
int context_notes(struct doc *doc);

#endif
