// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a recording says of the machine, from a made-up /proc and /sys.
 */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/host.h"

static char root[40];

/* A file below the root, its directories made. */
static void put(const char *path, const char *text)
{
	char full[300], *at;
	FILE *out;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (at = full + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(full, 0700);
		*at = '/';
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/tmp/reader_host.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

#define THP "sys/kernel/mm/transparent_hugepage/"

static void settings(void **state)
{
	struct host host = { 0 };
	struct recording rec = { 0 };
	struct err err;

	(void)state;
	put(THP "enabled", "always [madvise] never\n");
	put(THP "khugepaged/pages_to_scan", "4096\n");
	put("sys/kernel/debug/fault_around_bytes", "65536\n");
	put("proc/cmdline", "ro quiet isolcpus=[1]  ");
	put("proc/meminfo", "MemTotal:       4026532 kB\nMemFree: 1 kB\n");
	put("proc/swaps", "Filename Type Size Used Priority\n"
	    "/dev/vda partition 1048572 0 -2\n/dev/zram0 partition 1000 0 5\n");
	put("sys/block/zram0/disksize", "1073741824\n");
	put("sys/block/zram0/comp_algorithm", "lzo [zstd] lz4\n");
	put("sys/block/zram1/disksize", "0\n");
	put("sys/devices/system/clocksource/clocksource0/current_clocksource",
	    "tsc\n");
	assert_int_equal(host_read(root, &host, &err), 0);
	assert_string_equal(pairs_get(&host.settings, "transparent_hugepage"),
			    "madvise");
	assert_string_equal(pairs_get(&host.settings, "khugepaged_pages_to_scan"),
			    "4096");
	assert_string_equal(pairs_get(&host.settings, "fault_around_bytes"),
			    "65536");
	assert_string_equal(pairs_get(&host.settings, "cmdline"),
			    "ro quiet isolcpus=[1]");
	assert_string_equal(pairs_get(&host.settings, "swap"),
			    "/dev/vda 1048572 KiB, /dev/zram0 1000 KiB");
	assert_string_equal(pairs_get(&host.settings, "zram"),
			    "1073741824 zstd");
	assert_string_equal(pairs_get(&host.settings, "clock"), "tsc");
	assert_null(pairs_get(&host.settings, "swappiness"));
	assert_true(host.memory_kib == 4026532 && host.cpus > 0);
	/* Read again, it is replaced, not added to. */
	put("proc/swaps", "Filename Type Size Used Priority\n");
	assert_int_equal(host_read(root, &host, &err), 0);
	assert_string_equal(pairs_get(&host.settings, "swap"), "none");
	rec.host = host;
	recording_free(&rec);
}

static void vmstat(void **state)
{
	struct counters a = { 0 }, b = { 0 }, d = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(vmstat_read("/nonexistent", &a, &err), -ENOENT);
	assert_says(err, "/nonexistent/proc/vmstat");
	put("proc/vmstat", "nr_free_pages 100\npgfault 5\nnr_dirtied 7\nold 1\n");
	assert_int_equal(vmstat_read(root, &a, &err), 0);
	put("proc/vmstat", "nr_free_pages 90\npgfault 12\nnr_dirtied 9\nnew 1\n");
	assert_int_equal(vmstat_read(root, &b, &err), 0);
	assert_int_equal(vmstat_delta(&a, &b, &d), 0);
	/* Of gauges and of rows that came or went there is no difference. */
	assert_int_equal(d.nr, 2);
	assert_int_equal(counters_get(&d, "pgfault"), 7);
	assert_int_equal(counters_get(&d, "nr_dirtied"), 2);
	counters_free(&a);
	counters_free(&b);
	counters_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings),
		cmocka_unit_test(vmstat),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
