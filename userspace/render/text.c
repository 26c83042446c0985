// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plain text, RENDER_WIDTH columns: for terminals, mails and cover letters.
 */
#include <errno.h>
#include <string.h>

#include "model/text.h"
#include "render/account.h"
#include "render/format.h"
#include "render/grid.h"
#include "render/render.h"
#include "render/side.h"
#include "render/width.h"

#define LABEL_CLIP	24

static int head_avg(const struct doc *doc, struct grid *grid, size_t column,
		    size_t rec)
{
	char label[FORMAT_LEN], head[FORMAT_LEN + 20];

	width_clip(doc->label[rec], LABEL_CLIP, label, sizeof(label));
	snprintf(head, sizeof(head), "%s%s", label,
		 doc->opts.no_change ? "" : " (Avg)");
	return grid_put(grid, 0, column, head);
}

/* One recording alone: its mean, and its spread where there is one. */
static int print_single(FILE *out, const struct doc *doc,
			const struct table *t)
{
	bool spread = t->ctx->side[0].runs > 1;
	char buf[FORMAT_LEN];
	struct grid grid;
	size_t r;
	int rc;

	rc = grid_init(&grid, spread ? 5 : 2, t->nr_rows + 1);
	rc = rc ? rc : grid_put(&grid, 0, 0, t->head);
	rc = rc ? rc : grid_put(&grid, 0, 1, spread ? "Avg" : "Value");
	if (spread && !rc)
		rc = grid_put(&grid, 0, 2, "Median") ||
		     grid_put(&grid, 0, 3, "Least") ||
		     grid_put(&grid, 0, 4, "Greatest") ? -ENOMEM : 0;
	for (r = 0; !rc && r < t->nr_rows; r++) {
		const struct row *row = &t->row[r];
		const struct cell *cell = &row->cell[0];
		const double v[] = { cell->median, cell->min, cell->max };
		size_t i;

		rc = grid_put(&grid, r + 1, 0, row->label);
		format_cell(cell, row->style, buf);
		rc = rc ? rc : grid_put(&grid, r + 1, 1, buf);
		for (i = 0; !rc && spread && i < 3; i++) {
			if (cell->n)
				format_real(v[i], row->style, buf);
			else
				strcpy(buf, "-");
			rc = grid_put(&grid, r + 1, i + 2, buf);
		}
	}
	if (!rc)
		grid_print(out, &grid);
	grid_free(&grid);
	(void)doc;
	return rc;
}

/* Recordings @from..@to side by side, the first one and their changes. */
static int block_grid(const struct doc *doc, const struct table *t,
		      size_t from, size_t to, struct grid *grid)
{
	bool change = !doc->opts.no_change;
	size_t columns = 2 + (to - from) * (change ? 2 : 1), r, i, c;
	char buf[FORMAT_LEN];
	int rc;

	rc = grid_init(grid, columns, t->nr_rows + 1);
	rc = rc ? rc : grid_put(grid, 0, 0, t->head);
	rc = rc ? rc : head_avg(doc, grid, 1, 0);
	for (i = from, c = 2; !rc && i < to; i++) {
		rc = head_avg(doc, grid, c++, i);
		if (change && !rc)
			rc = grid_put(grid, 0, c++, "Change");
	}
	for (r = 0; !rc && r < t->nr_rows; r++) {
		const struct row *row = &t->row[r];

		rc = grid_put(grid, r + 1, 0, row->label);
		format_cell(&row->cell[0], row->style, buf);
		rc = rc ? rc : grid_put(grid, r + 1, 1, buf);
		for (i = from, c = 2; !rc && i < to; i++) {
			format_cell(&row->cell[i], row->style, buf);
			rc = grid_put(grid, r + 1, c++, buf);
			if (!change || rc)
				continue;
			format_change(&row->change[i], row->style, buf);
			rc = grid_put(grid, r + 1, c++, buf);
		}
	}
	return rc;
}

