// SPDX-License-Identifier: GPL-2.0-only
/* The directory and its files; see proc.h. */
#include <linux/mm.h>

#include "../../include/uapi/mmlockstat.h"
#include "../core/filter.h"
#include "proc.h"

#define MLS_PROC_NAME "mmlockstat"

static struct proc_dir_entry *dir;

static int open_view(struct file *file, int (*show)(struct seq_file *, void *),
		     size_t size)
{
	struct mls_view *view = kvzalloc(sizeof(*view), GFP_KERNEL);
	int err;

	if (!view)
		return -ENOMEM;
	err = mls_session_look(&view->info, &view->totals);
	if (!err)
		err = single_open_size(file, show, view, size);
	if (err) {
		mls_filter_put(view->info.filter);
		kvfree(view);
	}
	return err;
}

static int release_view(struct inode *inode, struct file *file)
{
	struct seq_file *seq = file->private_data;
	struct mls_view *view = seq->private;

	mls_filter_put(view->info.filter);
	kvfree(view);
	return single_release(inode, file);
}

/* The sizes are first guesses; seq_file doubles what is too small. */
static int open_histograms(struct inode *inode, struct file *file)
{
	return open_view(file, mls_histograms_show, PAGE_SIZE);
}

static int open_status(struct inode *inode, struct file *file)
{
	return open_view(file, mls_status_show, PAGE_SIZE);
}

static int open_snapshot(struct inode *inode, struct file *file)
{
	return open_view(file, mls_snapshot_show, 16 * PAGE_SIZE);
}

#define MLS_VIEW_OPS(name)				\
static const struct proc_ops name##_ops = {		\
	.proc_open = open_##name,			\
	.proc_read_iter = seq_read_iter,		\
	.proc_lseek = seq_lseek,			\
	.proc_release = release_view,			\
}

MLS_VIEW_OPS(histograms);
MLS_VIEW_OPS(status);
MLS_VIEW_OPS(snapshot);

static const struct {
	const char *name;
	umode_t mode;
	const struct proc_ops *ops;
} files[] = {
	{ MMLOCKSTAT_FILE_HISTOGRAMS, 0440, &histograms_ops },
	{ MMLOCKSTAT_FILE_STATUS, 0440, &status_ops },
	{ MMLOCKSTAT_FILE_SNAPSHOT, 0440, &snapshot_ops },
	{ MMLOCKSTAT_FILE_CONTROL, 0220, &mls_control_ops },
};

/**
 * mls_proc_init() - make the files
 *
 * Context: Process, may sleep.
 * Return: 0; or -ENOMEM, also where another /proc/mmlockstat exists, with
 * nothing made.
 */
int mls_proc_init(void)
{
	int i;

	dir = proc_mkdir_mode(MLS_PROC_NAME, 0550, NULL);
	if (!dir)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (!proc_create(files[i].name, files[i].mode, dir, files[i].ops)) {
			mls_proc_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * mls_proc_exit() - remove them; waits for readers, closes what is open
 *
 * Context: Process, may sleep.
 */
void mls_proc_exit(void)
{
	proc_remove(dir);
	dir = NULL;
}
