// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults on files that do not fit: a fault that waits for the device
 * drops its lock and comes again, and under a tight memory limit its page may
 * be gone by then.
 *
 * A fault that comes again counts as major for its task, once, when it is
 * done.  The cgroup's pgmajfault counts each time a page was not there.  So
 * what that is above the tasks' major faults had its page gone again.
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "list.h"
#include "resources.h"
#include "team.h"

#define FILEFAULT_MAX	1000
/* Stack, page tables and pages being read of a thread: the limit holds them. */
#define THREAD_COST	(128 * KIB)

static uint64_t ff_threads = 256;
static uint64_t ff_size = 1 * MIB;
static uint64_t ff_limit;
static const char *ff_order = "sequential";
static const char *ff_where = "/var/tmp";

static const struct ml_option ff_options[] = {
	{ "threads", ML_OPT_COUNT, &ff_threads, "N",
	  "threads, each with a file of its own", 1, FILEFAULT_MAX, NULL },
	{ "file-size", ML_OPT_SIZE, &ff_size, "SIZE",
	  "size of a file", 64 * KIB, 1024 * GIB, NULL },
	{ "limit", ML_OPT_SIZE, &ff_limit, "SIZE",
	  "the cgroup's memory; 0: 1/8 of all files", 0, 0, NULL },
	{ "order", ML_OPT_TEXT, &ff_order, "ORDER",
	  "how pages are read", 0, 0, "sequential|random" },
	{ "dir", ML_OPT_TEXT, &ff_where, "DIR",
	  "directory of the files, or null_blk", 0, 0, NULL },
	{ "latency-us", ML_OPT_COUNT, &ml_device_latency_us, "US",
	  "null_blk: time of a request", 1, 1000000, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static int ff_fd[FILEFAULT_MAX];
static struct ml_cgroup ff_group;
static uint64_t ff_retries, ff_misses;

static uint64_t ff_major(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_majflt;
}

static void ff_begin(void)
{
	ff_retries = ff_major();
	ff_misses = ml_cgroup_stat(&ff_group, "pgmajfault");
}

static void ff_end(void)
{
	ff_retries = ff_major() - ff_retries;
	ff_misses = ml_cgroup_stat(&ff_group, "pgmajfault") - ff_misses;
}

static void ff_member(struct ml_member *member)
{
	uint64_t pages = ff_size / ml_page, state = member->index, page, done;
	bool random = !strcmp(ff_order, "random");

	while (ml_runs(member)) {
		char *area = mmap(NULL, ff_size, PROT_READ, MAP_SHARED,
				  ff_fd[member->index], 0);

		if (area == MAP_FAILED) {
			ml_fail(member, "mmap", errno);
			return;
		}
		for (done = 0; done < pages && ml_runs(member); done++) {
			page = random ? ml_random(&state) % pages : done;
			(void)*(volatile char *)(area + page * ml_page);
			ml_extra(member, 1);
		}
		munmap(area, ff_size);
		if (done == pages)
			ml_op(member);
	}
}

/* Files are filled before the limit holds, and cold before anyone reads. */
static int ff_files(void)
{
	char dir[ML_PATH];
	unsigned int i;
	int status;

	status = ml_dir_prepare(ff_where, ff_threads * ff_size, dir);
	if (!status)
		status = ml_dir_need_cold(dir);
	if (status)
		return status;
	ml_progress("filling files", 0);
	for (i = 0; i < ff_threads; i++) {
		ff_fd[i] = ml_file_make(dir, ff_size);
		if (ff_fd[i] < 0)
			return ML_FAILED;
		if (ml_file_chill(ff_fd[i], ff_size) < 0) {
			ml_error("cannot write a file in %s back: %s", dir,
				 "its pages stay in memory");
			return ML_FAILED;
		}
	}
	return ML_DONE;
}

static int ff_run(void)
{
	struct ml_part threads = {
		.name = "thread", .nr = ff_threads, .fn = ff_member,
	};
	struct ml_team team = {
		.parts = &threads, .nr_parts = 1,
		.begin = ff_begin, .end = ff_end,
	};
	uint64_t gone;
	int status;

	ff_size = ml_whole_pages(ff_size);
	if (!ff_limit)
		ff_limit = ff_threads * ff_size / 8;
	if (ff_limit < ff_threads * THREAD_COST) {
		ml_error("a limit of %" PRIu64 " KiB is too little for %" PRIu64
			 " threads: at least %" PRIu64 " KiB a thread",
			 ff_limit / KIB, ff_threads, THREAD_COST / KIB);
		return ML_PREMISE;
	}
	status = ml_cgroup_make(&ff_group, "filefault", ff_limit, true);
	if (!status)
		status = ff_files();
	if (!status)
		status = ml_cgroup_enter(&ff_group);
	if (!status)
		status = ml_team_run(&team);
	if (status)
		return status;
	if (!ff_misses || !ff_retries) {
		ml_error("no fault had to wait for a device: is the limit (%" PRIu64
			 " MiB) below the files' size?", ff_limit / MIB);
		return ML_FAILED;
	}
	gone = ff_misses > ff_retries ? ff_misses - ff_retries : 0;
	ml_note("%" PRIu64 " retries, %" PRIu64 " had their page gone again, "
		"%" PRIu64 " MiB of files in %" PRIu64 " MiB, %.1f s", ff_retries,
		gone, ff_threads * ff_size / MIB, ff_limit / MIB, team.seconds);
	/* From pages, so that a round in progress at either end counts in part. */
	ml_metric("rounds", (double)threads.extra / (ff_size / ml_page) /
		  team.seconds, "/s", true);
	ml_metric("retries", ff_retries / team.seconds, "/s", false);
	ml_metric("gone_again", 100.0 * gone / ff_retries, "%", false);
	return ML_DONE;
}

const struct ml_workload ml_filefault = {
	.name = "filefault",
	.summary = "faults on files inside a memory limit",
	.about =
"Threads loop, each over its own file: map it shared and read-only, read a byte\n"
"a page, unmap. A memory cgroup holds an eighth of the files, so pages come from\n"
"the device each time. The directory must be on one: a tmpfs is refused;\n"
"null_blk makes a device in memory with an ext4 file system for the run.\n"
"Metrics: rounds (files read through, a second), retries (faults that came\n"
"again, a second), gone_again (per cent of them whose page had gone meanwhile,\n"
"at least).",
	.options = ff_options,
	.exclusive = true,
	.run = ff_run,
};
