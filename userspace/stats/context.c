// SPDX-License-Identifier: GPL-2.0-only
#include "stats/context.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stats/cost.h"

static int health_add(struct doc *doc, struct side *side,
		      const struct counters *more)
{
	bool fresh = !side->health.nr;
	struct counter *v;
	size_t i, j;

	if (more->nr)
		side->has_health = true;
	for (i = 0; i < more->nr; i++) {
		/* In most runs it is where it was in the first. */
		j = i;
		if (j >= side->health.nr ||
		    strcmp(side->health.v[j].name, more->v[i].name))
			for (j = fresh ? side->health.nr : 0;
			     j < side->health.nr; j++)
				if (!strcmp(side->health.v[j].name,
					    more->v[i].name))
					break;
		if (j == side->health.cap) {
			v = doc_alloc(doc, (j * 2 + 16) * sizeof(*v));
			if (!v)
				return -ENOMEM;
			if (j)
				memcpy(v, side->health.v, j * sizeof(*v));
			side->health.v = v;
			side->health.cap = j * 2 + 16;
		}
		if (j == side->health.nr)
			side->health.v[side->health.nr++] =
				(struct counter){ more->v[i].name, 0 };
		if (__builtin_add_overflow(side->health.v[j].value,
					   more->v[i].value,
					   &side->health.v[j].value))
			side->health.v[j].value = INT64_MAX;
	}
	return 0;
}

/* Lock operations that were recorded: each had its price. */
static void add_ops(struct side *side, const struct run *run)
{
	static const char * const names[] = { "read", "write" };
	const struct counter *c;
	const struct series *s;
	char key[40];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(key, sizeof(key), "%s_acquired", names[i]);
		c = counters_find(&run->counters, key, NULL);
		snprintf(key, sizeof(key), "mmap_%s_wait", names[i]);
		s = run_series(run, key);
		if (c)
			side->ops[i] += c->value;
		else if (s)
			side->ops[i] += s->count;
	}
}

static int side_add(struct doc *doc, struct side *side,
		    const struct host *host, const struct group *group)
{
	const struct run *run;
	const char *scope;
	size_t i;

	for (i = 0; group && i < group->nr_runs; i++) {
		run = &group->runs[i];
		side->runs++;
		side->failed += run->exit || run->signal;
		side->seconds += run->seconds;
		add_ops(side, run);
		cost_add(doc, &side->cost, host, run);
		scope = pairs_get(&run->recorder, "scope");
		if (!side->scope)
			side->scope = scope;
		else if (scope && strcmp(scope, side->scope))
			side->scope = "differs";
		if (health_add(doc, side, &run->health))
			return -ENOMEM;
	}
	return 0;
}

static struct context *context_empty(struct doc *doc, const char *set)
{
	struct context *ctx = doc_alloc(doc, sizeof(*ctx));
	size_t i;

	if (!ctx || !set)
		return NULL;
	ctx->set = set;
	ctx->side = doc_alloc(doc, doc->nr * sizeof(*ctx->side));
	if (!ctx->side)
		return NULL;
	for (i = 0; i < doc->nr; i++) {
		ctx->side[i].cpus = doc->rec[i]->host.cpus;
		ctx->side[i].kernel = doc->rec[i]->host.kernel;
	}
	return ctx;
}

/**
 * context_new - where the tables of one group come from
 * @doc: the document
 * @set: the group's setting, of the document's memory
 * @group: by recording; NULL where it has none
 *
 * Context: any.
 * Return: the context, or NULL without memory.
 */
struct context *context_new(struct doc *doc, const char *set,
			    const struct group * const *group)
{
	struct context *ctx = context_empty(doc, set);
	size_t i;

	for (i = 0; ctx && i < doc->nr; i++)
		if (side_add(doc, &ctx->side[i], &doc->rec[i]->host, group[i]))
			return NULL;
	return ctx;
}

/**
 * context_all - where a table over all groups comes from
 * @doc: the document
 *
 * Context: any.
 * Return: the context, or NULL without memory.
 */
struct context *context_all(struct doc *doc)
{
	struct context *ctx = context_empty(doc, "");
	size_t i, j;

	for (i = 0; ctx && i < doc->nr; i++)
		for (j = 0; j < doc->rec[i]->nr_groups; j++)
			if (side_add(doc, &ctx->side[i], &doc->rec[i]->host,
				     &doc->rec[i]->groups[j]))
				return NULL;
	return ctx;
}

/* One line for a thing that not all recordings agree on. */
static int note_differs(struct doc *doc, const char *what,
			const char **value)
{
	const char *text = NULL;
	bool differs = false;
	size_t i;

	for (i = 1; i < doc->nr; i++)
		differs |= !value[i] != !value[0] ||
			   (value[0] && strcmp(value[0], value[i]));
	if (!differs)
		return 0;
	for (i = 0; i < doc->nr; i++)
		text = doc_printf(doc, "%s%s%s", i ? text : "",
				  i ? doc->nr > 2 ? " / " : " -> " : "",
				  value[i] ? value[i] : "absent");
	return doc_note(doc, text ? doc_printf(doc, "%s: %s", what, text) :
				    NULL);
}

static const struct run *first_run(const struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->nr_groups; i++)
		if (rec->groups[i].nr_runs)
			return &rec->groups[i].runs[0];
	return NULL;
}

enum words { WORDS_SETTINGS, WORDS_RECORDER, WORDS_HOOKS, WORDS_THRESHOLDS,
	     NR_WORDS };

