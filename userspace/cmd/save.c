// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <stdio.h>

#include "source/outfile.h"
#include "source/recfile.h"

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

	snprintf(old, sizeof(old), "%s.old", name);
	rc = is_chosen ? outfile_open(&file, name, err) :
			 outfile_open_keep(&file, name, old, err);
	if (rc)
		return rc;
	recfile_print(file.out, rec);
	return outfile_commit(&file, err);
}
