/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The account of what was not seen, in words.
 */
#ifndef RENDER_ACCOUNT_H
#define RENDER_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/doc.h"

/* Room for the account of one recording. */
#define ACCOUNT_LEN 1200

bool account_line(const struct doc *doc, const struct context *ctx, size_t i,
		  char *buf, size_t size);
bool account_is_clean(const struct doc *doc, const struct context *ctx);

#endif
