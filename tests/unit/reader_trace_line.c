// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of traces printed as text, of every printer and of nobody.
 */
#include "reader.h"

#include <stdio.h>

#include "source/trace_line.h"

static const char fields[] = " mm=0xff27 memcg_path=/a b write=true success=";

static struct trace_line parse(const char *text)
{
	struct trace_line line;

	trace_line_parse(text, &line);
	return line;
}

static void takes(const char *text, uint64_t ns, int32_t tid, int32_t cpu,
		  enum trace_what what, enum mls_mode mode,
		  enum trace_level level)
{
	struct trace_line line = parse(text);

	if (line.kind != TRACE_LINE_EVENT)
		fail_msg("kind %d: %s", line.kind, text);
	assert_int_equal(line.event.ns, ns);
	assert_int_equal(line.event.tid, tid);
	assert_int_equal(line.event.cpu, cpu);
	assert_int_equal(line.event.what, what);
	assert_int_equal(line.event.mode, mode);
	assert_int_equal(line.event.level, level);
}

static void printers(void **state)
{
	(void)state;
	takes("  trace-cmd-1840    [006] ...1   194.576805: mmap_lock_start_locking: mm=000000006515cb1f memcg_path=/user.slice write=false\n",
	      194576805000, 1840, 6, TRACE_START, MLS_READ, TRACE_TASK);
	takes("  stress-ng-126   [000]     3.836441: mmap_lock_released:   mm=0xff272a5a42593800 memcg_id=1 write=true",
	      3836441000, 126, 0, TRACE_RELEASED, MLS_WRITE, TRACE_TASK);
	takes("  b-7 (    7) [003] d..1. 1.000000001: mmap_lock_acquire_returned: mm=1 write=true success=false",
	      1000000001, 7, 3, TRACE_FAILED, MLS_WRITE, TRACE_IRQS_OFF);
	takes("  b-7 (-------) [003] ..s1. 1.5: mmap_lock_acquire_returned: mm=1 write=false success=true",
	      1500000000, 7, 3, TRACE_ACQUIRED, MLS_READ, TRACE_SOFTIRQ);
	takes("foo: <idle>-0   1d.h1. 13602.372984: mmap_lock_released: mm=0x1 memcg_id=1 write=false",
	      13602372984000, 0, 1, TRACE_RELEASED, MLS_READ,
	      TRACE_HARDIRQ);
	takes("worker 13383/13384 [000] 13999.854608287:    mmap_lock:mmap_lock_start_locking: mm=0x1 memcg_path= write=1",
	      13999854608287, 13384, 0, TRACE_START, MLS_WRITE, TRACE_TASK);
	takes("my worker 77 [001] 1.000001:          1 mmap_lock:mmap_lock_released: mm=0x1 memcg_path= write=0",
	      1000001000, 77, 1, TRACE_RELEASED, MLS_READ, TRACE_TASK);
	takes("worker 77 1.000001: mmap_lock:mmap_lock_released: mm=0x1 memcg_path= write=0",
	      1000001000, 77, TRACE_NO_CPU, TRACE_RELEASED, MLS_READ,
	      TRACE_TASK);
}

/* Names and paths may hold what looks like the rest of a line. */
static void hostile_names(void **state)
{
	char text[400];

	(void)state;
	takes("  a [9] 1.0: x-2-33 [001] .... 2.000000: mmap_lock_released: mm=1 memcg_path=/mm=2 write=false write=true",
	      2000000000, 33, 1, TRACE_RELEASED, MLS_WRITE, TRACE_TASK);
	snprintf(text, sizeof(text),
		 "  : mmap_lock_-44 [001] .... 2.000000: mmap_lock_acquire_returned:%strue",
		 fields);
	takes(text, 2000000000, 44, 1, TRACE_ACQUIRED, MLS_WRITE, TRACE_TASK);
}

static void interrupts(void **state)
{
	struct trace_line line;

	(void)state;
	line = parse("  b-7 [003] d.s1. 1.0: mmap_lock_released: mm=1 write=true");
	assert_int_equal(line.event.level, TRACE_IRQS_OFF);
	assert_true(line.event.softirq);
	line = parse("  b-7 [003] d.Z1. 1.0: mmap_lock_released: mm=1 write=true");
	assert_int_equal(line.event.level, TRACE_IRQS_OFF);
	assert_false(line.event.softirq);
	line = parse("  b-7 [003] D.H1. 1.0: mmap_lock_released: mm=1 write=true");
	assert_int_equal(line.event.level, TRACE_HARDIRQ);
}

static void is(const char *text, enum trace_line_kind kind)
{
	if (parse(text).kind != kind)
		fail_msg("kind %d, not %d: %s", parse(text).kind, kind, text);
}

