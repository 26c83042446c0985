// SPDX-License-Identifier: GPL-2.0-only
#include "model/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Length of a valid UTF-8 sequence at @s, 0 when there is none. */
static int utf8_len(const unsigned char *s)
{
	unsigned int code;
	int n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if ((s[0] & 0xf0) == 0xe0)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	code = s[0] & (0xff >> (n + 1));
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
		return 0;
	return n;
}

/**
 * json_put_text - write a string of JSON, quotes included
 * @out: where to
 * @text: the string; what is no UTF-8 in it becomes U+FFFD
 *
 * Context: any; errors stay in the stream.
 */
void json_put_text(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int n;

	fputc('"', out);
	while (*s) {
		n = utf8_len(s);
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", out);
		else if (*s == '\t')
			fputs("\\t", out);
		else if (*s < ' ' || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else if (!n)
			fputs("\\ufffd", out);
		else
			fwrite(s, 1, n, out);
		s += n ? n : 1;
	}
	fputc('"', out);
}

/**
 * json_put_real - write a number that reads back as the same double
 * @out: where to
 * @value: the number, finite
 *
 * Context: any; errors stay in the stream.
 */
void json_put_real(FILE *out, double value)
{
	char buf[40];
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
	fputs(buf, out);
	/* A real stays a real. */
	if (!strpbrk(buf, ".e"))
		fputs(".0", out);
}
