// SPDX-License-Identifier: GPL-2.0-only
#include "model/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * grow - make room for one more in an array
 * @array: address of the pointer to the array
 * @nr: elements in use
 * @cap: room, updated
 * @size: bytes an element
 *
 * Context: any.
 * Return: 0 or -ENOMEM, the array then unchanged.
 */
int grow(void *array, size_t nr, size_t *cap, size_t size)
{
	size_t want = *cap ? *cap * 2 : 8;
	void *old, *new;

	if (nr < *cap)
		return 0;
	memcpy(&old, array, sizeof(old));
	new = reallocarray(old, want, size);
	if (!new)
		return -ENOMEM;
	memset((char *)new + *cap * size, 0, (want - *cap) * size);
	memcpy(array, &new, sizeof(new));
	*cap = want;
	return 0;
}

/**
 * str_set - replace a string by a copy of another
 * @where: the string, or NULL in it
 * @text: what to copy; NULL clears
 *
 * Context: any.
 * Return: 0 or -ENOMEM, the string then unchanged.
 */
int str_set(char **where, const char *text)
{
	char *copy = NULL;

	if (text) {
		copy = strdup(text);
		if (!copy)
			return -ENOMEM;
	}
	free(*where);
	*where = copy;
	return 0;
}

/**
 * counters_add - append a number
 * @c: to these
 * @name: its name
 * @value: its value
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int counters_add(struct counters *c, const char *name, int64_t value)
{
	char *copy;

	if (grow(&c->v, c->nr, &c->cap, sizeof(*c->v)))
		return -ENOMEM;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	c->v[c->nr++] = (struct counter){ copy, value };
	return 0;
}

/**
 * counters_find - look a number up
 * @c: in these
 * @name: its name
 * @hint: where it was found last, updated: in a thousand runs of the same
 *	layout each look-up then takes one comparison; NULL for none
 *
 * Context: any.
 * Return: the number, or NULL.
 */
const struct counter *counters_find(const struct counters *c, const char *name,
				    size_t *hint)
{
	size_t i;

	if (hint && *hint < c->nr && !strcmp(c->v[*hint].name, name))
		return &c->v[*hint];
	i = index_find(&c->index, c->v, c->nr, sizeof(*c->v), name);
	if (i == c->nr)
		return NULL;
	if (hint)
		*hint = i;
	return &c->v[i];
}

/**
 * counters_get - the value of a number
 * @c: in these
 * @name: its name
 *
 * Context: any.
 * Return: its value, 0 when there is none of that name.
 */
int64_t counters_get(const struct counters *c, const char *name)
{
	const struct counter *found = counters_find(c, name, NULL);

	return found ? found->value : 0;
}

/**
 * counters_free - free what the numbers hold
 * @c: the numbers, empty afterwards
 *
 * Context: any.
 */
void counters_free(struct counters *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->v[i].name);
	free(c->v);
	index_free(&c->index);
	*c = (struct counters){ 0 };
}

/**
 * pairs_add - append a pair
 * @p: to these
 * @name: name
 * @value: word
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int pairs_add(struct pairs *p, const char *name, const char *value)
{
	struct pair pair = { 0 };

	if (grow(&p->v, p->nr, &p->cap, sizeof(*p->v)))
		return -ENOMEM;
	if (str_set(&pair.name, name) || str_set(&pair.value, value)) {
		free(pair.name);
		return -ENOMEM;
	}
	p->v[p->nr++] = pair;
	return 0;
}

/**
 * pairs_get - look a word up
 * @p: in these
 * @name: its name
 *
 * Context: any.
 * Return: the word, or NULL.
 */
const char *pairs_get(const struct pairs *p, const char *name)
{
	size_t i = index_find(&p->index, p->v, p->nr, sizeof(*p->v), name);

	return i < p->nr ? p->v[i].value : NULL;
}

/**
 * pairs_equal - whether two lists say the same, in any order
 * @a: these
 * @b: those
 *
 * Context: any.
 * Return: true when they do.
 */
bool pairs_equal(const struct pairs *a, const struct pairs *b)
{
	const char *other;
	size_t i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		other = pairs_get(b, a->v[i].name);
		if (!other || strcmp(other, a->v[i].value))
			return false;
	}
	return true;
}

/**
 * pairs_free - free what the pairs hold
 * @p: the pairs, empty afterwards
 *
 * Context: any.
 */
void pairs_free(struct pairs *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		free(p->v[i].name);
		free(p->v[i].value);
	}
	free(p->v);
	index_free(&p->index);
	*p = (struct pairs){ 0 };
}

/**
 * recording_add_group - append an empty group
 * @rec: to this recording
 *
 * Context: any; the pointer is good until the next group is added.
 * Return: the group, or NULL without memory.
 */
struct group *recording_add_group(struct recording *rec)
{
	if (grow(&rec->groups, rec->nr_groups, &rec->cap_groups,
		 sizeof(*rec->groups)))
		return NULL;
	rec->groups[rec->nr_groups] = (struct group){ 0 };
	return &rec->groups[rec->nr_groups++];
}

/**
 * recording_group - look a group up
 * @rec: in this recording
 * @set: its setting
 *
 * Context: any.
 * Return: the group, or NULL.
 */
const struct group *recording_group(const struct recording *rec,
				    const struct pairs *set)
{
	size_t i;

	for (i = 0; i < rec->nr_groups; i++)
		if (pairs_equal(&rec->groups[i].set, set))
			return &rec->groups[i];
	return NULL;
}

/**
 * group_add_run - append an empty run
 * @group: to this group
 *
 * Context: any; the pointer is good until the next run is added.
 * Return: the run, or NULL without memory.
 */
struct run *group_add_run(struct group *group)
{
	if (grow(&group->runs, group->nr_runs, &group->cap_runs,
		 sizeof(*group->runs)))
		return NULL;
	group->runs[group->nr_runs] = (struct run){ 0 };
	return &group->runs[group->nr_runs++];
}

/**
 * recording_free - free a recording
 * @rec: the recording, itself not freed, empty afterwards; half-built too
 *
 * Context: any.
 */
void recording_free(struct recording *rec)
{
	size_t i, j;

	free(rec->label);
	free(rec->tool);
	free(rec->host.kernel);
	free(rec->host.arch);
	pairs_free(&rec->host.settings);
	free(rec->host.extra);
	for (i = 0; i < rec->nr_command; i++)
		free(rec->command[i]);
	free(rec->command);
	for (i = 0; i < rec->nr_groups; i++) {
		pairs_free(&rec->groups[i].set);
		for (j = 0; j < rec->groups[i].nr_runs; j++)
			run_free(&rec->groups[i].runs[j]);
		free(rec->groups[i].runs);
		free(rec->groups[i].extra);
	}
	free(rec->groups);
	free(rec->extra);
	*rec = (struct recording){ 0 };
}
