/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Documents on paper: text, markdown, csv, json.
 */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "stats/doc.h"

/* No line of text is wider, columns. */
#define RENDER_WIDTH 80

/**
 * struct render_opts - how to print
 * @is_terminal: bold words may be bold
 */
struct render_opts {
	bool is_terminal;
};

/**
 * struct render_format - a format
 * @name: as on the command line
 * @print: prints a document; errors stay in the stream; 0 or -ENOMEM
 */
struct render_format {
	const char *name;
	int (*print)(FILE *out, const struct doc *doc,
		     const struct render_opts *opts);
};

const struct render_format *render_find(const char *name);
const char *render_names(void);

int render_text(FILE *out, const struct doc *doc,
		const struct render_opts *opts);
int render_markdown(FILE *out, const struct doc *doc,
		    const struct render_opts *opts);
int render_csv(FILE *out, const struct doc *doc,
	       const struct render_opts *opts);
int render_json(FILE *out, const struct doc *doc,
		const struct render_opts *opts);

#endif
