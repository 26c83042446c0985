/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's files.
 */
#ifndef SOURCE_PROC_H
#define SOURCE_PROC_H

#include <stddef.h>

#include "model/err.h"
#include "source/snapshot.h"

const char *proc_dir(void);
int proc_read(const char *file, char **text, size_t *len, struct err *err);
int proc_snapshot(struct snapshot *snap, struct err *err);
int proc_control_open(struct err *err);
int proc_control(int fd, const char *command, struct err *err);

#endif
