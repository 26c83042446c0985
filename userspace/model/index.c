// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cache beside an array that only grows: it is made at the first look-up that
 * is worth it and catches up with what was appended since, so that N look-ups
 * among N names take a time that is linear in N.
 */
#include "model/index.h"

#include <stdlib.h>
#include <string.h>

/* So few are compared one by one. */
#define INDEX_FROM 16

static const char *name_at(const void *array, size_t size, size_t i)
{
	const char *name;

	memcpy(&name, (const char *)array + i * size, sizeof(name));
	return name;
}

/* FNV-1a, stirred: table sizes are powers of two. */
static size_t hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3ULL;
	h ^= h >> 32;
	return h * 0x9e3779b97f4a7c15ULL >> 20;
}

/* The slot of a name, or the free one where it would be. */
static size_t probe(const struct index *index, const void *array, size_t size,
		    const char *name)
{
	size_t at = hash(name) & index->mask;

	while (index->slot[at] &&
	       strcmp(name_at(array, size, index->slot[at] - 1), name))
		at = (at + 1) & index->mask;
	return at;
}

/* Of equal names the first stays. */
static void put(struct index *index, const void *array, size_t size, size_t i)
{
	size_t at = probe(index, array, size, name_at(array, size, i));

	if (!index->slot[at])
		index->slot[at] = i + 1;
}

static int catch_up(struct index *index, const void *array, size_t nr,
		    size_t size)
{
	size_t slots = index->slot ? index->mask + 1 : 64;
	uint32_t *slot;

	if (nr >= UINT32_MAX)
		return -1;
	while (slots < nr * 2)
		slots *= 2;
	if (!index->slot || slots > index->mask + 1) {
		/* Half empty also after as many again. */
		slot = calloc(slots * 2, sizeof(*slot));
		if (!slot)
			return -1;
		free(index->slot);
		*index = (struct index){ slot, slots * 2 - 1, 0 };
	}
	for (; index->nr < nr; index->nr++)
		put(index, array, size, index->nr);
	return 0;
}

/**
 * index_find - look a name up
 * @index: of the array; brought up to date, for which reason no two threads
 *	may look up in one at a time
 * @array: elements that begin with a pointer to their name; they only ever grow
 *	in number, and keep their names, as long as @index is not freed
 * @nr: how many
 * @size: bytes an element
 * @name: what to find
 *
 * Context: one thread.
 * Return: the position of the first of that name; @nr when there is none.
 */
size_t index_find(const struct index *index, const void *array, size_t nr,
		  size_t size, const char *name)
{
	struct index *cache = (struct index *)index;
	size_t i;

	/* Without memory for it, slowly. */
	if (nr > INDEX_FROM && !catch_up(cache, array, nr, size)) {
		i = cache->slot[probe(cache, array, size, name)];
		return i ? i - 1 : nr;
	}
	for (i = 0; i < nr; i++)
		if (!strcmp(name_at(array, size, i), name))
			break;
	return i;
}

/**
 * index_free - free what an index holds
 * @index: the index, of nothing afterwards
 *
 * Context: any.
 */
void index_free(struct index *index)
{
	free(index->slot);
	*index = (struct index){ 0 };
}
