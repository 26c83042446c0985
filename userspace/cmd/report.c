// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat report and diff: tables of recordings.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "render/render.h"
#include "source/recfile.h"
#include "source/slurp.h"

enum {
	OPT_FORMAT = 'f',
	OPT_LABELS = 'l',
	OPT_OUT = 'o',
	OPT_ROWS = 256,
	OPT_SPREAD,
};

static const struct opt opts[] = {
	{ "format", OPT_FORMAT, "FORMAT",
	  "text (default), markdown, csv or json" },
	{ "labels", OPT_LABELS, "A,B,...", "names of the columns" },
	{ "output", OPT_OUT, "FILE", "write there, not to standard output" },
	{ "rows", OPT_ROWS, "PATTERN,...",
	  "rows of vmstat (default: what changed)" },
	{ "spread", OPT_SPREAD, NULL, "median, least and greatest too" },
	{ 0 },
};

/**
 * struct asked - the command line
 * @format: of the output
 * @path: file to write, or NULL
 * @labels: names of the columns, or NULL
 * @nr_labels: how many
 * @rows: patterns
 * @nr_rows: how many
 * @spread: asked for
 */
struct asked {
	const char *format, *path;
	char **labels, **rows;
	size_t nr_labels, nr_rows;
	bool spread;
};

static int parse(const char *usage, int argc, char **argv,
		 struct asked *asked)
{
	const char *arg;
	int c;

	asked->format = "text";
	for (;;) {
		c = opt_next(opts, usage, true, argc, argv, &arg);
		switch (c) {
		case OPT_END:
			return -1;
		case OPT_HELP:
			return stdout_done(EXIT_DONE);
		case OPT_FORMAT:
			asked->format = arg;
			if (!render_find(arg))
				return usage_error(argv[0],
						   "no format %s: there are %s",
						   arg, render_names());
			break;
		case OPT_OUT:
			asked->path = arg;
			break;
		case OPT_LABELS:
			free_list(asked->labels, asked->nr_labels);
			asked->labels = NULL;
			asked->nr_labels = 0;
			if (split_list(arg, ',', &asked->labels,
				       &asked->nr_labels))
				return EXIT_FAILED;
			break;
		case OPT_ROWS:
			free_list(asked->rows, asked->nr_rows);
			asked->rows = NULL;
			asked->nr_rows = 0;
			if (split_list(arg, ',', &asked->rows,
				       &asked->nr_rows))
				return EXIT_FAILED;
			break;
		case OPT_SPREAD:
			asked->spread = true;
			break;
		default:
			return EXIT_USAGE;
		}
	}
}

static int print_files(char **path, size_t nr, const struct asked *asked)
{
	struct doc_opts how = {
		.labels = (const char * const *)asked->labels,
		.rows = (const char * const *)asked->rows,
		.nr_rows = asked->nr_rows, .spread = asked->spread,
	};
	const struct recording **list = calloc(nr, sizeof(*list));
	struct recording *rec = calloc(nr, sizeof(*rec));
	int status = EXIT_DONE;
	struct err err;
	size_t i;

	for (i = 0; list && rec && i < nr; i++) {
		list[i] = &rec[i];
		if (recfile_read(path[i], &rec[i], &err)) {
			status = say_failed(&err);
			break;
		}
		/* What has no label goes by the name of its file. */
		if (!rec[i].label && str_set(&rec[i].label, slurp_name(path[i]))) {
			say("out of memory");
			status = EXIT_FAILED;
			break;
		}
	}
	if (!list || !rec) {
		say("out of memory");
		status = EXIT_FAILED;
	}
	if (status == EXIT_DONE)
		status = print_recordings(list, nr, &how, asked->format,
					  asked->path);
	for (i = 0; rec && i < nr; i++)
		recording_free(&rec[i]);
	free(rec);
	free(list);
	return asked->path ? status : stdout_done(status);
}

static int run(int argc, char **argv, const char *usage, bool is_diff)
{
	struct asked asked = { 0 };
	size_t nr;
	int status;

	status = parse(usage, argc, argv, &asked);
	if (status >= 0)
		goto out;
	argv += opt_rest();
	nr = argc - opt_rest();
	if (is_diff && nr < 2)
		status = usage_error("diff",
				     "needs two recordings or more, the first is the base");
	else if (!is_diff && nr != 1)
		status = usage_error("report", "needs one recording");
	else if (asked.nr_labels && asked.nr_labels != nr)
		status = usage_error(is_diff ? "diff" : "report",
				     "%zu labels for %zu recordings",
				     asked.nr_labels, nr);
	else
		status = print_files(argv, nr, &asked);
out:
	free_list(asked.labels, asked.nr_labels);
	free_list(asked.rows, asked.nr_rows);
	return status;
}

/**
 * cmd_report - the tables of one recording
 * @argc: arguments
 * @argv: the arguments
 *
 * Context: main.
 * Return: exit status.
 */
int cmd_report(int argc, char **argv)
{
	return run(argc, argv, "report [OPTIONS] FILE", false);
}

/**
 * cmd_diff - the tables of two or more recordings, compared
 * @argc: arguments
 * @argv: the arguments
 *
 * Context: main.
 * Return: exit status.
 */
int cmd_diff(int argc, char **argv)
{
	return run(argc, argv, "diff [OPTIONS] BEFORE AFTER...",
			    true);
}
