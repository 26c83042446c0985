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
 * @old: another name, for what the final name holds now; or NULL
 */
struct outfile {
	FILE *out;
	char *path, *temp, *old;
};

bool outfile_is_special(const char *path);
int outfile_check(const char *path, const char *old, struct err *err);
int outfile_open(struct outfile *file, const char *path, struct err *err);
int outfile_open_spare(struct outfile *file, const char *base,
		       struct err *err);
int outfile_commit(struct outfile *file, struct err *err);
int outfile_open_keep(struct outfile *file, const char *path, const char *old,
		      struct err *err);
bool outfile_is_same(const char *a, const char *b);
void outfile_abort(struct outfile *file);

#endif
