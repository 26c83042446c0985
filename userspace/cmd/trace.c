// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat trace: a session traced without the module becomes a recording.
 */
#include <errno.h>

#include "cmd/cmd.h"
#include "source/outfile.h"
#include "source/slurp.h"
#include "source/trace_run.h"

enum { OPT_LABEL = 256, OPT_BUFFER, OPT_REPORT };

static const struct opt opts[] = {
	{ "output", 'o', "FILE", "the recording (default mmlockstat.json)" },
	{ "label", OPT_LABEL, "LABEL", "what tables call the recording" },
	{ "buffer", OPT_BUFFER, "NAME",
	  "only this buffer of the file; top is the main one" },
	{ "report", OPT_REPORT, NULL, "print the tables, too" },
	{ 0 },
};

static const char usage[] =
	"trace [OPTIONS] FILE\n"
	"Makes a recording of the mmap_lock events of a trace-cmd file, or of a text of\n"
	"trace-cmd report, of the tracing file 'trace' or of perf script (- for standard\n"
	"input).";

/**
 * struct asked - the command line
 * @path: the trace
 * @output: the recording, or NULL
 * @label: of it, or NULL
 * @buffer: the only one to read, or NULL
 * @report: print tables
 */
struct asked {
	const char *path, *output, *label, *buffer;
	bool report;
};

static int parse(int argc, char **argv, struct asked *asked)
{
	const char *arg;
	int c;

	for (;;) {
		c = opt_next(opts, usage, true, argc, argv, &arg);
		switch (c) {
		case OPT_END:
			if (argc - opt_rest() != 1)
				return usage_error("trace", "needs one trace");
			asked->path = argv[opt_rest()];
			return -1;
		case OPT_HELP:
			return stdout_done(EXIT_DONE);
		case 'o':
			asked->output = arg;
			break;
		case OPT_LABEL:
			asked->label = arg;
			break;
		case OPT_BUFFER:
			asked->buffer = arg;
			break;
		case OPT_REPORT:
			asked->report = true;
			break;
		default:
			return EXIT_USAGE;
		}
	}
}

static int describe(struct recording *rec, const struct asked *asked,
		    const struct trace_result *r)
{
	const char * const words[] = { "trace", asked->path };
	size_t i;

	for (i = 0; i < 2; i++) {
		if (grow(&rec->command, i, &rec->cap_command,
			 sizeof(*rec->command)))
			return -1;
		rec->command[i] = NULL;
		if (str_set(&rec->command[i], words[i]))
			return -1;
		rec->nr_command++;
	}
	if ((asked->label && str_set(&rec->label, asked->label)) ||
	    str_set(&rec->tool, "mmlockstat " MMLOCKSTAT_VERSION) ||
	    (*r->dat.kernel && str_set(&rec->host.kernel, r->dat.kernel)) ||
	    (*r->dat.arch && str_set(&rec->host.arch, r->dat.arch)))
		return -1;
	rec->host.cpus = r->dat.cpus;
	return 0;
}

static int make(struct recording *rec, const struct asked *asked,
		const struct trace_result *r, struct err *err)
{
	struct group *group = recording_add_group(rec);
	struct run *run = group ? group_add_run(group) : NULL;

	if (!run || describe(rec, asked, r))
		return err_sys(err, ENOMEM, asked->path);
	return trace_run(r, run, err);
}

static int print(struct recording *rec, const char *path)
{
	const struct recording *list[] = { rec };
	const struct doc_opts how = { 0 };
	int status;

	if (!rec->label && str_set(&rec->label, path)) {
		say("out of memory");
		return EXIT_FAILED;
	}
	status = print_recordings(list, 1, &how, "text", NULL);
	return stdout_done(status);
}

/* One line about all that is wrong with the data. */
static int judge(const char *path, const struct trace_result *r)
{
	char text[1024];
	bool doubtful = trace_complaints(r, text, sizeof(text));

	if (*text)
		say("%s: %s%s", path, doubtful ? "incomplete: " : "", text);
	return doubtful ? EXIT_INCOMPLETE : EXIT_DONE;
}

/**
 * cmd_trace - a trace session into a recording
 * @argc: arguments
 * @argv: the arguments
 *
 * Context: main.
 * Return: exit status.
 */
int cmd_trace(int argc, char **argv)
{
	struct trace_result *r = NULL;
	struct recording rec = { 0 };
	struct asked asked = { 0 };
	const char *output;
	struct err err;
	int status, rc;

	status = parse(argc, argv, &asked);
	if (status >= 0)
		return status;
	output = asked.output ? asked.output : "mmlockstat.json";
	rc = check_output(output, asked.output, &err);
	if (!rc)
		rc = trace_import(asked.path, asked.buffer, &r, &err);
	if (!rc)
		rc = make(&rec, &asked, r, &err);
	if (!rc)
		rc = save_recording(&rec, output, asked.output, &err);
	status = rc ? say_failed(&err) : judge(slurp_name(asked.path), r);
	if (!rc && asked.report) {
		rc = print(&rec, slurp_name(asked.path));
		if (rc)
			status = rc;
	}
	recording_free(&rec);
	trace_result_free(r);
	return status;
}
