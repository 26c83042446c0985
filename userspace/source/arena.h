/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for the JSON library while one file is parsed: handed out from large
 * blocks, bounded in proportion to the file, and given back all at once.  Fast
 * for a thousand runs, and a hostile file cannot eat the machine.
 */
#ifndef SOURCE_ARENA_H
#define SOURCE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

int arena_begin(size_t limit);
bool arena_exhausted(void);
void arena_end(void);

#endif
