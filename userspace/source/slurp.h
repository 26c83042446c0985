/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A whole file in memory, within bounds.
 */
#ifndef SOURCE_SLURP_H
#define SOURCE_SLURP_H

#include <stddef.h>

#include "model/err.h"

const char *slurp_name(const char *path);
int slurp(const char *path, size_t limit, char first, char **text,
	  size_t *len, struct err *err);

#endif
