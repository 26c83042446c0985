// SPDX-License-Identifier: GPL-2.0-only
/*
 * mlt-idle: a process whose mm nobody touches.
 *
 * Locks its memory, says "ready" and sleeps.  From then on it takes no page
 * fault and makes no call that needs its mmap_lock.
 *
 * A line on its standard input holds commands, separated by semicolons.  They
 * are handed to the test module in this very task (mm=0 is then its own mm);
 * `start` and `stop` go to mmlockstat, and `quiet` waits until nobody else has
 * been runnable for a while.  All answers come back after the last of them,
 * followed by "end ERRNO": nobody is woken before.  It ends with its standard
 * input.
 */
#include <stdio.h>
#include <sys/mman.h>

#include "quiet.h"

#define COMMAND_FILE "/proc/mmlocktest"
#define CONTROL_FILE "/proc/mmlockstat/control"

static int command_fd, control_fd, loadavg_fd;
static char line[4096], answer[262144];
static size_t answered;

/* Reads a line byte by byte: stdio may allocate. Return: its length, 0 at end. */
static size_t read_line(void)
{
	size_t len = 0;

	while (len < sizeof(line) - 1 && read(STDIN_FILENO, line + len, 1) == 1) {
		if (line[len] == '\n') {
			line[len] = '\0';
			return len + 1;
		}
		len++;
	}
	return 0;
}

static int say(const char *text, size_t len)
{
	ssize_t done;

	for (; len; text += done, len -= done) {
		done = write(STDOUT_FILENO, text, len);
		if (done <= 0)
			return 1;
	}
	return 0;
}

/* Return: 0 or an errno. */
static int put(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? errno : 0;
}

static int carry_out(const char *command)
{
	ssize_t got;
	int err;

	if (!strcmp(command, "quiet"))
		return quiet_wait(loadavg_fd) ? errno : 0;
	if (!strcmp(command, "start") || !strcmp(command, "stop"))
		return put(control_fd, command);
	err = put(command_fd, command);
	if (err)
		return err;
	got = pread(command_fd, answer + answered, sizeof(answer) - answered - 16, 0);
	if (got < 0)
		return errno;
	answered += got;
	return 0;
}

/* The rest of a line that failed is left out, but recording is stopped. */
static int carry_out_all(void)
{
	char *command, *next;
	int err = 0, ret;

	answered = 0;
	for (command = line; command; command = next) {
		next = strchr(command, ';');
		if (next)
			*next++ = '\0';
		if (err && strcmp(command, "stop"))
			continue;
		ret = carry_out(command);
		err = err ? err : ret;
	}
	answered += sprintf(answer + answered, "end %d\n", err);
	return say(answer, answered);
}

int main(void)
{
	command_fd = open(COMMAND_FILE, O_RDWR | O_CLOEXEC);
	/* Missing where mmlockstat is: then it is not asked for. */
	control_fd = open(CONTROL_FILE, O_WRONLY | O_CLOEXEC);
	loadavg_fd = quiet_open();
	if (mlockall(MCL_CURRENT | MCL_FUTURE)) {
		fprintf(stderr, "mlt-idle: mlockall: %s\n", strerror(errno));
		return 1;
	}
	/* A first run of everything that a command will run. */
	sprintf(answer, "end %d\n", 0);
	if (say("ready\n", 6))
		return 1;
	while (read_line())
		if (carry_out_all())
			return 1;
	return 0;
}
