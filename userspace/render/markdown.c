// SPDX-License-Identifier: GPL-2.0-only
/*
 * Markdown tables, for reports and trackers.
 */
#include <ctype.h>
#include <string.h>

#include "model/text.h"
#include "render/account.h"
#include "render/format.h"
#include "render/render.h"
#include "render/side.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/*
 * Whether a character would mark something up: a cell's end, code, an escape,
 * HTML and its entities, links, emphasis (not inside a word), strikethrough.
 */
static bool marks_up(const char *text, const char *at)
{
	bool first = at == text;

	switch (*at) {
	case '|':
	case '*':
	case '`':
	case '\\':
	case '<':
	case ']':
		return true;
	case '&':
		return at[1] == '#' || isalpha((unsigned char)at[1]);
	case '_':
		return first || !is_word(at[-1]) || !is_word(at[1]);
	case '~':
		return at[1] != ' ';
	default:
		return false;
	}
}

/* Likewise at the beginning of a paragraph: heading, quotation, list, rule. */
static bool begins_something(const char *text, const char *at)
{
	size_t digits = strspn(text, "0123456789");

	if (at == text)
		return strchr("#>=-+", *at);
	return digits && at == text + digits && strchr(".)", *at);
}

/* Words as they are, whatever they hold; @begin: they begin a paragraph. */
static void put(FILE *out, const char *text, bool begin)
{
	char clean[2600];
	const char *c;

	format_clean(text, clean, sizeof(clean));
	for (c = clean; *c; c++) {
		if (marks_up(clean, c) || (begin && begins_something(clean, c)))
			fputc('\\', out);
		fputc(*c, out);
	}
}

static void cell(FILE *out, const char *text)
{
	fputs(" ", out);
	put(out, text, false);
	fputs(" |", out);
}

static bool any_tested(const struct table *t, size_t rec)
{
	size_t r;

	for (r = 0; r < t->nr_rows; r++)
		if (t->row[r].change[rec].tested)
			return true;
	return false;
}

static void head(FILE *out, const struct doc *doc, const struct table *t)
{
	size_t i, columns = 0, c;
	char buf[300];

	fputs("\n|", out);
	cell(out, t->head);
	for (i = 0; i < doc->nr; i++) {
		if (doc->nr == 1)
			strcpy(buf, "Avg");
		else
			snprintf(buf, sizeof(buf), "%.*s (Avg)",
				 TEXT_FIT(doc->label[i], 200));
		cell(out, buf);
		columns++;
		if (doc->nr == 1 && t->ctx->side[0].runs > 1) {
			fputs(" Median | Least | Greatest |", out);
			columns += 3;
		}
		if (!i || doc->opts.no_change)
			continue;
		fputs(" Change |", out);
		columns++;
		if (any_tested(t, i)) {
			fputs(" n | p | Median change | 95% interval |", out);
			columns += 4;
		}
	}
	fputs("\n| --- |", out);
	for (c = 0; c < columns; c++)
		fputs(" ---: |", out);
	fputc('\n', out);
}

static void tests(FILE *out, const struct row *row, size_t rec)
{
	const struct change *change = &row->change[rec];
	char buf[FORMAT_LEN];

	if (!change->tested) {
		fputs(" | | | |", out);
		return;
	}
	fprintf(out, " %zu+%zu |", row->cell[0].n, row->cell[rec].n);
	format_p(change, buf);
	cell(out, buf);
	format_shift(change, row->style, buf);
	cell(out, buf);
	format_interval(change, buf);
	cell(out, buf);
}

static void line(FILE *out, const struct doc *doc, const struct table *t,
		 const struct row *row)
{
	const struct cell *c = row->cell;
	char buf[FORMAT_LEN];
	size_t i;

	fputs("|", out);
	cell(out, row->label);
	for (i = 0; i < doc->nr; i++) {
		format_cell(&c[i], row->style, buf);
		cell(out, buf);
		if (doc->nr == 1 && t->ctx->side[0].runs > 1) {
			const double v[] = { c->median, c->min, c->max };
			size_t k;

			for (k = 0; k < 3; k++) {
				strcpy(buf, "-");
				if (c->n)
					format_real(v[k], row->style, buf);
				cell(out, buf);
			}
		}
		if (!i || doc->opts.no_change)
			continue;
		format_change(&row->change[i], row->style, buf);
		cell(out, buf);
		if (any_tested(t, i))
			tests(out, row, i);
	}
	fputc('\n', out);
}

static void account(FILE *out, const struct doc *doc, const struct table *t)
{
	char text[ACCOUNT_LEN];
	bool loud;
	size_t i;

	fputc('\n', out);
	if (account_is_clean(doc, t->ctx))
		fputs("Nothing was lost, nothing is unpaired.\n", out);
	for (i = 0; i < doc->nr; i++) {
		loud = account_line(doc, t->ctx, i, text, sizeof(text));
		if (!*text)
			continue;
		fputs(loud ? "**" : "", out);
		put(out, text, !loud);
		fputs(loud ? "**\n\n" : "\n\n", out);
	}
}

/**
 * render_markdown - print a document as markdown
 * @out: where to
 * @doc: the document
 * @opts: how; unused
 *
 * Context: any; errors stay in the stream.
 * Return: 0.
 */
int render_markdown(FILE *out, const struct doc *doc,
		    const struct render_opts *opts)
{
	char buf[2600];
	size_t i, j;

	(void)opts;
	if (doc->nr_notes)
		fputs(doc->nr > 1 ? "What differs besides the kernel, and what to know:\n\n" :
				    "What to know:\n\n", out);
	for (i = 0; i < doc->nr_notes; i++) {
		fputs("- ", out);
		put(out, doc->note[i], true);
		fputc('\n', out);
	}
	for (i = 0; i < doc->nr_tables; i++) {
		const struct table *t = &doc->table[i];

		fputs("\n### ", out);
		put(out, t->title, false);
		if (*t->ctx->set) {
			fputs(", ", out);
			put(out, t->ctx->set, false);
		}
		fputs("\n\n", out);
		for (j = 0; j < doc->nr; j++) {
			side_line(doc, t->ctx, j, buf, sizeof(buf));
			fputs("- ", out);
			put(out, buf, true);
			fputc('\n', out);
			side_cost_line(&t->ctx->side[j], buf, sizeof(buf));
			if (!*buf)
				continue;
			fputs("  - ", out);
			put(out, buf, true);
			fputc('\n', out);
		}
		head(out, doc, t);
		for (j = 0; j < t->nr_rows; j++)
			line(out, doc, t, &t->row[j]);
		account(out, doc, t);
	}
	return 0;
}
