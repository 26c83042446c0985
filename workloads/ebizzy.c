// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records as a web server's: threads copy data into memory that they map for
 * each record and unmap after it.  Mapping and unmapping of one thread stand
 * in the way of all others' page faults, although their ranges are disjoint.
 */

#include <errno.h>
#include <sys/mman.h>

#include "list.h"
#include "team.h"

static uint64_t ebizzy_threads;
static uint64_t ebizzy_chunks = 10;
static uint64_t ebizzy_chunk_size = 512 * KIB;

static const struct ml_option ebizzy_options[] = {
	{ "threads", ML_OPT_COUNT, &ebizzy_threads, "N",
	  "threads; 0: as many as CPUs", 0, 1000, NULL },
	{ "chunks", ML_OPT_COUNT, &ebizzy_chunks, "N",
	  "chunks to choose from", 1, 100000, NULL },
	{ "chunk-size", ML_OPT_SIZE, &ebizzy_chunk_size, "SIZE",
	  "size of a chunk", 4 * KIB, 1 * GIB, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static char *ebizzy_data;

static void ebizzy_thread(struct ml_member *member)
{
	uint64_t state = member->index, offset;

	while (ml_runs(member)) {
		const char *chunk = ebizzy_data +
			ml_random(&state) % ebizzy_chunks * ebizzy_chunk_size;
		volatile char *record = mmap(NULL, ebizzy_chunk_size,
					     PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (record == MAP_FAILED) {
			ml_fail(member, "mmap", errno);
			return;
		}
		for (offset = 0; offset < ebizzy_chunk_size; offset += ml_page)
			record[offset] = chunk[offset];
		if (munmap((void *)record, ebizzy_chunk_size)) {
			ml_fail(member, "munmap", errno);
			return;
		}
		ml_op(member);
	}
}

static int ebizzy_run(void)
{
	struct ml_part threads = { .name = "thread", .fn = ebizzy_thread };
	struct ml_team team = { .parts = &threads, .nr_parts = 1 };
	uint64_t offset;
	int status;

	threads.nr = ebizzy_threads ? ebizzy_threads : ml_cpus();
	status = ml_need_memory((ebizzy_chunks + threads.nr) * ebizzy_chunk_size);
	if (status)
		return status;
	ebizzy_data = ml_map(ebizzy_chunks * ebizzy_chunk_size,
			     PROT_READ | PROT_WRITE);
	if (!ebizzy_data)
		return ML_FAILED;
	for (offset = 0; offset < ebizzy_chunks * ebizzy_chunk_size;
	     offset += ml_page)
		ebizzy_data[offset] = 1;
	status = ml_team_run(&team);
	if (status)
		return status;
	ml_note("%u threads, %.3f s", threads.nr, team.seconds);
	ml_metric("records", threads.ops / team.seconds, "/s", true);
	return ML_DONE;
}

const struct ml_workload ml_ebizzy = {
	.name = "ebizzy",
	.summary = "threads map, fill and unmap a chunk for each record",
	.about =
"Threads loop: choose a chunk of data, map fresh memory of its size, write a\n"
"byte to each page of it, unmap it.\n"
"Metric: records (a second).",
	.options = ebizzy_options,
	.run = ebizzy_run,
};
