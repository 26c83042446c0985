// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables around the lock: what the workload reported, what vmstat gained.
 */
#include "stats/context.h"
#include "stats/tables.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *better_words(enum better better)
{
	switch (better) {
	case BETTER_HIGHER:
		return ", higher is better";
	case BETTER_LOWER:
		return ", lower is better";
	default:
		return "";
	}
}

/**
 * struct names - names met, each once, in order
 * @v: the metrics that had them first
 * @nr: how many
 * @cap: room
 * @index: of the names
 */
struct names {
	struct { const char *name; const struct metric *metric; } *v;
	size_t nr, cap;
	struct index index;
};

static void names_free(struct names *names)
{
	free(names->v);
	index_free(&names->index);
}

static int names_of_group(struct names *names, const struct group *group)
{
	const struct metric *m;
	size_t i, j;

	for (i = 0; group && i < group->nr_runs; i++) {
		for (j = 0; j < group->runs[i].nr_metrics; j++) {
			m = &group->runs[i].metrics[j];
			/* Runs name the same ones in the same order, mostly. */
			if ((j < names->nr &&
			     !strcmp(names->v[j].name, m->name)) ||
			    index_find(&names->index, names->v, names->nr,
				       sizeof(*names->v), m->name) < names->nr)
				continue;
			if (grow(&names->v, names->nr, &names->cap,
				 sizeof(*names->v)))
				return -ENOMEM;
			names->v[names->nr].name = m->name;
			names->v[names->nr++].metric = m;
		}
	}
	return 0;
}

static int table_workload(struct doc *doc, struct context *ctx,
			  const struct group * const *group,
			  const struct names *names)
{
	struct table *t;
	size_t i;

	t = doc_add_table(doc, ctx, "metrics", "Workload", "Metric");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < names->nr; i++) {
		const struct metric *m = names->v[i].metric;
		struct rowdef row = {
			.label = *m->unit ? doc_printf(doc, "%s (%s)", m->name,
						       m->unit) : m->name,
			.style = STYLE_DECIMAL, .tested = true,
			.better = m->better,
			.value = { VALUE_METRIC, m->name, NULL, 0, i },
		};

		if (table_row(doc, t, group, &row))
			return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}

/**
 * tables_workload - what the workload reported, for one group without a set
 * @doc: the document
 * @ctx: the group's context
 * @group: the group, by recording
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int tables_workload(struct doc *doc, struct context *ctx,
		    const struct group * const *group)
{
	struct names names = { 0 };
	int rc = 0;
	size_t i;

	for (i = 0; !rc && i < doc->nr; i++)
		rc = names_of_group(&names, group[i]);
	if (!rc && names.nr)
		rc = table_workload(doc, ctx, group, &names);
	names_free(&names);
	return rc;
}

/* The settings of all recordings, each once, those of the base first. */
static size_t settings(const struct doc *doc, const struct pairs **sets)
{
	size_t i, j, k, nr = 0;

	for (i = 0; i < doc->nr; i++) {
		for (j = 0; j < doc->rec[i]->nr_groups; j++) {
			const struct pairs *set = &doc->rec[i]->groups[j].set;

			for (k = 0; k < nr; k++)
				if (pairs_equal(sets[k], set))
					break;
			if (k == nr)
				sets[nr++] = set;
		}
	}
	return nr;
}

static char *set_text(struct doc *doc, const struct pairs *set,
		      bool only_values)
{
	char *text = doc_printf(doc, "%s", "");
	size_t i;

	for (i = 0; text && i < set->nr; i++) {
		if (only_values)
			text = doc_printf(doc, "%s%s%s", text, i ? " " : "",
					  set->v[i].value);
		else
			text = doc_printf(doc, "%s%s%s=%s", text, i ? " " : "",
					  set->v[i].name, set->v[i].value);
	}
	return text;
}

static bool same_names(const struct pairs **sets, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (sets[i]->nr != 1 ||
		    strcmp(sets[i]->v[0].name, sets[0]->v[0].name))
			return false;
	return true;
}

static size_t nr_groups(const struct doc *doc)
{
	size_t i, nr = 0;

	for (i = 0; i < doc->nr; i++)
		nr += doc->rec[i]->nr_groups;
	return nr;
}

static void groups_of(const struct doc *doc, const struct pairs *set,
		      const struct group **group)
{
	size_t i;

	for (i = 0; i < doc->nr; i++)
		group[i] = recording_group(doc->rec[i], set);
}

static int table_by_set(struct doc *doc, struct context *ctx,
			const struct pairs **sets, size_t nr,
			const struct metric *m, size_t hint,
			const struct group **group)
{
	bool one = same_names(sets, nr);
	struct table *t;
	size_t i;

	t = doc_add_table(doc, ctx, "metrics",
			  doc_printf(doc, "Workload: %s%s%s%s by %s%s", m->name,
				     *m->unit ? " (" : "", m->unit,
				     *m->unit ? ")" : "",
				     one ? sets[0]->v[0].name : "setting",
				     better_words(m->better)),
			  one ? sets[0]->v[0].name : "Setting");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		struct rowdef row = {
			.label = set_text(doc, sets[i], one),
			.style = STYLE_DECIMAL, .tested = true,
			.better = m->better,
			.value = { VALUE_METRIC, m->name, NULL, 0, hint },
		};

		groups_of(doc, sets[i], group);
		if (table_row(doc, t, group, &row))
			return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}

