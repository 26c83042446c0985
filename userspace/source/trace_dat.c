// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library was written for files that trace-cmd wrote: on damaged ones it can
 * crash, run in circles or stop early without a word. So it runs in a process of
 * its own (trace_import.c), what it read is held against the file's own account of
 * it, and every number is checked before it is used.
 */
#include "source/trace_dat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>

#include "source/trace_kind.h"

/* No trace-cmd has more buffers in a file than a kernel has instances. */
#define MAX_BUFFERS	256

/**
 * struct dat - a file being read
 * @p: where events go
 * @kinds: the file's kinds of records
 * @progress: records read, for who watches
 * @page_size: bytes of a page of a buffer
 * @page: of a CPU: offset of the page that the last record was in
 * @seen: of a CPU: pages with a record
 */
struct dat {
	struct trace_pair *p;
	struct trace_kinds kinds;
	volatile uint64_t *progress;
	uint64_t page_size, page[TRACE_NR_CPUS], seen[TRACE_NR_CPUS];
};

static void note_page(struct dat *d, int cpu, const struct tep_record *rec)
{
	uint64_t page = (rec->offset & -d->page_size) + 1;

	if (page != d->page[cpu]) {
		d->page[cpu] = page;
		d->seen[cpu]++;
	}
}

/*
 * What is missing before a CPU's first record was overwritten before the session was
 * saved: no loss, but until here the others' events were without that CPU's.
 */
static void note_missed(struct dat *d, int cpu, const struct tep_record *rec)
{
	uint64_t count = rec->missed_events > 0 ? rec->missed_events : 0;

	if (d->seen[cpu]) {
		trace_pair_lost(d->p, cpu, count);
		return;
	}
	d->p->totals->overwritten += count ? count : 1;
	trace_pair_gap(d->p);
}

static int on_record(struct tracecmd_input *handle, struct tep_record *rec,
		     int cpu, void *arg)
{
	struct dat *d = arg;
	struct trace_event ev;

	(void)handle;
	++*d->progress;
	cpu = rec->cpu >= 0 && rec->cpu < TRACE_NR_CPUS ? rec->cpu :
							  TRACE_NR_CPUS - 1;
	if (rec->missed_events)
		note_missed(d, cpu, rec);
	note_page(d, cpu, rec);
	switch (trace_kinds_take(&d->kinds, rec, &ev)) {
	case TRACE_RECORD_OURS:
		trace_pair_event(d->p, &ev);
		break;
	case TRACE_RECORD_UNKNOWN:
		d->p->totals->unknown++;
		break;
	case TRACE_RECORD_BAD:
		d->p->totals->malformed++;
		break;
	default:
		break;
	}
	return d->p->failed;
}

/* Stops at the first of our events. */
static int on_probe(struct tracecmd_input *handle, struct tep_record *rec,
		    int cpu, void *arg)
{
	struct dat *d = arg;
	struct trace_event ev;

	(void)handle;
	(void)cpu;
	++*d->progress;
	return trace_kinds_take(&d->kinds, rec, &ev) == TRACE_RECORD_OURS;
}

static const char *name_of(struct tracecmd_input *top, int b)
{
	const char *name = b ? tracecmd_buffer_instance_name(top, b - 1) : "";

	return name && *name ? name : "top";
}

static struct tracecmd_input *open_buffer(struct tracecmd_input *top, int b)
{
	return b ? tracecmd_buffer_instance_handle(top, b - 1) : top;
}

static void close_buffer(struct tracecmd_input *top,
			 struct tracecmd_input *handle)
{
	if (handle && handle != top)
		tracecmd_close(handle);
}

/*
 * The buffer to read: the one asked for, or the only one with such events. The same
 * events in two buffers would be counted twice.
 */
