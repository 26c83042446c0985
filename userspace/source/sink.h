/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A descriptor of somebody else's, written without ever being held up in it.
 */
#ifndef SOURCE_SINK_H
#define SOURCE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * struct sink - where output goes
 * @fd: to write to and to poll
 * @is_own: a description of our own, that never waits
 * @is_socket: can be told for each write not to wait
 */
struct sink {
	int fd;
	bool is_own, is_socket;
};

void sink_open(struct sink *sink, int fd);
void sink_close(struct sink *sink);
bool sink_ready(const struct sink *sink, int wait_ms);
ssize_t sink_write(const struct sink *sink, const char *buf, size_t n);

#endif
