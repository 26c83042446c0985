// SPDX-License-Identifier: GPL-2.0-only
#include "model/text.h"

#include <string.h>

/**
 * text_next - the character at the beginning of a string
 * @s: the string, not empty
 * @code: its code; TEXT_INVALID for a byte that is no UTF-8
 *
 * Context: any.
 * Return: its length, bytes.
 */
size_t text_next(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	uint32_t c;
	size_t n, i;

	*code = *u;
	if (*u < 0x80)
		return 1;
	*code = TEXT_INVALID;
	n = (*u & 0xe0) == 0xc0 ? 2 : (*u & 0xf0) == 0xe0 ? 3 :
	    (*u & 0xf8) == 0xf0 ? 4 : 0;
	if (!n)
		return 1;
	c = *u & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 1;
	*code = c;
	return n;
}

/**
 * text_is_plain - whether a character may be printed as it is
 * @code: the character
 *
 * Not so: controls of ASCII and of Latin-1 (U+009B begins an escape sequence on
 * a terminal), separators of lines and paragraphs, and what turns the direction
 * of writing, which would show a table as it is not.
 *
 * Context: any.
 * Return: nonzero when it may.
 */
int text_is_plain(uint32_t code)
{
	return code != TEXT_INVALID && code >= ' ' &&
	       !(code >= 0x7f && code <= 0x9f) &&
	       code != 0x200e && code != 0x200f &&
	       !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2066 && code <= 0x2069);
}

/**
 * text_fit - how much of a string fits
 * @s: the string
 * @room: bytes there, at most INT_MAX
 *
 * Context: any.
 * Return: bytes, never a part of a character; for "%.*s".
 */
int text_fit(const char *s, size_t room)
{
	size_t n = 0, len;
	uint32_t code;

	for (; s[n]; n += len) {
		len = text_next(s + n, &code);
		if (n + len > room)
			break;
	}
	return n;
}

/**
 * text_clean - a string of plain characters
 * @s: the string; what is not plain in it becomes '?'
 * @buf: where to, may be @s; what does not fit is left out, never a part of a
 *	character
 * @size: bytes there, 1 and up
 *
 * Context: any.
 * Return: bytes that all of it takes, without the NUL at the end.
 */
size_t text_clean(const char *s, char *buf, size_t size)
{
	size_t n, len, out = 0, all = 0;
	uint32_t code;

	for (; *s; s += n, all += len) {
		n = text_next(s, &code);
		len = text_is_plain(code) ? n : 1;
		if (out != all || out + len >= size)
			continue;
		if (len == n && text_is_plain(code))
			memmove(buf + out, s, n);
		else
			buf[out] = '?';
		out += len;
	}
	buf[out] = '\0';
	return all;
}
