// SPDX-License-Identifier: GPL-2.0-only
/*
 * A standard descriptor is shared with whoever started us: made non-blocking,
 * it would be so for the shell too.  A pipe or a terminal is therefore opened
 * once more, by which it gets flags of its own.
 */
#include "source/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * sink_open - prepare to write to a descriptor
 * @sink: where to
 * @fd: the descriptor, open or not; it stays the caller's
 *
 * Context: any; ends with sink_close().
 */
void sink_open(struct sink *sink, int fd)
{
	int flags = fcntl(fd, F_GETFL), own;
	struct stat st;
	char path[40];

	*sink = (struct sink){ .fd = fd };
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fstat(fd, &st))
		return;
	sink->is_socket = S_ISSOCK(st.st_mode);
	if (!S_ISFIFO(st.st_mode) && !isatty(fd))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own < 0)
		return;		/* nobody reads, or it is another user's */
	sink->fd = own;
	sink->is_own = true;
}

/**
 * sink_close - end writing
 * @sink: the sink
 *
 * Context: any.
 */
void sink_close(struct sink *sink)
{
	if (sink->is_own)
		close(sink->fd);
	sink->is_own = false;
	sink->fd = -1;
}

/**
 * sink_ready - whether a write would take something, or fail
 * @sink: the sink
 * @wait_ms: how long to wait for that, ms
 *
 * Context: any.
 * Return: false when nobody takes anything now.
 */
bool sink_ready(const struct sink *sink, int wait_ms)
{
	struct pollfd p = { sink->fd, POLLOUT, 0 };

	return poll(&p, 1, wait_ms) > 0;
}

/**
 * sink_write - write what is taken at once
 * @sink: the sink
 * @buf: what
 * @n: bytes of it, at least 1
 *
 * Context: after poll() or sink_ready() said that something is taken: where the
 * descriptor could not be opened anew, that holds for this much.
 * Return: bytes written, at least 1; -EAGAIN when nothing is taken; -errno.
 */
ssize_t sink_write(const struct sink *sink, const char *buf, size_t n)
{
	ssize_t done;

	if (sink->is_socket) {
		done = send(sink->fd, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	} else {
		if (!sink->is_own && n > PIPE_BUF)
			n = PIPE_BUF;
		done = write(sink->fd, buf, n);
	}
	if (done > 0)
		return done;
	return !done || errno == EINTR ? -EAGAIN : -errno;
}
