// SPDX-License-Identifier: GPL-2.0-only
#include "source/metric.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A finite number and nothing else; thousands may be separated. */
static int number(const char *text, size_t len, double *out)
{
	char buf[80], *end;
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		if (text[i] == ',')
			continue;
		if (n + 1 == sizeof(buf))
			return -EINVAL;
		buf[n++] = text[i];
	}
	buf[n] = '\0';
	*out = strtod(buf, &end);
	return !n || *end || !isfinite(*out) ? -EINVAL : 0;
}

static int better_word(const char *word, enum better *out)
{
	if (!strcmp(word, "higher"))
		*out = BETTER_HIGHER;
	else if (!strcmp(word, "lower"))
		*out = BETTER_LOWER;
	else
		return -EINVAL;
	return 0;
}

/**
 * metric_rule_parse - NAME[:UNIT[:higher|lower]]=REGEX
 * @text: the rule
 * @rule: where to; to be freed by the caller on success
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, -EINVAL, -ENOMEM.
 */
int metric_rule_parse(const char *text, struct metric_rule *rule,
		      struct err *err)
{
	const char *equals = strchr(text, '=');
	char *unit = NULL, *better = NULL, why[200];
	int rc;

	*rule = (struct metric_rule){ 0 };
	if (!equals || equals == text || !equals[1])
		return err_set(err, -EINVAL, "'%s' is not NAME=REGEX", text);
	rule->name = strndup(text, equals - text);
	if (!rule->name)
		return err_sys(err, ENOMEM, "metric");
	unit = strchr(rule->name, ':');
	if (unit)
		*unit++ = '\0';
	better = unit ? strchr(unit, ':') : NULL;
	if (better)
		*better++ = '\0';
	if (!*rule->name || strpbrk(rule->name, " \t")) {
		rc = err_set(err, -EINVAL, "'%s': the name must be one word",
			     text);
		goto fail;
	}
	if (better && better_word(better, &rule->better)) {
		rc = err_set(err, -EINVAL, "'%s': '%s' is not higher or lower",
			     text, better);
		goto fail;
	}
	if (str_set(&rule->unit, unit ? unit : "")) {
		rc = err_sys(err, ENOMEM, "metric");
		goto fail;
	}
	rc = regcomp(&rule->regex, equals + 1, REG_EXTENDED);
	if (rc) {
		regerror(rc, &rule->regex, why, sizeof(why));
		rc = err_set(err, -EINVAL, "'%s': %s", equals + 1, why);
		goto fail;
	}
	if (!rule->regex.re_nsub) {
		rc = err_set(err, -EINVAL,
			     "'%s' has no group: put the number in ( )",
			     equals + 1);
		regfree(&rule->regex);
		goto fail;
	}
	return 0;

fail:
	free(rule->name);
	free(rule->unit);
	*rule = (struct metric_rule){ 0 };
	return rc;
}

/**
 * metric_rule_free - free what a rule holds
 * @rule: the rule
 *
 * Context: any.
 */
void metric_rule_free(struct metric_rule *rule)
{
	if (!rule->name)
		return;
	regfree(&rule->regex);
	free(rule->name);
	free(rule->unit);
	*rule = (struct metric_rule){ 0 };
}

/**
 * metric_rule_apply - look for a rule's metric in a line
 * @rule: the rule
 * @line: the line
 * @run: where to; of several lines the last counts
 * @err: what is wrong with the line
 *
 * Context: any.
 * Return: 0 when it is not there or is the first, 1 when it replaced one,
 * -EINVAL when what is there is no number, -ENOMEM.
 */
int metric_rule_apply(const struct metric_rule *rule, const char *line,
		      struct run *run, struct err *err)
{
	regmatch_t m[2];
	double v;
	int rc;

	if (regexec(&rule->regex, line, 2, m, 0) || m[1].rm_so < 0)
		return 0;
	if (number(line + m[1].rm_so, m[1].rm_eo - m[1].rm_so, &v))
		return err_set(err, -EINVAL, "metric %s: '%.*s' is no number",
			       rule->name, (int)(m[1].rm_eo - m[1].rm_so),
			       line + m[1].rm_so);
	rc = run_add_metric(run, rule->name, v, rule->unit, rule->better);
	return rc < 0 ? err_sys(err, ENOMEM, "metric") : rc;
}

/**
 * metric_line - take `metric NAME VALUE UNIT higher|lower` from a line
 * @line: the line
 * @run: where to; of several lines the last counts
 * @err: what is wrong with a line that begins like one
 *
 * Context: any.
 * Return: 0 when it is another line or the first, 1 when it replaced one,
 * -EINVAL for a bad one, -ENOMEM.
 */
int metric_line(const char *line, struct run *run, struct err *err)
{
	char copy[1024], *word[5], *save = NULL, *at;
	enum better better;
	double v;
	int n = 0, rc;

	if (strncmp(line, "metric ", 7) || strlen(line) >= sizeof(copy))
		return 0;
	strcpy(copy, line);
	for (at = strtok_r(copy, " \t\r", &save); at && n < 5;
	     at = strtok_r(NULL, " \t\r", &save))
		word[n++] = at;
	/* Not five words: a sentence, or a program of another mind. */
	if (n != 5 || at || better_word(word[4], &better))
		return 0;
	if (number(word[2], strlen(word[2]), &v))
		return err_set(err, -EINVAL, "metric %s: '%s' is no number",
			       word[1], word[2]);
	rc = run_add_metric(run, word[1], v,
			    strcmp(word[3], "-") ? word[3] : "", better);
	return rc < 0 ? err_sys(err, ENOMEM, "metric") : rc;
}
