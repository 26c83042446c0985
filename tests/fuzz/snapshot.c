// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: any bytes as a snapshot. What is refused has a reason; of
 * what is taken, the difference to itself is nothing, or its counters contradict
 * each other.
 */
#include <stdint.h>
#include <stdlib.h>

#include "source/delta.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct delta_how how = { 0 };
	struct snapshot snap = { 0 };
	struct err err = { "" };
	struct run run = { 0 };
	size_t i;

	if (snapshot_parse((const char *)data, size, &snap, &err)) {
		must(err.text[0] != '\0');
		return 0;
	}
	/* All since the load: counters may be such that gauges go astray. */
	if (!delta(NULL, &snap, &how, &run, &err))
		must(run.nr_series == snap.data.nr_series);
	run_free(&run);
	err.text[0] = '\0';
	how.is_marked = true;
	how.is_started = true;
	how.at_stop = &snap.counters;
	if (delta(&snap, &snap, &how, &run, &err))
		must(err.text[0] != '\0');
	for (i = 0; i < run.nr_series; i++)
		must(!run.series[i].count && !run.series[i].nr_buckets);
	run_free(&run);
	snapshot_free(&snap);
	return 0;
}
