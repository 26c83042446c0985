/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the probes call: guard, filter, clock, state machine, counters, sinks.
 * Knows no hook and no kernel version.
 */
#ifndef MLS_CORE_ACCT_H
#define MLS_CORE_ACCT_H

#include <linux/types.h>

#include "types.h"

struct mm_struct;
struct mls_filter;
struct task_struct;

/**
 * enum mls_wait_start - what marks the start of a wait
 * @MLS_WAIT_START_LOCKING: every start_locking event
 * @MLS_WAIT_START_SLOWPATH: the entry of the rwsem's slow path; who does not
 *	come there has not waited
 */
enum mls_wait_start {
	MLS_WAIT_START_LOCKING,
	MLS_WAIT_START_SLOWPATH,
};

void mls_acct_start(struct mm_struct *mm, enum mls_mode mode);
void mls_acct_slowpath(const void *sem, enum mls_mode mode);
void mls_acct_returned(struct mm_struct *mm, enum mls_mode mode, bool success);
void mls_acct_released(struct mm_struct *mm, enum mls_mode mode);
void mls_acct_exec(void);
void mls_acct_task_freed(const struct task_struct *task);

void mls_acct_enable(struct mls_filter *filter, enum mls_wait_start wait_start);
void mls_acct_disable(void);

void mls_acct_watch(const void *sem);
bool mls_acct_watched(enum mls_mode mode);

#endif /* MLS_CORE_ACCT_H */
