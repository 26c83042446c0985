// SPDX-License-Identifier: GPL-2.0-only
/* Reading and explaining options. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

struct ml_common ml_common = {
	.seconds = 10,
	.warmup = 1,
};

#define OPTION_QUIET \
	{ "quiet", ML_OPT_FLAG, &ml_common.quiet, NULL, \
	  "no progress on the terminal", 0, 0, NULL }

const struct ml_option ml_common_options[] = {
	{ "seconds", ML_OPT_SECONDS, &ml_common.seconds, "S",
	  "measure for S seconds", 10, 86400000, NULL },
	{ "warmup", ML_OPT_SECONDS, &ml_common.warmup, "S",
	  "run S seconds before measuring", 0, 86400000, NULL },
	{ "rounds", ML_OPT_COUNT, &ml_common.rounds, "N",
	  "N operations a thread instead of a time; 0: by time", 0, 0, NULL },
	OPTION_QUIET,
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

/* For workloads that run through once. */
const struct ml_option ml_untimed_options[] = {
	OPTION_QUIET,
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

static const struct ml_option *option_find(const struct ml_option *table,
					   const char *name, size_t len)
{
	for (; table && table->name; table++)
		if (strlen(table->name) == len && !memcmp(table->name, name, len))
			return table;
	return NULL;
}

static int option_range(const struct ml_option *opt, uint64_t value,
			const char *text)
{
	if (value >= opt->min && (!opt->max || value <= opt->max))
		return 0;
	if (opt->type == ML_OPT_SECONDS)
		ml_error("--%s %s: not within %g and %g", opt->name, text,
			 opt->min / 1e3, opt->max / 1e3);
	else if (opt->max)
		ml_error("--%s %s: not within %" PRIu64 " and %" PRIu64,
			 opt->name, text, opt->min, opt->max);
	else
		ml_error("--%s %s: less than %" PRIu64, opt->name, text, opt->min);
	return -ERANGE;
}

static int option_number(const struct ml_option *opt, const char *text)
{
	static const struct { const char *suffix; uint64_t factor; } units[] = {
		{ "", 1 }, { "KiB", KIB }, { "MiB", MIB }, { "GiB", GIB },
		{ "K", KIB }, { "M", MIB }, { "G", GIB },
	};
	size_t nr_units = opt->type == ML_OPT_SIZE ?
			  sizeof(units) / sizeof(units[0]) : 1;
	uint64_t value;
	char *end;
	size_t i;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *text < '0' || *text > '9')
		goto bad;
	for (i = 0; i < nr_units && strcmp(end, units[i].suffix); i++)
		;
	if (i == nr_units || value > UINT64_MAX / units[i].factor)
		goto bad;
	value *= units[i].factor;
	if (option_range(opt, value, text))
		return -ERANGE;
	*(uint64_t *)opt->value = value;
	return 0;
bad:
	ml_error("--%s %s: not a %s", opt->name, text,
		 opt->type == ML_OPT_SIZE ? "size (bytes, or with KiB, MiB, GiB)" :
		 "number");
	return -EINVAL;
}

static int option_seconds(const struct ml_option *opt, const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) || value < 0) {
		ml_error("--%s %s: not a number of seconds", opt->name, text);
		return -EINVAL;
	}
	if (value > 1e9 || option_range(opt, (uint64_t)(value * 1000), text))
		return -ERANGE;
	*(double *)opt->value = value;
	return 0;
}

static int option_text(const struct ml_option *opt, const char *text)
{
	const char *choice = opt->choices;
	size_t len = strlen(text);

	if (!choice) {
		*(const char **)opt->value = text;
		return 0;
	}
	while (choice) {
		size_t n = strcspn(choice, "|");

		if (n == len && !memcmp(choice, text, n)) {
			*(const char **)opt->value = text;
			return 0;
		}
		choice = choice[n] ? choice + n + 1 : NULL;
	}
	ml_error("--%s %s: not one of %s", opt->name, text, opt->choices);
	return -EINVAL;
}

static int option_set(const struct ml_option *opt, const char *text)
{
	switch (opt->type) {
	case ML_OPT_COUNT:
	case ML_OPT_SIZE:
		return option_number(opt, text);
	case ML_OPT_SECONDS:
		return option_seconds(opt, text);
	case ML_OPT_TEXT:
		return option_text(opt, text);
	case ML_OPT_FLAG:
		*(bool *)opt->value = true;
		return 0;
	}
	return -EINVAL;
}

/**
 * ml_options_parse() - read the options of a workload
 * @load: the workload
 * @argc: number of arguments behind its name
 * @argv: those arguments: --name VALUE, --name=VALUE or --flag
 *
 * Return: 0, or a negative errno when a line has said what is wrong.
 */
int ml_options_parse(const struct ml_workload *load, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		const char *arg = argv[i], *value;
		const struct ml_option *opt;
		size_t len;

		if (strncmp(arg, "--", 2) || !arg[2]) {
			ml_error("unexpected argument '%s': see --help", arg);
			return -EINVAL;
		}
		arg += 2;
		len = strcspn(arg, "=");
		opt = option_find(load->options, arg, len);
		if (!opt)
			opt = option_find(load->untimed ? ml_untimed_options :
					  ml_common_options, arg, len);
		if (!opt) {
			ml_error("no option --%.*s: see --help", (int)len, arg);
			return -EINVAL;
		}
		value = arg[len] ? arg + len + 1 : NULL;
		if (opt->type == ML_OPT_FLAG && value) {
			ml_error("--%s takes no value", opt->name);
			return -EINVAL;
		}
		if (opt->type != ML_OPT_FLAG && !value) {
			if (++i == argc) {
				ml_error("--%s needs a value", opt->name);
				return -EINVAL;
			}
			value = argv[i];
		}
		if (option_set(opt, value))
			return -EINVAL;
	}
	return 0;
}

static void option_default(const struct ml_option *opt)
{
	static const char *const units[] = { "", "KiB", "MiB", "GiB" };
	const char *text;
	unsigned int i;
	uint64_t value;

	switch (opt->type) {
	case ML_OPT_COUNT:
		printf(" [%" PRIu64 "]", *(uint64_t *)opt->value);
		break;
	case ML_OPT_SIZE:
		value = *(uint64_t *)opt->value;
		for (i = 0; i < 3 && value && !(value % KIB); i++)
			value /= KIB;
		printf(" [%" PRIu64 "%s]", value, units[i]);
		break;
	case ML_OPT_SECONDS:
		printf(" [%g]", *(double *)opt->value);
		break;
	case ML_OPT_TEXT:
		text = *(const char **)opt->value;
		if (text)
			printf(" [%s]", text);
		break;
	case ML_OPT_FLAG:
		break;
	}
}

/**
 * ml_options_print() - list options with their defaults, for --help
 * @table: the options, or NULL
 */
void ml_options_print(const struct ml_option *table)
{
	for (; table && table->name; table++) {
		char left[64];

		snprintf(left, sizeof(left), "--%s%s%s", table->name,
			 table->arg ? " " : "", table->arg ? table->arg : "");
		printf("  %-20s %s", left, table->help);
		if (table->choices)
			printf(" (%s)", table->choices);
		option_default(table);
		putchar('\n');
	}
}
