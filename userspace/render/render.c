// SPDX-License-Identifier: GPL-2.0-only
#include "render/render.h"

#include <string.h>

static const struct render_format formats[] = {
	{ "text", render_text },
	{ "markdown", render_markdown },
	{ "csv", render_csv },
	{ "json", render_json },
};

/**
 * render_find - look a format up
 * @name: its name
 *
 * Context: any.
 * Return: the format, or NULL.
 */
const struct render_format *render_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

/**
 * render_names - the formats, for messages
 *
 * Context: any.
 * Return: their names.
 */
const char *render_names(void)
{
	return "text, markdown, csv, json";
}
