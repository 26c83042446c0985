// SPDX-License-Identifier: GPL-2.0-only
/*
 * Comma-separated values, for spreadsheets and scripts: one line for each row
 * and each recording that is compared with the base.
 */
#include <string.h>

#include "model/text.h"
#include "render/format.h"
#include "render/render.h"
#include "render/side.h"

static void field(FILE *out, const char *text)
{
	bool quote = strpbrk(text, ",\"");
	uint32_t code;
	size_t n;

	if (quote)
		fputc('"', out);
	for (; *text; text += n) {
		n = text_next(text, &code);
		if (code == '"')
			fputs("\"\"", out);
		else if (text_is_plain(code))
			fwrite(text, 1, n, out);
		else
			fputc('?', out);
	}
	if (quote)
		fputc('"', out);
}

static void number(FILE *out, struct num n)
{
	char buf[FORMAT_LEN];

	format_plain(n, buf);
	fputs(buf, out);
}

static void real(FILE *out, bool known, double v)
{
	number(out, known ? num_real(v) : num_absent());
}

static void value(FILE *out, const struct cell *cell)
{
	number(out, cell->state == CELL_VALUE ? cell->avg : num_absent());
}

static void basis(FILE *out, const struct side *side)
{
	char buf[400];

	side_basis(side, buf, sizeof(buf));
	fputc(',', out);
	field(out, buf);
}

static void compared(FILE *out, const struct doc *doc, const struct table *t,
		     const struct row *row, size_t rec)
{
	const struct cell *a = &row->cell[0], *b = &row->cell[rec];
	const struct change *c = &row->change[rec];
	bool bounds = c->has_interval && c->is_ratio;

	field(out, t->name);
	fputc(',', out);
	field(out, row->label);
	fputc(',', out);
	value(out, a);
	fputc(',', out);
	value(out, b);
	fputc(',', out);
	real(out, c->kind == CHANGE_PERCENT, c->percent);
	fputc(',', out);
	real(out, c->tested, c->p);
	fputc(',', out);
	real(out, bounds, c->low);
	fputc(',', out);
	real(out, bounds, c->high);
	fprintf(out, ",%zu,%zu,", a->n, b->n);
	real(out, c->has_shift && c->is_ratio, c->shift);
	fputc(',', out);
	real(out, c->has_shift && !c->is_ratio, c->shift);
	fprintf(out, ",%s,", !c->tested ? "" : c->exact ? "exact" : "normal");
	fprintf(out, "%s,", a->bound || b->bound ? "upper" : "");
	real(out, a->n > 0, a->median);
	fputc(',', out);
	real(out, b->n > 0, b->median);
	fputc(',', out);
	field(out, doc->label[0]);
	fputc(',', out);
	field(out, doc->label[rec]);
	fputc(',', out);
	field(out, t->ctx->set);
	fputc(',', out);
	field(out, t->title);
	fputc(',', out);
	number(out, side_cost(&t->ctx->side[0]));
	fputc(',', out);
	number(out, side_cost(&t->ctx->side[rec]));
	basis(out, &t->ctx->side[0]);
	basis(out, &t->ctx->side[rec]);
	fputc('\n', out);
}

static void single(FILE *out, const struct table *t, const struct row *row)
{
	const struct cell *c = &row->cell[0];

	field(out, t->name);
	fputc(',', out);
	field(out, row->label);
	fputc(',', out);
	value(out, c);
	fputc(',', out);
	real(out, c->n > 0, c->median);
	fputc(',', out);
	real(out, c->n > 0, c->min);
	fputc(',', out);
	real(out, c->n > 0, c->max);
	fprintf(out, ",%zu,%s,", c->n, c->bound ? "upper" : "");
	field(out, t->ctx->set);
	fputc(',', out);
	field(out, t->title);
	fputc(',', out);
	number(out, side_cost(&t->ctx->side[0]));
	basis(out, &t->ctx->side[0]);
	fputc('\n', out);
}

/**
 * render_csv - print a document as comma-separated values
 * @out: where to
 * @doc: the document
 * @opts: how; unused
 *
 * Context: any; errors stay in the stream.
 * Return: 0.
 */
int render_csv(FILE *out, const struct doc *doc,
	       const struct render_opts *opts)
{
	size_t i, j, k;

	(void)opts;
	if (doc->nr == 1)
		fputs("table,row,value,median,least,greatest,n,bound,set,title,cost,cost_basis\n",
		      out);
	else
		fputs("table,row,before,after,change,p,low,high,n_before,n_after,shift,shift_diff,method,bound,median_before,median_after,label_before,label_after,set,title,cost_before,cost_after,cost_basis_before,cost_basis_after\n",
		      out);
	for (i = 0; i < doc->nr_tables; i++) {
		const struct table *t = &doc->table[i];

		for (j = 0; j < t->nr_rows; j++) {
			if (doc->nr == 1)
				single(out, t, &t->row[j]);
			for (k = 1; k < doc->nr; k++)
				compared(out, doc, t, &t->row[j], k);
		}
	}
	return 0;
}
