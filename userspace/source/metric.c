// SPDX-License-Identifier: GPL-2.0-only
#include "source/metric.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

#define MAX_METRIC_LINE	1023
#define BLANKS		" \t"

static size_t digits(const char *at)
{
	return strspn(at, "0123456789");
}

/*
 * "1,234,567" and "1,234.5" can only be thousands; "1,234" is 1.234 where the
 * comma is the decimal one.  Returns the length, 0 where it could be either or
 * is neither; *out is the same without commas.
 */
static size_t thousands(const char *text, char *out)
{
	size_t n = digits(text), groups = 0;
	const char *at = text + n;

	if (!n || n > 3 || *text == '0')
		return 0;
	memcpy(out, text, n);
	out += n;
	while (*at == ',' && digits(at + 1) == 3) {
		memcpy(out, at + 1, 3);
		out += 3;
		at += 4;
		groups++;
	}
	*out = '\0';
	return groups > 1 || (groups == 1 && *at == '.') ? at - text : 0;
}

/* [+-]DIGITS[.DIGITS][e[+-]DIGITS], finite, and nothing else. */
static int number(const char *text, bool may_separate, double *out)
{
	char plain[100], *end = plain;
	const char *at = text;
	size_t n, len;

	if (strlen(text) >= sizeof(plain))
		return -EINVAL;
	if (*at == '+' || *at == '-')
		*end++ = *at++;
	len = may_separate ? thousands(at, end) : 0;
	if (len) {
		at += len;
		end += strlen(end);
	}
	strcpy(end, at);
	/* What is left must be a number in plain form. */
	at = plain + (*plain == '+' || *plain == '-');
	n = digits(at);
	if (!n)
		return -EINVAL;
	at += n;
	if (*at == '.') {
		n = digits(at + 1);
		if (!n)
			return -EINVAL;
		at += n + 1;
	}
	if (*at == 'e' || *at == 'E') {
		at += at[1] == '+' || at[1] == '-' ? 2 : 1;
		n = digits(at);
		if (!n)
			return -EINVAL;
		at += n;
	}
	if (*at)
		return -EINVAL;
	errno = 0;
	*out = strtod(plain, NULL);
	/* Too large, or so small that nothing of it would be left. */
	return !isfinite(*out) || (errno == ERANGE && *out == 0) ? -EINVAL : 0;
}

static bool is_word(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || *text == 0x7f)
			return false;
	return true;
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
	if (!*rule->name || !is_word(rule->name) || (unit && !is_word(unit))) {
		rc = err_set(err, -EINVAL,
			     "'%s': name and unit must be one word each", text);
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
	char text[120];
	regmatch_t m[2];
	const char *at;
	size_t len;
	double v;
	int rc;

	if (regexec(&rule->regex, line, 2, m, 0) || m[1].rm_so < 0)
		return 0;
	at = line + m[1].rm_so;
	len = m[1].rm_eo - m[1].rm_so;
	while (len && strchr(BLANKS, *at)) {
		at++;
		len--;
	}
	while (len && strchr(BLANKS, at[len - 1]))
		len--;
	snprintf(text, sizeof(text), "%.*s",
		 TEXT_FIT(at, len < 110 ? len : 110));
	if (number(text, true, &v))
		return err_set(err, -EINVAL, "metric %s: '%.*s' is no number%s",
			       rule->name, TEXT_FIT(text, 60), strchr(text, ',') ?
			       ", or its comma could be a decimal one (try LC_ALL=C)" :
			       "");
	rc = run_add_metric(run, rule->name, v, rule->unit, rule->better);
	return rc < 0 ? err_sys(err, ENOMEM, "metric") : rc;
}

/**
 * metric_is_line - whether a line is meant to be a metric line
 * @line: the line
 *
 * Context: any.
 * Return: true when its first word is `metric`.
 */
bool metric_is_line(const char *line)
{
	return !strncmp(line, "metric", 6) && line[6] &&
	       strchr(BLANKS, line[6]);
}

/**
 * metric_line - take `metric NAME VALUE UNIT higher|lower` from a line
 * @line: the line, for which metric_is_line() is true
 * @len: bytes of it
 * @run: where to; of several lines the last counts
 * @err: what is wrong with it
 *
 * Context: any.
 * Return: 0 when it is the first of its name, 1 when it replaced one, -EINVAL
 * for a bad one, -ENOMEM.
 */
int metric_line(const char *line, size_t len, struct run *run, struct err *err)
{
	char copy[MAX_METRIC_LINE + 1], *word[5], *save = NULL, *at;
	enum better better;
	double v;
	int n = 0, rc;

	if (len > MAX_METRIC_LINE)
		return err_set(err, -EINVAL, "longer than %d bytes",
			       MAX_METRIC_LINE);
	memcpy(copy, line, len);
	copy[len] = '\0';
	/* Of a program that ends lines as on Windows. */
	if (len && copy[len - 1] == '\r')
		copy[--len] = '\0';
	if (strlen(copy) != len)
		return err_set(err, -EINVAL, "a NUL in it");
	for (at = strtok_r(copy, BLANKS, &save); at && n < 5;
	     at = strtok_r(NULL, BLANKS, &save)) {
		if (!is_word(at))
			return err_set(err, -EINVAL, "a control character in it");
		word[n++] = at;
	}
	if (n != 5 || at)
		return err_set(err, -EINVAL, "not NAME VALUE UNIT higher|lower");
	if (number(word[2], false, &v))
		return err_set(err, -EINVAL, "'%.*s' is no number",
			       TEXT_FIT(word[2], 60));
	if (better_word(word[4], &better))
		return err_set(err, -EINVAL, "'%.*s' is not higher or lower",
			       TEXT_FIT(word[4], 60));
	rc = run_add_metric(run, word[1], v,
			    strcmp(word[3], "-") ? word[3] : "", better);
	return rc < 0 ? err_sys(err, ENOMEM, "metric") : rc;
}
