// SPDX-License-Identifier: GPL-2.0-only
#include "stats/cell.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stats/rank.h"

/* Above this change a factor is shown too, per cent. */
#define FACTOR_FROM 1000

/**
 * struct sum - a sum that stays exact as long as it can
 * @real: the sum as a real
 * @exact: @p over @q is the sum
 * @q: denominator
 * @p: numerator
 */
struct sum {
	long double real;
	bool exact;
	uint64_t q;
	__int128_t p;
};

static void sum_add(struct sum *sum, struct num v)
{
	sum->real += v.kind == NUM_RATIO ?
		(long double)v.p / (long double)v.q : v.real;
	if (v.kind != NUM_RATIO || (sum->q && sum->q != v.q)) {
		sum->exact = false;
		return;
	}
	sum->q = v.q;
	sum->p += v.p;
}

static struct num sum_mean(const struct sum *sum, size_t n)
{
	if (sum->exact && sum->q <= UINT64_MAX / n)
		return num_ratio(sum->p, sum->q * n);
	return num_real(sum->real / n);
}

/**
 * cell_fill - the mean of the runs' numbers, and their spread
 * @doc: the document
 * @cell: where to
 * @group: the runs; NULL when the recording has no such group
 * @which: which number
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int cell_fill(struct doc *doc, struct cell *cell, const struct group *group,
	      struct value *which)
{
	struct sum sum = { .exact = true };
	enum cell_state state;
	struct num v;
	bool bound;
	size_t i;

	cell->state = CELL_ABSENT;
	cell->avg = num_absent();
	if (!group || !group->nr_runs)
		return 0;
	cell->v = doc_alloc(doc, group->nr_runs * sizeof(*cell->v));
	if (!cell->v)
		return -ENOMEM;
	for (i = 0; i < group->nr_runs; i++) {
		bound = false;
		state = value_of(&group->runs[i], which, &v, &bound);
		if (state == CELL_EMPTY && cell->state == CELL_ABSENT)
			cell->state = CELL_EMPTY;
		if (state != CELL_VALUE)
			continue;
		cell->state = CELL_VALUE;
		sum_add(&sum, v);
		cell->bound |= bound;
		cell->v[cell->n] = num_double(v);
		if (!cell->n || cell->v[cell->n] < cell->min)
			cell->min = cell->v[cell->n];
		if (!cell->n || cell->v[cell->n] > cell->max)
			cell->max = cell->v[cell->n];
		cell->n++;
	}
	if (!cell->n)
		return 0;
	cell->avg = sum_mean(&sum, cell->n);
	return rank_median(cell->v, cell->n, &cell->median);
}

static int logs(const double *v, size_t n, double **out)
{
	size_t i;

	*out = malloc(n * sizeof(**out));
	if (!*out)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		(*out)[i] = log(v[i]);
	return 0;
}

static double percent(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

static int shift_fill(struct change *change, const struct cell *before,
		      const struct cell *after)
{
	double *x = NULL, *y = NULL;
	int rc;

	/* A ratio needs something to divide: with a zero, medians only. */
	if (before->min <= 0 || after->min <= 0) {
		change->has_shift = true;
		change->negative = before->min < 0 || after->min < 0;
		change->shift = after->median - before->median;
		return 0;
	}
	if (logs(before->v, before->n, &x) || logs(after->v, after->n, &y)) {
		free(x);
		return -ENOMEM;
	}
	rc = rank_shift(x, before->n, y, after->n, &change->shift,
			&change->low, &change->high, &change->has_interval);
	free(x);
	free(y);
	if (rc < 0)
		return rc;
	change->has_shift = true;
	change->is_ratio = true;
	change->shift = percent(change->shift);
	change->low = percent(change->low);
	change->high = percent(change->high);
	return 0;
}

/**
 * change_fill - compare two cells
 * @change: where to
 * @before: the base
 * @after: the other
 * @tested: make the test, where there is more than one run on a side
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int change_fill(struct change *change, const struct cell *before,
		const struct cell *after, bool tested)
{
	double a = num_double(before->avg), b = num_double(after->avg);
	int rc;

	*change = (struct change){ .kind = CHANGE_NONE };
	if (before->state != CELL_VALUE || after->state != CELL_VALUE)
		return 0;
	change->diff = num_diff(after->avg, before->avg);
	if (a > 0) {
		change->kind = CHANGE_PERCENT;
		change->percent = num_double(change->diff) / a * 100;
		if (!isfinite(change->percent))
			change->kind = CHANGE_NA;
		else if (change->percent > FACTOR_FROM)
			change->factor = b / a;
	} else {
		change->kind = CHANGE_NA;
	}
	if (!tested || (before->n < 2 && after->n < 2))
		return 0;
	change->tested = true;
	change->few = before->n < RANK_FEW || after->n < RANK_FEW;
	rc = rank_p(before->v, before->n, after->v, after->n, &change->p);
	if (rc < 0)
		return rc;
	change->exact = rc;
	return shift_fill(change, before, after);
}

/**
 * row_fill - fill a row
 * @doc: the document
 * @row: the row, its style and @tested set
 * @group: by recording, NULL where it has none
 * @which: which number
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int row_fill(struct doc *doc, struct row *row,
	     const struct group * const *group, struct value *which)
{
	size_t i;
	int rc;

	for (i = 0; i < doc->nr; i++) {
		rc = cell_fill(doc, &row->cell[i], group[i], which);
		if (rc)
			return rc;
	}
	if (doc->opts.no_change)
		return 0;
	for (i = 1; i < doc->nr; i++) {
		rc = change_fill(&row->change[i], &row->cell[0], &row->cell[i],
				 row->tested);
		if (rc)
			return rc;
	}
	return 0;
}

/**
 * row_is_absent - whether no recording has anything in a row
 * @doc: the document
 * @row: the row
 *
 * Context: any.
 * Return: true when all cells are absent.
 */
bool row_is_absent(const struct doc *doc, const struct row *row)
{
	size_t i;

	for (i = 0; i < doc->nr; i++)
		if (row->cell[i].state != CELL_ABSENT)
			return false;
	return true;
}
