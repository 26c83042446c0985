// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of `mmlockstat record`.
 */
#include "cmd/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/outfile.h"

enum { OPT_WARMUP = 256, OPT_LABEL, OPT_SET, OPT_METRIC, OPT_INTERLEAVE };

static const struct opt opts[] = {
	{ "output", 'o', "FILE", "the recording (default mmlockstat.json)" },
	{ "runs", 'r', "RUNS", "run COMMAND so many times (default 1)" },
	{ "warmup", OPT_WARMUP, "N", "run it N times before, unrecorded" },
	{ "label", OPT_LABEL, "LABEL", "what tables call the recording" },
	{ "set", OPT_SET, "NAME=V1,V2,...",
	  "all runs for each value of {NAME} in COMMAND" },
	{ "metric", OPT_METRIC, "NAME=REGEX",
	  "NAME[:UNIT[:higher|lower]]=...(NUMBER)..." },
	{ "interleave", OPT_INTERLEAVE, "BEFORE AFTER",
	  "shell commands that make two settings" },
	{ "pid", 'p', "PID,...", "only what these processes do" },
	{ 0 },
};

static const char usage[] =
	"record [OPTIONS] -- COMMAND...\n"
	"Runs COMMAND and records what mmap_lock did meanwhile.  COMMAND may print\n"
	"lines 'metric NAME VALUE UNIT higher|lower'.  With --interleave BEFORE AFTER\n"
	"the runs alternate between two settings, into two recordings (-o twice).";

static int number(const char *what, const char *arg, size_t least,
		  size_t *out)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(arg, &end, 10);
	if (errno || end == arg || *end || v < (long)least ||
	    v > PLAN_MAX_RUNS)
		return usage_error("record", "%s %s: must be %zu to %d", what,
				   arg, least, PLAN_MAX_RUNS);
	*out = v;
	return -1;
}

static int no_memory(void)
{
	say("out of memory");
	return EXIT_FAILED;
}

static int add_set(struct plan *plan, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct plan_set *set;
	size_t i, len, j;

	if (!equals || equals == arg || !equals[1])
		return usage_error("record", "--set %s: not NAME=V1,V2,...",
				   arg);
	len = equals - arg;
	if (strcspn(arg, "{} \t") < len)
		return usage_error("record",
				   "--set %s: no braces or blanks in the name",
				   arg);
	for (i = 0; i < plan->nr_sets; i++)
		if (!strncmp(plan->set[i].name, arg, len) &&
		    !plan->set[i].name[len])
			return usage_error("record", "--set %.*s given twice",
					   (int)len, arg);
	if (grow(&plan->set, plan->nr_sets, &plan->cap_sets,
		 sizeof(*plan->set)))
		return no_memory();
	set = &plan->set[plan->nr_sets];
	*set = (struct plan_set){ .name = strndup(arg, len) };
	if (!set->name)
		return no_memory();
	plan->nr_sets++;
	if (split_list(equals + 1, ',', &set->value, &set->nr))
		return no_memory();
	for (i = 0; i < set->nr; i++) {
		if (!*set->value[i])
			return usage_error("record", "--set %s: an empty value",
					   arg);
		for (j = 0; j < i; j++)
			if (!strcmp(set->value[i], set->value[j]))
				return usage_error("record",
						   "--set %s: %s twice", arg,
						   set->value[i]);
	}
	return -1;
}

static int add_rule(struct plan *plan, const char *arg)
{
	struct err err;
	size_t i;
	int rc;

	if (grow(&plan->rule, plan->nr_rules, &plan->cap_rules,
		 sizeof(*plan->rule)))
		return no_memory();
	rc = metric_rule_parse(arg, &plan->rule[plan->nr_rules], &err);
	if (rc)
		return usage_error("record", "--metric %s", err.text);
	plan->nr_rules++;
	for (i = 0; i + 1 < plan->nr_rules; i++)
		if (!strcmp(plan->rule[i].name, plan->rule[plan->nr_rules - 1].name))
			return usage_error("record", "--metric %s given twice",
					   plan->rule[i].name);
	return -1;
}

/* "12,13" -> "pid 12 13" */
static int add_pids(struct plan *plan, const char *arg)
{
	char *at;

	if (!*arg || strspn(arg, "0123456789,") != strlen(arg) ||
	    strstr(arg, ",,") || *arg == ',' || arg[strlen(arg) - 1] == ',')
		return usage_error("record", "-p %s: not PID,PID,...", arg);
	free(plan->pids);
	if (asprintf(&plan->pids, "pid %s", arg) < 0) {
		plan->pids = NULL;
		return no_memory();
	}
	for (at = plan->pids; *at; at++)
		if (*at == ',')
			*at = ' ';
	return -1;
}

static int add_label(struct plan *plan, const char *arg)
{
	size_t i = plan->label[0] ? 1 : 0;

	if (plan->label[i])
		return usage_error("record", "--label given too often");
	return str_set(&plan->label[i], arg) ? no_memory() : -1;
}

/* Returns -1 to go on, else the exit status. */
static int take(struct plan *plan, int c, const char *arg)
{
	switch (c) {
	case 'o':
		if (plan->output[1])
			return usage_error("record", "-o given too often");
		if (!strcmp(arg, "-"))
			return usage_error("record",
					   "-o -: standard output is COMMAND's: give a file (./- is one)");
		plan->output[plan->output[0] ? 1 : 0] = arg;
		return -1;
	case 'r':
		return number("-r", arg, 1, &plan->runs);
	case OPT_WARMUP:
		return number("--warmup", arg, 0, &plan->warmup);
	case OPT_LABEL:
		return add_label(plan, arg);
	case OPT_SET:
		return add_set(plan, arg);
	case OPT_METRIC:
		return add_rule(plan, arg);
	case OPT_INTERLEAVE:
		plan->interleave[0] = arg;
		return -1;
	case 'p':
		return add_pids(plan, arg);
	default:
		return EXIT_USAGE;
	}
}

