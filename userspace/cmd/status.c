// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat status: the module's state, in its own words.
 */
#include <mmlockstat.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "source/proc.h"

/**
 * cmd_status - print the module's status file
 * @argc: arguments
 * @argv: the arguments
 *
 * Context: main.
 * Return: exit status.
 */
int cmd_status(int argc, char **argv)
{
	static const struct opt opts[] = { { 0 } };
	const char *arg;
	struct err err;
	size_t len;
	char *text;
	int c;

	c = opt_next(opts, "status", true, argc, argv, &arg);
	if (c != OPT_END)
		return c == OPT_HELP ? stdout_done(EXIT_DONE) : EXIT_USAGE;
	if (opt_rest() < argc)
		return usage_error("status", "takes no argument");
	if (proc_read(MMLOCKSTAT_FILE_STATUS, &text, &len, &err))
		return say_failed(&err);
	fwrite(text, 1, len, stdout);
	free(text);
	return stdout_done(EXIT_DONE);
}
