// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_datopt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ids of options. */
enum {
	DONE = 0, BUFFER = 3, TRACECLOCK = 4, UNAME = 5, CPUCOUNT = 8,
	TSC2NSEC = 14,
};

/* Longest option that is kept; that of a clock takes less than a hundred bytes. */
#define MAX_OPTION	4096
/* More sections of options than this is a ring. */
#define MAX_SECTIONS	256

/**
 * struct reader - the file
 * @in: open
 * @size: of it, bytes
 * @big: its numbers are big-endian
 * @buffer: name of the buffer whose pages are counted; empty for the main one
 * @rc: 0, or -errno of the first failure: then numbers are 0
 */
struct reader {
	FILE *in;
	const char *buffer;
	uint64_t size;
	bool big;
	int rc;
};

static void get(struct reader *r, void *to, size_t size)
{
	if (r->rc) {
		memset(to, 0, size);
	} else if (fread(to, 1, size, r->in) != size) {
		r->rc = ferror(r->in) ? -EIO : -ENODATA;
		memset(to, 0, size);
	}
}

static uint64_t number(struct reader *r, unsigned int bytes)
{
	unsigned char raw[8];
	uint64_t v = 0;
	unsigned int i;

	get(r, raw, bytes);
	for (i = 0; i < bytes; i++)
		v = v << 8 | raw[r->big ? i : bytes - 1 - i];
	return v;
}

static void go(struct reader *r, uint64_t to, int whence)
{
	if (!r->rc && (to > INT64_MAX || fseeko(r->in, to, whence)))
		r->rc = -ENODATA;
}

/* A string with its 0; what does not fit is read over. */
static void text(struct reader *r, char *to, size_t size)
{
	size_t n = 0;
	char c;

	do {
		get(r, &c, 1);
		if (n < size - 1)
			to[n++] = c;
	} while (c);
	to[size - 1] = '\0';
}

/* "[local] global counter ...": the one in brackets; or just a name. */
static void take_clock(struct trace_datopt *opt, const char *data)
{
	const char *open = strchr(data, '['), *close;

	if (open) {
		close = strchr(open, ']');
		if (close)
			snprintf(opt->clock, sizeof(opt->clock), "%.*s",
				 (int)(close - open - 1), open + 1);
		return;
	}
	snprintf(opt->clock, sizeof(opt->clock), "%.*s",
		 (int)strcspn(data, "\n "), data);
}

/* "Linux NODE RELEASE MACHINE" */
static void take_uname(struct trace_datopt *opt, char *data)
{
	char *word[4], *save = NULL;
	size_t n = 0;

	for (; n < 4; n++) {
		word[n] = strtok_r(n ? NULL : data, "\n ", &save);
		if (!word[n])
			return;
	}
	snprintf(opt->kernel, sizeof(opt->kernel), "%s", word[2]);
	snprintf(opt->arch, sizeof(opt->arch), "%s", word[3]);
}

/* The library crashes where data that the head promises are not there. */
static void must_have(struct reader *r, uint64_t at, uint64_t size)
{
	if (!r->rc && (at > r->size || size > r->size - at))
		r->rc = -ENODATA;
}

static void take_cpu(struct trace_datopt *opt, uint64_t cpu, uint64_t size)
{
	if (cpu < TRACE_NR_CPUS && opt->page_size)
		opt->pages[cpu] = size / opt->page_size;
}

/* Chunks, each with its size here and the size of what it unpacks to. */
static uint64_t unpacked(struct reader *r, uint64_t at)
{
	uint64_t nr, size = 0, packed;

	go(r, at, SEEK_SET);
	for (nr = number(r, 4); nr && !r->rc; nr--) {
		packed = number(r, 4);
		size += number(r, 4);
		go(r, packed, SEEK_CUR);
	}
	return size;
}