static int print_values(FILE *out, const struct doc *doc,
			const struct table *t)
{
	size_t from = 1, to;
	struct grid grid;
	int rc;

	/* As many recordings in one block as fit beside the base. */
	while (from < doc->nr) {
		to = doc->nr < from + 3 ? doc->nr : from + 3;
		for (;;) {
			rc = block_grid(doc, t, from, to, &grid);
			if (rc || to == from + 1 ||
			    grid_width(&grid) <= RENDER_WIDTH)
				break;
			grid_free(&grid);
			to--;
		}
		if (!rc) {
			if (from > 1)
				fputc('\n', out);
			grid_print(out, &grid);
		}
		grid_free(&grid);
		if (rc)
			return rc;
		from = to;
	}
	return 0;
}

static size_t tested_rows(const struct table *t, size_t rec)
{
	size_t r, n = 0;

	for (r = 0; r < t->nr_rows; r++)
		n += t->row[r].change[rec].tested;
	return n;
}

/* The tests of one recording against the base. */
static int print_tests(FILE *out, const struct doc *doc,
		       const struct table *t, size_t rec)
{
	static const char * const head[] = { "Test", "n", "p",
					     "Median change", "95% interval" };
	size_t rows = tested_rows(t, rec), r, i, at = 1;
	bool approximated = false;
	char buf[FORMAT_LEN];
	struct grid grid;
	int rc;

	if (!rows)
		return 0;
	rc = grid_init(&grid, 5, rows + 1);
	for (i = 0; !rc && i < 5; i++)
		rc = grid_put(&grid, 0, i, head[i]);
	for (r = 0; !rc && r < t->nr_rows; r++) {
		const struct row *row = &t->row[r];
		const struct change *change = &row->change[rec];

		if (!change->tested)
			continue;
		approximated |= !change->exact;
		rc = grid_put(&grid, at, 0, row->label);
		snprintf(buf, sizeof(buf), "%zu+%zu", row->cell[0].n,
			 row->cell[rec].n);
		rc = rc ? rc : grid_put(&grid, at, 1, buf);
		format_p(change, buf);
		rc = rc ? rc : grid_put(&grid, at, 2, buf);
		format_shift(change, row->style, buf);
		rc = rc ? rc : grid_put(&grid, at, 3, buf);
		format_interval(change, buf);
		rc = rc ? rc : grid_put(&grid, at, 4, buf);
		at++;
	}
	if (!rc) {
		fputc('\n', out);
		if (doc->nr > 2) {
			snprintf(buf, sizeof(buf), "%.*s against %.*s",
				 TEXT_FIT(doc->label[rec], 200),
				 TEXT_FIT(doc->label[0], 200));
			text_wrap(out, buf, 0, 2);
		}
		grid_print(out, &grid);
		if (approximated)
			fputs("p and interval by the normal approximation: more than 20 runs a side.\n",
			      out);
	}
	grid_free(&grid);
	return rc;
}

/* Median and range of every recording, on request. */
static int print_spread(FILE *out, const struct doc *doc,
			const struct table *t)
{
	static const char * const head[] = { "Spread", "", "Median", "Least",
					     "Greatest" };
	char buf[FORMAT_LEN];
	struct grid grid;
	size_t r, i, at = 1;
	int rc;

	rc = grid_init(&grid, 5, t->nr_rows * doc->nr + 1);
	for (i = 0; !rc && i < 5; i++)
		rc = grid_put(&grid, 0, i, head[i]);
	for (r = 0; !rc && r < t->nr_rows; r++) {
		for (i = 0; !rc && i < doc->nr; i++, at++) {
			const struct row *row = &t->row[r];
			const struct cell *cell = &row->cell[i];
			const double v[] = { cell->median, cell->min,
					     cell->max };
			size_t k;

			width_clip(doc->label[i], LABEL_CLIP, buf, sizeof(buf));
			rc = grid_put(&grid, at, 0, i ? "" : row->label) ||
			     grid_put(&grid, at, 1, buf) ? -ENOMEM : 0;
			for (k = 0; !rc && k < 3; k++) {
				strcpy(buf, "-");
				if (cell->n)
					format_real(v[k], row->style, buf);
				rc = grid_put(&grid, at, k + 2, buf);
			}
		}
	}
	if (!rc) {
		fputc('\n', out);
		grid_print(out, &grid);
	}
	grid_free(&grid);
	return rc;
}

