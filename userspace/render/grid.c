// SPDX-License-Identifier: GPL-2.0-only
#include "render/grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "render/format.h"
#include "render/render.h"
#include "render/width.h"

#define GAP		2
#define LABEL_MIN	24

static void pad(FILE *out, size_t n)
{
	while (n--)
		fputc(' ', out);
}

/**
 * text_wrap - print a paragraph, no line wider than RENDER_WIDTH
 * @out: where to
 * @text: the paragraph; words that are too long are cut
 * @first: columns before the first line
 * @rest: columns before the others
 *
 * Context: any; errors stay in the stream.
 */
void text_wrap(FILE *out, const char *text, size_t first, size_t rest)
{
	size_t len = strlen(text), room = RENDER_WIDTH - first, n, end;
	char *copy = malloc(len + 3);
	char *at = copy;

	if (!copy)
		return;
	format_clean(text, copy, len + 3);
	pad(out, first);
	for (;;) {
		while (*at == ' ')
			at++;
		n = width_fit(at, room);
		end = n;
		if (at[n]) {
			while (end && at[end] != ' ')
				end--;
			if (!end)
				end = n;
		}
		fprintf(out, "%.*s\n", (int)end, at);
		at += end;
		if (!at[strspn(at, " ")])
			break;
		pad(out, rest);
		room = RENDER_WIDTH - rest;
	}
	free(copy);
}

/**
 * grid_init - an empty grid
 * @grid: the grid
 * @columns: how many, 1..GRID_COLUMNS
 * @rows: how many
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int grid_init(struct grid *grid, size_t columns, size_t rows)
{
	*grid = (struct grid){ .columns = columns, .rows = rows };
	grid->cell = calloc(columns * rows, sizeof(*grid->cell));
	return grid->cell ? 0 : -ENOMEM;
}

/**
 * grid_free - free what a grid holds
 * @grid: the grid
 *
 * Context: any; harmless twice.
 */
void grid_free(struct grid *grid)
{
	size_t i;

	for (i = 0; grid->cell && i < grid->columns * grid->rows; i++)
		free(grid->cell[i]);
	free(grid->cell);
	grid->cell = NULL;
}

/**
 * grid_put - set one cell
 * @grid: the grid
 * @row: from 0, the head
 * @column: from 0, the labels
 * @text: the words
 *
 * Context: any; each cell once.
 * Return: 0 or -ENOMEM.
 */
int grid_put(struct grid *grid, size_t row, size_t column, const char *text)
{
	char clean[FORMAT_LEN];
	size_t width;

	format_clean(text, clean, sizeof(clean));
	grid->cell[row * grid->columns + column] = strdup(clean);
	width = width_of(clean);
	if (width > grid->width[column])
		grid->width[column] = width;
	return grid->cell[row * grid->columns + column] ? 0 : -ENOMEM;
}

/**
 * grid_width - columns that a grid takes
 * @grid: the grid
 *
 * Context: any.
 * Return: its width.
 */
size_t grid_width(const struct grid *grid)
{
	size_t i, sum = GAP * (grid->columns - 1);

	for (i = 0; i < grid->columns; i++)
		sum += grid->width[i];
	return sum;
}

static void rule(FILE *out, size_t width)
{
	while (width--)
		fputc('-', out);
	fputc('\n', out);
}

/* Labels on lines of their own, where label and numbers do not fit in one. */
static void grid_print_stacked(FILE *out, const struct grid *grid)
{
	size_t r, c, width = 2, w;

	for (c = 1; c < grid->columns; c++)
		width += grid->width[c] + (c > 1 ? GAP : 0);
	for (r = 0; r < grid->rows; r++) {
		text_wrap(out, grid->cell[r * grid->columns], 0, 2);
		fputs("  ", out);
		for (c = 1; c < grid->columns; c++) {
			const char *text = grid->cell[r * grid->columns + c];

			if (c > 1)
				pad(out, GAP);
			/* Wider than the page even so: one below the other. */
			if (width > RENDER_WIDTH) {
				fputs(text, out);
				if (c + 1 < grid->columns)
					fputs("\n  ", out);
				continue;
			}
			w = width_of(text);
			pad(out, grid->width[c] - w);
			fputs(text, out);
		}
		fputc('\n', out);
		if (!r)
			rule(out, width < RENDER_WIDTH ? width : RENDER_WIDTH);
	}
}

/**
 * grid_print - print a grid
 * @out: where to
 * @grid: the grid; all its cells set
 *
 * Labels stand on lines of their own where the numbers leave no room.
 *
 * Context: any; errors stay in the stream.
 */
void grid_print(FILE *out, struct grid *grid)
{
	size_t r, c, w;

	if (grid->width[0] < LABEL_MIN &&
	    grid_width(grid) + LABEL_MIN - grid->width[0] <= RENDER_WIDTH)
		grid->width[0] = LABEL_MIN;
	if (grid_width(grid) > RENDER_WIDTH) {
		grid_print_stacked(out, grid);
		return;
	}
	for (r = 0; r < grid->rows; r++) {
		for (c = 0; c < grid->columns; c++) {
			const char *text = grid->cell[r * grid->columns + c];

			w = width_of(text);
			if (c) {
				pad(out, GAP + grid->width[c] - w);
				fputs(text, out);
			} else {
				fputs(text, out);
				pad(out, grid->width[c] - w);
			}
		}
		fputc('\n', out);
		if (!r)
			rule(out, grid_width(grid));
	}
}
