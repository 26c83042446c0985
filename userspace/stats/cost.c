// SPDX-License-Identifier: GPL-2.0-only
#include "stats/cost.h"

#include <stdio.h>
#include <string.h>

/*
 * The table of docs/overhead.md: instructions that an uncontended lock and
 * unlock takes more than without the module.  A test compares the two.
 */
static const struct measured {
	const char *kernel, *clock, *wait_start;
	unsigned int read, write;
} measured[] = {
	{ "7.3.4", "tsc", "slowpath", 228, 233 },
	{ "7.3.4", "mono", "slowpath", 712, 712 },
	{ "7.3.4", "tsc", "locking", 776, 780 },
	{ "6.12.118", "tsc", "slowpath", 758, 761 },
	{ "6.12.118", "mono", "slowpath", 1210, 1209 },
	{ "6.12.118", "tsc", "locking", 1545, 1549 },
};

#define MEASURED_ARCH "x86_64"

/* The measured kernel that is nearest, and whether it is of the same version. */
static const char *nearest(const char *kernel, bool *same)
{
	unsigned int major, minor;

	if (!kernel || sscanf(kernel, "%u.%u", &major, &minor) != 2)
		return NULL;
	*same = (major == 7 && minor == 3) || (major == 6 && minor == 12);
	/* Up to 6.13 every event has the path of the memory cgroup built. */
	return major > 6 || (major == 6 && minor > 13) ? "7.3.4" : "6.12.118";
}

static const char *why_not(struct doc *doc, const struct host *host,
			   const struct run *run)
{
	const char *scope = pairs_get(&run->recorder, "scope");
	const char *mode = pairs_get(&run->recorder, "mode");
	size_t i;

	if (!host->arch || strcmp(host->arch, MEASURED_ARCH))
		return doc_printf(doc, "never measured on %s",
				  host->arch && *host->arch ? host->arch :
				  "a machine that the recording does not name");
	if (!scope || strcmp(scope, "all"))
		return scope ? "never measured with a pid filter" :
			       "the recording does not tell its scope";
	if (!mode || strcmp(mode, "full"))
		return doc_printf(doc, "never measured in mode %s",
				  mode ? mode : "unknown");
	for (i = 0; i < run->hooks.nr; i++)
		if (!strcmp(run->hooks.v[i].value, "kprobe"))
			return doc_printf(doc, "never measured with %s by a kprobe",
					  run->hooks.v[i].name);
	return NULL;
}

static const struct measured *find(const char *kernel, const char *clock,
				   const char *wait_start)
{
	size_t i;

	if (!clock || !wait_start)
		return NULL;
	for (i = 0; i < sizeof(measured) / sizeof(*measured); i++)
		if (!strcmp(measured[i].kernel, kernel) &&
		    !strcmp(measured[i].clock, clock) &&
		    !strcmp(measured[i].wait_start, wait_start))
			return &measured[i];
	return NULL;
}

/* Chosen by the first run, which stands for all that are like it. */
static void choose(struct doc *doc, struct cost *cost, const struct host *host,
		   const struct run *run)
{
	const char *clock = pairs_get(&run->recorder, "clock");
	const char *start = pairs_get(&run->recorder, "wait_start");
	const char *kernel = nearest(host->kernel, &cost->same_version);
	const struct measured *m;

	cost->first = run;
	cost->why_not = why_not(doc, host, run);
	if (cost->why_not)
		return;
	m = kernel ? find(kernel, clock, start) : NULL;
	if (m) {
		cost->kernel = kernel;
		cost->per_op[0] = m->read;
		cost->per_op[1] = m->write;
		return;
	}
	cost->why_not = !kernel ?
		"the recording does not tell its kernel" :
		doc_printf(doc, "never measured with clock=%s and wait_start=%s",
			   clock ? clock : "unknown", start ? start : "unknown");
}

static bool same_word(const struct run *a, const struct run *b,
		      const char *name)
{
	const char *x = pairs_get(&a->recorder, name);
	const char *y = pairs_get(&b->recorder, name);

	return x == y || (x && y && !strcmp(x, y));
}

/**
 * cost_add - take one more run into the cost of a side
 * @doc: the document
 * @cost: of the side, all zero at first
 * @host: where it ran
 * @run: the run
 *
 * Context: any.  Without memory the reason of a missing cost is missing, too.
 */
void cost_add(struct doc *doc, struct cost *cost, const struct host *host,
	      const struct run *run)
{
	if (!cost->first) {
		choose(doc, cost, host, run);
		return;
	}
	if (!cost->kernel || (same_word(run, cost->first, "clock") &&
			      same_word(run, cost->first, "wait_start") &&
			      same_word(run, cost->first, "scope") &&
			      same_word(run, cost->first, "mode") &&
			      pairs_equal(&run->hooks, &cost->first->hooks)))
		return;
	cost->kernel = NULL;
	cost->why_not = "its runs were recorded in different ways";
}
