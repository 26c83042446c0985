/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file under a name that is not its last: gone when we are ended by a signal.
 */
#ifndef SOURCE_TEMPFILE_H
#define SOURCE_TEMPFILE_H

#include <signal.h>

int tempfile_open(char *name, int suffix_len);
void tempfile_hold(sigset_t *was);
void tempfile_release(const sigset_t *was);
void tempfile_forget(void);

#endif
