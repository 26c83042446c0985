/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal: what the worker changed outside itself, written down in shared
 * memory before each change, so that the supervisor can undo it after any end
 * of the worker.
 */
#ifndef MMLOCKLOAD_JOURNAL_H
#define MMLOCKLOAD_JOURNAL_H

int ml_journal_init(void);
int ml_setting(const char *path, const char *value);
int ml_undo_unlink(const char *path);
int ml_undo_rmdir(const char *path);
int ml_undo_swapoff(const char *path);
int ml_undo_write(const char *path, const char *value);
int ml_journal_undo(void);

#endif /* MMLOCKLOAD_JOURNAL_H */
