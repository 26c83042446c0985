/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether figures can be true together.
 */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model/err.h"
#include "model/recording.h"

int series_check(const struct series *s, bool has_max, struct err *why);

#endif
