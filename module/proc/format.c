// SPDX-License-Identifier: GPL-2.0-only
/* Numbers and tables for people; see format.h. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "format.h"

static void write_grouped(struct mls_number *number, u64 value, const char *tail)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%llu", value);
	char *to = number->text;
	int i;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	strscpy(to, tail, number->text + sizeof(number->text) - to);
}

/**
 * mls_number() - a count with thousands separators
 * @value: the count
 *
 * Context: Any.
 * Return: Its text.
 */
struct mls_number mls_number(u64 value)
{
	struct mls_number number;

	write_grouped(&number, value, "");
	return number;
}

/**
 * mls_number_us() - a time in microseconds with two decimals
 * @value_ns: the time, ns
 *
 * Context: Any.
 * Return: Its text, rounded to the nearest.
 */
struct mls_number mls_number_us(u64 value_ns)
{
	u64 hundredths = div_u64(value_ns + 5, 10);
	struct mls_number number;
	char tail[4];

	snprintf(tail, sizeof(tail), ".%02u", (u32)(hundredths % 100));
	write_grouped(&number, div_u64(hundredths, 100), tail);
	return number;
}

/**
 * mls_format_rule() - a line of dashes
 * @seq: where
 * @width: how many
 *
 * Context: Process.
 */
void mls_format_rule(struct seq_file *seq, int width)
{
	while (width--)
		seq_putc(seq, '-');
	seq_putc(seq, '\n');
}

/**
 * mls_format_title() - a table's title, with a blank line around it
 * @seq: where
 * @title: the title
 *
 * Context: Process.
 */
void mls_format_title(struct seq_file *seq, const char *title)
{
	seq_printf(seq, "\n== %s ==\n\n", title);
}
