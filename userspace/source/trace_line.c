// SPDX-License-Identifier: GPL-2.0-only
/*
 * The three printers agree on what stands around an event's name:
 *
 *	COMM-TID (TGID) [CPU] FLAGS SECONDS.FRACTION: NAME: FIELDS	the kernel, trace-cmd
 *	COMM TID [CPU] SECONDS.FRACTION: PERIOD mmap_lock:NAME: FIELDS	perf
 *
 * where (TGID), FLAGS, PERIOD and perf's [CPU] may be missing, and the kernel's
 * latency format has CPU and FLAGS in one word. A command's name may hold anything,
 * a blank, a colon or a bracket: so the line is read from the event's name to the
 * left. A cgroup's path may, too: of the fields the last ones count.
 */
#include "source/trace_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX		"mmap_lock_"
#define PERF_PREFIX	"mmap_lock:"

static const struct {
	const char *name;
	enum trace_what what;
} names[] = {
	{ "start_locking:", TRACE_START },
	{ "acquire_returned:", TRACE_ACQUIRED },
	{ "released:", TRACE_RELEASED },
};

/* The word that ends before @end: its start; @end moves to it. */
static const char *word_before(const char *text, const char **end, size_t *len)
{
	const char *stop = *end, *start;

	while (stop > text && isblank((unsigned char)stop[-1]))
		stop--;
	for (start = stop; start > text && !isblank((unsigned char)start[-1]);
	     start--)
		;
	*len = stop - start;
	*end = start;
	return start;
}

static bool is_number(const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isdigit((unsigned char)word[i]))
			return false;
	return len > 0;
}

/* Of at most nine digits. */
static bool small(const char *word, size_t len, int32_t *out)
{
	int32_t v = 0;
	size_t i;

	if (!is_number(word, len) || len > 9)
		return false;
	for (i = 0; i < len; i++)
		v = v * 10 + (word[i] - '0');
	*out = v;
	return true;
}

/* "SECONDS.FRACTION": at most nine decimals. */
static enum trace_line_kind time_of(const char *word, size_t len,
				    struct trace_line *line)
{
	const char *dot = memchr(word, '.', len);
	size_t whole = dot ? (size_t)(dot - word) : len, i;
	uint64_t ns = 0;

	if (!dot)
		return is_number(word, len) ? TRACE_LINE_NO_TIME :
					      TRACE_LINE_BAD;
	line->digits = len - whole - 1;
	if (!is_number(word, whole) || !is_number(dot + 1, line->digits) ||
	    whole > 10 || line->digits > 9)
		return TRACE_LINE_BAD;
	for (i = 0; i < len; i++)
		if (word + i != dot)
			ns = ns * 10 + (word[i] - '0');
	for (i = line->digits; i < 9; i++)
		ns *= 10;
	line->event.ns = ns;
	return ns < TRACE_MAX_NS ? TRACE_LINE_EVENT : TRACE_LINE_BAD;
}

/* "d.h1.": interrupts off, need_resched, in an interrupt, preempt count, ... */
static bool flags_of(const char *word, size_t len, struct trace_event *ev)
{
	if (len < 4 || len > 8 || !strchr(".dDbBX", word[0]) ||
	    !strchr(".hHszZ", word[2]))
		return false;
	ev->softirq = word[2] == 's' || word[2] == 'H';
	if (word[2] == 'h' || word[2] == 'H')
		ev->level = TRACE_HARDIRQ;
	/* What an NMI took is released as what code with interrupts off took. */
	else if (word[0] == 'd' || word[0] == 'D' || word[2] == 'z' ||
		 word[2] == 'Z')
		ev->level = TRACE_IRQS_OFF;
	else if (word[2] == 's')
		ev->level = TRACE_SOFTIRQ;
	return true;
}

/* "[003]" */
static bool cpu_of(const char *word, size_t len, struct trace_event *ev)
{
	return len > 2 && word[0] == '[' && word[len - 1] == ']' &&
	       small(word + 1, len - 2, &ev->cpu);
}

/* "3d.h1.": the latency format. */
static bool cpu_and_flags(const char *word, size_t len, struct trace_event *ev)
{
	int32_t cpu;
	size_t n = 0;

	while (n < len && isdigit((unsigned char)word[n]))
		n++;
	if (!small(word, n, &cpu) || !flags_of(word + n, len - n, ev))
		return false;
	ev->cpu = cpu;
	return true;
}

/* "COMM-TID", or perf's "TID" or "PID/TID". */
static bool tid_of(const char *word, size_t len, bool perf,
		   struct trace_event *ev)
{
	size_t n = len;

	while (n && isdigit((unsigned char)word[n - 1]))
		n--;
	if (perf ? n && (word[n - 1] != '/' || !is_number(word, n - 1)) :
		   !n || word[n - 1] != '-')
		return false;
	return small(word + n, len - n, &ev->tid);
}

/* What stands before the event's name, which begins at @name. */
static enum trace_line_kind left_side(const char *text, const char *name,
				      struct trace_line *line)
{
	struct trace_event *ev = &line->event;
	const char *at = name, *word;
	enum trace_line_kind kind;
	size_t len;

