/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `mmlockstat record` is asked to do.
 */
#ifndef CMD_PLAN_H
#define CMD_PLAN_H

#include <stddef.h>

#include "cmd/cmd.h"
#include "source/metric.h"

/* Values of --set, multiplied out. */
#define PLAN_MAX_GROUPS	1000
#define PLAN_MAX_RUNS	100000

/**
 * struct plan_set - one --set
 * @name: its name
 * @value: its values
 * @nr: how many
 */
struct plan_set {
	char *name, **value;
	size_t nr;
};

/**
 * struct plan - what to do
 * @runs: runs of each setting
 * @warmup: runs before them that are not recorded
 * @output: files, one for each side; NULL for the usual name
 * @label: one for each side, or NULL
 * @interleave: commands that make the settings of two sides, or NULL
 * @sides: 1, or 2 with @interleave
 * @pids: the command for the module's filter, or NULL
 * @rule: metrics to look for
 * @nr_rules: how many
 * @cap_rules: room
 * @set: settings
 * @nr_sets: how many
 * @cap_sets: room
 * @group: the settings multiplied out, one empty without --set
 * @nr_groups: how many
 * @command: what to run
 */
struct plan {
	size_t runs, warmup;
	const char *output[2];
	char *label[2];
	const char *interleave[2];
	size_t sides;
	char *pids;
	struct metric_rule *rule;
	size_t nr_rules, cap_rules;
	struct plan_set *set;
	size_t nr_sets, cap_sets;
	struct pairs *group;
	size_t nr_groups;
	char **command;
};

int plan_parse(struct plan *plan, int argc, char **argv);
void plan_free(struct plan *plan);
char **plan_command(const struct plan *plan, const struct pairs *group);

#endif
