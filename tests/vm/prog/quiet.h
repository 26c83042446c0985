/* SPDX-License-Identifier: GPL-2.0-only */
/* What a program needs that must be the only one to run for a moment. */
#ifndef QUIET_H
#define QUIET_H

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* So often in a row, every 20 ms, nobody else must be seen to be runnable. */
#define QUIET_SAMPLES 12

/**
 * quiet_open() - prepare for quiet_wait(), before memory is locked
 *
 * Return: a descriptor, or -1 with errno.
 */
static inline int quiet_open(void)
{
	return open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
}

/**
 * quiet_wait() - wait until nobody but us has been runnable for a while
 * @loadavg: from quiet_open()
 *
 * Then our parent is asleep, and what is on its way out of the last process (a
 * deferred mmput) has finished.  Reading loadavg takes no mmap_lock.
 *
 * Return: 0, or -1 with errno: ETIMEDOUT after some minutes.
 */
static inline int quiet_wait(int loadavg)
{
	struct timespec t = { 0, 20 * 1000 * 1000 };
	int tries, idle = 0;
	char text[128];
	const char *at;
	ssize_t len;

	for (tries = 0; tries < 6000; tries++) {
		nanosleep(&t, NULL);
		len = pread(loadavg, text, sizeof(text) - 1, 0);
		if (len <= 0)
			return -1;
		text[len] = '\0';
		/* "0.20 0.18 0.12 RUNNABLE/ALL LAST" */
		at = strchr(text, '/');
		if (at && at - text > 2 && at[-2] == ' ' && at[-1] == '1')
			idle++;
		else
			idle = 0;
		if (idle == QUIET_SAMPLES)
			return 0;
	}
	errno = ETIMEDOUT;
	return -1;
}

#endif