static const struct pairs *words_of(const struct recording *rec,
				    enum words which)
{
	static const struct pairs none;
	const struct run *run = first_run(rec);

	if (which == WORDS_SETTINGS)
		return &rec->host.settings;
	if (!run)
		return &none;
	if (which == WORDS_RECORDER)
		return &run->recorder;
	return which == WORDS_HOOKS ? &run->hooks : &run->thresholds;
}

static int note_words(struct doc *doc, enum words which, const char **value)
{
	static const char * const prefix[] = {
		"", "recorder ", "hook ", "threshold ",
	};
	const struct pairs *p;
	const char *name, *what;
	size_t i, j, k;

	for (i = 0; i < doc->nr; i++) {
		p = words_of(doc->rec[i], which);
		for (j = 0; j < p->nr; j++) {
			name = p->v[j].name;
			/* Said already for an earlier recording? */
			for (k = 0; k < i; k++)
				if (pairs_get(words_of(doc->rec[k], which),
					      name))
					break;
			if (k < i)
				continue;
			for (k = 0; k < doc->nr; k++)
				value[k] = pairs_get(words_of(doc->rec[k],
							      which), name);
			what = doc_printf(doc, "%s%s", prefix[which], name);
			if (!what || note_differs(doc, what, value))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Memory of one machine differs by some pages between boots. */
static bool memory_differs(const struct doc *doc)
{
	int64_t a = doc->rec[0]->host.memory_kib, b;
	size_t i;

	for (i = 1; i < doc->nr; i++) {
		b = doc->rec[i]->host.memory_kib;
		if ((a > b ? a - b : b - a) > a / 100)
			return true;
	}
	return false;
}

static const char *command_of(struct doc *doc, const struct recording *rec)
{
	const char *text = doc_printf(doc, "%s", "");
	size_t i;

	for (i = 0; text && i < rec->nr_command; i++)
		text = doc_printf(doc, "%s%s%s", text, i ? " " : "",
				  rec->command[i]);
	return text;
}

static int note_host(struct doc *doc, const char **value)
{
	const struct host *host;
	size_t i;

	for (i = 0; i < doc->nr; i++) {
		value[i] = command_of(doc, doc->rec[i]);
		if (!value[i])
			return -ENOMEM;
	}
	if (note_differs(doc, "command", value))
		return -ENOMEM;
	for (i = 0; i < doc->nr; i++)
		value[i] = doc->rec[i]->host.arch;
	if (note_differs(doc, "architecture", value))
		return -ENOMEM;
	for (i = 0; i < doc->nr; i++) {
		host = &doc->rec[i]->host;
		value[i] = doc_printf(doc, "%lld", (long long)host->cpus);
		if (!value[i])
			return -ENOMEM;
	}
	if (note_differs(doc, "CPUs", value))
		return -ENOMEM;
	if (!memory_differs(doc))
		return 0;
	for (i = 0; i < doc->nr; i++) {
		host = &doc->rec[i]->host;
		value[i] = doc_printf(doc, "%lld KiB",
				      (long long)host->memory_kib);
		if (!value[i])
			return -ENOMEM;
	}
	return note_differs(doc, "memory", value);
}

/* Runs of one recording that were not recorded the same way. */
static int note_inside(struct doc *doc, size_t which)
{
	const struct recording *rec = doc->rec[which];
	const struct run *first = first_run(rec), *run;
	size_t i, j, other = 0;

	for (i = 0; first && i < rec->nr_groups; i++) {
		for (j = 0; j < rec->groups[i].nr_runs; j++) {
			run = &rec->groups[i].runs[j];
			other += !pairs_equal(&run->recorder,
					      &first->recorder) ||
				 !pairs_equal(&run->hooks, &first->hooks) ||
				 !pairs_equal(&run->thresholds,
					      &first->thresholds);
		}
	}
	if (!other)
		return 0;
	return doc_note(doc, doc_printf(doc,
			"%s: %zu of its runs were recorded in another way than the first",
			doc->label[which], other));
}

static int note_failed(struct doc *doc, size_t which)
{
	const struct recording *rec = doc->rec[which];
	size_t i, j, failed = 0, runs = 0;
	const struct run *run;
	const char *last = NULL;

	for (i = 0; i < rec->nr_groups; i++) {
		for (j = 0; j < rec->groups[i].nr_runs; j++) {
			run = &rec->groups[i].runs[j];
			runs++;
			if (!run->exit && !run->signal)
				continue;
			failed++;
			last = run->signal ?
				doc_printf(doc, "killed by signal %d",
					   run->signal) :
				doc_printf(doc, "exit status %d", run->exit);
			if (!last)
				return -ENOMEM;
		}
	}
	if (!failed)
		return 0;
	return doc_note(doc, doc_printf(doc,
			"%s: in %zu of %zu runs the command FAILED (%s); they are counted below",
			doc->label[which], failed, runs, last));
}

/**
 * context_notes - what must be known before the tables are read
 * @doc: the document
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int context_notes(struct doc *doc)
{
	const char **value = doc_alloc(doc, doc->nr * sizeof(*value));
	int which;
	size_t i;

	if (!value || note_host(doc, value))
		return -ENOMEM;
	for (which = 0; which < NR_WORDS; which++)
		if (note_words(doc, which, value))
			return -ENOMEM;
	for (i = 0; i < doc->nr; i++)
		if (note_inside(doc, i) || note_failed(doc, i))
			return -ENOMEM;
	return 0;
}
