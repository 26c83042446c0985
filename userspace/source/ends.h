/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Being told to end, as something to be waited for together with other things.
 */
#ifndef SOURCE_ENDS_H
#define SOURCE_ENDS_H

#include <stdbool.h>

#include "model/err.h"

int ends_open(struct err *err);
void ends_close(void);
bool ends_are_held(void);
int ends_fd(void);
int ends_child_fd(void);
void ends_child_seen(void);
int ends_take(void);
int ends_told(void);
void ends_restore(void);

#endif
