/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a library layer says what went wrong: it fills a struct err and returns
 * -errno; only the commands print.
 */
#ifndef MODEL_ERR_H
#define MODEL_ERR_H

/**
 * struct err - one line that says what failed and why
 * @text: the line, without the program's name and without a newline
 */
struct err {
	char text[512];
};

int err_set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int err_sys(struct err *err, int errnum, const char *what);

#endif
