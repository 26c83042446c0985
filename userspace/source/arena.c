// SPDX-License-Identifier: GPL-2.0-only
#include "source/arena.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/mman.h>

/* A huge page of x86-64, and of arm64 with pages of 4 KiB. */
#define HUGE_BYTES	((size_t)2 * 1024 * 1024)
#define BLOCK_BYTES	(HUGE_BYTES - sizeof(struct block))
/* Below it the whole file fits in few small pages: a huge one costs more. */
#define HUGE_LIMIT	(8 * HUGE_BYTES)
#define ALIGN		16

/**
 * struct block - a piece of memory from the system
 * @next: the one before
 * @data: what is handed out
 */
struct block {
	struct block *next;
	char data[] __attribute__((aligned(ALIGN)));
};

/**
 * struct arena - the memory of the file being parsed
 * @blocks: all of it
 * @at: next free byte
 * @left: bytes left in the newest block
 * @used: bytes taken from the system
 * @limit: bytes that may be
 * @exhausted: the limit was met
 * @malloc_was: the library's own allocator
 * @free_was: likewise
 */
static struct arena {
	struct block *blocks;
	char *at;
	size_t left, used, limit;
	bool exhausted;
	json_malloc_t malloc_was;
	json_free_t free_was;
} arena;

/*
 * Where a page fault is dear (a guest), faults on small pages are half the time
 * of a large file: ask for huge pages.  A system that has none says no, and
 * that is no error.
 */
static struct block *block_new(size_t want)
{
	struct block *block;

	if (want != BLOCK_BYTES || arena.limit < HUGE_LIMIT)
		return malloc(sizeof(*block) + want);
	block = aligned_alloc(HUGE_BYTES, HUGE_BYTES);
	if (block)
		madvise(block, HUGE_BYTES, MADV_HUGEPAGE);
	return block;
}

static void *arena_malloc(size_t size)
{
	size_t bytes = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	struct block *block;
	size_t want;

	if (bytes < size)
		return NULL;
	if (bytes > arena.left) {
		want = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
		if (want > arena.limit - arena.used) {
			arena.exhausted = true;
			return NULL;
		}
		block = block_new(want);
		if (!block)
			return NULL;
		block->next = arena.blocks;
		arena.blocks = block;
		arena.used += want;
		if (want == bytes)	/* a large one: keep the rest of the last */
			return block->data;
		arena.at = block->data;
		arena.left = want;
	}
	arena.at += bytes;
	arena.left -= bytes;
	return arena.at - bytes;
}

static void arena_free(void *mem)
{
	(void)mem;
}

/**
 * arena_begin - from now on the JSON library takes its memory here
 * @limit: most bytes it may take
 *
 * Context: one thread; not nested.
 * Return: 0 or -EBUSY.
 */
int arena_begin(size_t limit)
{
	if (arena.limit)
		return -EBUSY;
	json_get_alloc_funcs(&arena.malloc_was, &arena.free_was);
	/* Seeded before, so that nothing of the library's own lies in here. */
	json_object_seed(0);
	arena.limit = limit < BLOCK_BYTES ? BLOCK_BYTES : limit;
	arena.exhausted = false;
	json_set_alloc_funcs(arena_malloc, arena_free);
	return 0;
}

/**
 * arena_exhausted - whether the limit was met
 *
 * Context: between arena_begin() and arena_end(), or after it.
 * Return: true when an allocation was refused because of it.
 */
bool arena_exhausted(void)
{
	return arena.exhausted;
}

/**
 * arena_end - free everything, and give the library its allocator back
 *
 * Context: one thread; every JSON value of the arena is dead afterwards.
 */
void arena_end(void)
{
	struct block *next;

	while (arena.blocks) {
		next = arena.blocks->next;
		free(arena.blocks);
		arena.blocks = next;
	}
	json_set_alloc_funcs(arena.malloc_was, arena.free_was);
	arena.at = NULL;
	arena.left = 0;
	arena.used = 0;
	arena.limit = 0;
}
