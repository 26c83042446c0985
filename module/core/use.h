/* SPDX-License-Identifier: GPL-2.0-only */
/* One task's, or one interrupt's, use of one mm's mmap_lock. */
#ifndef MLS_CORE_USE_H
#define MLS_CORE_USE_H

#include <linux/types.h>

#include "lockseq.h"
#include "types.h"

struct mm_struct;

/**
 * struct mls_use - the open operations of one task or interrupt on one mm
 * @mm: the mm; compared, never followed
 * @seq: state of its operations
 * @nvcsw: the task's voluntary context switches when its wait began
 */
struct mls_use {
	struct mm_struct *mm;
	struct mls_lockseq seq;
	unsigned long nvcsw;
};

/**
 * mls_use_add_open() - add what is open in one use to a sum
 * @use: the use; may change meanwhile, then the sum is a moment's guess
 * @open: the sum
 *
 * Context: Any.
 */
static inline void mls_use_add_open(const struct mls_use *use,
				    struct mls_open *open)
{
	if (READ_ONCE(use->seq.waiting))
		open->wait[READ_ONCE(use->seq.wait_mode) & 1]++;
	open->hold[READ_ONCE(use->seq.hold_mode) & 1] += READ_ONCE(use->seq.depth);
}

#endif /* MLS_CORE_USE_H */
