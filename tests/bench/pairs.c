// SPDX-License-Identifier: GPL-2.0-only
/*
 * What does a call cost that takes mmap_lock once?
 *
 *	pairs CALLS
 *
 * mincore() of one page is one read lock and unlock, mprotect() with the rights
 * that are there already one write lock and unlock.  Prints ns a call of each, the
 * least of several rounds.  With -icount shift=0 a nanosecond is an instruction.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 7

static void *page;
static size_t page_size;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static int call_read(void)
{
	unsigned char in_core;

	return mincore(page, page_size, &in_core);
}

static int call_write(void)
{
	return mprotect(page, page_size, PROT_READ | PROT_WRITE);
}

static void measure(const char *name, int (*call)(void), unsigned long calls)
{
	uint64_t best = UINT64_MAX, took;
	unsigned long i;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		took = now_ns();
		for (i = 0; i < calls; i++) {
			if (call()) {
				perror(name);
				exit(1);
			}
		}
		took = now_ns() - took;
		if (took < best)
			best = took;
	}
	printf("%s %.1f\n", name, (double)best / calls);
}

int main(int argc, char **argv)
{
	unsigned long calls = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

	if (!calls) {
		fprintf(stderr, "usage: pairs CALLS\n");
		return 2;
	}
	page_size = sysconf(_SC_PAGESIZE);
	page = mmap(NULL, page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	*(volatile char *)page = 1;
	measure("mincore", call_read, calls);
	measure("mprotect", call_write, calls);
	return 0;
}