/* A buffer: where its section is, how it is called, and where each CPU's data are. */
static void take_buffer(struct reader *r, struct trace_datopt *opt)
{
	uint64_t at, size, cpu, section = number(r, 8);
	char name[256], clock[32];
	unsigned int nr;
	bool is_packed;
	off_t back;

	text(r, name, sizeof(name));
	text(r, clock, sizeof(clock));
	if (strcmp(name, r->buffer))
		return;
	snprintf(opt->clock, sizeof(opt->clock), "%s", clock);
	opt->page_size = number(r, 4);
	nr = number(r, 4);
	back = ftello(r->in);
	go(r, section + 2, SEEK_SET);
	is_packed = number(r, 2) & 1;
	for (; nr && !r->rc; nr--) {
		go(r, back, SEEK_SET);
		cpu = number(r, 4);
		at = number(r, 8);
		size = number(r, 8);
		back = ftello(r->in);
		must_have(r, at, size);
		take_cpu(opt, cpu, is_packed && size ? unpacked(r, at) : size);
	}
}

static void take_option(struct reader *r, struct trace_datopt *opt,
			unsigned int id, uint64_t size)
{
	char data[MAX_OPTION + 1];
	off_t start = ftello(r->in);

	if (id == BUFFER && opt->version == 7) {
		take_buffer(r, opt);
		go(r, start + size, SEEK_SET);
		return;
	}
	if (id == CPUCOUNT && size == 4) {
		opt->cpus = number(r, 4);
		return;
	}
	if ((id != TRACECLOCK && id != UNAME) || size > MAX_OPTION) {
		opt->is_converted |= id == TSC2NSEC;
		go(r, size, SEEK_CUR);
		return;
	}
	get(r, data, size);
	data[size] = '\0';
	if (id == TRACECLOCK)
		take_clock(opt, data);
	else
		take_uname(opt, data);
}

/* After the strings of the compression: sections of options, one after another. */
static void read_v7(struct reader *r, struct trace_datopt *opt)
{
	unsigned int id, nr = 0;
	uint64_t at, size;
	char word[64];

	text(r, word, sizeof(word));
	text(r, word, sizeof(word));
	for (at = number(r, 8); at && !r->rc; nr++) {
		go(r, at, SEEK_SET);
		if (nr == MAX_SECTIONS || number(r, 2) != 0) {
			r->rc = r->rc ? r->rc : -EINVAL;
			break;
		}
		/* Compressed ones are not written by any trace-cmd up to 3.4. */
		if (number(r, 2) & 1)
			return;
		go(r, 4 + 8, SEEK_CUR);
		do {
			id = number(r, 2);
			size = number(r, 4);
			if (id == DONE)
				at = size == 8 ? number(r, 8) : 0;
			else
				take_option(r, opt, id, size);
		} while (!r->rc && id != DONE);
	}
}

static void skip_sized(struct reader *r, unsigned int bytes)
{
	uint64_t size = number(r, bytes);

	go(r, size, SEEK_CUR);
}

static void must_be(struct reader *r, const char *word)
{
	char got[16];

	get(r, got, strlen(word) + 1);
	if (!r->rc && memcmp(got, word, strlen(word) + 1))
		r->rc = -EINVAL;
}

/* Everything that comes before the options has its size before it. */
static void read_v6(struct reader *r, struct trace_datopt *opt)
{
	uint64_t systems, events, at, size;
	unsigned int id, cpu;
	char word[256];

	must_be(r, "header_page");
	skip_sized(r, 8);
	must_be(r, "header_event");
	skip_sized(r, 8);
	for (events = number(r, 4); events && !r->rc; events--)
		skip_sized(r, 8);
	for (systems = number(r, 4); systems && !r->rc; systems--) {
		text(r, word, sizeof(word));
		for (events = number(r, 4); events && !r->rc; events--)
			skip_sized(r, 8);
	}
	skip_sized(r, 4);	/* symbols */
	skip_sized(r, 4);	/* formats of trace_printk() */
	skip_sized(r, 8);	/* names of tasks */
	opt->cpus = number(r, 4);
	get(r, word, 10);
	if (!r->rc && !memcmp(word, "options  ", 10)) {
		for (;;) {
			id = number(r, 2);
			if (r->rc || id == DONE)
				break;
			take_option(r, opt, id, number(r, 4));
		}
		get(r, word, 10);
	}
	if (r->rc || memcmp(word, "flyrecord", 10) || *r->buffer)
		return;
	for (cpu = 0; cpu < opt->cpus && !r->rc; cpu++) {
		at = number(r, 8);
		size = number(r, 8);
		must_have(r, at, size);
		take_cpu(opt, cpu, size);
	}
}