/**
 * tables_by_set - a table for each metric, its rows the values of --set
 * @doc: the document
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int tables_by_set(struct doc *doc)
{
	const struct pairs **sets;
	const struct group **group;
	struct names names = { 0 };
	struct context *ctx;
	size_t i, j, nr;
	int rc = 0;

	sets = doc_alloc(doc, (nr_groups(doc) + 1) * sizeof(*sets));
	group = doc_alloc(doc, doc->nr * sizeof(*group));
	ctx = context_all(doc);
	if (!sets || !group || !ctx)
		return -ENOMEM;
	nr = settings(doc, sets);
	for (i = 0; i < doc->nr; i++)
		for (j = 0; !rc && j < doc->rec[i]->nr_groups; j++)
			rc = names_of_group(&names, &doc->rec[i]->groups[j]);
	for (i = 0; !rc && i < names.nr; i++)
		rc = table_by_set(doc, ctx, sets, nr, names.v[i].metric, i,
				  group);
	names_free(&names);
	return rc;
}

static bool wanted(const struct doc *doc, const struct row *row)
{
	size_t i;

	for (i = 0; i < doc->opts.nr_rows; i++)
		if (!fnmatch(doc->opts.rows[i], row->label, 0))
			return true;
	if (doc->opts.nr_rows)
		return false;
	/* One recording: what is not zero.  More: what changed. */
	if (doc->nr == 1)
		return !num_is_zero(row->cell[0].avg);
	for (i = 1; i < doc->nr; i++)
		if (row->cell[i].state != row->cell[0].state ||
		    (row->change[i].kind != CHANGE_NONE &&
		     !num_is_zero(row->change[i].diff)))
			return true;
	return false;
}

/* A name that is seen for the first time, in the order of the recordings. */
static bool is_first(const struct doc *doc, const struct group * const *group,
		     size_t rec, size_t row)
{
	const char *name = group[rec]->runs[0].vmstat.v[row].name;
	size_t i, hint = row;

	for (i = 0; i < rec; i++)
		if (group[i] && group[i]->nr_runs &&
		    counters_find(&group[i]->runs[0].vmstat, name, &hint))
			return false;
	(void)doc;
	return true;
}

/* Whether all recordings have the same zones of a row (by its bare name). */
static bool zones_agree(const struct doc *doc,
			const struct group * const *group, const char *base)
{
	char name[VMSTAT_NAME];
	int first, has;
	unsigned int z;
	size_t i;

	for (z = 0; z < VMSTAT_ZONES; z++) {
		if (!vmstat_zone(base, z, name, sizeof(name)))
			continue;
		for (i = 0, first = -1; i < doc->nr; i++) {
			if (!group[i] || !group[i]->nr_runs)
				continue;
			has = !!counters_find(&group[i]->runs[0].vmstat, name,
					      NULL);
			if (first < 0)
				first = has;
			else if (has != first)
				return false;
		}
	}
	return true;
}

static bool has_row(const struct table *t, const char *label)
{
	size_t i;

	for (i = 0; i < t->nr_rows; i++)
		if (!strcmp(t->row[i].label, label))
			return true;
	return false;
}

static int vmstat_row(struct doc *doc, struct table *t,
		      const struct group * const *group, const char *name,
		      size_t hint)
{
	size_t len = vmstat_base(name), was = t->nr_rows;
	char base[VMSTAT_NAME];
	struct rowdef row = {
		.label = name, .style = STYLE_COUNT, .tested = true,
		.value = { VALUE_VMSTAT, name, NULL, 0, hint },
	};

	if (len < VMSTAT_NAME)
		snprintf(base, sizeof(base), "%.*s", (int)len, name);
	/* Zones are summed where the machines do not have the same ones. */
	if (len < VMSTAT_NAME && !zones_agree(doc, group, base)) {
		row.label = doc_printf(doc, "%s", base);
		row.value.name = row.label;
		row.value.arg = 1;
		if (!row.label)
			return -ENOMEM;
		if (has_row(t, row.label))
			return 0;
	}
	if (table_row(doc, t, group, &row))
		return -ENOMEM;
	if (t->nr_rows > was && !wanted(doc, &t->row[t->nr_rows - 1]))
		doc_drop_row(t);
	return 0;
}

/**
 * tables_vmstat - what vmstat gained, for one group
 * @doc: the document
 * @ctx: the group's context
 * @group: the group, by recording
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int tables_vmstat(struct doc *doc, struct context *ctx,
		  const struct group * const *group)
{
	const struct counters *c;
	struct table *t;
	size_t i, j;

	t = doc_add_table(doc, ctx, "vmstat", doc->nr == 1 ||
			  doc->opts.nr_rows ? "vmstat" :
			  "vmstat: the rows that changed", "Row");
	if (!t)
		return -ENOMEM;
	for (i = 0; i < doc->nr; i++) {
		if (!group[i] || !group[i]->nr_runs)
			continue;
		c = &group[i]->runs[0].vmstat;
		for (j = 0; j < c->nr; j++)
			if (is_first(doc, group, i, j) &&
			    vmstat_row(doc, t, group, c->v[j].name, j))
				return -ENOMEM;
	}
	doc_drop_empty_table(doc);
	return 0;
}
