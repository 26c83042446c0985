// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/**
 * keep_old - make room for a recording under the usual name
 * @name: the name; nobody chose it: what it held is kept as NAME.old
 *
 * Context: before the recording is written.
 */
void keep_old(const char *name)
{
	char old[64];

	if (access(name, F_OK))
		return;
	snprintf(old, sizeof(old), "%s.old", name);
	if (rename(name, old))
		say("%s: %s", old, strerror(errno));
}
