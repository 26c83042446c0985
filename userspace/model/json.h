/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON words and numbers on a stream, for every writer of JSON.
 */
#ifndef MODEL_JSON_H
#define MODEL_JSON_H

#include <stdio.h>

void json_put_text(FILE *out, const char *text);
void json_put_real(FILE *out, double value);

#endif
