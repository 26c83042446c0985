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

/* Bits of an event's common_flags, include/linux/trace_events.h. */
#define FLAG_IRQS_OFF	0x01
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10
#define FLAG_NMI	0x40

/* No trace-cmd has more buffers in a file than a kernel has instances. */
#define MAX_BUFFERS	256

/**
 * struct kind - one of our events, as this file describes it
 * @what: enum trace_what
 * @id: number of it in records
 * @mm: where its fields are
 * @write: likewise
 * @success: likewise; NULL for none
 * @flags: common_flags
 * @pid: common_pid
 * @size: bytes that a record has at least
 */
struct kind {
	enum trace_what what;
	int id;
	struct tep_format_field *mm, *write, *success, *flags, *pid;
	int size;
};

/**
 * struct dat - a file being read
 * @p: where events go
 * @tep: knows the file's kinds of records
 * @kind: our events
 * @nr_kinds: how many there are
 * @type: common_type, where every record says what it is
 * @progress: records read, for who watches
 * @page_size: bytes of a page of a buffer
 * @page: of a CPU: offset of the page that the last record was in
 * @seen: of a CPU: pages with a record
 * @known: bit set for each number of a kind that the file describes
 */
struct dat {
	struct trace_pair *p;
	struct tep_handle *tep;
	struct kind kind[3];
	size_t nr_kinds;
	struct tep_format_field *type;
	volatile uint64_t *progress;
	uint64_t page_size, page[TRACE_NR_CPUS], seen[TRACE_NR_CPUS];
	uint8_t known[1 << 13];
};

static int bound(int size, const struct tep_format_field *field)
{
	int end = field->offset + field->size;

	return end > size ? end : size;
}

static bool is_number(const struct tep_format_field *field)
{
	return field && field->offset >= 0 &&
	       (field->size == 1 || field->size == 2 || field->size == 4 ||
		field->size == 8);
}

static int describe(struct dat *d, const char *path, struct err *err)
{
	static const char * const names[] = {
		"mmap_lock_start_locking", "mmap_lock_acquire_returned",
		"mmap_lock_released",
	};
	static const enum trace_what whats[] = {
		TRACE_START, TRACE_ACQUIRED, TRACE_RELEASED,
	};
	struct tep_event *event;
	struct kind *k;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		event = tep_find_event_by_name(d->tep, "mmap_lock", names[i]);
		if (!event)
			continue;
		k = &d->kind[d->nr_kinds++];
		k->what = whats[i];
		k->id = event->id;
		k->mm = tep_find_field(event, "mm");
		k->write = tep_find_field(event, "write");
		k->flags = tep_find_common_field(event, "common_flags");
		k->pid = tep_find_common_field(event, "common_pid");
		d->type = tep_find_common_field(event, "common_type");
		if (k->what == TRACE_ACQUIRED)
			k->success = tep_find_field(event, "success");
		if (!is_number(k->mm) || !is_number(k->write) ||
		    !is_number(k->flags) || !is_number(k->pid) ||
		    !is_number(d->type) ||
		    (k->what == TRACE_ACQUIRED && !is_number(k->success)))
			return err_set(err, -EINVAL,
				       "%s: event %s lacks a field that it has in every kernel",
				       path, names[i]);
		k->size = bound(bound(bound(bound(0, k->mm), k->write),
				      k->flags), k->pid);
		if (k->success)
			k->size = bound(k->size, k->success);
	}
	if (!d->nr_kinds)
		return err_set(err, -ENOENT,
			       "%s: no mmap_lock event in it: record with 'trace-cmd record -e mmap_lock'",
			       path);
	return 0;
}

static uint64_t field(const struct dat *d, const struct tep_record *rec,
		      const struct tep_format_field *f)
{
	return tep_read_number(d->tep, (const char *)rec->data + f->offset,
			       f->size);
}

static void take_flags(struct trace_event *ev, unsigned int flags)
{
	ev->softirq = flags & FLAG_SOFTIRQ;
	if (flags & FLAG_HARDIRQ)
		ev->level = TRACE_HARDIRQ;
	/* What an NMI took is released as what code with interrupts off took. */
	else if (flags & (FLAG_IRQS_OFF | FLAG_NMI))
		ev->level = TRACE_IRQS_OFF;
	else if (flags & FLAG_SOFTIRQ)
		ev->level = TRACE_SOFTIRQ;
}

static bool take_event(const struct dat *d, const struct kind *k,
		       const struct tep_record *rec, struct trace_event *ev)
{
	uint64_t write, success = 1, tid;

	if (rec->size < k->size || rec->ts >= TRACE_MAX_NS)
		return false;
	write = field(d, rec, k->write);
	if (k->success)
		success = field(d, rec, k->success);
	tid = field(d, rec, k->pid);
	if (write > 1 || success > 1 || tid > INT32_MAX)
		return false;
	*ev = (struct trace_event){
		.ns = rec->ts, .mm = field(d, rec, k->mm), .tid = tid,
		.cpu = rec->cpu, .what = success ? k->what : TRACE_FAILED,
		.mode = write ? MLS_WRITE : MLS_READ,
	};
	take_flags(ev, field(d, rec, k->flags));
	return true;
}

static void note_page(struct dat *d, int cpu, const struct tep_record *rec)
{
	uint64_t page = rec->offset / d->page_size + 1;

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

static const struct kind *kind_of(const struct dat *d,
				  const struct tep_record *rec, unsigned int *id)
{
	size_t i;

	*id = UINT32_MAX;
	if (rec->size < bound(0, d->type))
		return NULL;
	*id = field(d, rec, d->type);
	for (i = 0; i < d->nr_kinds; i++)
		if (d->kind[i].id == (int)*id)
			return &d->kind[i];
	return NULL;
}

static int on_record(struct tracecmd_input *handle, struct tep_record *rec,
		     int cpu, void *arg)
{
	const struct kind *kind;
	struct trace_event ev;
	struct dat *d = arg;
	unsigned int id;

	(void)handle;
	++*d->progress;
	cpu = rec->cpu >= 0 && rec->cpu < TRACE_NR_CPUS ? rec->cpu :
							  TRACE_NR_CPUS - 1;
	if (rec->missed_events)
		note_missed(d, cpu, rec);
	note_page(d, cpu, rec);
	kind = kind_of(d, rec, &id);
	if (!kind) {
		if (id >= sizeof(d->known) * 8 ||
		    !(d->known[id / 8] & 1 << id % 8))
			d->p->totals->unknown++;
		return 0;
	}
	if (take_event(d, kind, rec, &ev))
		trace_pair_event(d->p, &ev);
	else
		d->p->totals->malformed++;
	return d->p->failed;
}

/* Stops at the first of our events. */
static int on_probe(struct tracecmd_input *handle, struct tep_record *rec,
		    int cpu, void *arg)
{
	struct dat *d = arg;
	unsigned int id;

	(void)handle;
	(void)cpu;
	++*d->progress;
	return kind_of(d, rec, &id) ? 1 : 0;
}

static void list_known(struct dat *d)
{
	struct tep_event *event;
	int i;

	for (i = 0; (event = tep_get_event(d->tep, i)); i++)
		if (event->id >= 0 &&
		    event->id < (int)sizeof(d->known) * 8)
			d->known[event->id / 8] |= 1 << event->id % 8;
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
	d->tep = tracecmd_get_tep(top);
	rc = describe(d, path, err);
	if (!rc) {
		list_known(d);
		rc = choose(d, top, path, buffer, err);
	}
	if (rc >= 0)
		rc = read_buffer(d, top, rc, path, opt, err);
	tracecmd_close(top);
	free(d);
	return rc;
}
