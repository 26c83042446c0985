/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that appears whole or not at all.
 */
#ifndef SOURCE_OUTFILE_H
#define SOURCE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/err.h"

/**
 * struct outfile - a file being written
 * @out: write here
 * @path: its final name
 * @temp: its name until then; NULL where the name is no regular file
 */
struct outfile {
	FILE *out;
	char *path, *temp;
};

int outfile_check(const char *path, struct err *err);
int outfile_open(struct outfile *file, const char *path, struct err *err);
int outfile_commit(struct outfile *file, struct err *err);
void outfile_abort(struct outfile *file);

#endif
