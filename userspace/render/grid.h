/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words in columns, and paragraphs, within RENDER_WIDTH.
 */
#ifndef RENDER_GRID_H
#define RENDER_GRID_H

#include <stddef.h>
#include <stdio.h>

/* A label, a base, three more with their changes. */
#define GRID_COLUMNS	8

/**
 * struct grid - a table as words
 * @columns: how many
 * @rows: how many, the head included
 * @cell: the words, row after row
 * @width: of each column
 */
struct grid {
	size_t columns, rows;
	char **cell;
	size_t width[GRID_COLUMNS];
};

void text_wrap(FILE *out, const char *text, size_t first, size_t rest);
int grid_init(struct grid *grid, size_t columns, size_t rows);
void grid_free(struct grid *grid);
int grid_put(struct grid *grid, size_t row, size_t column, const char *text);
size_t grid_width(const struct grid *grid);
void grid_print(FILE *out, struct grid *grid);

#endif
