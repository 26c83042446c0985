// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: any bytes as a trace printed as text, and as the head of a
 * trace-cmd file (what of it is read without libtracecmd). Of what is taken, the
 * equations close and a recording's run can be made.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/trace_run.h"
#include "source/trace_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

static uint64_t both(const uint64_t *value)
{
	return value[MLS_READ] + value[MLS_WRITE];
}

static void closes(const struct trace_totals *t)
{
	must(both(t->events[TRACE_START]) + both(t->orphan_acquire) ==
	     both(t->acquired) + both(t->events[TRACE_FAILED]) +
	     both(t->open_wait) + both(t->stale_wait));
	must(both(t->acquired) + both(t->orphan_release) ==
	     both(t->events[TRACE_RELEASED]) + both(t->open_hold) +
	     both(t->stale_hold));
	must(both(t->events[TRACE_ACQUIRED]) ==
	     both(t->acquired) + t->downgraded);
}

static void as_text(const uint8_t *data, size_t size)
{
	static struct trace_result result;
	struct trace_pair pair = { .totals = &result.totals };
	size_t head = size < 100 ? size : 100;
	struct err err = { "" };
	struct trace_text text;
	struct run run = { 0 };
	char buf[400];
	FILE *in;
	int rc;

	memset(&result, 0, sizeof(result));
	in = fmemopen((void *)(data + head), size - head, "r");
	if (!in)
		in = fopen("/dev/null", "r");
	must(!!in);
	rc = trace_text_read(in, (const char *)data, head, "input", &pair,
			     &text, &err);
	fclose(in);
	must(!trace_pair_finish(&pair));
	must(!rc || err.text[0]);
	closes(&result.totals);
	result.source = text.printer;
	result.clock = "as printed";
	must(!trace_run(&result, &run, &err));
	must(!counters_get(&run.health, "unexplained_wait"));
	must(!counters_get(&run.health, "unexplained_hold"));
	trace_complaints(&result, buf, sizeof(buf));
	must(strlen(buf) < sizeof(buf));
	run_free(&run);
}

static void as_file(const uint8_t *data, size_t size)
{
	static struct trace_datopt opt;
	struct err err = { "" };
	char path[40];
	int fd = memfd_create("fuzz", 0);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (trace_datopt_read(path, "foo", &opt, &err))
		must(err.text[0] != '\0');
	else
		trace_datopt_check_clock(path, &opt, &err);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= TRACE_DAT_MAGIC_LEN &&
	    !memcmp(data, TRACE_DAT_MAGIC, TRACE_DAT_MAGIC_LEN))
		as_file(data, size);
	else
		as_text(data, size);
	return 0;
}
