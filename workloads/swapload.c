// SPDX-License-Identifier: GPL-2.0-only
/*
 * Swap-ins against writers of mmap_lock.
 *
 * Threads push one anonymous area out to swap again and again, others read it
 * back, a byte a page.  A read that has to wait for the device drops its lock
 * and comes again, then under mmap_lock.  Writers map, touch and unmap a page
 * each, and so take that lock for write.
 *
 * Most pages stay clean: once they have a place in swap, they are dropped and
 * read, not written.  They hold random data, for the kernel does not swap
 * pages of zeroes out but notes them.
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "list.h"
#include "resources.h"
#include "team.h"

/* Linux 5.4; not in every C library's header. */
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/* How long the first time may take. */
#define PRIME_NS	(120 * NSEC_PER_SEC)

static uint64_t swap_size = 100 * MIB;
static uint64_t swap_readers = 5;
static uint64_t swap_pageouts = 5;
static uint64_t swap_writers;
static const char *swap_where = "existing";
static bool swap_allow_zram;

static const struct ml_option swap_options[] = {
	{ "size", ML_OPT_SIZE, &swap_size, "SIZE",
	  "the area that is swapped", 1 * MIB, 1024 * GIB, NULL },
	{ "readers", ML_OPT_COUNT, &swap_readers, "N",
	  "threads that read it", 1, 256, NULL },
	{ "pageouts", ML_OPT_COUNT, &swap_pageouts, "N",
	  "threads that push it out", 1, 256, NULL },
	{ "writers", ML_OPT_COUNT, &swap_writers, "N",
	  "threads that map and unmap a page", 0, 256, NULL },
	{ "swap-on", ML_OPT_TEXT, &swap_where, "WHERE",
	  "existing swap, null_blk, or an empty block device", 0, 0, NULL },
	{ "latency-us", ML_OPT_COUNT, &ml_device_latency_us, "US",
	  "null_blk: time of a request", 1, 1000000, NULL },
	{ "allow-zram", ML_OPT_FLAG, &swap_allow_zram, NULL,
	  "existing swap may all be zram", 0, 0, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static char *swap_area;
static uint64_t swap_ins, swap_outs;

static void swap_begin(void)
{
	swap_ins = ml_vmstat("pswpin");
	swap_outs = ml_vmstat("pswpout");
}

static void swap_end(void)
{
	swap_ins = ml_vmstat("pswpin") - swap_ins;
	swap_outs = ml_vmstat("pswpout") - swap_outs;
}

static void swap_pageout(struct ml_member *member)
{
	while (ml_runs(member)) {
		if (madvise(swap_area, swap_size, MADV_PAGEOUT)) {
			ml_fail(member, "MADV_PAGEOUT", errno);
			return;
		}
		ml_op(member);
	}
}

static void swap_read(struct ml_member *member)
{
	uint64_t pages = swap_size / ml_page, page = 0;

	/* Each starts elsewhere, or all would follow the first one. */
	page = pages / swap_readers * member->index;
	while (ml_runs(member)) {
		uint64_t start = ml_now();

		(void)*(volatile char *)(swap_area + page * ml_page);
		ml_took(member, ml_now() - start);
		if (++page == pages)
			page = 0;
	}
}

static void swap_write(struct ml_member *member)
{
	while (ml_runs(member)) {
		char *page = mmap(NULL, ml_page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (page == MAP_FAILED) {
			ml_fail(member, "mmap", errno);
			return;
		}
		*(volatile char *)page = 1;
		munmap(page, ml_page);
		ml_op(member);
	}
}

static int swap_fill(void)
{
	uint64_t *word, state = 1, i;

	ml_progress("filling memory", 0);
	swap_size = ml_whole_pages(swap_size);
	swap_area = ml_map(swap_size, PROT_READ | PROT_WRITE);
	if (!swap_area)
		return ML_FAILED;
	word = (uint64_t *)swap_area;
	for (i = 0; i < swap_size / sizeof(*word); i++)
		word[i] = ml_random(&state);
	return ml_stopped() ? ML_FAILED : ML_DONE;
}

/*
 * Every page once out, so that each has its place in swap: what is measured
 * are pages that are dropped and read, not the writing of the first time.
 */
static int swap_prime(void)
{
	uint64_t start = ml_now();

	ml_progress("swapping out for the first time", 0);
	while (ml_file_field("/proc/self/status", "VmSwap", ':') <
	       swap_size / KIB / 20 * 19) {
		if (ml_stopped())
			return ML_FAILED;
		if (ml_now() - start > PRIME_NS) {
			ml_error("the area is not out after %d s: is swap too slow or memory locked?",
				 (int)(PRIME_NS / NSEC_PER_SEC));
			return ML_FAILED;
		}
		if (madvise(swap_area, swap_size, MADV_PAGEOUT)) {
			ml_error("MADV_PAGEOUT: %s", strerror(errno));
			return errno == EINVAL ? ML_PREMISE : ML_FAILED;
		}
		ml_sleep_ns(50 * NSEC_PER_MSEC);
	}
	ml_note("all out in %.1f s", (double)(ml_now() - start) / 1e9);
	return ML_DONE;
}

static int swap_run(void)
{
	struct ml_part parts[] = {
		{ .name = "reader", .nr = swap_readers, .fn = swap_read },
		{ .name = "pageout", .nr = swap_pageouts, .fn = swap_pageout,
		  .background = true },
		{ .name = "writer", .nr = swap_writers, .fn = swap_write,
		  .background = true },
	};
	struct ml_team team = {
		.parts = parts, .nr_parts = 3,
		.begin = swap_begin, .end = swap_end,
	};
	int status;

	if (ml_vmstat("pswpin") == UINT64_MAX) {
		ml_error("this kernel has no swap (no pswpin in /proc/vmstat)");
		return ML_PREMISE;
	}
	status = ml_need_memory(swap_size + 16 * MIB);
	if (!status)
		status = ml_swap_prepare(swap_where, swap_size, swap_allow_zram);
	if (!status)
		status = swap_fill();
	if (!status)
		status = swap_prime();
	if (!status)
		status = ml_team_run(&team);
	if (status)
		return status;
	if (!swap_ins) {
		ml_error("no page came back from swap while measuring: is anything else holding the memory?");
		return ML_FAILED;
	}
	ml_note("%" PRIu64 " pages in and %" PRIu64 " out, %" PRIu64
		" pageout calls in %.1f s", swap_ins, swap_outs, parts[1].ops,
		team.seconds);
	ml_metric("swap_ins", swap_ins / team.seconds, "/s", true);
	ml_metric("page_reads", parts[0].ops / team.seconds, "/s", true);
	ml_metric("read_p99", ml_latency_us(ml_latency_percentile(parts[0].lat, 99)),
		  "us", false);
	ml_metric("read_max", ml_latency_us(parts[0].lat->max_ns), "us", false);
	if (swap_writers)
		ml_metric("writes", parts[2].ops / team.seconds, "/s", true);
	return ML_DONE;
}

const struct ml_workload ml_swap = {
	.name = "swap",
	.summary = "swap-ins against threads that map and unmap",
	.about =
"Threads push one anonymous area out with MADV_PAGEOUT, others read a byte of\n"
"each of its pages, writers map, touch and unmap a page each. Swap must be on\n"
"a device that completes later, or no fault has to come again: a disk, or\n"
"null_blk, which makes such a device in memory for the run.\n"
"Metrics: swap_ins (pages a second, the machine's pswpin), page_reads, read_p99\n"
"and read_max (us a page), writes (of the writers, a second).",
	.options = swap_options,
	.exclusive = true,
	.run = swap_run,
};
