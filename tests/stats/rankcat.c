// SPDX-License-Identifier: GPL-2.0-only
/*
 * rankcat: the reader's statistics as a filter, to hold them against others'.
 * In: lines "M N x1..xM y1..yN".  Out: "EXACT P SHIFT HAS LOW HIGH".
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "stats/rank.h"

#define MAX_VALUES 100

static int numbers(double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (scanf("%lf", &v[i]) != 1)
			return -1;
	return 0;
}

int main(void)
{
	double x[MAX_VALUES], y[MAX_VALUES], p, shift, low = 0, high = 0;
	bool has;
	size_t m, n;
	int exact;

	while (scanf("%zu %zu", &m, &n) == 2) {
		if (m > MAX_VALUES || n > MAX_VALUES || numbers(x, m) ||
		    numbers(y, n))
			return 1;
		exact = rank_p(x, m, y, n, &p);
		if (exact < 0 ||
		    rank_shift(x, m, y, n, &shift, &low, &high, &has) < 0)
			return 1;
		printf("%d %.17g %.17g %d %.17g %.17g\n", exact, p, shift, has,
		       has ? low : 0, has ? high : 0);
	}
	return 0;
}
