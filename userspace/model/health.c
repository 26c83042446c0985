// SPDX-License-Identifier: GPL-2.0-only
#include "model/health.h"

#include <stddef.h>
#include <string.h>

#define OF_MODULE	(HEALTH_COUNTER | HEALTH_COUNT)

static const struct {
	const char *name;
	unsigned int kinds;
} names[] = {
	{ "lost", HEALTH_COUNT },
	{ "orphan_acquire", OF_MODULE | HEALTH_UNPAIRED },
	{ "orphan_release", OF_MODULE | HEALTH_UNPAIRED },
	/* Of these two, what may have begun before recording did. */
	{ "early_acquire", HEALTH_COUNT },
	{ "early_release", HEALTH_COUNT },
	{ "unfinished_wait", OF_MODULE | HEALTH_UNPAIRED },
	{ "unfinished_hold", OF_MODULE | HEALTH_UNPAIRED },
	{ "negative_time", OF_MODULE | HEALTH_UNPAIRED },
	{ "nmi", OF_MODULE },
	{ "reentered", OF_MODULE },
	{ "nmissed", OF_MODULE },
	{ "unexplained_wait", HEALTH_UNPAIRED },
	{ "unexplained_hold", HEALTH_UNPAIRED },
	/* Of imported traces. */
	{ "out_of_order", HEALTH_COUNT | HEALTH_UNPAIRED },
	{ "write_overlap", HEALTH_COUNT | HEALTH_UNPAIRED },
	{ "overwritten", HEALTH_COUNT },
};

/**
 * health_unpaired - operations of which the recording has only a part
 * @health: the account
 * @name: a name in it
 *
 * Context: any.
 * Return: 0 for a name of another kind, and for what may have begun before
 * recording did.
 */
int64_t health_unpaired(const struct counters *health, const char *name)
{
	int64_t n = counters_get(health, name);

	if (!health_is(name, HEALTH_UNPAIRED))
		return 0;
	if (!strcmp(name, "orphan_acquire"))
		return n - counters_get(health, "early_acquire");
	if (!strcmp(name, "orphan_release"))
		return n - counters_get(health, "early_release");
	return n;
}

/**
 * health_is - whether a name of the account is of a kind
 * @name: the name, known or not
 * @kind: the kind
 *
 * Context: any.
 * Return: true if so; causes of loss are counts.
 */
bool health_is(const char *name, enum health_kind kind)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].kinds & kind;
	return kind == HEALTH_COUNT && !strncmp(name, "lost_", 5);
}
