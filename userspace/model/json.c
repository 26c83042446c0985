// SPDX-License-Identifier: GPL-2.0-only
#include "model/json.h"

#include <stdlib.h>
#include <string.h>

#include "model/text.h"

/**
 * json_put_text - write a string of JSON, quotes included
 * @out: where to
 * @text: the string; what is no UTF-8 in it becomes U+FFFD
 *
 * Context: any; errors stay in the stream.
 */
void json_put_text(FILE *out, const char *text)
{
	uint32_t code;
	size_t n;

	fputc('"', out);
	for (; *text; text += n) {
		n = text_next(text, &code);
		if (code == '"' || code == '\\')
			fprintf(out, "\\%c", (int)code);
		else if (code == '\n')
			fputs("\\n", out);
		else if (code == '\t')
			fputs("\\t", out);
		else if (code == TEXT_INVALID)
			fputs("\\ufffd", out);
		/* None of these is above U+FFFF. */
		else if (!text_is_plain(code))
			fprintf(out, "\\u%04x", (unsigned int)code);
		else
			fwrite(text, 1, n, out);
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
