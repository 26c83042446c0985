/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of mmlockstat, and what they share.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "model/err.h"
#include "model/recording.h"
#include "stats/doc.h"

/* Exit statuses. */
#define EXIT_DONE	0
#define EXIT_FAILED	1
#define EXIT_USAGE	2
#define EXIT_INCOMPLETE	3

/**
 * struct command - a command
 * @name: its name
 * @run: runs it, @argv[0] is its name; returns the exit status
 * @help: one line
 */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
};

/**
 * struct opt - an option
 * @name: long name
 * @letter: short name, or a number above 255 for none
 * @arg: what its argument is called, or NULL
 * @help: one line
 */
struct opt {
	const char *name;
	int letter;
	const char *arg;
	const char *help;
};

/* What opt_next() returns besides letters. */
#define OPT_END		(-1)
#define OPT_BAD		(-2)
#define OPT_HELP	(-3)

int opt_next(const struct opt *opts, const char *usage, bool anywhere,
	     int argc, char **argv, const char **arg);
int opt_rest(void);
int opt_skip(void);
int usage_error(const char *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int say_failed(const struct err *err);
int stdout_done(int status);

int split_list(const char *text, char sep, char ***out, size_t *nr);
void free_list(char **list, size_t nr);

int print_recordings(const struct recording * const *rec, size_t nr,
		     const struct doc_opts *opts, const char *format,
		     const char *path);

int check_output(const char *name, bool is_chosen, struct err *err);
int save_recording(const struct recording *rec, const char *name,
		   bool is_chosen, struct err *err);
int rescue_recording(const struct recording *rec, const char *name,
		     struct err *err);

int cmd_status(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_trace(int argc, char **argv);

#endif
