// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON, for programs: the same rows as in the other formats.
 */
#include <math.h>
#include <string.h>

#include "model/json.h"
#include "render/account.h"
#include "render/format.h"
#include "render/render.h"
#include "render/side.h"

static void key_num(FILE *out, const char *key, struct num n)
{
	char buf[FORMAT_LEN];

	format_plain(n, buf);
	fprintf(out, ", \"%s\": %s", key, *buf ? buf : "null");
}

static void key_real(FILE *out, const char *key, bool known, double v)
{
	key_num(out, key, known ? num_real(v) : num_absent());
}

/* A sum of finite times may not be finite. */
static void key_seconds(FILE *out, double seconds)
{
	fputs(", \"seconds\": ", out);
	if (isfinite(seconds))
		json_put_real(out, seconds);
	else
		fputs("null", out);
}

static void key_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, ", \"%s\": ", key);
	json_put_text(out, text ? text : "");
}

static struct num avg(const struct cell *cell)
{
	return cell->state == CELL_VALUE ? cell->avg : num_absent();
}

static void compared(FILE *out, const struct doc *doc, const struct table *t,
		     const struct row *row, size_t rec)
{
	const struct cell *a = &row->cell[0], *b = &row->cell[rec];
	const struct change *c = &row->change[rec];
	bool bounds = c->has_interval && c->is_ratio;

	fputs("    { \"table\": ", out);
	json_put_text(out, t->name);
	key_text(out, "row", row->label);
	key_num(out, "before", avg(a));
	key_num(out, "after", avg(b));
	key_real(out, "change", c->kind == CHANGE_PERCENT, c->percent);
	key_real(out, "p", c->tested, c->p);
	key_real(out, "low", bounds, c->low);
	key_real(out, "high", bounds, c->high);
	fprintf(out, ", \"n_before\": %zu, \"n_after\": %zu", a->n, b->n);
	key_real(out, "shift", c->has_shift && c->is_ratio, c->shift);
	key_real(out, "shift_diff", c->has_shift && !c->is_ratio, c->shift);
	key_text(out, "method", !c->tested ? "" : c->exact ? "exact" :
							     "normal");
	key_text(out, "bound", a->bound || b->bound ? "upper" : "");
	key_real(out, "median_before", a->n > 0, a->median);
	key_real(out, "median_after", b->n > 0, b->median);
	key_text(out, "label_before", doc->label[0]);
	key_text(out, "label_after", doc->label[rec]);
	key_text(out, "set", t->ctx->set);
	key_text(out, "title", t->title);
	fputs(" }", out);
}

static void single(FILE *out, const struct table *t, const struct row *row)
{
	const struct cell *c = &row->cell[0];

	fputs("    { \"table\": ", out);
	json_put_text(out, t->name);
	key_text(out, "row", row->label);
	key_num(out, "value", avg(c));
	key_real(out, "median", c->n > 0, c->median);
	key_real(out, "least", c->n > 0, c->min);
	key_real(out, "greatest", c->n > 0, c->max);
	fprintf(out, ", \"n\": %zu", c->n);
	key_text(out, "bound", c->bound ? "upper" : "");
	key_text(out, "set", t->ctx->set);
	key_text(out, "title", t->title);
	fputs(" }", out);
}

static void recordings(FILE *out, const struct doc *doc)
{
	const struct recording *rec;
	size_t i, j, runs;
	double seconds;

	fputs("  \"recordings\": [", out);
	for (i = 0; i < doc->nr; i++) {
		rec = doc->rec[i];
		runs = 0;
		seconds = 0;
		for (j = 0; j < rec->nr_groups; j++) {
			size_t k;

			runs += rec->groups[j].nr_runs;
			for (k = 0; k < rec->groups[j].nr_runs; k++)
				seconds += rec->groups[j].runs[k].seconds;
		}
		fputs(i ? ",\n    { \"label\": " : "\n    { \"label\": ", out);
		json_put_text(out, doc->label[i]);
		key_text(out, "name", rec->label);
		key_text(out, "kernel", rec->host.kernel);
		fprintf(out, ", \"cpus\": %lld, \"runs\": %zu",
			(long long)rec->host.cpus, runs);
		key_seconds(out, seconds);
		fputs(" }", out);
	}
	fputs(" ],\n", out);
}