/**
 * trace_datopt_read - read what a trace-cmd file says of itself
 * @path: the file, which begins with TRACE_DAT_MAGIC
 * @buffer: whose pages are counted; NULL or `top` for the main one
 * @opt: what it says
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0; -ENODATA where it ends too early; -EINVAL where it is no such file;
 * -EPROTONOSUPPORT of another version; else what opening it gave.
 */
int trace_datopt_read(const char *path, const char *buffer,
		      struct trace_datopt *opt, struct err *err)
{
	struct reader r = { .in = fopen(path, "re") };
	char head[TRACE_DAT_MAGIC_LEN], version[16], *end;

	*opt = (struct trace_datopt){ 0 };
	r.buffer = buffer && strcmp(buffer, "top") ? buffer : "";
	if (!r.in)
		return err_sys(err, errno, path);
	get(&r, head, sizeof(head));
	if (!r.rc && memcmp(head, TRACE_DAT_MAGIC, sizeof(head)))
		r.rc = -EINVAL;
	if (fseeko(r.in, 0, SEEK_END))
		r.rc = -errno;
	r.size = ftello(r.in);
	go(&r, sizeof(head), SEEK_SET);
	text(&r, version, sizeof(version));
	opt->version = strtoul(version, &end, 10);
	r.big = number(&r, 1) == 1;
	go(&r, 1, SEEK_CUR);	/* size of a long */
	opt->page_size = number(&r, 4);
	if (!r.rc && opt->version == 7)
		read_v7(&r, opt);
	else if (!r.rc && opt->version == 6)
		read_v6(&r, opt);
	else if (!r.rc)
		r.rc = -EPROTONOSUPPORT;
	fclose(r.in);
	if (r.rc == -ENODATA)
		return err_set(err, r.rc, "%s: the file is truncated", path);
	if (r.rc == -EPROTONOSUPPORT)
		return err_set(err, r.rc,
			       "%s: a trace-cmd file of version %.8s: 6 and 7 are known",
			       path, version);
	if (r.rc)
		return err_set(err, r.rc,
			       "%s: not a whole trace-cmd file: its head is damaged",
			       path);
	return 0;
}

/* Clocks that count nanoseconds: uptime does not, it counts ticks. */
static const char * const times[] = {
	"local", "global", "perf", "mono", "mono_raw", "boot", "tai",
};

/**
 * trace_datopt_check_clock - are the file's times times?
 * @path: the file, for messages
 * @opt: what it says of itself; its clock is filled in where it says nothing
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, or -EDOM.
 */
int trace_datopt_check_clock(const char *path, struct trace_datopt *opt,
			     struct err *err)
{
	size_t i;

	/* Files from before trace-cmd kept the clock are of the default one. */
	if (!*opt->clock)
		snprintf(opt->clock, sizeof(opt->clock), "local");
	if (opt->is_converted)
		return 0;
	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (!strcmp(opt->clock, times[i]))
			return 0;
	return err_set(err, -EDOM,
		       "%s: its clock '%s' is no time%s: record with 'trace-cmd record -C mono'",
		       path, opt->clock, strcmp(opt->clock, "x86-tsc") ? "" :
		       ", and the file does not tell how to convert it");
}
