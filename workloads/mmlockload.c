// SPDX-License-Identifier: GPL-2.0-only
/* mmlockload: workloads that show what mmap_lock does. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frame.h"
#include "list.h"

static void print_list(void)
{
	const struct ml_workload *const *load;

	for (load = ml_workloads; *load; load++)
		printf("  %-12s %s\n", (*load)->name, (*load)->summary);
}

static int print_help(const struct ml_workload *load)
{
	if (load) {
		printf("usage: mmlockload %s [OPTIONS]\n\n%s\n\n", load->name,
		       load->about);
		if (load->options && load->options->name) {
			printf("options [defaults]:\n");
			ml_options_print(load->options);
			putchar('\n');
		}
	} else {
		printf("usage: mmlockload WORKLOAD [OPTIONS]\n"
		       "       mmlockload WORKLOAD --help\n"
		       "       mmlockload --list | --help | --version\n\n"
		       "Runs a workload that uses mmap_lock in a known way, and ends with lines\n"
		       "'metric NAME VALUE UNIT higher|lower'. Settings that it changes are put\n"
		       "back however it ends.\n\nworkloads:\n");
		print_list();
		putchar('\n');
	}
	printf("common options [defaults]:\n");
	ml_options_print(load && load->untimed ? ml_untimed_options :
			 ml_common_options);
	printf("\nexit status: 0 done, 1 failed, 2 wrong usage, 3 cannot run here\n");
	return fflush(stdout) ? ML_FAILED : ML_DONE;
}

static const struct ml_workload *find(const char *name)
{
	const struct ml_workload *const *load;

	for (load = ml_workloads; *load; load++)
		if (!strcmp((*load)->name, name))
			return *load;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct ml_workload *load;
	int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	ml_page = sysconf(_SC_PAGESIZE);
	if (argc < 2) {
		ml_error("no workload given: see --help");
		return ML_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_help(NULL);
	if (!strcmp(argv[1], "--version")) {
		printf("mmlockload %s\n", MMLOCKLOAD_VERSION);
		return fflush(stdout) ? ML_FAILED : ML_DONE;
	}
	if (!strcmp(argv[1], "--list")) {
		const struct ml_workload *const *each;

		for (each = ml_workloads; *each; each++)
			puts((*each)->name);
		return fflush(stdout) ? ML_FAILED : ML_DONE;
	}
	load = find(argv[1]);
	if (!load) {
		ml_error("no workload '%s': see --list", argv[1]);
		return ML_USAGE;
	}
	ml_set_name(load->name);
	for (i = 2; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return print_help(load);
	if (ml_options_parse(load, argc - 2, argv + 2))
		return ML_USAGE;
	return ml_supervise(load);
}
