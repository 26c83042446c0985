// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_table.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_SIZE 1024

static size_t home(const struct trace_table *t, int64_t who, uint64_t mm)
{
	uint64_t h = (uint64_t)who * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (mm >> 6)) * UINT64_C(0xff51afd7ed558ccd);
	return (h ^ h >> 32) & (t->size - 1);
}

/**
 * trace_table_find - the slot of a (who, mm)
 * @t: the table
 * @who: who
 * @mm: the mm
 *
 * Context: any.
 * Return: the slot, valid until the next trace_table_take() or _drop(); or NULL.
 */
struct trace_slot *trace_table_find(const struct trace_table *t, int64_t who,
				    uint64_t mm)
{
	struct trace_slot *s;
	size_t i;

	if (!t->size)
		return NULL;
	for (i = home(t, who, mm);; i = (i + 1) & (t->size - 1)) {
		s = &t->slot[i];
		if (!s->used)
			return NULL;
		if (s->who == who && s->mm == mm)
			return s;
	}
}

/**
 * trace_table_is_full - will the next new slot make the table larger?
 * @t: the table
 *
 * Context: any; time to throw away what is of no use any more.
 * Return: true when it will.
 */
bool trace_table_is_full(const struct trace_table *t)
{
	return t->size && t->nr >= t->size / 2;
}

static void put(struct trace_table *t, const struct trace_slot *from)
{
	size_t i = home(t, from->who, from->mm);

	while (t->slot[i].used)
		i = (i + 1) & (t->size - 1);
	t->slot[i] = *from;
	t->nr++;
}

static int resize(struct trace_table *t, size_t size)
{
	struct trace_table grown = { .size = size };
	size_t i;

	grown.slot = calloc(size, sizeof(*grown.slot));
	if (!grown.slot)
		return -ENOMEM;
	for (i = 0; i < t->size; i++)
		if (t->slot[i].used)
			put(&grown, &t->slot[i]);
	free(t->slot);
	*t = grown;
	return 0;
}

/**
 * trace_table_take - the slot of a (who, mm), a new one where there is none
 * @t: the table
 * @who: who
 * @mm: the mm
 *
 * Context: any; other slots move.
 * Return: the slot; or NULL without memory.
 */
struct trace_slot *trace_table_take(struct trace_table *t, int64_t who,
				    uint64_t mm)
{
	struct trace_slot *s;
	size_t i;

	if (t->nr >= t->size / 2 &&
	    resize(t, t->size ? t->size * 2 : FIRST_SIZE))
		return NULL;
	for (i = home(t, who, mm);; i = (i + 1) & (t->size - 1)) {
		s = &t->slot[i];
		if (!s->used)
			break;
		if (s->who == who && s->mm == mm)
			return s;
	}
	*s = (struct trace_slot){ .who = who, .mm = mm, .used = true };
	t->nr++;
	return s;
}

/**
 * trace_table_drop - give a slot back
 * @t: the table
 * @slot: a slot of it
 *
 * Context: any; other slots move.
 */
void trace_table_drop(struct trace_table *t, struct trace_slot *slot)
{
	size_t mask = t->size - 1, hole = slot - t->slot, i = hole, at;

	/* Whoever was pushed on by a slot before it moves up. */
	for (;;) {
		i = (i + 1) & mask;
		if (!t->slot[i].used)
			break;
		at = home(t, t->slot[i].who, t->slot[i].mm);
		if (((i - at) & mask) >= ((i - hole) & mask)) {
			t->slot[hole] = t->slot[i];
			hole = i;
		}
	}
	t->slot[hole].used = false;
	t->nr--;
}

/**
 * trace_table_free - free a table
 * @t: the table
 *
 * Context: any.
 */
void trace_table_free(struct trace_table *t)
{
	free(t->slot);
	*t = (struct trace_table){ 0 };
}
