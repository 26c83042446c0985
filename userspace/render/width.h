/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns that words take on a terminal: two for East Asian wide characters, none
 * for what is put upon the one before.
 */
#ifndef RENDER_WIDTH_H
#define RENDER_WIDTH_H

#include <stddef.h>

size_t width_of(const char *s);
size_t width_fit(const char *s, size_t columns);
void width_clip(const char *text, size_t columns, char *buf, size_t size);

#endif
