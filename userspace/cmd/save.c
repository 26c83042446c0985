// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/outfile.h"
#include "source/recfile.h"

/* What the usual name held is kept under this one. */
static void old_name(const char *name, char *old, size_t size)
{
	snprintf(old, size, "%s.old", name);
}

/**
 * check_output - whether a recording could be written, before it is made
 * @name: of the file
 * @is_chosen: as of save_recording()
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int check_output(const char *name, bool is_chosen, struct err *err)
{
	char old[64];

	old_name(name, old, sizeof(old));
	return outfile_check(name, is_chosen ? NULL : old, err);
}

/**
 * save_recording - write a recording
 * @rec: the recording
 * @name: of the file
 * @is_chosen: somebody chose that name; else it is the usual one, and what it held is
 *	kept as NAME.old
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int save_recording(const struct recording *rec, const char *name,
		   bool is_chosen, struct err *err)
{
	struct outfile file;
	char old[64];
	int rc;

	old_name(name, old, sizeof(old));
	rc = is_chosen ? outfile_open(&file, name, err) :
			 outfile_open_keep(&file, name, old, err);
	if (rc)
		return rc;
	recfile_print(file.out, rec);
	return outfile_commit(&file, err);
}

/**
 * rescue_recording - write a recording elsewhere that could not be written
 * @rec: the recording
 * @name: of the file that it should have been in
 * @err: why it is not in that; grows by where the recording is instead
 *
 * What took hours is not thrown away because a directory is gone, or is full.
 *
 * Context: any.
 * Return: 0 or -errno, and then @err is as it was.
 */
int rescue_recording(const struct recording *rec, const char *name,
		     struct err *err)
{
	struct err first = *err, second;
	struct outfile file;
	char *path;
	int rc;

	if (outfile_is_special(name))
		return -EINVAL;
	rc = outfile_open_spare(&file, "mmlockstat", &second);
	if (rc)
		return rc;
	path = strdup(file.path);
	recfile_print(file.out, rec);
	rc = outfile_commit(&file, &second);
	if (!rc && path)
		err_set(err, 0, "%s: the recording is in %s instead", first.text,
			path);
	free(path);
	return rc;
}
