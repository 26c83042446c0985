// SPDX-License-Identifier: GPL-2.0-only
/* What the program prints: errors, notes, metrics. */

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "frame.h"

static const char *say_name;

/**
 * ml_set_name() - name the workload in later error lines
 * @name: its name, kept, not copied
 */
void ml_set_name(const char *name)
{
	say_name = name;
}

/**
 * ml_error() - one line on standard error: who, what, why
 * @format: as printf's, without the newline
 *
 * The line goes out in one write, so that it does not mix with others'.
 */
void ml_error(const char *format, ...)
{
	char text[512], line[600];
	va_list args;
	int len;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	len = snprintf(line, sizeof(line), "%smmlockload: %s%s%s\n",
		       isatty(STDERR_FILENO) ? "\r\033[K" : "",
		       say_name ? say_name : "", say_name ? ": " : "", text);
	if (write(STDERR_FILENO, line, len) < 0)
		return;
}

/**
 * ml_note() - a line for people among the metrics, marked with #
 * @format: as printf's, without the newline
 */
void ml_note(const char *format, ...)
{
	va_list args;

	fputs("# ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/**
 * ml_metric() - hand over one figure, in the form that mmlockstat record reads
 * @name: what was measured, one word
 * @value: the figure
 * @unit: its unit, one word
 * @higher: more of it is better
 */
void ml_metric(const char *name, double value, const char *unit, bool higher)
{
	printf("metric %s %.*f %s %s\n", name, value < 100 ? 3 : 2, value, unit,
	       higher ? "higher" : "lower");
	fflush(stdout);
}
