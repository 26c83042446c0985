// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_kind.h"

#include <errno.h>
#include <string.h>

/* Bits of an event's common_flags, include/linux/trace_events.h. */
#define FLAG_IRQS_OFF	0x01
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10
#define FLAG_NMI	0x40

/* Where a field is; @end grows to its end. */
static bool place(const struct tep_format_field *field, struct trace_place *at,
		  int *end)
{
	if (!field || field->offset < 0 ||
	    (field->size != 1 && field->size != 2 && field->size != 4 &&
	     field->size != 8))
		return false;
	at->offset = field->offset;
	at->size = field->size;
	if (at->offset + at->size > *end)
		*end = at->offset + at->size;
	return true;
}

static bool place_all(struct trace_kinds *kinds, struct tep_event *event,
		      struct trace_kind *k)
{
	return place(tep_find_common_field(event, "common_type"), &kinds->type,
		     &k->size) &&
	       place(tep_find_common_field(event, "common_flags"), &k->flags,
		     &k->size) &&
	       place(tep_find_common_field(event, "common_pid"), &k->pid,
		     &k->size) &&
	       place(tep_find_field(event, "mm"), &k->mm, &k->size) &&
	       place(tep_find_field(event, "write"), &k->write, &k->size) &&
	       (k->what != TRACE_ACQUIRED ||
		place(tep_find_field(event, "success"), &k->success,
		      &k->size));
}

/* As tep_read_number(), which is called once a field of ten million records. */
static inline uint64_t field(const struct trace_kinds *kinds,
			     const struct tep_record *rec,
			     const struct trace_place *f)
{
	const char *at = (const char *)rec->data + f->offset;
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (f->size) {
	case 1:
		return *(const uint8_t *)at;
	case 2:
		memcpy(&two, at, sizeof(two));
		return kinds->swap ? __builtin_bswap16(two) : two;
	case 4:
		memcpy(&four, at, sizeof(four));
		return kinds->swap ? __builtin_bswap32(four) : four;
	default:
		memcpy(&eight, at, sizeof(eight));
		return kinds->swap ? __builtin_bswap64(eight) : eight;
	}
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

static bool take_event(const struct trace_kinds *kinds,
		       const struct trace_kind *k,
		       const struct tep_record *rec, struct trace_event *ev)
{
	uint64_t write, success = 1, tid;

	if (rec->size < k->size || rec->ts >= TRACE_MAX_NS)
		return false;
	write = field(kinds, rec, &k->write);
	if (k->success.size)
		success = field(kinds, rec, &k->success);
	tid = field(kinds, rec, &k->pid);
	if (write > 1 || success > 1 || tid > INT32_MAX)
		return false;
	*ev = (struct trace_event){
		.ns = rec->ts, .mm = field(kinds, rec, &k->mm), .tid = tid,
		.cpu = rec->cpu, .what = success ? k->what : TRACE_FAILED,
		.mode = write ? MLS_WRITE : MLS_READ,
	};
	take_flags(ev, field(kinds, rec, &k->flags));
	return true;
}

/**
 * trace_kinds_describe - find our events and their fields in a file's description
 * @kinds: what was found; all zero before
 * @tep: the file's description
 * @path: of the file, for messages
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0; -ENOENT where the file describes none of them; -EINVAL where a field
 * is missing.
 */
int trace_kinds_describe(struct trace_kinds *kinds, struct tep_handle *tep,
			 const char *path, struct err *err)
{
	static const char * const names[] = {
		"mmap_lock_start_locking", "mmap_lock_acquire_returned",
		"mmap_lock_released",
	};
	static const enum trace_what what_of[] = {
		TRACE_START, TRACE_ACQUIRED, TRACE_RELEASED,
	};
	struct tep_event *event;
	struct trace_kind *k;
	size_t i;
	int n;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		event = tep_find_event_by_name(tep, "mmap_lock", names[i]);
		if (!event)
			continue;
		k = &kinds->kind[kinds->nr++];
		k->what = what_of[i];
		k->id = event->id;
		if (!place_all(kinds, event, k))
			return err_set(err, -EINVAL,
				       "%s: event %s lacks a field that it has in every kernel",
				       path, names[i]);
	}
	kinds->swap = tep_is_file_bigendian(tep) !=
		  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (!kinds->nr)
		return err_set(err, -ENOENT,
			       "%s: no mmap_lock event in it: record with 'trace-cmd record -e mmap_lock'",
			       path);
	for (n = 0; (event = tep_get_event(tep, n)); n++)
		if (event->id >= 0 && event->id < TRACE_NR_IDS)
			kinds->known[event->id / 8] |= 1 << event->id % 8;
	return 0;
}

/**
 * trace_kinds_take - what is this record?
 * @kinds: the file's kinds
 * @rec: the record
 * @ev: the event, where it is one of ours
 *
 * Context: any.
 * Return: enum trace_record.
 */
enum trace_record trace_kinds_take(const struct trace_kinds *kinds,
				   const struct tep_record *rec,
				   struct trace_event *ev)
{
	unsigned int id;
	size_t i;

	if (rec->size < kinds->type.offset + kinds->type.size)
		return TRACE_RECORD_BAD;
	id = field(kinds, rec, &kinds->type);
	for (i = 0; i < kinds->nr; i++)
		if (kinds->kind[i].id == (int)id)
			return take_event(kinds, &kinds->kind[i], rec, ev) ?
				TRACE_RECORD_OURS : TRACE_RECORD_BAD;
	if (id < TRACE_NR_IDS && kinds->known[id / 8] & 1 << id % 8)
		return TRACE_RECORD_OTHER;
	return TRACE_RECORD_UNKNOWN;
}
