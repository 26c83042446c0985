// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a recorded command prints, looked at for metrics.
 */
#include <stdarg.h>
#include <stdio.h>

#include "cmd/session.h"
#include "model/text.h"
#include "source/runner.h"

/* Of what goes wrong with each line, the first is told and the rest counted. */
static void complain(struct complaint *c, const char *fmt, ...)
{
	va_list ap;

	if (c->nr++)
		return;
	va_start(ap, fmt);
	vsnprintf(c->first, sizeof(c->first), fmt, ap);
	va_end(ap);
}

static void tell(const struct session *s, struct complaint *c, const char *what)
{
	if (c->nr == 1)
		say("%s: %s", s->name, c->first);
	else if (c->nr)
		say("%s: %s (the first of %zu %s)", s->name, c->first, c->nr,
		    what);
	c->nr = 0;
}

static void take_rules(struct session *s, const char *line, bool is_cut)
{
	struct err err;
	size_t i;

	/* A number at the cut would be another number. */
	if (is_cut && s->plan.nr_rules) {
		complain(&s->bad, "a line longer than %d bytes: --metric does not look at it",
			 RUNNER_LINE_MAX);
		return;
	}
	for (i = 0; i < s->plan.nr_rules; i++)
		if (metric_rule_apply(&s->plan.rule[i], line, &s->metrics,
				      &err) < 0)
			complain(&s->bad, "%s: ignored", err.text);
}

/**
 * session_line - take the metrics from a line that the command printed
 * @arg: the session
 * @line: the line
 * @len: bytes of it
 * @is_cut: it was longer
 *
 * Context: during a run.
 */
void session_line(void *arg, const char *line, size_t len, bool is_cut)
{
	struct session *s = arg;
	struct err err;
	int rc;

	if (metric_is_line(line)) {
		rc = metric_line(line, len, &s->metrics, &err);
		if (rc == 1)
			complain(&s->again, "'%.*s': printed before, the last one counts",
				 TEXT_FIT(line, 60));
		else if (rc < 0)
			complain(&s->bad, "'%.*s': no metric: %s: ignored",
				 TEXT_FIT(line, 60), err.text);
	}
	take_rules(s, line, is_cut);
}

/**
 * session_tell - say what was wrong with the lines of a run
 * @s: the session
 *
 * Context: at the end of a run.
 */
void session_tell(struct session *s)
{
	tell(s, &s->again, "metric lines");
	tell(s, &s->bad, "lines");
}
