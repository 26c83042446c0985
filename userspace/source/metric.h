/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics in what a workload prints.
 */
#ifndef SOURCE_METRIC_H
#define SOURCE_METRIC_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/err.h"
#include "model/recording.h"

/**
 * struct metric_rule - a metric of a program that knows nothing of us
 * @name: of the metric
 * @unit: its unit, possibly empty
 * @better: which way it improves
 * @regex: whose first group is the number
 */
struct metric_rule {
	char *name, *unit;
	enum better better;
	regex_t regex;
};

int metric_rule_parse(const char *text, struct metric_rule *rule,
		      struct err *err);
void metric_rule_free(struct metric_rule *rule);
int metric_rule_apply(const struct metric_rule *rule, const char *line,
		      struct run *run, struct err *err);
bool metric_is_line(const char *line);
int metric_line(const char *line, size_t len, struct run *run, struct err *err);

#endif
