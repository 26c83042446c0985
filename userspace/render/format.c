// SPDX-License-Identifier: GPL-2.0-only
#include "render/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

/* Thousands separators into a plain decimal. */
static void separate(const char *plain, char *buf)
{
	size_t digits, i;

	if (*plain == '-')
		*buf++ = *plain++;
	digits = strspn(plain, "0123456789");
	for (i = 0; i < digits; i++) {
		if (i && (digits - i) % 3 == 0)
			*buf++ = ',';
		*buf++ = plain[i];
	}
	strcpy(buf, plain + digits);
}

/* From here on a real number has no decimals worth printing. */
#define WIDE		1e15
/* Likewise a change, per cent. */
#define WIDE_PERCENT	1e9

/**
 * format_num - a number for people
 * @n: the number, not absent
 * @style: counts are whole, but the mean of some small ones is not
 * @buf: FORMAT_LEN bytes
 *
 * Counts are exact, however long; of a real number that is very large or very
 * small some digits and an exponent.
 *
 * Context: any.
 */
void format_num(struct num n, enum style style, char *buf)
{
	char plain[NUM_LEN];
	double v = fabs(num_double(n));
	int decimals = 2;

	if (style == STYLE_COUNT && (v >= 100 || num_is_whole(n)))
		decimals = 0;
	if (n.kind == NUM_REAL && v >= WIDE)
		snprintf(plain, sizeof(plain), "%.4g", n.real);
	else if (v != 0 && v < 0.005)
		snprintf(plain, sizeof(plain), "%.2g", num_double(n));
	else
		num_decimal(n, decimals, plain, sizeof(plain));
	separate(plain, buf);
}

/**
 * format_real - a real number for people
 * @v: the number
 * @style: as of format_num()
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_real(double v, enum style style, char *buf)
{
	struct num n = num_real(v);

	if (n.kind == NUM_ABSENT)
		strcpy(buf, "-");
	else
		format_num(n, style, buf);
}

/**
 * format_cell - a cell's value for people
 * @cell: the cell
 * @style: of the row
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_cell(const struct cell *cell, enum style style, char *buf)
{
	if (cell->state == CELL_ABSENT) {
		strcpy(buf, "absent");
		return;
	}
	if (cell->state == CELL_EMPTY) {
		strcpy(buf, "-");
		return;
	}
	if (cell->bound) {
		strcpy(buf, "<= ");
		buf += 3;
	}
	format_num(cell->avg, style, buf);
}

/**
 * format_change - a change for people
 * @change: the change
 * @style: of the row, for a difference
 * @buf: FORMAT_LEN bytes
 *
 * `~` stands before one that chance makes as often as one time in twenty.
 *
 * Context: any.
 */
void format_change(const struct change *change, enum style style, char *buf)
{
	char number[NUM_LEN + 100];

	*buf = '\0';
	if (change->kind == CHANGE_NONE) {
		strcpy(buf, "N/A");
		return;
	}
	if (change->kind == CHANGE_NA &&
	    (num_is_zero(change->diff) || change->diff.kind == NUM_ABSENT)) {
		strcpy(buf, "N/A");
		return;
	}
	if (change->tested && change->p > 0.05) {
		strcpy(buf, "~ ");
		buf += 2;
	}
	if (change->kind == CHANGE_NA) {
		format_num(change->diff, style, number);
		sprintf(buf, "N/A (%s%.300s)", *number == '-' ? "" : "+",
			number);
		return;
	}
	/* No sign on a change that rounds to nothing. */
	if (fabs(change->percent) < 0.005)
		strcpy(buf, "0.00%");
	else if (fabs(change->percent) >= WIDE_PERCENT)
		buf += sprintf(buf, "%+.4g%%", change->percent);
	else
		buf += sprintf(buf, "%+.2f%%", change->percent);
	if (change->factor) {
		format_real(change->factor,
			    change->factor < 100 ? STYLE_DECIMAL : STYLE_COUNT,
			    number);
		sprintf(buf, " (%.100sx)", number);
	}
}

/**
 * format_p - the p of a test
 * @change: the change, tested
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_p(const struct change *change, char *buf)
{
	if (change->p < 0.001)
		strcpy(buf, "<0.001");
	else
		sprintf(buf, "%.3f", change->p);
}

/* Per cent; as a factor where per cent would be unreadable. */
static int ratio(double percent, char *buf)
{
	/* Per cent of what a double holds, and it does not hold that. */
	if (isinf(percent))
		return sprintf(buf, ">x1e+306");
	if (percent > 100000)
		return sprintf(buf, "x%.4g", percent / 100 + 1);
	if (fabs(percent) < 0.005)
		return sprintf(buf, "0.00%%");
	return sprintf(buf, "%+.2f%%", percent);
}

/**
 * format_shift - the typical change between a run and a run
 * @change: the change, tested
 * @style: of the row, for a difference
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_shift(const struct change *change, enum style style, char *buf)
{
	if (!change->has_shift) {
		strcpy(buf, "-");
	} else if (change->is_ratio) {
		ratio(change->shift, buf);
	} else {
		if (change->shift > 0)
			*buf++ = '+';
		format_real(change->shift, style, buf);
	}
}

/**
 * format_interval - the interval of the typical change
 * @change: the change, tested
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_interval(const struct change *change, char *buf)
{
	if (change->few) {
		strcpy(buf, "n too small");
	} else if (!change->is_ratio) {
		strcpy(buf, change->negative ? "below 0: difference" :
					       "zeros: difference");
	} else if (!change->has_interval) {
		strcpy(buf, "-");
	} else {
		buf += ratio(change->low, buf);
		buf += sprintf(buf, " .. ");
		ratio(change->high, buf);
	}
}

/* Zeros at the end of a decimal say nothing. */
static void trim(char *buf)
{
	char *end;

	if (!strchr(buf, '.'))
		return;
	end = buf + strlen(buf) - 1;
	while (*end == '0')
		*end-- = '\0';
	if (*end == '.')
		*end = '\0';
	if (!strcmp(buf, "-0"))
		strcpy(buf, "0");
}

/**
 * format_plain - a number for programs: no separators, six places at most; very
 *	large reals with an exponent
 * @n: the number; an absent one is empty
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_plain(struct num n, char *buf)
{
	double v = fabs(num_double(n));
	int digits;

	*buf = '\0';
	if (n.kind == NUM_ABSENT)
		return;
	for (digits = 15; n.kind == NUM_REAL && v >= WIDE; digits++) {
		sprintf(buf, "%.*g", digits, n.real);
		if (strtod(buf, NULL) == n.real)
			return;
	}
	if (v != 0 && v < 0.001) {
		sprintf(buf, "%.9g", num_double(n));
		return;
	}
	num_decimal(n, 6, buf, NUM_LEN);
	trim(buf);
}

/**
 * format_plain_real - a real number for programs
 * @v: the number; one that is not finite is empty
 * @buf: FORMAT_LEN bytes
 *
 * Context: any.
 */
void format_plain_real(double v, char *buf)
{
	format_plain(num_real(v), buf);
}

/**
 * format_clean - a word from a file, safe for a terminal
 * @text: the word
 * @buf: where to; control characters and their like become '?'
 * @size: bytes there, 3 and up; what does not fit ends in "..", never inside a
 *	character
 *
 * Context: any.
 */
void format_clean(const char *text, char *buf, size_t size)
{
	if (text_clean(text, buf, size) < size)
		return;
	text_clean(text, buf, size - 2);
	strcat(buf, "..");
}
