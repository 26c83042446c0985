// SPDX-License-Identifier: GPL-2.0-only
/*
 * The C library knows how wide a character is, but only in a locale of UTF-8: ours
 * is independent of the user's, who may have none and read UTF-8 all the same.
 */
#include "render/width.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "model/text.h"
#include "render/format.h"

/* Below it nothing is wide. */
#define FIRST_WIDE	0x1100

static locale_t utf8_locale(void)
{
	static const char * const names[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };
	static locale_t found;
	static bool is_known;
	size_t i;

	for (i = 0; !is_known && i < sizeof(names) / sizeof(*names) && !found; i++)
		found = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
	is_known = true;
	return found;
}

/*
 * Of what the library does not know, as much as it can be at most: a line is then
 * too short rather than too long.
 */
static size_t width_of_code(uint32_t code, bool has_library)
{
	int width = -1;

	if (code < 0x80 || code == TEXT_INVALID)
		return 1;
	if (has_library)
		width = wcwidth((wchar_t)code);
	else if (code >= 0x300 && code < 0x370)
		width = 0;	/* accents to be put upon a letter */
	if (width >= 0)
		return width;
	return code < FIRST_WIDE ? 1 : 2;
}

/* Bytes of the first @columns columns, and how many these are. */
static size_t measure(const char *s, size_t columns, size_t *width)
{
	locale_t ours = utf8_locale(), was = (locale_t)0;
	size_t n = 0, w;
	uint32_t code;
	size_t len;

	if (ours)
		was = uselocale(ours);
	*width = 0;
	while (s[n]) {
		len = text_next(s + n, &code);
		w = width_of_code(code, ours);
		if (w > columns - *width)
			break;
		n += len;
		*width += w;
	}
	if (ours)
		uselocale(was);
	return n;
}

/**
 * width_of - columns of a string
 * @s: the string; a byte that is no UTF-8 counts as one
 *
 * Context: any.
 * Return: how many.
 */
size_t width_of(const char *s)
{
	size_t width;

	measure(s, SIZE_MAX, &width);
	return width;
}

/**
 * width_fit - how much of a string fits
 * @s: the string
 * @columns: room
 *
 * Context: any.
 * Return: bytes; never a part of a character, nor one without its accents.
 */
size_t width_fit(const char *s, size_t columns)
{
	size_t width;

	return measure(s, columns, &width);
}

/**
 * width_clip - a word from a file, clean and not too wide
 * @text: the word
 * @columns: room, 3 and up
 * @buf: where to
 * @size: bytes there, above @columns; what does not fit ends in ".."
 *
 * Context: any.
 */
void width_clip(const char *text, size_t columns, char *buf, size_t size)
{
	format_clean(text, buf, size - 2);
	if (width_of(buf) > columns)
		strcpy(buf + width_fit(buf, columns - 2), "..");
}
