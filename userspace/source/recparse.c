// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON text -> recording.  What is unknown is kept as text.
 */
#include "source/recfile.h"

#include <errno.h>
#include <string.h>

#include "source/arena.h"
#include "source/rectake.h"

static int take_group(const json_t *v, struct recording *rec,
		      const struct at *up, struct err *err)
{
	struct group *group = recording_add_group(rec);
	json_t *value, *unknown = NULL;
	bool have_runs = false;
	const char *key;
	size_t i;
	int rc = 0;

	if (!group)
		return take_no_memory(err);
	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		if (!strcmp(key, "set")) {
			rc = take_pairs(value, &group->set, &at, err);
		} else if (!strcmp(key, "runs")) {
			if (!json_is_array(value))
				return take_bad(err, &at, "must be an array, not %s",
					   take_kind(value));
			have_runs = true;
			for (i = 0; !rc && i < json_array_size(value); i++) {
				struct at in = { &at, NULL, i };

				rc = take_run(json_array_get(value, i), group,
					      &in, err);
			}
		} else if (take_unknown(&unknown, key, value)) {
			rc = take_no_memory(err);
		}
		if (rc)
			return rc;
	}
	if (!have_runs)
		return take_bad(err, up, "has no runs");
	for (i = 0; i + 1 < rec->nr_groups; i++)
		if (pairs_equal(&rec->groups[i].set, &group->set))
			return take_bad(err, up, "has the same set as group %zu", i);
	return take_unknown_done(unknown, &group->extra, err);
}

static int take_host(const json_t *v, struct host *host, const struct at *up,
		     struct err *err)
{
	json_t *value, *unknown = NULL;
	const char *key;
	uint64_t n;
	int rc = 0;

	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		if (!strcmp(key, "kernel")) {
			rc = take_text(value, &host->kernel, &at, err);
		} else if (!strcmp(key, "arch")) {
			rc = take_text(value, &host->arch, &at, err);
		} else if (!strcmp(key, "cpus")) {
			rc = take_count(value, &n, &at, err);
			host->cpus = rc ? 0 : (int64_t)n;
		} else if (!strcmp(key, "memory_kib")) {
			rc = take_count(value, &n, &at, err);
			host->memory_kib = rc ? 0 : (int64_t)n;
		} else if (!strcmp(key, "settings")) {
			rc = take_pairs(value, &host->settings, &at, err);
		} else if (take_unknown(&unknown, key, value)) {
			rc = take_no_memory(err);
		}
		if (rc)
			return rc;
	}
	return take_unknown_done(unknown, &host->extra, err);
}

static int take_command(const json_t *v, struct recording *rec,
			const struct at *up, struct err *err)
{
	size_t i;
	int rc;

	if (!json_is_array(v))
		return take_bad(err, up, "must be an array, not %s", take_kind(v));
	for (i = 0; i < json_array_size(v); i++) {
		struct at at = { up, NULL, i };

		if (grow(&rec->command, rec->nr_command, &rec->cap_command,
			 sizeof(*rec->command)))
			return take_no_memory(err);
		rc = take_text(json_array_get(v, i),
			       &rec->command[rec->nr_command], &at, err);
		if (rc)
			return rc;
		rec->nr_command++;
	}
	return 0;
}

static int take_head(const json_t *root, struct err *err)
{
	const char *format = json_string_value(json_object_get(root, "format"));
	const json_t *version = json_object_get(root, "version");

	if (!format || strcmp(format, RECORDING_FORMAT))
		return err_set(err, -EINVAL,
			       "not a recording of mmlockstat (no \"format\": \"%s\")",
			       RECORDING_FORMAT);
	if (!json_is_integer(version))
		return err_set(err, -EINVAL, "version: missing or no number");
	if (json_integer_value(version) != RECORDING_VERSION)
		return err_set(err, -EPROTONOSUPPORT,
			       "a recording of version %lld, this program reads version %d: use a matching mmlockstat",
			       (long long)json_integer_value(version),
			       RECORDING_VERSION);
	return 0;
}

static int take_root(const json_t *root, struct recording *rec,
		     struct err *err)
{
	json_t *value, *unknown = NULL;
	bool have_groups = false;
	const char *key;
	size_t i;
	int rc;

	rc = take_head(root, err);
	if (rc)
		return rc;
	json_object_foreach((json_t *)root, key, value) {
		struct at at = { NULL, key, 0 };

		if (!strcmp(key, "format") || !strcmp(key, "version")) {
			continue;
		} else if (!strcmp(key, "label")) {
			rc = take_text(value, &rec->label, &at, err);
		} else if (!strcmp(key, "tool")) {
			rc = take_text(value, &rec->tool, &at, err);
		} else if (!strcmp(key, "host")) {
			rc = take_host(value, &rec->host, &at, err);
		} else if (!strcmp(key, "command")) {
			rc = take_command(value, rec, &at, err);
		} else if (!strcmp(key, "groups")) {
			if (!json_is_array(value))
				return take_bad(err, &at, "must be an array, not %s",
					   take_kind(value));
			have_groups = true;
			for (i = 0; !rc && i < json_array_size(value); i++) {
				struct at in = { &at, NULL, i };

				rc = take_group(json_array_get(value, i), rec,
						&in, err);
			}
		} else if (take_unknown(&unknown, key, value)) {
			rc = take_no_memory(err);
		}
		if (rc)
			return rc;
	}
	if (!have_groups)
		return err_set(err, -EINVAL, "groups: missing");
	return take_unknown_done(unknown, &rec->extra, err);
}

/**
 * recfile_parse - make a recording from JSON text
 * @text: the text
 * @len: its length, bytes
 * @rec: the recording, empty before; to be freed by the caller on success
 * @err: what went wrong
 *
 * Context: one thread.
 * Return: 0, -EINVAL, -EPROTONOSUPPORT for another version, -ENOMEM.
 */
int recfile_parse(const char *text, size_t len, struct recording *rec,
		  struct err *err)
{
	size_t limit = 16 * 1024 * 1024 + len * 48;
	json_error_t why;
	json_t *root;
	size_t i = 0;
	int rc;

	while (i < len && strchr(" \t\r\n", text[i]) && text[i])
		i++;
	if (i == len)
		return err_set(err, -EINVAL, "empty: not a recording of mmlockstat");
	if (text[i] != '{')
		return err_set(err, -EINVAL,
			       "not a recording of mmlockstat (no JSON object)");
	rc = arena_begin(limit);
	if (rc)
		return err_set(err, rc, "a file is being read already");
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (root)
		rc = take_root(root, rec, err);
	else if (arena_exhausted())
		rc = err_set(err, -EINVAL,
			     "needs more memory than a recording of its size could");
	else if (json_error_code(&why) == json_error_premature_end_of_input)
		rc = err_set(err, -EINVAL,
			     "truncated: the file ends within line %d",
			     why.line);
	else
		rc = err_set(err, -EINVAL, "line %d: %s", why.line, why.text);
	arena_end();
	if (rc)
		recording_free(rec);
	return rc;
}
