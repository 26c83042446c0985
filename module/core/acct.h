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

void mls_acct_start(struct mm_struct *mm, enum mls_mode mode);
void mls_acct_returned(struct mm_struct *mm, enum mls_mode mode, bool success);
void mls_acct_released(struct mm_struct *mm, enum mls_mode mode);
void mls_acct_exec(void);

void mls_acct_enable(struct mls_filter *filter);
void mls_acct_disable(void);

#endif /* MLS_CORE_ACCT_H */
