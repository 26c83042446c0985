// SPDX-License-Identifier: GPL-2.0-only
/*
 * One call over very much memory while other threads of the process fault:
 * bigunmap gives it back in one munmap, fork copies its page tables.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "list.h"
#include "resources.h"
#include "team.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static uint64_t large_size = 512 * MIB;
static uint64_t large_faulters = 1;
static uint64_t large_pause_ms = 100;

#define LARGE_COMMON \
	{ "size", ML_OPT_SIZE, &large_size, "SIZE", \
	  "memory that the call is about", 4 * KIB, 1024 * GIB, NULL }, \
	{ "faulters", ML_OPT_COUNT, &large_faulters, "N", \
	  "threads that fault elsewhere", 0, 256, NULL }

static const struct ml_option bigunmap_options[] = {
	LARGE_COMMON,
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static const struct ml_option fork_options[] = {
	LARGE_COMMON,
	{ "pause-ms", ML_OPT_COUNT, &large_pause_ms, "MS",
	  "pause between forks", 0, 60000, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static char *large_area;

/* A piece at a time, to see in between whether the run is over. */
static bool large_fill(char *area, const struct ml_member *member)
{
	const uint64_t piece = 16 * MIB;
	uint64_t offset, len, at;

	for (offset = 0; offset < large_size; offset += len) {
		len = large_size - offset < piece ? large_size - offset : piece;
		if (member ? !ml_runs(member) : ml_stopped())
			return false;
		/* Quicker than a fault a page; Linux 5.14. */
		if (!madvise(area + offset, len, MADV_POPULATE_WRITE))
			continue;
		for (at = offset; at < offset + len; at += ml_page)
			*(volatile char *)(area + at) = 1;
	}
	return true;
}

static void bigunmap_member(struct ml_member *member)
{
	while (ml_runs(member)) {
		char *area = ml_map(large_size, PROT_READ | PROT_WRITE);
		uint64_t start;
		bool full;

		if (!area) {
			ml_fail(member, "mmap", ENOMEM);
			return;
		}
		full = large_fill(area, member);
		start = ml_now();
		if (munmap(area, large_size)) {
			ml_fail(member, "munmap", errno);
			return;
		}
		/* Told to stop in between: not all of it was there. */
		if (full)
			ml_took(member, ml_now() - start);
	}
}

static void fork_member(struct ml_member *member)
{
	while (ml_runs(member)) {
		uint64_t start = ml_now(), took;
		pid_t pid = fork();

		took = ml_now() - start;
		if (!pid)
			_exit(0);
		if (pid < 0) {
			ml_fail(member, "fork", errno);
			return;
		}
		ml_took(member, took);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		if (large_pause_ms)
			ml_sleep_ns(large_pause_ms * NSEC_PER_MSEC);
	}
}

static int large_run(void (*fn)(struct ml_member *), const char *call)
{
	struct ml_part parts[] = {
		{ .name = call, .nr = 1, .fn = fn },
		{ .name = "faulter", .nr = large_faulters, .fn = ml_faulter,
		  .background = true },
	};
	struct ml_team team = { .parts = parts, .nr_parts = 2, .at_least = 3 };
	char name[32];
	int status;

	status = ml_team_run(&team);
	if (status)
		return status;
	ml_note("%" PRIu64 " calls over %" PRIu64 " MiB, %.3f s",
		parts[0].lat->count, large_size / MIB, team.seconds);
	strcpy(name, call);
	ml_metric(strcat(name, "_mean"),
		  ml_latency_us(parts[0].lat->sum_ns) / parts[0].lat->count, "us",
		  false);
	strcpy(name, call);
	ml_metric(strcat(name, "_max"), ml_latency_us(parts[0].lat->max_ns), "us",
		  false);
	if (large_faulters) {
		ml_metric("fault_max", ml_latency_us(parts[1].lat->max_ns), "us",
			  false);
		ml_metric("fault_p99",
			  ml_latency_us(ml_latency_percentile(parts[1].lat, 99)),
			  "us", false);
		ml_metric("faults", parts[1].ops / team.seconds, "/s", true);
	}
	return ML_DONE;
}

static int large_need(void)
{
	large_size = ml_whole_pages(large_size);
	/* Page tables, the child's too, and the faulters. */
	return ml_need_memory(large_size + large_size / 128 +
			      (large_faulters + 4) * 8 * MIB);
}

static int bigunmap_run(void)
{
	int status = large_need();

	return status ? status : large_run(bigunmap_member, "munmap");
}

static int fork_run(void)
{
	int status = large_need();

	if (status)
		return status;
	ml_progress("filling memory", 0);
	large_area = ml_map(large_size, PROT_READ | PROT_WRITE);
	if (!large_area)
		return ML_FAILED;
	if (!large_fill(large_area, NULL))
		return ML_FAILED;
	return large_run(fork_member, "fork");
}

const struct ml_workload ml_bigunmap = {
	.name = "bigunmap",
	.summary = "unmap very much memory while other threads fault",
	.about =
"A thread loops: map SIZE, write each page, unmap all of it in one call, which\n"
"is timed. Other threads take page faults in memory of their own, each timed.\n"
"The run goes on after --seconds until three calls have been timed.\n"
"Metrics: munmap_mean, munmap_max (us a call), fault_max, fault_p99 (us),\n"
"faults (a second).",
	.options = bigunmap_options,
	.run = bigunmap_run,
};

const struct ml_workload ml_fork = {
	.name = "fork",
	.summary = "fork with very much memory while other threads fault",
	.about =
"A process fills SIZE, then forks again and again; the child exits at once.\n"
"Other threads take page faults in memory that is not handed on, each timed.\n"
"Metrics: fork_mean, fork_max (us a call), fault_max, fault_p99 (us), faults\n"
"(a second).",
	.options = fork_options,
	.run = fork_run,
};
