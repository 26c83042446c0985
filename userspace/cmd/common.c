// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "render/render.h"
#include "source/outfile.h"
#include "source/runner.h"

#define MAX_OPTS 32

/**
 * say - one line on standard error
 * @fmt: printf format of the line
 *
 * Context: any.
 */
void say(const char *fmt, ...)
{
	char line[2000] = "mmlockstat: ";
	size_t len = strlen(line), room = sizeof(line) - len - 1;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line + len, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		len += (size_t)n < room ? (size_t)n : room - 1;
	line[len++] = '\n';
	fflush(stdout);
	if (!runner_say(line, len))
		fwrite(line, 1, len, stderr);
}

/**
 * say_failed - say what a lower layer said
 * @err: what it said
 *
 * Context: any.
 * Return: EXIT_FAILED.
 */
int say_failed(const struct err *err)
{
	say("%s", err->text);
	return EXIT_FAILED;
}

/**
 * stdout_done - end standard output: a write that failed is a failure
 * @status: the exit status so far
 *
 * Context: at the end of a command.
 * Return: @status, or EXIT_FAILED.
 */
int stdout_done(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout) && !close(STDOUT_FILENO))
		return status;
	say("standard output: %s", strerror(errno ? errno : EIO));
	return EXIT_FAILED;
}

static void print_help(const struct opt *opts, const char *usage)
{
	char left[80];

	printf("usage: mmlockstat %s\n", usage);
	for (; opts->name; opts++) {
		if (opts->letter < 256)
			snprintf(left, sizeof(left), "-%c, --%s%s%s",
				 opts->letter, opts->name,
				 opts->arg ? " " : "",
				 opts->arg ? opts->arg : "");
		else
			snprintf(left, sizeof(left), "    --%s%s%s",
				 opts->name, opts->arg ? " " : "",
				 opts->arg ? opts->arg : "");
		printf("  %-28s %s\n", left, opts->help);
	}
	printf("  %-28s %s\n", "-h, --help", "this text");
}

/**
 * opt_next - the next option of a command
 * @opts: its options, ended by one without a name
 * @usage: its usage, without the program's name
 * @anywhere: options may follow other words; else they end at the first word
 *	that is none: what follows is another program's command line
 * @argc: arguments, the command's name included
 * @argv: the arguments
 * @arg: the option's argument, or NULL
 *
 * Context: one command at a time.
 * Return: its letter; OPT_END, OPT_BAD (said already) or OPT_HELP (printed).
 */
int opt_next(const struct opt *opts, const char *usage, bool anywhere,
	     int argc, char **argv, const char **arg)
{
	struct option longs[MAX_OPTS + 2] = { 0 };
	char letters[MAX_OPTS * 2 + 4];
	int c, index = -1;
	size_t i, at;

	strcpy(letters, anywhere ? ":h" : "+:h");
	at = strlen(letters);
	for (i = 0; opts[i].name && i < MAX_OPTS; i++) {
		longs[i] = (struct option){
			opts[i].name, opts[i].arg ? required_argument :
						    no_argument,
			NULL, opts[i].letter,
		};
		if (opts[i].letter < 256) {
			letters[at++] = opts[i].letter;
			if (opts[i].arg)
				letters[at++] = ':';
		}
	}
	letters[at] = '\0';
	longs[i] = (struct option){ "help", no_argument, NULL, 'h' };
	opterr = 0;
	c = getopt_long(argc, argv, letters, longs, &index);
	*arg = optarg;
	switch (c) {
	case -1:
		return OPT_END;
	case 'h':
		print_help(opts, usage);
		return OPT_HELP;
	case ':':
		usage_error(argv[0], "%s needs an argument", argv[optind - 1]);
		return OPT_BAD;
	case '?':
		if (optopt && optopt < 256 && isprint(optopt))
			usage_error(argv[0], "unknown option -%c", optopt);
		else
			usage_error(argv[0], "unknown option %s",
				    argv[optind - 1]);
		return OPT_BAD;
	default:
		return c;
	}
}

/**
 * opt_rest - where the arguments behind the options begin
 *
 * Context: after opt_next() returned OPT_END.
 * Return: index into argv.
 */
int opt_rest(void)
{
	return optind;
}

/**
 * opt_skip - take the word behind an option: its second argument
 *
 * Context: between two calls of opt_next(), where opt_rest() < argc.
 * Return: index into argv.
 */
int opt_skip(void)
{
	return optind++;
}

/**
 * usage_error - say what is wrong with the command line
 * @command: the command
 * @fmt: printf format of the reason
 *
 * Context: any.
 * Return: EXIT_USAGE.
 */
int usage_error(const char *command, const char *fmt, ...)
{
	char why[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	say("%s: %s (see 'mmlockstat %s --help')", command, why, command);
	return EXIT_USAGE;
}

/**
 * split_list - cut "A,B,C" into its words
 * @text: the list
 * @sep: what stands between the words
 * @out: the words, to be freed by free_list()
 * @nr: how many, 1 and up; words may be empty
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int split_list(const char *text, char sep, char ***out, size_t *nr)
{
	size_t cap = 0, n = 0;
	char **list = NULL, *word;
	const char *end;

	for (;;) {
		end = strchrnul(text, sep);
		word = strndup(text, end - text);
		if (!word || grow(&list, n, &cap, sizeof(*list))) {
			free(word);
			free_list(list, n);
			return -ENOMEM;
		}
		list[n++] = word;
		if (!*end)
			break;
		text = end + 1;
	}
	*out = list;
	*nr = n;
	return 0;
}

/**
 * free_list - free a list of words
 * @list: the list, or NULL
 * @nr: how many
 *
 * Context: any.
 */
void free_list(char **list, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		free(list[i]);
	free(list);
}

/**
 * print_recordings - the tables of some recordings, printed
 * @rec: the recordings
 * @nr: how many
 * @opts: what is asked for
 * @format: of the output
 * @path: file to write; NULL for standard output
 *
 * Context: at the end of a command.
 * Return: exit status.
 */
int print_recordings(const struct recording * const *rec, size_t nr,
		     const struct doc_opts *opts, const char *format,
		     const char *path)
{
	const struct render_format *how = render_find(format);
	struct render_opts paper = { 0 };
	struct outfile file = { 0 };
	struct doc doc = { 0 };
	struct err err;
	int rc, status = EXIT_DONE;

	rc = doc_build(&doc, rec, nr, opts);
	if (!rc && path)
		rc = outfile_open(&file, path, &err);
	else if (rc)
		err_sys(&err, -rc, "tables");
	if (rc) {
		status = say_failed(&err);
		goto out;
	}
	paper.is_terminal = !path && isatty(STDOUT_FILENO);
	rc = how->print(path ? file.out : stdout, &doc, &paper);
	if (rc) {
		outfile_abort(&file);
		err_sys(&err, -rc, "tables");
		status = say_failed(&err);
	} else if (path && outfile_commit(&file, &err)) {
		status = say_failed(&err);
	}
out:
	doc_free(&doc);
	return status;
}