static void not_events(void **state)
{
	(void)state;
	is("", TRACE_LINE_OTHER);
	is("mmap_lock_released:", TRACE_LINE_OTHER);
	is("  t-1 [6] .... 1.0: __mmap_lock_do_trace_released <-do_user_addr_fault",
	   TRACE_LINE_OTHER);
	is("\tffffffff815dc08b mmap_lock_released+0x4b ([kernel.kallsyms])",
	   TRACE_LINE_OTHER);
	is("  t-1 [6] .... 1.0: sched_switch: mmap_lock_release: mm=1 write=true",
	   TRACE_LINE_OTHER);
}

static void bad_events(void **state)
{
	static const char * const bad[] = {
		" mmap_lock_released: mm=1 write=true",
		"  7 [003] .... 1.0: mmap_lock_released: mm=1 write=true",
		"  b-7 003 .... 1.0: mmap_lock_released: mm=1 write=true",
		"  b-7 [0x3] .... 1.0: mmap_lock_released: mm=1 write=true",
		"  b-7 [003] .... 1.0 mmap_lock_released: mm=1 write=true",
		"  b-7 [003] .... 1.: mmap_lock_released: mm=1 write=",
		"  b-7 [003] .... .5: mmap_lock_released: mm=1 write=true",
		"  b-7 [003] .... 1.0000000000: mmap_lock_released: mm=1 write=true",
		"  b-7 [003] .... 9999999999.0: mmap_lock_released: mm=1 write=true",
		"  b-7 [003] .... 1.0: mmap_lock_released: mm=1 write=tr",
		"  b-7 [003] .... 1.0: mmap_lock_released: mm=1 write=true!",
		"  b-7 [003] .... 1.0: mmap_lock_released: mm=1",
		"  b-7 [003] .... 1.0: mmap_lock_released: mm= write=true",
		"  b-7 [003] .... 1.0: mmap_lock_released: write=true",
		"  b-7 [003] .... 1.0: mmap_lock_released: mm=1 write=true x",
		"  b-7 [003] .... 1.0: mmap_lock_acquire_returned: mm=1 write=true",
		"  b-7 [003] .... 1.0: mmap_lock_acquire_returned: mm=1 write=true success=2",
		"  b-99999999999 [003] .... 1.0: mmap_lock_released: mm=1 write=true",
		"  b--x [003] .... 1.0: mmap_lock_released: mm=1 write=true",
		"w 1/x/2 [001] 1.0: mmap_lock:mmap_lock_released: mm=1 write=true",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is(bad[i], TRACE_LINE_BAD);
	is("  b-7 [003] .... 1234: mmap_lock_released: mm=1 write=true",
	   TRACE_LINE_NO_TIME);
}

static void losses(void **state)
{
	struct trace_line line;

	(void)state;
	line = parse("CPU:12 [LOST 345 EVENTS]\n");
	assert_int_equal(line.kind, TRACE_LINE_LOST);
	assert_int_equal(line.event.cpu, 12);
	assert_int_equal(line.count, 345);
	line = parse("foo: CPU:1 [4181 EVENTS DROPPED]");
	assert_int_equal(line.kind, TRACE_LINE_LOST);
	assert_int_equal(line.event.cpu, 1);
	assert_int_equal(line.count, 4181);
	line = parse("CPU:0 [EVENTS DROPPED]");
	assert_int_equal(line.kind, TRACE_LINE_LOST);
	assert_int_equal(line.count, 0);
	line = parse("CPU:0 [LOST EVENTS]");
	assert_int_equal(line.kind, TRACE_LINE_LOST);
	line = parse("swapper 0 [003] 1.000000: PERF_RECORD_LOST lost 12");
	assert_int_equal(line.kind, TRACE_LINE_LOST);
	assert_int_equal(line.event.cpu, 3);
	assert_int_equal(line.count, 12);
	line = parse("# entries-in-buffer/entries-written: 304/5163   #P:2");
	assert_int_equal(line.kind, TRACE_LINE_ENTRIES);
	assert_int_equal(line.count, 304);
	assert_int_equal(line.written, 5163);
	line = parse("##### CPU 1 buffer started ####");
	assert_int_equal(line.kind, TRACE_LINE_BUFFER);
	is("CPU:-1 [LOST 1 EVENTS]", TRACE_LINE_OTHER);
	is("CPU:1 [LOST]", TRACE_LINE_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printers),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(interrupts),
		cmocka_unit_test(not_events),
		cmocka_unit_test(bad_events),
		cmocka_unit_test(losses),
	};

	return cmocka_run_group_tests_name("reader: lines of traces", tests,
					   NULL, NULL);
}
