// SPDX-License-Identifier: GPL-2.0-only
#include "source/host.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/slurp.h"

/* No file of settings is longer. */
#define MAX_BYTES	(1024UL * 1024)

/**
 * struct setting - a file that holds a setting
 * @name: what a recording calls it
 * @path: below the root
 */
struct setting {
	const char *name, *path;
};

static const struct setting settings[] = {
	{ "cmdline", "proc/cmdline" },
	{ "transparent_hugepage", "sys/kernel/mm/transparent_hugepage/enabled" },
	{ "thp_defrag", "sys/kernel/mm/transparent_hugepage/defrag" },
	{ "thp_shmem_enabled",
	  "sys/kernel/mm/transparent_hugepage/shmem_enabled" },
	{ "thp_use_zero_page",
	  "sys/kernel/mm/transparent_hugepage/use_zero_page" },
	{ "khugepaged_defrag",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/defrag" },
	{ "khugepaged_pages_to_scan",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan" },
	{ "khugepaged_scan_sleep_millisecs",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs" },
	{ "khugepaged_alloc_sleep_millisecs",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/alloc_sleep_millisecs" },
	{ "khugepaged_max_ptes_none",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_none" },
	{ "khugepaged_max_ptes_swap",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_swap" },
	{ "khugepaged_max_ptes_shared",
	  "sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_shared" },
	{ "fault_around_bytes", "sys/kernel/debug/fault_around_bytes" },
	{ "ksm_run", "sys/kernel/mm/ksm/run" },
	{ "lru_gen", "sys/kernel/mm/lru_gen/enabled" },
	{ "swappiness", "proc/sys/vm/swappiness" },
	{ "overcommit_memory", "proc/sys/vm/overcommit_memory" },
	{ "max_map_count", "proc/sys/vm/max_map_count" },
	{ "page-cluster", "proc/sys/vm/page-cluster" },
	{ "numa_balancing", "proc/sys/kernel/numa_balancing" },
	{ "clock",
	  "sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "cpufreq_governor",
	  "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor" },
	{ "smt", "sys/devices/system/cpu/smt/control" },
};

/* One file as one line without blanks at its ends; NULL when unreadable. */
static char *read_line(const char *root, const char *path)
{
	char *full, *text, *start, *word;
	size_t len;
	int rc;

	if (asprintf(&full, "%s/%s", root, path) < 0)
		return NULL;
	rc = slurp(full, MAX_BYTES, 0, &text, &len, NULL);
	free(full);
	if (rc)
		return NULL;
	start = text + strspn(text, " \t\n");
	len = strcspn(start, "\n");
	while (len && strchr(" \t", start[len - 1]))
		len--;
	start[len] = '\0';
	/* "always [madvise] never": the chosen word. */
	word = strchr(start, '[');
	if (word && strchr(word, ']') && strcmp(path, "proc/cmdline")) {
		start = word + 1;
		*strchr(start, ']') = '\0';
	}
	memmove(text, start, strlen(start) + 1);
	return text;
}

static int add_settings(const char *root, struct host *host)
{
	size_t i;
	char *text;
	int rc = 0;

	for (i = 0; !rc && i < sizeof(settings) / sizeof(*settings); i++) {
		text = read_line(root, settings[i].path);
		if (text)
			rc = pairs_add(&host->settings, settings[i].name,
				       text);
		free(text);
	}
	return rc;
}

/* Devices and sizes of swap, "none" where there is none. */
static int add_swap(const char *root, struct host *host)
{
	char path[300], device[100], *text, *line, *save = NULL;
	char all[1000] = "";
	unsigned long long size;
	size_t at = 0, len;
	int rc;

	snprintf(path, sizeof(path), "%s/proc/swaps", root);
	if (slurp(path, MAX_BYTES, 0, &text, &len, NULL))
		return 0;
	line = strtok_r(text, "\n", &save);		/* the head */
	while (line && (line = strtok_r(NULL, "\n", &save))) {
		if (sscanf(line, "%99s %*s %llu", device, &size) != 2)
			continue;
		if (at < sizeof(all))
			at += snprintf(all + at, sizeof(all) - at,
				       "%s%s %llu KiB", at ? ", " : "", device,
				       size);
	}
	free(text);
	rc = pairs_add(&host->settings, "swap", *all ? all : "none");
	return rc;
}

/* Size and compressor of each zram device in use. */
static int add_zram(const char *root, struct host *host)
{
	char pattern[300], relative[300], all[500] = "";
	size_t i, at = 0, skip = strlen(root) + 1;
	char *size, *how;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/sys/block/zram*", root);
	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (i = 0; i < found.gl_pathc; i++) {
		snprintf(relative, sizeof(relative), "%.200s/disksize",
			 found.gl_pathv[i] + skip);
		size = read_line(root, relative);
		snprintf(relative, sizeof(relative), "%.200s/comp_algorithm",
			 found.gl_pathv[i] + skip);
		how = read_line(root, relative);
		if (size && strcmp(size, "0") && at < sizeof(all))
			at += snprintf(all + at, sizeof(all) - at, "%s%s %s",
				       at ? ", " : "", size, how ? how : "");
		free(size);
		free(how);
	}
	globfree(&found);
	return *all ? pairs_add(&host->settings, "zram", all) : 0;
}

static int64_t memory_kib(const char *root)
{
	unsigned long long kib = 0;
	char *text, *at;
	char path[300];
	size_t len;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	if (slurp(path, MAX_BYTES, 0, &text, &len, NULL))
		return 0;
	at = strstr(text, "MemTotal:");
	if (at)
		sscanf(at, "MemTotal: %llu kB", &kib);
	free(text);
	return kib;
}

/**
 * host_read - what this machine is
 * @root: directory that proc and sys are in: "/", or a test's own
 * @host: where to; what was there is freed
 * @err: what went wrong
 *
 * A setting that this kernel lacks, or that may not be read, is left out.
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int host_read(const char *root, struct host *host, struct err *err)
{
	struct utsname name;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	pairs_free(&host->settings);
	if (uname(&name))
		return err_sys(err, errno, "uname");
	host->cpus = cpus > 0 ? cpus : 0;
	host->memory_kib = memory_kib(root);
	if (str_set(&host->kernel, name.release) ||
	    str_set(&host->arch, name.machine) || add_settings(root, host) ||
	    add_swap(root, host) || add_zram(root, host))
		return err_sys(err, ENOMEM, "host settings");
	return 0;
}

/**
 * vmstat_read - the counters of /proc/vmstat
 * @root: as of host_read()
 * @out: where to, empty before
 * @err: what went wrong
 *
 * Rows that only tell of the moment (nr_*, but for the few that count) are
 * left out: their differences say little.
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int vmstat_read(const char *root, struct counters *out, struct err *err)
{
	static const char * const counting[] = {
		"nr_dirtied", "nr_written", "nr_vmscan_write",
		"nr_vmscan_immediate_reclaim", "nr_foll_pin_acquired",
		"nr_foll_pin_released", "nr_throttled_written",
	};
	char path[300], name[80], *text, *line, *save = NULL;
	bool gauge;
	size_t len, i;
	long long v;
	int rc;

	snprintf(path, sizeof(path), "%s/proc/vmstat", root);
	rc = slurp(path, MAX_BYTES, 0, &text, &len, err);
	if (rc)
		return rc;
	for (line = strtok_r(text, "\n", &save); line && !rc;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "%79s %lld", name, &v) != 2)
			continue;
		gauge = !strncmp(name, "nr_", 3);
		for (i = 0; i < sizeof(counting) / sizeof(*counting); i++)
			if (!strcmp(name, counting[i]))
				gauge = false;
		if (!gauge && counters_add(out, name, v))
			rc = err_sys(err, ENOMEM, path);
	}
	free(text);
	return rc;
}

/**
 * vmstat_delta - what the counters gained
 * @before: the first reading
 * @after: the second
 * @out: the difference, empty before
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int vmstat_delta(const struct counters *before, const struct counters *after,
		 struct counters *out)
{
	const struct counter *was;
	size_t i, hint;

	for (i = 0; i < after->nr; i++) {
		hint = i;
		was = counters_find(before, after->v[i].name, &hint);
		if (was && counters_add(out, after->v[i].name,
					after->v[i].value - was->value))
			return -ENOMEM;
	}
	return 0;
}
