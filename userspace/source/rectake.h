/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking checked values out of a parsed recording.  Private to the parser.
 */
#ifndef SOURCE_RECTAKE_H
#define SOURCE_RECTAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/err.h"
#include "model/recording.h"

/**
 * struct at - where in the file we are, for messages
 * @up: what we are in
 * @key: the key there, or NULL for an element of an array
 * @index: the element
 */
struct at {
	const struct at *up;
	const char *key;
	size_t index;
};

int take_bad(struct err *err, const struct at *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int take_no_memory(struct err *err);
const char *take_kind(const json_t *v);
int take_count(const json_t *v, uint64_t *out, const struct at *at,
	       struct err *err);
int take_text(const json_t *v, char **out, const struct at *at,
	      struct err *err);
int take_pairs(const json_t *v, struct pairs *out, const struct at *up,
	       struct err *err);
int take_counters(const json_t *v, struct counters *out, bool is_signed,
		  const struct at *up, struct err *err);
int take_unknown(json_t **unknown, const char *key, json_t *value);
int take_unknown_done(json_t *unknown, char **extra, struct err *err);
int take_run(const json_t *v, struct group *group, const struct at *up,
	     struct err *err);

#endif
