// SPDX-License-Identifier: GPL-2.0-only
#include "render/account.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/health.h"
#include "model/text.h"

static size_t put(char *buf, size_t size, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static size_t put(char *buf, size_t size, size_t at, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (at >= size)
		return at;
	va_start(ap, fmt);
	n = vsnprintf(buf + at, size - at, fmt, ap);
	va_end(ap);
	return n < 0 ? at : at + n;
}

static bool is_bad(const struct counters *h, const struct counter *c)
{
	if (!strcmp(c->name, "lost") || !strcmp(c->name, "nmissed"))
		return c->value;
	return health_unpaired(h, c->name);
}

/* As far as a number goes: a file may say anything. */
static int64_t sum(const struct counters *h, const char *a, const char *b)
{
	int64_t of_a = counters_get(h, a), both;

	if (__builtin_add_overflow(of_a, counters_get(h, b), &both))
		return of_a < 0 ? INT64_MIN : INT64_MAX;
	return both;
}

/* What ended in the recording, and began before it or unseen. */
static int64_t early(const struct counters *h)
{
	return sum(h, "early_acquire", "early_release");
}

/**
 * account_is_clean - whether nothing was lost or unpaired in any recording
 * @doc: the document
 * @ctx: the table's context
 *
 * Context: any.
 * Return: true then; recordings without an account are not clean.
 */
bool account_is_clean(const struct doc *doc, const struct context *ctx)
{
	const struct side *side;
	size_t i, j;

	for (i = 0; i < doc->nr; i++) {
		side = &ctx->side[i];
		if (side->runs && !side->has_health)
			return false;
		for (j = 0; j < side->health.nr; j++)
			if (is_bad(&side->health, &side->health.v[j]))
				return false;
		if (early(&side->health))
			return false;
	}
	return true;
}

/**
 * account_line - the account of one recording
 * @doc: the document
 * @ctx: the table's context
 * @i: which recording
 * @buf: the line, empty when there is nothing to say
 * @size: bytes there
 *
 * Context: any.
 * Return: true when something was lost or unpaired.
 */
bool account_line(const struct doc *doc, const struct context *ctx, size_t i,
		  char *buf, size_t size)
{
	const struct side *side = &ctx->side[i];
	const struct counters *h = &side->health;
	int64_t lost = counters_get(h, "lost"), flight, unpaired;
	int64_t missed = counters_get(h, "nmissed");
	const char *sep = " (";
	bool loud = false;
	size_t at = 0, j;

	*buf = '\0';
	if (!side->runs)
		return false;
	if (!side->has_health) {
		put(buf, size, 0, "%.*s: this recording has no account of losses.",
		    TEXT_FIT(doc->label[i], 80));
		return false;
	}
	if (lost) {
		at = put(buf, size, at, "LOST %lld events", (long long)lost);
		for (j = 0; j < h->nr; j++) {
			if (strncmp(h->v[j].name, "lost_", 5) || !h->v[j].value)
				continue;
			at = put(buf, size, at, "%s%s %lld", sep,
				 h->v[j].name + 5, (long long)h->v[j].value);
			sep = ", ";
		}
		at = put(buf, size, at, "%s. ", *sep == ',' ? ")" : "");
		loud = true;
	}
	if (missed) {
		at = put(buf, size, at, "MISSED by a probe %lld. ",
			 (long long)missed);
		loud = true;
	}
	sep = "UNPAIRED ";
	for (j = 0; j < h->nr; j++) {
		unpaired = health_unpaired(h, h->v[j].name);
		if (!unpaired)
			continue;
		at = put(buf, size, at, "%s%s %lld", sep, h->v[j].name,
			 (long long)unpaired);
		sep = ", ";
		loud = true;
	}
	if (*sep == ',')
		at = put(buf, size, at, ". ");
	if (early(h))
		at = put(buf, size, at,
			 "%sIn flight when recording started, or begun unseen: %lld. ",
			 loud ? "" : "Nothing was lost. ", (long long)early(h));
	flight = sum(h, "in_flight_wait", "in_flight_hold");
	/* CPUs are read one after the other: more may end than was seen to begin. */
	if (flight > 0)
		at = put(buf, size, at, "In flight at the end: %lld. ",
			 (long long)flight);
	else if (flight)
		at = put(buf, size, at, "Ended while the end was read: %lld. ",
			 -(long long)flight);
	if (at && at < size) {
		char copy[ACCOUNT_LEN];

		buf[at - 1] = '\0';
		snprintf(copy, sizeof(copy), "%.*s: %.*s",
			 TEXT_FIT(doc->label[i], 80), TEXT_FIT(buf, 1000));
		snprintf(buf, size, "%s", copy);
	}
	return loud;
}
