// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "source/trace_line.h"

/**
 * struct lines - a file cut into lines
 * @in: the file
 * @nr: number of the line that was read last, from 1
 * @at: where the next one begins
 * @end: where the bytes read so far end
 * @buf: those bytes, with room for a 0
 * @eof: there is no more
 */
struct lines {
	FILE *in;
	uint64_t nr;
	size_t at, end;
	char buf[TRACE_TEXT_LINE + 1];
	bool eof;
};

static int fill(struct lines *l)
{
	memmove(l->buf, l->buf + l->at, l->end - l->at);
	l->end -= l->at;
	l->at = 0;
	l->end += fread(l->buf + l->end, 1, TRACE_TEXT_LINE - l->end, l->in);
	l->eof = l->end < TRACE_TEXT_LINE;
	return ferror(l->in) ? -EIO : 0;
}

/*
 * The next line, ended by a 0; @whole unless it is too long, in which case the rest
 * of it follows as lines of their own, or is not ended. NULL at the end.
 */
static char *next_line(struct lines *l, bool *whole, int *rc)
{
	char *line, *end;

	for (;;) {
		line = l->buf + l->at;
		end = memchr(line, '\n', l->end - l->at);
		*whole = end;
		if (end)
			break;
		if (l->eof || (!l->at && l->end == TRACE_TEXT_LINE)) {
			if (l->at == l->end)
				return NULL;
			end = l->buf + l->end;
			break;
		}
		*rc = fill(l);
		if (*rc)
			return NULL;
	}
	*end = '\0';
	l->at = end - l->buf + (*whole ? 1 : 0);
	l->nr++;
	return line;
}

/* The events that the printer's head says are gone, and what follows from it. */
static void take_entries(struct trace_pair *p, const struct trace_line *line)
{
	if (line->written > line->count)
		p->totals->overwritten += line->written - line->count;
}

static int take(struct trace_pair *p, const struct lines *l, const char *name,
		const struct trace_line *line, struct trace_text *text,
		struct err *err)
{
	switch (line->kind) {
	case TRACE_LINE_EVENT:
		if (line->perf)
			text->printer = "text of perf script";
		if (line->digits > text->digits)
			text->digits = line->digits;
		trace_pair_event(p, &line->event);
		break;
	case TRACE_LINE_BAD:
		p->totals->malformed++;
		break;
	case TRACE_LINE_NO_TIME:
		return err_set(err, -EDOM,
			       "%s: line %" PRIu64 ": its clock is no time (counter, or a TSC that was not converted): record with 'trace-cmd record -C mono'",
			       name, l->nr);
	case TRACE_LINE_LOST:
		trace_pair_lost(p, line->event.cpu, line->count);
		break;
	case TRACE_LINE_BUFFER:
		/* Until here that CPU's events were overwritten. */
		if (p->totals->overwritten)
			trace_pair_gap(p);
		break;
	case TRACE_LINE_ENTRIES:
		take_entries(p, line);
		break;
	default:
		break;
	}
	return 0;
}

/**
 * trace_text_read - pair the events of a text
 * @in: the text, from behind @head
 * @head: what was read of it already
 * @len: bytes of that, at most TRACE_TEXT_LINE
 * @name: of it, for messages
 * @p: where to
 * @text: what it turned out to be
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0; -EDOM when its times are no times; -EIO and the like.
 */
int trace_text_read(FILE *in, const char *head, size_t len, const char *name,
		    struct trace_pair *p, struct trace_text *text,
		    struct err *err)
{
	struct lines l = { .in = in, .end = len };
	struct trace_line line;
	bool whole = true, rest;
	char *at;
	int rc = 0;

	memcpy(l.buf, head, len);
	*text = (struct trace_text){ .printer = "text of trace-cmd report" };
	for (;;) {
		rest = !whole;	/* of a line that was too long */
		at = next_line(&l, &whole, &rc);
		if (!at)
			break;
		if (!strncmp(at, "# tracer:", 9))
			text->printer = "text of the tracing file";
		trace_line_parse(at, &line);
		/* Cut, or too long: what was seen of it may be half a number. */
		if ((rest || !whole) && line.kind != TRACE_LINE_OTHER)
			line.kind = TRACE_LINE_BAD;
		rc = take(p, &l, name, &line, text, err);
		if (rc)
			return rc;
	}
	if (rc)
		return err_sys(err, -rc, name);
	return 0;
}
