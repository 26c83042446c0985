// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stands above a table: where its numbers come from, and what it cost to
 * have them.
 */
#include "render/side.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/text.h"
#include "render/format.h"

/**
 * side_line - runs, seconds, machine and scope of one recording
 * @doc: the document
 * @ctx: the table's context
 * @i: which recording
 * @buf: where to
 * @size: bytes there
 *
 * Context: any.
 */
void side_line(const struct doc *doc, const struct context *ctx, size_t i,
	       char *buf, size_t size)
{
	const struct side *side = &ctx->side[i];
	char failed[60] = "", scope[200] = "", ops[FORMAT_LEN];
	const char *kernel;
	char line[2000], seconds[FORMAT_LEN], when[200], cpus[40];

	if (!side->runs) {
		snprintf(line, sizeof(line), "%s: no runs", doc->label[i]);
		format_clean(line, buf, size);
		return;
	}
	if (side->failed)
		snprintf(failed, sizeof(failed), " (%zu FAILED)", side->failed);
	if (side->scope && !strcmp(side->scope, "all"))
		snprintf(scope, sizeof(scope), ", all tasks");
	else if (side->scope)
		snprintf(scope, sizeof(scope), ", only %.*s",
			 TEXT_FIT(side->scope, 150));
	format_num(num_ratio(side->ops[0] + side->ops[1], 1), STYLE_COUNT, ops);
	format_real(side->seconds, STYLE_DECIMAL, seconds);
	if (!doc->opts.is_live)
		snprintf(when, sizeof(when), "%zu run%s%s, %.60s s",
			 side->runs, side->runs == 1 ? "" : "s", failed,
			 seconds);
	else if (side->seconds > 0)
		snprintf(when, sizeof(when), "the last %.60s s", seconds);
	else
		snprintf(when, sizeof(when), "since the load or the last reset");
	kernel = side->kernel && *side->kernel ? side->kernel : "unknown";
	/* A trace printed as text does not tell. */
	snprintf(cpus, sizeof(cpus), side->cpus ? "%lld CPU%s" : "CPUs unknown",
		 (long long)side->cpus, side->cpus == 1 ? "" : "s");
	snprintf(line, sizeof(line),
		 "%.*s: %s, %s, kernel %.*s%s, %.60s operations",
		 TEXT_FIT(doc->label[i], 80), when, cpus, TEXT_FIT(kernel, 80),
		 scope, ops);
	format_clean(line, buf, size);
}

/**
 * side_cost - the instructions that recording took
 * @side: one recording's part of a table
 *
 * Context: any.
 * Return: how many; absent where no operation like these was measured.
 */
struct num side_cost(const struct side *side)
{
	if (!side->runs || !side->cost.kernel)
		return num_absent();
	return num_ratio(side->ops[0] * side->cost.per_op[0] +
			 side->ops[1] * side->cost.per_op[1], 1);
}

/**
 * side_basis - what side_cost() rests on, or why there is none
 * @side: one recording's part of a table
 * @buf: where to; empty without runs
 * @size: bytes there
 *
 * Context: any.
 */
void side_basis(const struct side *side, char *buf, size_t size)
{
	const struct cost *cost = &side->cost;

	*buf = '\0';
	if (!side->runs)
		return;
	if (!cost->kernel)
		snprintf(buf, size, "absent: %s",
			 cost->why_not ? cost->why_not : "out of memory");
	else
		snprintf(buf, size, "%u a read and %u a write, measured on %s%s (" COST_SOURCE ")",
			 cost->per_op[0], cost->per_op[1], cost->kernel,
			 cost->same_version ? "" : ", the nearest");
}

/**
 * side_cost_line - what recording cost, in words
 * @side: one recording's part of a table
 * @buf: where to; empty without runs
 * @size: bytes there
 *
 * Instructions are no time: a share of the CPU is not to be had from them.
 *
 * Context: any.
 */
void side_cost_line(const struct side *side, char *buf, size_t size)
{
	char all[FORMAT_LEN], rate[FORMAT_LEN] = "", basis[400], line[1600];
	struct num cost = side_cost(side), second;

	side_basis(side, basis, sizeof(basis));
	if (cost.kind == NUM_ABSENT) {
		snprintf(line, sizeof(line), "recording cost: %s", basis);
		format_clean(*basis ? line : "", buf, size);
		return;
	}
	format_num(cost, STYLE_COUNT, all);
	second = num_real(num_double(cost) / side->seconds);
	if (side->seconds > 0 && second.kind == NUM_REAL) {
		format_num(num_real(round(second.real)), STYLE_COUNT, rate);
		strcat(rate, " a second, ");
	}
	snprintf(line, sizeof(line),
		 "recording cost: about %.60s instructions, %.90s%s", all, rate,
		 basis);
	format_clean(line, buf, size);
}
