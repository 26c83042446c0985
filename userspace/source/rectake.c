// SPDX-License-Identifier: GPL-2.0-only
#include "source/rectake.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/text.h"

static size_t at_print(const struct at *at, char *buf, size_t size)
{
	size_t n = 0;

	if (!at)
		return 0;
	n = at_print(at->up, buf, size);
	if (n >= size)
		return n;
	if (at->key)
		n += snprintf(buf + n, size - n, "%s%.*s", n ? "." : "",
			      TEXT_FIT(at->key, 64));
	else
		n += snprintf(buf + n, size - n, "[%zu]", at->index);
	return n;
}

/**
 * take_bad - refuse what a file says, and say where
 * @err: where the line goes
 * @at: place in the file
 * @fmt: printf format of the reason
 *
 * Context: any.
 * Return: -EINVAL.
 */
int take_bad(struct err *err, const struct at *at, const char *fmt, ...)
{
	char path[256] = "", why[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	at_print(at, path, sizeof(path));
	return err_set(err, -EINVAL, "%s: %s", path, why);
}

/**
 * take_no_memory - say that memory ran out
 * @err: where the line goes
 *
 * Context: any.
 * Return: -ENOMEM.
 */
int take_no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "out of memory");
}

/**
 * take_kind - what a JSON value is, for messages
 * @v: the value
 *
 * Context: any.
 * Return: a noun with its article.
 */
const char *take_kind(const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_OBJECT: return "an object";
	case JSON_ARRAY: return "an array";
	case JSON_STRING: return "a string";
	case JSON_INTEGER: return "a whole number";
	case JSON_REAL: return "a fraction";
	default: return "true, false or null";
	}
}

/**
 * take_count - a time or a count: whole, not negative
 * @v: the value
 * @out: where to
 * @at: place in the file
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int take_count(const json_t *v, uint64_t *out, const struct at *at,
	       struct err *err)
{
	if (!json_is_integer(v))
		return take_bad(err, at, "must be a whole number, not %s",
			   take_kind(v));
	if (json_integer_value(v) < 0)
		return take_bad(err, at, "must not be negative");
	*out = json_integer_value(v);
	return 0;
}

/**
 * take_text - copy a string
 * @v: the value
 * @out: where to; what was there is freed
 * @at: place in the file
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENOMEM.
 */
int take_text(const json_t *v, char **out, const struct at *at,
	      struct err *err)
{
	if (!json_is_string(v))
		return take_bad(err, at, "must be a string, not %s", take_kind(v));
	return str_set(out, json_string_value(v)) ? take_no_memory(err) : 0;
}

/**
 * take_pairs - append the named words of an object; numbers become words
 * @v: the object
 * @out: where to
 * @up: place in the file
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENOMEM.
 */
int take_pairs(const json_t *v, struct pairs *out, const struct at *up,
	       struct err *err)
{
	const char *key, *text;
	json_t *value;
	char buf[40];

	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		if (json_is_string(value)) {
			text = json_string_value(value);
		} else if (json_is_integer(value)) {
			snprintf(buf, sizeof(buf), "%lld",
				 (long long)json_integer_value(value));
			text = buf;
		} else {
			return take_bad(err, &at, "must be a string, not %s",
				   take_kind(value));
		}
		if (pairs_add(out, key, text))
			return take_no_memory(err);
	}
	return 0;
}

/**
 * take_counters - append the named whole numbers of an object
 * @v: the object
 * @out: where to
 * @is_signed: whether they may be below zero
 * @up: place in the file
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENOMEM.
 */
int take_counters(const json_t *v, struct counters *out, bool is_signed,
		  const struct at *up, struct err *err)
{
	const char *key;
	json_t *value;

	if (!json_is_object(v))
		return take_bad(err, up, "must be an object, not %s", take_kind(v));
	json_object_foreach((json_t *)v, key, value) {
		struct at at = { up, key, 0 };

		if (!json_is_integer(value))
			return take_bad(err, &at, "must be a whole number, not %s",
				   take_kind(value));
		if (!is_signed && json_integer_value(value) < 0)
			return take_bad(err, &at, "must not be negative");
		if (counters_add(out, key, json_integer_value(value)))
			return take_no_memory(err);
	}
	return 0;
}

/**
 * take_unknown - keep a key that this program does not know
 * @unknown: the object they are kept in, made when needed
 * @key: the key
 * @value: its value
 *
 * Context: between arena_begin() and arena_end().
 * Return: 0, or another value without memory.
 */
int take_unknown(json_t **unknown, const char *key, json_t *value)
{
	if (!*unknown)
		*unknown = json_object();
	return *unknown ? json_object_set(*unknown, key, value) : -1;
}

/**
 * take_unknown_done - the keys kept, as text
 * @unknown: the object they are in, or NULL
 * @extra: where to
 * @err: what went wrong
 *
 * Context: between arena_begin() and arena_end().
 * Return: 0 or -ENOMEM.
 */
int take_unknown_done(json_t *unknown, char **extra, struct err *err)
{
	char *text;

	if (!unknown)
		return 0;
	text = json_dumps(unknown, JSON_COMPACT);
	return !text || str_set(extra, text) ? take_no_memory(err) : 0;
}
