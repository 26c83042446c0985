// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat: reads, records and compares what the module saw of mmap_lock.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

static const struct command commands[] = {
	{ "status", cmd_status, "the module's state" },
	{ "show", cmd_show, "the tables now, or every few seconds" },
	{ "record", cmd_record, "run a command, record into a file" },
	{ "report", cmd_report, "the tables of a recording" },
	{ "diff", cmd_diff, "compare recordings: before and after" },
	{ "trace", cmd_trace, "a trace session into a recording" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static int usage(void)
{
	size_t i;

	puts("usage: mmlockstat COMMAND [OPTIONS]\n");
	for (i = 0; i < NR_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].help);
	puts("\n  mmlockstat COMMAND --help tells more; --version the version.\n"
	     "\nExit status: 0 done, 1 failed, 2 wrong usage, 3 done but the data are\n"
	     "incomplete.");
	return stdout_done(EXIT_DONE);
}

/*
 * Who starts us with a standard descriptor closed must not have the next file that
 * we open in its place: the recorded command would write into the module's control.
 * For reading only, so that to write there still fails.
 */
static void fill_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	size_t i;

	fill_standard_fds();
	/* A file that may not grow is an error of write, not our death. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		say("no command (see 'mmlockstat --help')");
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return usage();
	if (!strcmp(argv[1], "--version")) {
		puts("mmlockstat " MMLOCKSTAT_VERSION);
		return stdout_done(EXIT_DONE);
	}
	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	say("no command %s (see 'mmlockstat --help')", argv[1]);
	return EXIT_USAGE;
}
