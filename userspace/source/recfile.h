/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings as files: JSON, read and written.
 */
#ifndef SOURCE_RECFILE_H
#define SOURCE_RECFILE_H

#include <stddef.h>
#include <stdio.h>

#include "model/err.h"
#include "model/recording.h"

/* A recording of a thousand runs takes about 25 MB. */
#define RECFILE_MAX_BYTES	(256UL * 1024 * 1024)

int recfile_parse(const char *text, size_t len, struct recording *rec,
		  struct err *err);
int recfile_read(const char *path, struct recording *rec, struct err *err);
int recfile_print(FILE *out, const struct recording *rec);
int recfile_write(const char *path, const struct recording *rec,
		  struct err *err);

#endif
