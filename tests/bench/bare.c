// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bare read of a trace-cmd file by libtracecmd, every record once, by time: what
 * an import is measured against. Prints the number of records.
 */
#include <stdio.h>
#include <trace-cmd.h>

static int on_record(struct tracecmd_input *handle, struct tep_record *rec,
		     int cpu, void *arg)
{
	unsigned long *nr = arg;

	(void)handle;
	(void)rec;
	(void)cpu;
	++*nr;
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle;
	unsigned long nr = 0;

	if (argc != 2)
		return 2;
	handle = tracecmd_open(argv[1], TRACECMD_FL_LOAD_NO_PLUGINS |
					TRACECMD_FL_LOAD_NO_SYSTEM_PLUGINS);
	if (!handle)
		return 1;
	tracecmd_iterate_events(handle, NULL, 0, on_record, &nr);
	tracecmd_close(handle);
	printf("%lu\n", nr);
	return 0;
}
