// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread with a deadline, in a process that is busy otherwise: every few
 * milliseconds it maps, protects, advises and unmaps a little memory, and must
 * be done before the next frame.  Beside it threads fault on cold files, the
 * process forks and executes, and another reads its smaps_rollup.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "list.h"
#include "resources.h"
#include "team.h"

#define FRAME_SIZE	(64 * KIB)
#define FRAME_FAULTERS	64

static uint64_t frames_period_us = 5000;
static uint64_t frames_budget_us = 16600;
static uint64_t frames_faulters = 2;
static uint64_t frames_file = 16 * MIB;
static uint64_t frames_memory = 128 * MIB;
static uint64_t frames_forks_ms = 1000;
static uint64_t frames_readers = 1;
static uint64_t frames_read_ms = 20;
static uint64_t frames_priority = 10;
static const char *frames_where = "/var/tmp";

static const struct ml_option frames_options[] = {
	{ "period-us", ML_OPT_COUNT, &frames_period_us, "US",
	  "time from frame to frame", 100, 10000000, NULL },
	{ "budget-us", ML_OPT_COUNT, &frames_budget_us, "US",
	  "an interval longer than this is a miss", 1, 100000000, NULL },
	{ "priority", ML_OPT_COUNT, &frames_priority, "N",
	  "the nice value of the frame thread is -N", 0, 20, NULL },
	{ "faulters", ML_OPT_COUNT, &frames_faulters, "N",
	  "threads that fault on a cold file", 0, FRAME_FAULTERS, NULL },
	{ "file-size", ML_OPT_SIZE, &frames_file, "SIZE",
	  "size of each file", 64 * KIB, 1024 * GIB, NULL },
	{ "dir", ML_OPT_TEXT, &frames_where, "DIR",
	  "directory of the files, or null_blk", 0, 0, NULL },
	{ "latency-us", ML_OPT_COUNT, &ml_device_latency_us, "US",
	  "null_blk: time of a request", 1, 1000000, NULL },
	{ "memory", ML_OPT_SIZE, &frames_memory, "SIZE",
	  "memory of the process, filled", 0, 1024 * GIB, NULL },
	{ "fork-ms", ML_OPT_COUNT, &frames_forks_ms, "MS",
	  "a fork and exec so often; 0: none", 0, 600000, NULL },
	{ "readers", ML_OPT_COUNT, &frames_readers, "N",
	  "processes that read smaps_rollup", 0, 64, NULL },
	{ "read-ms", ML_OPT_COUNT, &frames_read_ms, "MS",
	  "pause of a reader", 0, 600000, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static int frames_fd[FRAME_FAULTERS];
static char frames_rollup[64];

/* What one frame does. Returns 0 or a positive errno. */
static int frames_draw(void)
{
	char *area = mmap(NULL, FRAME_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return errno;
	*(volatile char *)area = 1;
	if (mprotect(area, FRAME_SIZE, PROT_READ) ||
	    madvise(area, FRAME_SIZE, MADV_DONTNEED) ||
	    munmap(area, FRAME_SIZE))
		return errno;
	return 0;
}

static void frames_ui(struct ml_member *member)
{
	uint64_t period = frames_period_us * NSEC_PER_USEC;
	uint64_t next = ml_now(), last = 0;

	if (setpriority(PRIO_PROCESS, syscall(SYS_gettid), -(int)frames_priority)) {
		ml_fail(member, "raising its priority", errno);
		return;
	}
	while (ml_runs(member)) {
		uint64_t now = ml_now();
		int err;

		if (now < next)
			ml_sleep_ns(next - now);
		else if (now > next + period)
			next = now;	/* frames missed are not made up for */
		next += period;
		err = frames_draw();
		if (err) {
			ml_fail(member, "drawing", err);
			return;
		}
		now = ml_now();
		if (last)
			ml_took(member, now - last);
		last = now;
	}
}

static void frames_faulter(struct ml_member *member)
{
	int fd = frames_fd[member->index];
	uint64_t offset;

	while (ml_runs(member)) {
		char *area = mmap(NULL, frames_file, PROT_READ, MAP_SHARED, fd, 0);

		if (area == MAP_FAILED) {
			ml_fail(member, "mmap", errno);
			return;
		}
		for (offset = 0; offset < frames_file && ml_runs(member);
		     offset += ml_page) {
			(void)*(volatile char *)(area + offset);
			ml_op(member);
		}
		munmap(area, frames_file);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	}
}

/* Sleeps in short steps, so that the end of the run is not waited for. */
static void frames_pause(const struct ml_member *member, uint64_t ms)
{
	uint64_t until = ml_now() + ms * NSEC_PER_MSEC;

	while (ml_runs(member) && ml_now() < until) {
		uint64_t left = until - ml_now();

		ml_sleep_ns(left < 50 * NSEC_PER_MSEC ? left : 50 * NSEC_PER_MSEC);
	}
}

static void frames_forker(struct ml_member *member)
{
	while (ml_runs(member)) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(127);
		}
		if (pid < 0) {
			ml_fail(member, "fork", errno);
			return;
		}
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (!WIFEXITED(status) || WEXITSTATUS(status)) {
			ml_fail(member, "executing /bin/true", ENOENT);
			return;
		}
		ml_op(member);
		frames_pause(member, frames_forks_ms);
	}
}

static void frames_reader(struct ml_member *member)
{
	char text[4096];

	while (ml_runs(member)) {
		int err = ml_file_read(frames_rollup, text, sizeof(text));

		if (err) {
			ml_fail(member, frames_rollup, -err);
			return;
		}
		ml_op(member);
		frames_pause(member, frames_read_ms);
	}
}

static int frames_files(void)
{
	char dir[ML_PATH];
	unsigned int i;
	int status;

	if (!frames_faulters)
		return ML_DONE;
	status = ml_dir_prepare(frames_where, frames_faulters * frames_file, dir);
	if (!status)
		status = ml_dir_need_cold(dir);
	if (status)
		return status;
	ml_progress("filling files", 0);
	for (i = 0; i < frames_faulters; i++) {
		frames_fd[i] = ml_file_make(dir, frames_file);
		if (frames_fd[i] < 0 || ml_file_chill(frames_fd[i], frames_file) < 0)
			return ML_FAILED;
	}
	return ML_DONE;
}

static int frames_prepare(void)
{
	uint64_t offset;
	char text[64];
	char *area;

	/* May this process raise a priority? It is set back at once. */
	if (setpriority(PRIO_PROCESS, 0, -(int)frames_priority)) {
		ml_error("may not raise a thread's priority: %s: run as root or use --priority 0",
			 strerror(errno));
		return ML_PREMISE;
	}
	setpriority(PRIO_PROCESS, 0, 0);
	snprintf(frames_rollup, sizeof(frames_rollup), "/proc/%d/smaps_rollup",
		 (int)getpid());
	if (frames_readers && ml_file_read(frames_rollup, text, sizeof(text))) {
		ml_error("cannot read %s: use --readers 0", frames_rollup);
		return ML_PREMISE;
	}
	if (ml_need_memory(frames_memory + frames_faulters * frames_file))
		return ML_PREMISE;
	if (!frames_memory)
		return ML_DONE;
	ml_progress("filling memory", 0);
	area = ml_map(frames_memory, PROT_READ | PROT_WRITE);
	if (!area)
		return ML_FAILED;
	for (offset = 0; offset < frames_memory && !ml_stopped(); offset += ml_page)
		*(volatile char *)(area + offset) = 1;
	return ml_stopped() ? ML_FAILED : ML_DONE;
}

static int frames_run(void)
{
	struct ml_part parts[] = {
		{ .name = "frame thread", .nr = 1, .fn = frames_ui,
		  .limit_ns = frames_budget_us * NSEC_PER_USEC },
		{ .name = "faulter", .nr = frames_faulters, .fn = frames_faulter,
		  .background = true },
		{ .name = "forker", .nr = frames_forks_ms ? 1 : 0,
		  .fn = frames_forker, .background = true },
		{ .name = "reader", .nr = frames_readers, .fn = frames_reader,
		  .process = true, .background = true },
	};
	struct ml_team team = { .parts = parts, .nr_parts = 4 };
	const struct ml_latency *lat;
	int status;

	frames_file = ml_whole_pages(frames_file);
	status = frames_prepare();
	if (!status)
		status = frames_files();
	if (!status)
		status = ml_team_run(&team);
	if (status)
		return status;
	lat = parts[0].lat;
	if (!lat->count) {
		ml_error("no frame ended while measuring: measure longer (--seconds)");
		return ML_FAILED;
	}
	ml_note("%" PRIu64 " frames, %" PRIu64 " intervals over %.1f ms; %" PRIu64
		" pages of files read, %" PRIu64 " forks, %" PRIu64
		" smaps_rollup reads, %.1f s", lat->count, lat->over,
		frames_budget_us / 1000.0, parts[1].ops, parts[2].ops,
		parts[3].ops, team.seconds);
	ml_metric("missed", lat->over / team.seconds, "/s", false);
	ml_metric("missed_share", 100.0 * lat->over / lat->count, "%", false);
	ml_metric("interval_p99", ml_latency_us(ml_latency_percentile(lat, 99)),
		  "us", false);
	ml_metric("interval_max", ml_latency_us(lat->max_ns), "us", false);
	return ML_DONE;
}

const struct ml_workload ml_frames = {
	.name = "frames",
	.summary = "a thread with a frame budget in a busy process",
	.about =
"A thread of higher priority maps, touches, protects, advises and unmaps 64 KiB\n"
"every 5 ms. Others of its process fault on cold files, it forks and executes\n"
"once a second, and a process reads its smaps_rollup. The directory must be on a\n"
"device: a tmpfs is refused; null_blk makes one for the run.\n"
"Metrics: missed (intervals between two frames over the budget, a second),\n"
"missed_share (per cent), interval_p99 and interval_max (us).",
	.options = frames_options,
	.exclusive = true,
	.run = frames_run,
};
