// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that maps, while others read its /proc/PID/maps, smaps or
 * smaps_rollup: what monitoring costs the one that is monitored.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "list.h"
#include "resources.h"
#include "team.h"

#define READ_BUFFER	(64 * KIB)

static uint64_t maps_size = 128 * MIB;
static uint64_t maps_readers = 1;
static uint64_t maps_pause_us;
static const char *maps_file = "maps";

static const struct ml_option maps_options[] = {
	{ "size", ML_OPT_SIZE, &maps_size, "SIZE",
	  "the area, every page an area of its own", 8 * KIB, 64 * GIB, NULL },
	{ "readers", ML_OPT_COUNT, &maps_readers, "N",
	  "processes that read", 0, 256, NULL },
	{ "file", ML_OPT_TEXT, &maps_file, "FILE",
	  "what they read", 0, 0, "maps|smaps|smaps_rollup" },
	{ "pause-us", ML_OPT_COUNT, &maps_pause_us, "US",
	  "pause of a reader between two reads", 0, 60000000, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static char *maps_area;
static pid_t maps_pid;

/* Neighbours differ in protection, so that no two areas merge. */
static int maps_prot(uint64_t page)
{
	return page & 1 ? PROT_READ : PROT_READ | PROT_WRITE;
}

static int maps_remap(uint64_t page)
{
	char *at = maps_area + page * ml_page;

	return mmap(at, ml_page, maps_prot(page),
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		    -1, 0) == MAP_FAILED ? errno : 0;
}

static void maps_mapper(struct ml_member *member)
{
	uint64_t pages = maps_size / ml_page, page = 0;

	while (ml_runs(member)) {
		uint64_t start = ml_now();
		int err = maps_remap(page);

		ml_took(member, ml_now() - start);
		if (err) {
			ml_fail(member, "mmap", err);
			return;
		}
		if (++page == pages)
			page = 0;
	}
}

static void maps_reader(struct ml_member *member)
{
	static char buffer[READ_BUFFER];
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)maps_pid, maps_file);
	while (ml_runs(member)) {
		uint64_t start = ml_now();
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t len = -1;

		if (fd >= 0) {
			while ((len = read(fd, buffer, sizeof(buffer))) > 0)
				ml_extra(member, len);
			close(fd);
		}
		if (len) {
			ml_fail(member, path, errno);
			return;
		}
		ml_took(member, ml_now() - start);
		if (maps_pause_us)
			ml_sleep_ns(maps_pause_us * NSEC_PER_USEC);
	}
}

static int maps_make(void)
{
	uint64_t pages = maps_size / ml_page, page;

	ml_progress("making areas", 0);
	maps_area = mmap(NULL, maps_size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (maps_area == MAP_FAILED) {
		ml_error("cannot map %" PRIu64 " bytes: %s", maps_size,
			 strerror(errno));
		return ML_FAILED;
	}
	for (page = 1; page < pages; page += 2) {
		if (mprotect(maps_area + page * ml_page, ml_page, maps_prot(page))) {
			ml_error("cannot split off page %" PRIu64 ": %s", page,
				 strerror(errno));
			return ML_FAILED;
		}
		if (!(page & 1023) && ml_stopped())
			return ML_FAILED;
	}
	return ML_DONE;
}

static int maps_run(void)
{
	struct ml_part parts[] = {
		{ .name = "mapper", .nr = 1, .fn = maps_mapper },
		{ .name = "reader", .nr = maps_readers, .fn = maps_reader,
		  .process = true, .background = true },
	};
	struct ml_team team = { .parts = parts, .nr_parts = 2 };
	char path[64], text[8];
	int status;

	maps_size = ml_whole_pages(maps_size);
	maps_pid = getpid();
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)maps_pid, maps_file);
	if (ml_file_read(path, text, sizeof(text))) {
		ml_error("cannot read %s: is /proc mounted, and does this kernel have it?",
			 path);
		return ML_PREMISE;
	}
	status = ml_need_memory(maps_size / ml_page * ML_AREA_COST * 2);
	if (!status)
		status = ml_need_areas(maps_size / ml_page);
	if (!status)
		status = maps_make();
	if (!status)
		status = ml_team_run(&team);
	if (status)
		return status;
	ml_note("%" PRIu64 " areas, %" PRIu64 " readers of %s, %.3f s",
		maps_size / ml_page, maps_readers, maps_file, team.seconds);
	ml_metric("map_median",
		  ml_latency_us(ml_latency_percentile(parts[0].lat, 50)), "us",
		  false);
	ml_metric("map_min", ml_latency_us(parts[0].lat->min_ns), "us", false);
	ml_metric("map_max", ml_latency_us(parts[0].lat->max_ns), "us", false);
	ml_metric("maps", parts[0].ops / team.seconds, "/s", true);
	if (maps_readers) {
		ml_metric("file_reads", parts[1].ops / team.seconds, "/s", true);
		ml_metric("file_bytes", parts[1].extra / team.seconds, "B/s", true);
	}
	return ML_DONE;
}

const struct ml_workload ml_mapsread = {
	.name = "mapsread",
	.summary = "a process remaps pages while others read its maps",
	.about =
"A process has an area in which every page is a mapping of its own, and maps\n"
"one after the other anew, timing each call. Reader processes read its maps,\n"
"smaps or smaps_rollup from start to end all the while.\n"
"Raises vm.max_map_count where needed and puts it back.\n"
"Metrics: map_median, map_min, map_max (us a call), maps (calls a second),\n"
"file_reads (whole reads a second), file_bytes (a second).",
	.options = maps_options,
	.exclusive = true,
	.run = maps_run,
};
