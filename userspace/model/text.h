/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of files and command lines, which may hold anything.
 */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* What text_next() gives for a byte that is no UTF-8. */
#define TEXT_INVALID UINT32_MAX

/* The words of "%.*s": as much of @s as fits into @room bytes. */
#define TEXT_FIT(s, room) text_fit(s, room), s

size_t text_next(const char *s, uint32_t *code);
int text_is_plain(uint32_t code);
int text_fit(const char *s, size_t room);
size_t text_clean(const char *s, char *buf, size_t size);

#endif
