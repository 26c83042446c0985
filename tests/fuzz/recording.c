// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: any bytes as a recording. What is refused has a reason;
 * what is taken reads back as it was written, and its tables are made in every
 * format, no line of text wider than the page.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "source/recfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

static char *print(const struct recording *rec, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	must(out && !recfile_print(out, rec) && !fclose(out));
	return text;
}

static void narrow(const char *text)
{
	size_t columns = 0;

	for (; *text; text++) {
		if (*text == '\n')
			columns = 0;
		else if (((unsigned char)*text & 0xc0) != 0x80)
			must(++columns <= RENDER_WIDTH);
		/* Nothing that moves a terminal's cursor. */
		must(*text == '\n' || (unsigned char)*text >= ' ');
	}
}

static void tables(const struct recording *rec, size_t nr, bool spread)
{
	static const char * const formats[] = {
		"text", "markdown", "csv", "json",
	};
	const struct recording *list[] = { rec, rec, rec };
	const struct render_opts paper = { false };
	const struct doc_opts opts = { .spread = spread };
	struct doc doc;
	char *text;
	size_t i, len;
	FILE *out;

	must(!doc_build(&doc, list, nr, &opts));
	for (i = 0; i < 4; i++) {
		text = NULL;
		out = open_memstream(&text, &len);
		must(!!out);
		must(!render_find(formats[i])->print(out, &doc, &paper));
		must(!fclose(out));
		if (!i)
			narrow(text);
		free(text);
	}
	doc_free(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording rec = { 0 }, again = { 0 };
	struct err err = { "" };
	char *text, *text2;
	size_t len, len2;

	if (recfile_parse((const char *)data, size, &rec, &err)) {
		must(err.text[0] != '\0');
		return 0;
	}
	text = print(&rec, &len);
	must(!recfile_parse(text, len, &again, &err));
	text2 = print(&again, &len2);
	must(len == len2 && !memcmp(text, text2, len));
	free(text);
	free(text2);
	tables(&rec, 1, false);
	tables(&again, 2, true);
	tables(&rec, 3, false);
	recording_free(&rec);
	recording_free(&again);
	return 0;
}
