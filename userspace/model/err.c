// SPDX-License-Identifier: GPL-2.0-only
#include "model/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/text.h"

/**
 * err_set - say what went wrong
 * @err: where; NULL says nothing
 * @code: what to return, a negative errno
 * @fmt: printf format of the line; control characters in it become '?'
 *
 * Context: any.
 * Return: @code.
 */
int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	/* What a file holds must not move the terminal's cursor. */
	text_clean(err->text, err->text, sizeof(err->text));
	return code;
}

/**
 * err_sys - say that a system call failed
 * @err: where; NULL says nothing
 * @errnum: positive errno
 * @what: what was being worked on, mostly a path
 *
 * Context: any.
 * Return: -@errnum.
 */
int err_sys(struct err *err, int errnum, const char *what)
{
	return err_set(err, -errnum, "%s: %s", what, strerror(errnum));
}
