/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a table's numbers come from, in words.
 */
#ifndef RENDER_SIDE_H
#define RENDER_SIDE_H

#include <stddef.h>

#include "stats/doc.h"

/* Where the measurements that costs rest on are told. */
#define COST_SOURCE "docs/overhead.md"

void side_line(const struct doc *doc, const struct context *ctx, size_t i,
	       char *buf, size_t size);
struct num side_cost(const struct side *side);
void side_basis(const struct side *side, char *buf, size_t size);
void side_cost_line(const struct side *side, char *buf, size_t size);

#endif
