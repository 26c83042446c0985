// SPDX-License-Identifier: GPL-2.0-only
/*
 * From recordings to a document.
 */
#include <errno.h>
#include <string.h>

#include "stats/context.h"
#include "stats/tables.h"

static int labels(struct doc *doc)
{
	static const char * const two[] = { "Before", "After" };
	size_t i;

	doc->label = doc_alloc(doc, doc->nr * sizeof(*doc->label));
	if (!doc->label)
		return -ENOMEM;
	for (i = 0; i < doc->nr; i++) {
		if (doc->opts.labels)
			doc->label[i] = doc->opts.labels[i];
		else if (doc->nr == 2)
			doc->label[i] = two[i];
		else if (doc->rec[i]->label)
			doc->label[i] = doc->rec[i]->label;
		else
			doc->label[i] = doc_printf(doc, "Recording %zu", i + 1);
		if (!doc->label[i])
			return -ENOMEM;
	}
	return 0;
}

static const char *set_name(struct doc *doc, const struct pairs *set)
{
	const char *text = doc_printf(doc, "%s", "");
	size_t i;

	for (i = 0; text && i < set->nr; i++)
		text = doc_printf(doc, "%s%s%s=%s", text, i ? ", " : "",
				  set->v[i].name, set->v[i].value);
	return text;
}

static int one_group(struct doc *doc, const struct pairs *set,
		     const struct group **group)
{
	struct context *ctx;
	const char *name;
	size_t i;

	for (i = 0; i < doc->nr; i++)
		group[i] = recording_group(doc->rec[i], set);
	name = set_name(doc, set);
	ctx = name ? context_new(doc, name, group) : NULL;
	if (!ctx)
		return -ENOMEM;
	if (!set->nr && tables_workload(doc, ctx, group))
		return -ENOMEM;
	if (tables_lock(doc, ctx, group))
		return -ENOMEM;
	return doc->opts.is_live ? 0 : tables_vmstat(doc, ctx, group);
}

/* Whether an earlier recording has a group of this setting. */
static bool done_before(const struct doc *doc, size_t rec,
			const struct pairs *set)
{
	size_t i;

	for (i = 0; i < rec; i++)
		if (recording_group(doc->rec[i], set))
			return true;
	return false;
}

static bool has_sets(const struct doc *doc)
{
	size_t i, j;

	for (i = 0; i < doc->nr; i++)
		for (j = 0; j < doc->rec[i]->nr_groups; j++)
			if (doc->rec[i]->groups[j].set.nr)
				return true;
	return false;
}

/**
 * doc_build - make the tables of some recordings
 * @doc: the document; to be freed by the caller, also on failure
 * @rec: the recordings, the first is the base; they outlive the document
 * @nr: how many, 1 and up
 * @opts: what is asked for; what it points to outlives the document
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int doc_build(struct doc *doc, const struct recording * const *rec, size_t nr,
	      const struct doc_opts *opts)
{
	const struct group **group;
	size_t i, j;

	*doc = (struct doc){ .rec = rec, .nr = nr, .opts = *opts };
	group = doc_alloc(doc, nr * sizeof(*group));
	if (!group || labels(doc) || context_notes(doc))
		return -ENOMEM;
	if (has_sets(doc) && tables_by_set(doc))
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		for (j = 0; j < rec[i]->nr_groups; j++) {
			const struct pairs *set = &rec[i]->groups[j].set;

			if (!done_before(doc, i, set) &&
			    one_group(doc, set, group))
				return -ENOMEM;
		}
	}
	return 0;
}
