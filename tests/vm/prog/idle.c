// SPDX-License-Identifier: GPL-2.0-only
/*
 * mlt-idle: a process whose mm nobody touches.
 *
 * Locks its memory, says "ready" and sleeps.  From then on it takes no page
 * fault and makes no call that needs its mmap_lock.  A line on its standard
 * input is handed to the test module as a command in this very task (mm=0 is
 * then its own mm), the answer comes back followed by "end ERRNO".  It ends
 * with its standard input.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COMMAND_FILE "/proc/mmlocktest"

static char line[512], answer[65536];

/* Reads a line byte by byte: stdio may allocate. Return: its length, 0 at end. */
static size_t read_line(void)
{
	size_t len = 0;

	while (len < sizeof(line) && read(STDIN_FILENO, line + len, 1) == 1)
		if (line[len++] == '\n')
			return len;
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

static int carry_out(int fd, size_t len)
{
	int err = 0;
	ssize_t got = 0;

	if (write(fd, line, len) != (ssize_t)len)
		err = errno;
	else
		got = pread(fd, answer, sizeof(answer) - 16, 0);
	if (got < 0) {
		err = errno;
		got = 0;
	}
	got += sprintf(answer + got, "end %d\n", err);
	return say(answer, got);
}

int main(void)
{
	int fd = open(COMMAND_FILE, O_RDWR | O_CLOEXEC);
	size_t len;

	if (mlockall(MCL_CURRENT | MCL_FUTURE)) {
		fprintf(stderr, "mlt-idle: mlockall: %s\n", strerror(errno));
		return 1;
	}
	/* A first run of everything that a command will run. */
	sprintf(answer, "end %d\n", 0);
	if (say("ready\n", 6))
		return 1;
	while ((len = read_line()))
		if (carry_out(fd, len))
			return 1;
	return 0;
}
