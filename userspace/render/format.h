/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers and words as people read them, and as programs do.
 */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include <stddef.h>
#include <stdio.h>

#include "stats/doc.h"

/* Room for any value or change that is formatted here. */
#define FORMAT_LEN 512

void format_num(struct num n, enum style style, char *buf);
void format_real(double v, enum style style, char *buf);
void format_cell(const struct cell *cell, enum style style, char *buf);
void format_change(const struct change *change, enum style style, char *buf);
void format_p(const struct change *change, char *buf);
void format_shift(const struct change *change, enum style style, char *buf);
void format_interval(const struct change *change, char *buf);
void format_plain(struct num n, char *buf);
void format_plain_real(double v, char *buf);
void format_clean(const char *text, char *buf, size_t size);

#endif
