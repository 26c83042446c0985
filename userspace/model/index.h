/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding one of many by name.
 */
#ifndef MODEL_INDEX_H
#define MODEL_INDEX_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct index - where in an array a name is; all zero is one of nothing
 * @slot: hash table of positions + 1, 0 for a free one
 * @mask: slots - 1, a power of two less one
 * @nr: elements of the array that are in it
 */
struct index {
	uint32_t *slot;
	size_t mask, nr;
};

size_t index_find(const struct index *index, const void *array, size_t nr,
		  size_t size, const char *name);
void index_free(struct index *index);

#endif
