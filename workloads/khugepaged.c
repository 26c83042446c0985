// SPDX-License-Identifier: GPL-2.0-only
/*
 * khugepaged against a process with very many small areas.
 *
 * khugepaged walks all areas of a process under its mmap_lock, held for read.
 * Areas that no huge page fits into are skipped, which takes next to no time
 * each, but nothing bounds how many are skipped before the lock is dropped.
 * So there are V areas of one page here, of alternating protection so that no
 * two merge, and one area with MADV_HUGEPAGE that puts the process on
 * khugepaged's list.  That one is filled by a huge page already: there is
 * nothing to collapse, and each pass walks everything.  A victim thread
 * meanwhile times a call that takes the lock for write.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "frame.h"
#include "journal.h"
#include "list.h"
#include "resources.h"
#include "team.h"

#define THP_DIR		"/sys/kernel/mm/transparent_hugepage/"
/* How long khugepaged may take for a pass before it counts as not running. */
#define FIRST_PASS_NS	(60 * NSEC_PER_SEC)

static uint64_t khuge_vmas = 100000;
static uint64_t khuge_victims = 1;
static uint64_t khuge_scan_sleep_ms = 10;
static uint64_t khuge_interval_us = 100;
static const char *khuge_op = "mprotect";

static const struct ml_option khuge_options[] = {
	{ "vmas", ML_OPT_COUNT, &khuge_vmas, "N",
	  "areas of one page", 1, 100000000, NULL },
	{ "victims", ML_OPT_COUNT, &khuge_victims, "N",
	  "threads that time their calls", 1, 256, NULL },
	{ "op", ML_OPT_TEXT, &khuge_op, "CALL",
	  "what the victims call", 0, 0, "mprotect|mmap" },
	{ "interval-us", ML_OPT_COUNT, &khuge_interval_us, "US",
	  "pause of a victim between calls", 0, 10000000, NULL },
	{ "scan-sleep-ms", ML_OPT_COUNT, &khuge_scan_sleep_ms, "MS",
	  "khugepaged's pause between passes", 0, 3600000, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

/* Is khugepaged on for areas with MADV_HUGEPAGE? Negative: no such kernel. */
static int khuge_enabled(void)
{
	char text[64];

	if (ml_file_read(THP_DIR "enabled", text, sizeof(text)))
		return -1;
	return !strstr(text, "[never]");
}

static int khuge_settings(void)
{
	char text[32];

	if (ml_need_areas(khuge_vmas))
		return ML_PREMISE;
	snprintf(text, sizeof(text), "%" PRIu64, khuge_scan_sleep_ms);
	if (ml_setting(THP_DIR "khugepaged/scan_sleep_millisecs", text))
		return ML_PREMISE;
	return ML_DONE;
}

/* V areas: one big one, and every second page of it made readable. */
static int khuge_make_areas(void)
{
	uint64_t start = ml_now(), i;
	char *area;

	ml_progress("making areas", 0);
	area = mmap(NULL, khuge_vmas * ml_page, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED) {
		ml_error("cannot map %" PRIu64 " pages: %s", khuge_vmas,
			 strerror(errno));
		return ML_FAILED;
	}
	for (i = 1; i < khuge_vmas; i += 2) {
		if (mprotect(area + i * ml_page, ml_page, PROT_READ)) {
			ml_error("cannot split off area %" PRIu64 ": %s", i,
				 strerror(errno));
			return ML_FAILED;
		}
		if (!(i & 1023) && ml_stopped())
			return ML_FAILED;
	}
	ml_note("%" PRIu64 " areas made in %.3f s", khuge_vmas,
		(double)(ml_now() - start) / 1e9);
	return ML_DONE;
}

/* Puts the process on khugepaged's list, if khugepaged is on. */
static int khuge_register(void)
{
	uint64_t huge = ml_file_u64(THP_DIR "hpage_pmd_size");
	char *area, *aligned;

	if (huge == UINT64_MAX)
		huge = 2 * MIB;
	area = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED) {
		ml_error("cannot map a huge page's room: %s", strerror(errno));
		return ML_FAILED;
	}
	aligned = (char *)(((uintptr_t)area + huge - 1) & ~(uintptr_t)(huge - 1));
	if (madvise(aligned, huge, MADV_HUGEPAGE)) {
		ml_error("MADV_HUGEPAGE: %s", strerror(errno));
		return ML_FAILED;
	}
	/*
	 * An area that was never touched is not eligible (no anon_vma), so
	 * this fault is what puts the process on the list.  It brings a huge
	 * page where there is one; there is nothing left to collapse then.
	 */
	*(volatile char *)aligned = 1;
	return ML_DONE;
}

static uint64_t khuge_passes(void)
{
	return ml_file_u64(THP_DIR "khugepaged/full_scans");
}

/* A pass that began after we were listed is over when two have ended. */
static int khuge_await_pass(void)
{
	uint64_t start = ml_now(), first = khuge_passes();

	ml_progress("waiting for khugepaged", 0);
	while (khuge_passes() - first < 2) {
		if (ml_stopped())
			return ML_FAILED;
		if (ml_now() - start > FIRST_PASS_NS) {
			ml_error("khugepaged made no pass in %d s: is it running, and is "
				 THP_DIR "hugepages-*/enabled not never?",
				 (int)(FIRST_PASS_NS / NSEC_PER_SEC));
			return ML_PREMISE;
		}
		ml_sleep_ns(20 * NSEC_PER_MSEC);
	}
	return ML_DONE;
}

static void khuge_pause(void)
{
	if (khuge_interval_us)
		ml_sleep_ns(khuge_interval_us * NSEC_PER_USEC);
}

static void khuge_victim_mprotect(struct ml_member *member)
{
	char *area = ml_map(3 * ml_page, PROT_READ);
	bool writable = false;

	if (!area) {
		ml_fail(member, "mmap", ENOMEM);
		return;
	}
	while (ml_runs(member)) {
		uint64_t start = ml_now();

		writable = !writable;
		if (mprotect(area + ml_page, ml_page,
			     writable ? PROT_READ | PROT_WRITE : PROT_READ)) {
			ml_fail(member, "mprotect", errno);
			return;
		}
		ml_took(member, ml_now() - start);
		khuge_pause();
	}
}

static void khuge_victim_mmap(struct ml_member *member)
{
	while (ml_runs(member)) {
		uint64_t start = ml_now();
		void *area = mmap(NULL, ml_page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (area == MAP_FAILED || munmap(area, ml_page)) {
			ml_fail(member, "mmap and munmap", errno);
			return;
		}
		ml_took(member, ml_now() - start);
		khuge_pause();
	}
}

static int khuge_run(void)
{
	struct ml_part victims = {
		.name = "victim",
		.nr = khuge_victims,
		.fn = strcmp(khuge_op, "mmap") ? khuge_victim_mprotect :
		      khuge_victim_mmap,
	};
	struct ml_team team = { .parts = &victims, .nr_parts = 1 };
	int enabled = khuge_enabled();
	uint64_t passes;
	int status;

	if (enabled < 0) {
		ml_error("this kernel has no transparent huge pages, so no khugepaged");
		return ML_PREMISE;
	}
	status = ml_need_memory(khuge_vmas * ML_AREA_COST);
	if (!status)
		status = khuge_settings();
	if (!status)
		status = khuge_make_areas();
	if (!status)
		status = khuge_register();
	if (!status && enabled)
		status = khuge_await_pass();
	if (status)
		return status;
	if (!enabled)
		ml_note("transparent_hugepage/enabled is never: khugepaged is off");

	passes = khuge_passes();
	status = ml_team_run(&team);
	if (status)
		return status;
	passes = khuge_passes() - passes;
	ml_note("khugepaged made %" PRIu64 " passes in %.1f s", passes,
		team.seconds);
	if (enabled && !passes && !ml_common.rounds) {
		ml_error("khugepaged made no pass while measuring: measure longer (--seconds)");
		return ML_FAILED;
	}
	ml_metric("victim_max", ml_latency_us(victims.lat->max_ns), "us", false);
	ml_metric("victim_p99",
		  ml_latency_us(ml_latency_percentile(victims.lat, 99)), "us",
		  false);
	ml_metric("victim_ops", victims.ops / team.seconds, "/s", true);
	return ML_DONE;
}

const struct ml_workload ml_khugepaged = {
	.name = "khugepaged",
	.summary = "a thread's stalls while khugepaged walks very many areas",
	.about =
"N areas of one page, none of which khugepaged can use, and one area with\n"
"MADV_HUGEPAGE that makes it walk them all under mmap_lock. Victim threads\n"
"time a call that takes the lock for write. With transparent_hugepage/enabled\n"
"at never khugepaged is off: that is the run to compare with.\n"
"Raises vm.max_map_count and lowers khugepaged/scan_sleep_millisecs, and puts\n"
"both back.\n"
"Metrics: victim_max, victim_p99 (us a call), victim_ops (calls a second).",
	.options = khuge_options,
	.exclusive = true,
	.run = khuge_run,
};