	word = word_before(text, &at, &len);
	if (line->perf && is_number(word, len))
		word = word_before(text, &at, &len);
	if (len < 2 || word[len - 1] != ':')
		return TRACE_LINE_BAD;
	kind = time_of(word, len - 1, line);
	if (kind != TRACE_LINE_EVENT)
		return kind;
	word = word_before(text, &at, &len);
	if (!cpu_and_flags(word, len, ev)) {
		if (flags_of(word, len, ev))
			word = word_before(text, &at, &len);
		if (!cpu_of(word, len, ev)) {
			if (!line->perf)
				return TRACE_LINE_BAD;
			at = word + len;
		}
	}
	/* "(  123)" or "(-------)" */
	word = word_before(text, &at, &len);
	if (!line->perf && len && word[len - 1] == ')') {
		while (word > text && *word != '(')
			word--;
		at = word;
		word = word_before(text, &at, &len);
	}
	return tid_of(word, len, line->perf, ev) ? TRACE_LINE_EVENT :
						   TRACE_LINE_BAD;
}

static const char *last(const char *text, const char *what)
{
	const char *at, *found = NULL;

	for (at = text; (at = strstr(at, what)); at++)
		found = at;
	return found;
}

/* "true", "false", "1" or "0", and then a blank or the end. */
static bool truth(const char **at, bool *out)
{
	static const char * const words[] = { "false", "true", "0", "1" };
	size_t i, len;

	for (i = 0; i < 4; i++) {
		len = strlen(words[i]);
		if (!strncmp(*at, words[i], len)) {
			*at += len;
			*out = i & 1;
			return !**at || isspace((unsigned char)**at);
		}
	}
	return false;
}

static bool ends(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return !*at;
}

/* "mm=0x... memcg_path=... write=true success=true" */
static bool fields(const char *text, struct trace_event *ev)
{
	const char *write = last(text, " write=");
	bool is_write, success;
	char *end;

	while (isblank((unsigned char)*text))
		text++;
	if (strncmp(text, "mm=", 3) || !isxdigit((unsigned char)text[3]) ||
	    !write)
		return false;
	ev->mm = strtoull(text + 3, &end, 16);
	if (*end != ' ')
		return false;
	write += strlen(" write=");
	if (!truth(&write, &is_write))
		return false;
	ev->mode = is_write ? MLS_WRITE : MLS_READ;
	if (ev->what != TRACE_ACQUIRED)
		return ends(write);
	if (strncmp(write, " success=", 9))
		return false;
	write += 9;
	if (!truth(&write, &success))
		return false;
	if (!success)
		ev->what = TRACE_FAILED;
	return ends(write);
}

/* The first name of one of our events, with what it is and what is behind it. */
static const char *find_name(const char *text, struct trace_line *line,
			     const char **behind)
{
	const size_t perf_len = strlen(PERF_PREFIX);
	const char *at, *start;
	size_t i;

	for (at = text; (at = strstr(at, PREFIX)); at++) {
		start = at;
		line->perf = at - text > (long)perf_len &&
			!strncmp(at - perf_len, PERF_PREFIX, perf_len);
		if (line->perf)
			start -= perf_len;
		if (start == text || !isblank((unsigned char)start[-1]))
			continue;
		for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
			*behind = at + strlen(PREFIX);
			if (strncmp(*behind, names[i].name,
				    strlen(names[i].name)))
				continue;
			*behind += strlen(names[i].name);
			line->event.what = names[i].what;
			return start;
		}
	}
	return NULL;
}

/* Lines of the printers about the trace itself. */
static enum trace_line_kind other(const char *text, struct trace_line *line)
{
	unsigned long long n, m;
	const char *at;
	int cpu, end = 0;

	while (isblank((unsigned char)*text))
		text++;
	if (sscanf(text, "# entries-in-buffer/entries-written: %20llu/%20llu",
		   &n, &m) == 2) {
		line->count = n;
		line->written = m;
		return TRACE_LINE_ENTRIES;
	}
	if (sscanf(text, "##### CPU %9d buffer started", &cpu) == 1 &&
	    cpu >= 0) {
		line->event.cpu = cpu;
		return TRACE_LINE_BUFFER;
	}
	/* Of an instance, "NAME: " stands before it. */
	at = strstr(text, "CPU:");
	if (at && (at == text || at[-1] == ' ') &&
	    sscanf(at, "CPU:%9d [%n", &cpu, &end) == 1 && end && cpu >= 0) {
		line->event.cpu = cpu;
		text = at + end;
		if (!strncmp(text, "LOST EVENTS", 11) ||
		    !strncmp(text, "EVENTS DROPPED", 14))
			return TRACE_LINE_LOST;
		if (sscanf(text, "LOST %20llu EVENT", &n) == 1 ||
		    sscanf(text, "%20llu EVENTS DROPPED", &n) == 1) {
			line->count = n;
			return TRACE_LINE_LOST;
		}
		return TRACE_LINE_OTHER;
	}
	at = strstr(text, "PERF_RECORD_LOST");
	if (!at)
		return TRACE_LINE_OTHER;
	at += strlen("PERF_RECORD_LOST");
	if (!strncmp(at, "_SAMPLES", 8))
		at += 8;
	if (sscanf(at, " lost %20llu", &n) != 1)
		return TRACE_LINE_OTHER;
	line->count = n;
	at = strchr(text, '[');
	if (at)
		cpu_of(at, strcspn(at, "]") + 1, &line->event);
	return TRACE_LINE_LOST;
}

/**
 * trace_line_parse - take a line apart
 * @text: the line, with or without its end
 * @line: what it is
 *
 * Context: any.
 */
void trace_line_parse(const char *text, struct trace_line *line)
{
	const char *name, *behind;

	*line = (struct trace_line){ .event.cpu = TRACE_NO_CPU };
	name = find_name(text, line, &behind);
	if (!name) {
		line->kind = other(text, line);
		return;
	}
	line->kind = left_side(text, name, line);
	if (line->kind == TRACE_LINE_EVENT && !fields(behind, &line->event))
		line->kind = TRACE_LINE_BAD;
}
