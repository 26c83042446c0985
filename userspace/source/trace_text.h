/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace printed as text, read line by line: memory does not grow with it.
 */
#ifndef SOURCE_TRACE_TEXT_H
#define SOURCE_TRACE_TEXT_H

#include <stdio.h>

#include "model/err.h"
#include "source/trace_pair.h"

/* The longest line; a cgroup's path takes at most 4096 bytes. */
#define TRACE_TEXT_LINE	(32 * 1024)

/**
 * struct trace_text - what the text turned out to be
 * @printer: who printed it, in words
 * @digits: decimals of its times, the most that were seen
 */
struct trace_text {
	const char *printer;
	unsigned int digits;
};

int trace_text_read(FILE *in, const char *head, size_t len, const char *name,
		    struct trace_pair *p, struct trace_text *text,
		    struct err *err);

#endif
