// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel says in /proc and /sys, and memory to work on. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "frame.h"

size_t ml_page;

/**
 * ml_file_field() - the number behind a name in a file of such lines
 * @path: the file
 * @name: the name, at the start of the line
 * @mark: the character that ends it
 *
 * Return: the number, UINT64_MAX if there is none.
 */
uint64_t ml_file_field(const char *path, const char *name, char mark)
{
	size_t len = strlen(name);
	uint64_t value = UINT64_MAX;
	char line[256];
	FILE *file;

	file = fopen(path, "re");
	if (!file)
		return UINT64_MAX;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, len) || line[len] != mark)
			continue;
		value = strtoull(line + len + 1, NULL, 10);
		break;
	}
	fclose(file);
	return value;
}

/**
 * ml_vmstat() - a counter of /proc/vmstat
 * @name: its name
 *
 * Return: its value, UINT64_MAX if there is none.
 */
uint64_t ml_vmstat(const char *name)
{
	return ml_file_field("/proc/vmstat", name, ' ');
}

/**
 * ml_meminfo_kib() - a figure of /proc/meminfo
 * @name: its name, without the colon
 *
 * Return: its value in KiB, UINT64_MAX if there is none.
 */
uint64_t ml_meminfo_kib(const char *name)
{
	return ml_file_field("/proc/meminfo", name, ':');
}

/**
 * ml_file_read() - read a short file, such as a setting
 * @path: the file
 * @text: receives its text, without white space at the end
 * @size: room in @text, in bytes
 *
 * Return: 0 or a negative errno.
 */
int ml_file_read(const char *path, char *text, size_t size)
{
	ssize_t len;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, size - 1);
	err = errno;
	close(fd);
	if (len < 0)
		return -err;
	while (len > 0 && strchr(" \t\n", text[len - 1]))
		len--;
	text[len] = '\0';
	return 0;
}

/**
 * ml_file_write() - write a setting
 * @path: the file, which must exist
 * @text: what to write, in one write
 *
 * Return: 0 or a negative errno.
 */
int ml_file_write(const char *path, const char *text)
{
	size_t len = strlen(text);
	ssize_t done;
	int fd, err;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	done = write(fd, text, len);
	err = errno;
	if (close(fd) && done >= 0)
		return -errno;
	if (done < 0)
		return -err;
	return (size_t)done == len ? 0 : -EIO;
}

/**
 * ml_file_u64() - the number in a file
 * @path: the file
 *
 * Return: the number, UINT64_MAX if the file is absent or holds none.
 */
uint64_t ml_file_u64(const char *path)
{
	uint64_t value;
	char text[64];
	char *end;

	if (ml_file_read(path, text, sizeof(text)))
		return UINT64_MAX;
	value = strtoull(text, &end, 10);
	return end == text ? UINT64_MAX : value;
}

/**
 * ml_cpus() - CPUs this process may run on
 *
 * Return: their number, at least 1.
 */
uint64_t ml_cpus(void)
{
	cpu_set_t set;
	int nr = 0;

	if (!sched_getaffinity(0, sizeof(set), &set))
		nr = CPU_COUNT(&set);
	return nr > 0 ? nr : 1;
}

/**
 * ml_need_memory() - check that there is memory for what is to come
 * @bytes: what the workload will fill, kernel memory included
 *
 * Return: ML_DONE, or ML_PREMISE when a line has said what is missing.
 */
int ml_need_memory(uint64_t bytes)
{
	uint64_t free_kib = ml_meminfo_kib("MemAvailable");

	if (free_kib == UINT64_MAX || bytes / KIB <= free_kib)
		return ML_DONE;
	ml_error("needs %" PRIu64 " MiB of memory, %" PRIu64
		 " MiB are available: choose smaller sizes",
		 bytes / MIB, free_kib / KIB);
	return ML_PREMISE;
}

/**
 * ml_map() - anonymous private memory that no huge page serves
 * @bytes: how much
 * @prot: PROT_ flags
 *
 * Huge pages are kept away because the workloads count and time faults of
 * single pages, whatever the machine's setting is.
 *
 * Return: the area, or NULL with a line that says why.
 */
void *ml_map(size_t bytes, int prot)
{
	void *area = mmap(NULL, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED) {
		ml_error("cannot map %zu bytes: %s", bytes, strerror(errno));
		return NULL;
	}
	/* Fails where the kernel knows no huge pages: then none come. */
	madvise(area, bytes, MADV_NOHUGEPAGE);
	return area;
}

/**
 * ml_sleep_ns() - sleep, and be done early when a signal comes
 * @ns: how long
 */
void ml_sleep_ns(uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}
