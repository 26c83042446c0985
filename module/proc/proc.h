/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/mmlockstat */
#ifndef MLS_PROC_PROC_H
#define MLS_PROC_PROC_H

#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "../session.h"

/**
 * struct mls_view - what one open of a file shows; taken at open, so that
 *	several reads agree
 * @info: the recorder
 * @totals: the sums
 */
struct mls_view {
	struct mls_session_info info;
	struct mls_totals totals;
};

int mls_proc_init(void);
void mls_proc_exit(void);

int mls_histograms_show(struct seq_file *seq, void *unused);
int mls_status_show(struct seq_file *seq, void *unused);
int mls_snapshot_show(struct seq_file *seq, void *unused);

extern const struct proc_ops mls_control_ops;

#endif /* MLS_PROC_PROC_H */