static void json_put_count(FILE *out, __int128_t n)
{
	char buf[FORMAT_LEN];

	format_plain(num_ratio(n, 1), buf);
	fputs(buf, out);
}

static void cost(FILE *out, const struct side *side)
{
	char why[400];

	fputs(", \"cost\": { \"source\": \"" COST_SOURCE "\"", out);
	key_num(out, "instructions", side_cost(side));
	key_real(out, "per_read", side->cost.kernel, side->cost.per_op[0]);
	key_real(out, "per_write", side->cost.kernel, side->cost.per_op[1]);
	key_text(out, "measured_on", side->cost.kernel);
	side_basis(side, why, sizeof(why));
	key_text(out, "basis", why);
	fputs(" }", out);
}

/* What each set of tables rests on: one account for every context. */
static void accounts(FILE *out, const struct doc *doc)
{
	const struct context *ctx, *last = NULL;
	const struct side *side;
	bool first = true;
	size_t i, j, k;

	fputs("  \"accounts\": [", out);
	for (i = 0; i < doc->nr_tables; i++) {
		ctx = doc->table[i].ctx;
		if (ctx == last)
			continue;
		last = ctx;
		for (j = 0; j < doc->nr; j++) {
			side = &ctx->side[j];
			fputs(first ? "\n    { \"set\": " :
				      ",\n    { \"set\": ", out);
			first = false;
			json_put_text(out, ctx->set);
			key_text(out, "label", doc->label[j]);
			fprintf(out, ", \"runs\": %zu, \"failed\": %zu, \"operations\": ",
				side->runs, side->failed);
			json_put_count(out, side->ops[0] + side->ops[1]);
			key_seconds(out, side->seconds);
			key_text(out, "scope", side->scope);
			cost(out, side);
			fputs(", \"health\": {", out);
			for (k = 0; k < side->health.nr; k++) {
				fputs(k ? ", " : " ", out);
				json_put_text(out, side->health.v[k].name);
				fprintf(out, ": %lld",
					(long long)side->health.v[k].value);
			}
			fputs(" } }", out);
		}
	}
	fputs(" ],\n", out);
}

/**
 * render_json - print a document as JSON
 * @out: where to
 * @doc: the document
 * @opts: how; unused
 *
 * Context: any; errors stay in the stream.
 * Return: 0.
 */
int render_json(FILE *out, const struct doc *doc,
		const struct render_opts *opts)
{
	bool first = true;
	size_t i, j, k;

	(void)opts;
	fprintf(out, "{ \"format\": \"%s\", \"version\": 1,\n",
		doc->nr == 1 ? "mmlockstat-report" : "mmlockstat-diff");
	recordings(out, doc);
	fputs("  \"notes\": [", out);
	for (i = 0; i < doc->nr_notes; i++) {
		fputs(i ? ", " : "", out);
		json_put_text(out, doc->note[i]);
	}
	fputs("],\n", out);
	accounts(out, doc);
	fputs("  \"rows\": [\n", out);
	for (i = 0; i < doc->nr_tables; i++) {
		const struct table *t = &doc->table[i];

		for (j = 0; j < t->nr_rows; j++) {
			for (k = doc->nr == 1 ? 0 : 1; k < doc->nr; k++) {
				fputs(first ? "" : ",\n", out);
				first = false;
				if (doc->nr == 1)
					single(out, t, &t->row[j]);
				else
					compared(out, doc, t, &t->row[j], k);
			}
		}
	}
	fputs(" ] }\n", out);
	return 0;
}
