// SPDX-License-Identifier: GPL-2.0-only
#include "source/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CHUNK_BYTES	65536

/**
 * stream_open - a stream without anything in it
 * @s: the stream
 * @to: where it is passed on to
 *
 * Context: any; ends with stream_close(), also on failure.
 * Return: 0 or -ENOMEM.
 */
int stream_open(struct stream *s, struct sink *to)
{
	*s = (struct stream){ .fd = -1, .to = to, .cap = CHUNK_BYTES };
	s->buf = malloc(s->cap);
	return s->buf ? 0 : -ENOMEM;
}

/**
 * stream_is_pending - whether something is still to be passed on
 * @s: the stream
 *
 * Context: any.
 * Return: true if so.
 */
bool stream_is_pending(const struct stream *s)
{
	return s->at < s->n;
}

static void drop(struct stream *s)
{
	s->at = 0;
	s->n = 0;
}

static void close_stream(struct stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/**
 * stream_push - pass on what is taken at once
 * @r: whose output it is
 * @s: the stream, with something pending
 *
 * Context: after poll() said that something is taken.
 */
void stream_push(struct runner *r, struct stream *s)
{
	ssize_t done;

	if (r->on_data)
		r->on_data(r->arg);
	done = sink_write(s->to, s->buf + s->at, s->n - s->at);
	if (done == -EAGAIN)
		return;
	if (done > 0) {
		s->at += done;
	} else {
		if (!r->output_failed)
			r->output_failed = -done;
		drop(s);
		/* Nobody listens to us: nobody is to listen to the command. */
		if (done == -EPIPE)
			close_stream(s);
	}
	if (!stream_is_pending(s))
		drop(s);
}

static void end_line(struct runner *r, struct stream *s)
{
	s->line[s->len] = '\0';
	if (r->on_line)
		r->on_line(r->arg, s->line, s->len, s->is_cut);
	s->len = 0;
	s->is_cut = false;
}

/* Read once, at most @most bytes behind what is there; false at the end. */
static bool pull(struct runner *r, struct stream *s, size_t most)
{
	const char *at;
	ssize_t n, i;

	n = read(s->fd, s->buf + s->n, most);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (!n)
		return false;
	at = s->buf + s->n;
	s->n += n;
	for (i = 0; i < n; i++) {
		if (at[i] == '\n')
			end_line(r, s);
		else if (s->len < RUNNER_LINE_MAX)
			s->line[s->len++] = at[i];
		else
			s->is_cut = true;
	}
	return true;
}

/**
 * stream_pull_rest - read what is there, and then no more
 * @r: whose output it is
 * @s: the stream
 *
 * What the command wrote is in the pipe.  What comes later is of those that it
 * left behind, and could come for ever.
 *
 * Context: the command has ended.
 */
void stream_pull_rest(struct runner *r, struct stream *s)
{
	size_t left = 0, now;
	int there = 0;
	char *more;

	if (s->fd >= 0 && !ioctl(s->fd, FIONREAD, &there) && there > 0)
		left = there;
	if (left > s->cap - s->n) {
		more = realloc(s->buf, s->n + left);
		if (more) {
			s->buf = more;
			s->cap = s->n + left;
		} else {
			left = s->cap - s->n;
		}
	}
	while (left) {
		now = s->n;
		if (!pull(r, s, left))
			break;
		left -= s->n - now;
	}
	if (s->len || s->is_cut)
		end_line(r, s);
	close_stream(s);
}

/**
 * stream_wanted - room for what was read, or more to read
 * @s: the stream
 *
 * Context: any.
 * Return: what to poll for.
 */
struct pollfd stream_wanted(const struct stream *s)
{
	if (stream_is_pending(s))
		return (struct pollfd){ s->to->fd, POLLOUT, 0 };
	return (struct pollfd){ s->fd, POLLIN, 0 };
}

/**
 * stream_move - do what was waited for
 * @r: whose output it is
 * @s: the stream
 *
 * Context: after poll() for stream_wanted().
 */
void stream_move(struct runner *r, struct stream *s)
{
	if (stream_is_pending(s))
		stream_push(r, s);
	else if (s->fd >= 0 && !pull(r, s, s->cap))
		close_stream(s);
}

/**
 * stream_give_up - what nobody takes now is lost
 * @r: whose output it is
 * @s: the stream
 *
 * Context: some time after we were told to end.
 */
void stream_give_up(struct runner *r, struct stream *s)
{
	if (!stream_is_pending(s) || sink_ready(s->to, 0))
		return;
	r->is_cut = true;
	drop(s);
}

/**
 * stream_close - end a stream
 * @s: the stream
 *
 * Context: any.
 */
void stream_close(struct stream *s)
{
	close_stream(s);
	free(s->buf);
	s->buf = NULL;
}
