/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One output of a command: read, looked at line by line, and passed on.
 */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "source/runner.h"
#include "source/sink.h"

/**
 * struct stream - one of the command's outputs
 * @fd: our end of the pipe, -1 when closed
 * @to: where it is passed on to
 * @buf: read, and not passed on yet
 * @cap: its room
 * @at: how much of @n has been passed on
 * @n: bytes in @buf
 * @line: the line so far
 * @len: bytes of it
 * @is_cut: the line is longer than that
 */
struct stream {
	int fd;
	struct sink *to;
	char *buf;
	size_t cap, at, n;
	char line[RUNNER_LINE_MAX + 1];
	size_t len;
	bool is_cut;
};

int stream_open(struct stream *s, struct sink *to);
void stream_close(struct stream *s);
bool stream_is_pending(const struct stream *s);
struct pollfd stream_wanted(const struct stream *s);
void stream_move(struct runner *r, struct stream *s);
void stream_push(struct runner *r, struct stream *s);
void stream_pull_rest(struct runner *r, struct stream *s);
void stream_give_up(struct runner *r, struct stream *s);

#endif