static int choose(struct dat *d, struct tracecmd_input *top, const char *path,
		  const char *buffer, struct err *err)
{
	int nr = tracecmd_buffer_instances(top), b, found = -1, has;
	struct tracecmd_input *handle;

	if (nr < 0 || nr >= MAX_BUFFERS)
		return err_set(err, -EINVAL, "%s: %d buffers", path, nr);
	if (!nr && !buffer)
		return 0;
	for (b = 0; b <= nr; b++) {
		if (buffer) {
			if (!strcmp(buffer, name_of(top, b)))
				return b;
			continue;
		}
		handle = open_buffer(top, b);
		has = handle && tracecmd_iterate_events(handle, NULL, 0,
							on_probe, d) == 1;
		close_buffer(top, handle);
		if (has && found >= 0)
			return err_set(err, -ENOTUNIQ,
				       "%s: mmap_lock events in two buffers, %s and %s: choose one by --buffer",
				       path, name_of(top, found),
				       name_of(top, b));
		if (has)
			found = b;
	}
	if (buffer)
		return err_set(err, -ENOENT, "%s: no buffer %s in it", path,
			       buffer);
	return found < 0 ? 0 : found;
}

/*
 * What the file says that it has against what could be read of it. (The kernel's
 * counts in it do not do: they are of another moment.)
 */
static void audit(struct dat *d, const struct trace_datopt *opt)
{
	struct trace_totals *t = d->p->totals;
	unsigned int cpu;

	for (cpu = 0; cpu < TRACE_NR_CPUS; cpu++)
		if (opt->pages[cpu] > d->seen[cpu])
			t->missing += opt->pages[cpu] - d->seen[cpu];
}

static int read_buffer(struct dat *d, struct tracecmd_input *top, int b,
		       const char *path, struct trace_datopt *opt,
		       struct err *err)
{
	struct tracecmd_input *handle;
	int rc;

	rc = trace_datopt_read(path, name_of(top, b), opt, err);
	if (!rc)
		rc = trace_datopt_check_clock(path, opt, err);
	if (rc)
		return rc;
	handle = open_buffer(top, b);
	if (!handle)
		return err_set(err, -EINVAL, "%s: buffer %s cannot be read",
			       path, name_of(top, b));
	/* A power of two, or the file is damaged and the audit shows it. */
	d->page_size = opt->page_size ? opt->page_size : 4096;
	tracecmd_iterate_events(handle, NULL, 0, on_record, d);
	close_buffer(top, handle);
	audit(d, opt);
	return 0;
}

/**
 * trace_dat_read - pair the events of a trace-cmd file
 * @path: the file
 * @buffer: the only buffer to read, `top` for the main one; or NULL
 * @opt: what the file says of itself and of that buffer
 * @p: where to
 * @progress: grows with every record, for who watches over us
 * @err: what went wrong
 *
 * Context: a process of its own: the library may crash, exit, or never return.
 * Return: 0; -ENOENT for no such events or buffer; -ENOTUNIQ for events in more
 * than one buffer; -EDOM where its clock is no time; -EINVAL, -ENOMEM.
 */
int trace_dat_read(const char *path, const char *buffer,
		   struct trace_datopt *opt, struct trace_pair *p,
		   volatile uint64_t *progress, struct err *err)
{
	struct dat *d = calloc(1, sizeof(*d));
	struct tracecmd_input *top;
	int rc;

	if (!d)
		return err_sys(err, ENOMEM, path);
	d->p = p;
	d->progress = progress;
	top = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS |
				  TRACECMD_FL_LOAD_NO_SYSTEM_PLUGINS);
	if (!top) {
		free(d);
		return err_set(err, -EINVAL,
			       "%s: not a whole trace-cmd file: libtracecmd cannot open it",
			       path);
	}
	rc = trace_kinds_describe(&d->kinds, tracecmd_get_tep(top), path, err);
	if (!rc)
		rc = choose(d, top, path, buffer, err);
	if (rc >= 0)
		rc = read_buffer(d, top, rc, path, opt, err);
	tracecmd_close(top);
	free(d);
	return rc;
}