static bool has_tested_rows(const struct table *t)
{
	size_t r;

	for (r = 0; r < t->nr_rows; r++)
		if (t->row[r].tested)
			return true;
	return false;
}

static void print_account(FILE *out, const struct doc *doc,
			  const struct table *t,
			  const struct render_opts *opts)
{
	char line[ACCOUNT_LEN];
	bool loud;
	size_t i;

	if (account_is_clean(doc, t->ctx))
		fputs("Nothing was lost, nothing is unpaired.\n", out);
	for (i = 0; i < doc->nr; i++) {
		loud = account_line(doc, t->ctx, i, line, sizeof(line));
		if (!*line)
			continue;
		if (loud && opts->is_terminal)
			fputs("\033[1m", out);
		text_wrap(out, line, 0, 2);
		if (loud && opts->is_terminal)
			fputs("\033[0m", out);
	}
}

static int print_table(FILE *out, const struct doc *doc, const struct table *t,
		       const struct render_opts *opts)
{
	char line[2600];
	size_t i;
	int rc;

	snprintf(line, sizeof(line), "== %.*s%s%.*s%s ==",
		 TEXT_FIT(t->title, 400), *t->ctx->set ? " [" : "",
		 TEXT_FIT(t->ctx->set, 400),
		 *t->ctx->set ? "]" : "");
	fputc('\n', out);
	text_wrap(out, line, 0, 2);
	for (i = 0; i < doc->nr; i++) {
		side_line(doc, t->ctx, i, line, sizeof(line));
		text_wrap(out, line, 0, 4);
		side_cost_line(&t->ctx->side[i], line, sizeof(line));
		if (*line)
			text_wrap(out, line, 2, 4);
	}
	fputc('\n', out);
	rc = doc->nr == 1 ? print_single(out, doc, t) :
			    print_values(out, doc, t);
	for (i = 1; !rc && !doc->opts.no_change && i < doc->nr; i++)
		rc = print_tests(out, doc, t, i);
	if (!rc && doc->opts.spread && doc->nr > 1)
		rc = print_spread(out, doc, t);
	if (rc)
		return rc;
	fputc('\n', out);
	if (doc->nr > 1 && !doc->opts.no_change && has_tested_rows(t)) {
		bool any = false;

		for (i = 1; i < doc->nr; i++)
			any |= tested_rows(t, i) > 0;
		if (!any)
			fputs("One run a side: n too small, no test and no interval.\n",
			      out);
	}
	print_account(out, doc, t, opts);
	return 0;
}

/**
 * render_text - print a document as text
 * @out: where to
 * @doc: the document
 * @opts: how
 *
 * Context: any; errors stay in the stream.
 * Return: 0 or -ENOMEM.
 */
int render_text(FILE *out, const struct doc *doc,
		const struct render_opts *opts)
{
	char line[1200];
	size_t i;
	int rc = 0;

	for (i = 0; i < doc->nr; i++) {
		if (!doc->rec[i]->label ||
		    !strcmp(doc->rec[i]->label, doc->label[i]))
			continue;
		snprintf(line, sizeof(line), "%.*s is %.*s",
			 TEXT_FIT(doc->label[i], 100),
			 TEXT_FIT(doc->rec[i]->label, 500));
		text_wrap(out, line, 0, 4);
	}
	if (doc->nr_notes)
		fputs(doc->nr > 1 ? "What differs besides the kernel, and what to know:\n" :
				    "What to know:\n", out);
	for (i = 0; i < doc->nr_notes; i++)
		text_wrap(out, doc->note[i], 2, 6);
	for (i = 0; !rc && i < doc->nr_tables; i++)
		rc = print_table(out, doc, &doc->table[i], opts);
	if (!doc->nr_tables)
		fputs("There is nothing to show: no runs.\n", out);
	return rc;
}