static int multiply(struct plan *plan)
{
	size_t i, j, nr = 1, rest;

	for (i = 0; i < plan->nr_sets; i++) {
		nr *= plan->set[i].nr;
		if (nr > PLAN_MAX_GROUPS)
			return usage_error("record",
					   "--set: more than %d settings in all",
					   PLAN_MAX_GROUPS);
	}
	plan->group = calloc(nr, sizeof(*plan->group));
	if (!plan->group)
		return no_memory();
	plan->nr_groups = nr;
	for (i = 0; i < nr; i++) {
		rest = nr;
		for (j = 0; j < plan->nr_sets; j++) {
			rest /= plan->set[j].nr;
			if (pairs_add(&plan->group[i], plan->set[j].name,
				      plan->set[j].value[i / rest %
							 plan->set[j].nr]))
				return no_memory();
		}
	}
	return -1;
}

/* A --set that the command does not use would compare it with itself. */
static int check_sets(const struct plan *plan)
{
	size_t i, j;
	char *mark;
	bool used;

	for (i = 0; i < plan->nr_sets; i++) {
		if (asprintf(&mark, "{%s}", plan->set[i].name) < 0)
			return no_memory();
		used = false;
		for (j = 0; plan->command[j]; j++)
			used |= !!strstr(plan->command[j], mark);
		free(mark);
		if (!used)
			return usage_error("record",
					   "--set %s: {%s} is not in COMMAND",
					   plan->set[i].name,
					   plan->set[i].name);
	}
	return -1;
}

/**
 * plan_parse - read the command line of record
 * @plan: where to; to be freed by the caller, also on failure
 * @argc: arguments
 * @argv: the arguments; they outlive the plan
 *
 * Context: main.
 * Return: -1 to go on, else the exit status.
 */
int plan_parse(struct plan *plan, int argc, char **argv)
{
	const char *arg;
	int c, rc;

	*plan = (struct plan){ .runs = 1, .sides = 1 };
	for (;;) {
		c = opt_next(opts, usage, false, argc, argv, &arg);
		if (c == OPT_END)
			break;
		if (c == OPT_HELP)
			return stdout_done(EXIT_DONE);
		rc = c == OPT_BAD ? EXIT_USAGE : take(plan, c, arg);
		if (rc >= 0)
			return rc;
		if (c != OPT_INTERLEAVE)
			continue;
		/* Its second argument. */
		if (opt_rest() >= argc)
			return usage_error("record",
					   "--interleave needs two commands");
		plan->interleave[1] = argv[opt_skip()];
		plan->sides = 2;
	}
	plan->command = argv + opt_rest();
	if (!plan->command[0])
		return usage_error("record", "COMMAND is missing");
	if (plan->sides == 1 && (plan->output[1] || plan->label[1]))
		return usage_error("record", "%s given twice",
				   plan->output[1] ? "-o" : "--label");
	if (plan->sides == 2 && !plan->output[0] != !plan->output[1])
		return usage_error("record",
				   "--interleave makes two recordings: give -o twice");
	if (plan->sides == 2 && plan->output[0] &&
	    outfile_is_same(plan->output[0], plan->output[1]))
		return usage_error("record", "-o %s -o %s: one file for two recordings",
				   plan->output[0], plan->output[1]);
	rc = check_sets(plan);
	return rc >= 0 ? rc : multiply(plan);
}

/**
 * plan_free - free what a plan holds
 * @plan: the plan
 *
 * Context: any.
 */
void plan_free(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->nr_rules; i++)
		metric_rule_free(&plan->rule[i]);
	free(plan->rule);
	for (i = 0; i < plan->nr_sets; i++) {
		free(plan->set[i].name);
		free_list(plan->set[i].value, plan->set[i].nr);
	}
	free(plan->set);
	for (i = 0; i < plan->nr_groups; i++)
		pairs_free(&plan->group[i]);
	free(plan->group);
	free(plan->label[0]);
	free(plan->label[1]);
	free(plan->pids);
	*plan = (struct plan){ 0 };
}

static char *replaced(const char *word, const struct pairs *group)
{
	char *out = NULL, mark[200];
	size_t size = 0, len = 0, i;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	while (*word) {
		for (i = 0; i < group->nr; i++) {
			len = snprintf(mark, sizeof(mark), "{%s}",
				       group->v[i].name);
			if (len < sizeof(mark) && !strncmp(word, mark, len))
				break;
		}
		if (i < group->nr) {
			fputs(group->v[i].value, f);
			word += len;
		} else {
			fputc(*word++, f);
		}
	}
	if (fclose(f)) {
		free(out);
		return NULL;
	}
	return out;
}

/**
 * plan_command - the command of one setting
 * @plan: the plan
 * @group: the setting
 *
 * Context: any.
 * Return: the words, NULL behind, to be freed by free_list(); or NULL.
 */
char **plan_command(const struct plan *plan, const struct pairs *group)
{
	size_t n = 0, i;
	char **words;

	while (plan->command[n])
		n++;
	words = calloc(n + 1, sizeof(*words));
	for (i = 0; words && i < n; i++) {
		words[i] = replaced(plan->command[i], group);
		if (!words[i]) {
			free_list(words, i);
			return NULL;
		}
	}
	return words;
}
