/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal: what the worker changed outside itself, written down in shared
 * memory before each change, so that the supervisor can undo it after any end
 * of the worker.
 */
#ifndef MMLOCKLOAD_JOURNAL_H
#define MMLOCKLOAD_JOURNAL_H

/* What is to be done at the end. @path and @value as each kind says. */
enum ml_undo {
	ML_UNDO_WRITE,		/* write value to path */
	ML_UNDO_UNLINK,		/* remove the file path */
	ML_UNDO_RMDIR,		/* remove the directory or cgroup path */
	ML_UNDO_SWAPOFF,	/* stop swapping to path */
	ML_UNDO_UMOUNT,		/* unmount path */
	ML_UNDO_RMMOD,		/* unload the module named path */
};

int ml_journal_init(void);
int ml_setting(const char *path, const char *value);
int ml_undo_later(enum ml_undo kind, const char *path, const char *value);
int ml_journal_undo(void);

#endif /* MMLOCKLOAD_JOURNAL_H */
