// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three loops of the plainest kind, by threads of one process or by processes:
 * faults (map, write each page, unmap), mmapchurn (map and unmap, no page
 * touched), brk (the heap up and down a page).
 */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "list.h"
#include "resources.h"
#include "team.h"

static uint64_t churn_threads;
static uint64_t churn_size = 128 * MIB;
static bool churn_processes;
static const char *churn_kind = "anon";
static const char *churn_dir = "/tmp";
static char churn_path[ML_PATH];

#define CHURN_COMMON \
	{ "threads", ML_OPT_COUNT, &churn_threads, "N", \
	  "threads or processes; 0: as many as CPUs", 0, 1000, NULL }, \
	{ "processes", ML_OPT_FLAG, &churn_processes, NULL, \
	  "processes instead of threads", 0, 0, NULL }

static const struct ml_option faults_options[] = {
	CHURN_COMMON,
	{ "size", ML_OPT_SIZE, &churn_size, "SIZE",
	  "what each of them maps", 4 * KIB, 1024 * GIB, NULL },
	{ "kind", ML_OPT_TEXT, &churn_kind, "KIND",
	  "anonymous, or a file mapped so", 0, 0, "anon|private|shared" },
	{ "dir", ML_OPT_TEXT, &churn_dir, "DIR",
	  "directory of the files", 0, 0, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static const struct ml_option mmapchurn_options[] = {
	CHURN_COMMON,
	{ "size", ML_OPT_SIZE, &churn_size, "SIZE",
	  "what each of them maps", 4 * KIB, 1024 * GIB, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static const struct ml_option brk_options[] = {
	CHURN_COMMON,
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static void churn_faults(struct ml_member *member)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS, fd = -1;
	uint64_t offset;

	if (strcmp(churn_kind, "anon")) {
		flags = strcmp(churn_kind, "shared") ? MAP_PRIVATE : MAP_SHARED;
		fd = ml_file_make(churn_path, churn_size);
		if (fd < 0) {
			ml_fail(member, "making its file", ENOSPC);
			return;
		}
	}
	while (ml_runs(member)) {
		char *area = mmap(NULL, churn_size, PROT_READ | PROT_WRITE,
				  flags, fd, 0);

		if (area == MAP_FAILED) {
			ml_fail(member, "mmap", errno);
			break;
		}
		madvise(area, churn_size, MADV_NOHUGEPAGE);
		for (offset = 0; offset < churn_size && ml_runs(member);
		     offset += ml_page) {
			*(volatile char *)(area + offset) = 1;
			ml_op(member);
		}
		munmap(area, churn_size);
	}
	if (fd >= 0)
		close(fd);
}

static void churn_mmap(struct ml_member *member)
{
	while (ml_runs(member)) {
		void *area = mmap(NULL, churn_size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				  -1, 0);

		if (area == MAP_FAILED || munmap(area, churn_size)) {
			ml_fail(member, "mmap and munmap", errno);
			return;
		}
		ml_op(member);
	}
}

/*
 * The system call itself: the C library's brk() keeps the end in a variable
 * that threads would race for. Threads share the heap, and the page above
 * its end belongs to nobody, so it does not matter who moves it.
 */
static void churn_brk(struct ml_member *member)
{
	unsigned long base = syscall(SYS_brk, 0UL);

	while (ml_runs(member)) {
		if ((unsigned long)syscall(SYS_brk, base + ml_page) <
		    base + ml_page) {
			ml_fail(member, "brk", ENOMEM);
			return;
		}
		syscall(SYS_brk, base);
		ml_op(member);
	}
}

static int churn_run(void (*fn)(struct ml_member *), const char *metric)
{
	struct ml_part members = {
		.name = churn_processes ? "process" : "thread",
		.process = churn_processes,
		.fn = fn,
	};
	struct ml_team team = { .parts = &members, .nr_parts = 1 };
	int status;

	members.nr = churn_threads ? churn_threads : ml_cpus();
	churn_size = ml_whole_pages(churn_size);
	if (fn == churn_faults) {
		bool files = strcmp(churn_kind, "anon");

		/* A private copy needs memory beside the file's own pages. */
		status = ml_need_memory(churn_size * members.nr *
					(strcmp(churn_kind, "private") ? 1 : 2));
		if (!status && files)
			status = ml_dir_prepare(churn_dir, churn_size * members.nr,
						churn_path);
		if (status)
			return status;
	}
	status = ml_team_run(&team);
	if (status)
		return status;
	ml_note("%u %s, %.3f s", members.nr,
		churn_processes ? "processes" : "threads", team.seconds);
	ml_metric(metric, members.ops / team.seconds, "/s", true);
	return ML_DONE;
}

static int faults_run(void)
{
	return churn_run(churn_faults, "faults");
}

static int mmapchurn_run(void)
{
	return churn_run(churn_mmap, "maps");
}

static int brk_run(void)
{
	return churn_run(churn_brk, "brks");
}

const struct ml_workload ml_faults = {
	.name = "faults",
	.summary = "map memory or a file, write each page, unmap",
	.about =
"Each thread or process loops: map SIZE, write a byte to each page, unmap. The\n"
"mapping is anonymous, or of a file of its own, private or shared. Huge pages\n"
"are not used.\n"
"Metric: faults (pages written a second).",
	.options = faults_options,
	.run = faults_run,
};

const struct ml_workload ml_mmapchurn = {
	.name = "mmapchurn",
	.summary = "map and unmap without touching",
	.about =
"Each thread or process loops: map SIZE, unmap it. No page is touched.\n"
"Metric: maps (pairs a second).",
	.options = mmapchurn_options,
	.run = mmapchurn_run,
};

const struct ml_workload ml_brk = {
	.name = "brk",
	.summary = "the heap up and down a page",
	.about =
"Each thread or process loops: brk up a page, brk down a page.\n"
"Metric: brks (pairs a second).",
	.options = brk_options,
	.run = brk_run,
};
