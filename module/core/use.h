/* SPDX-License-Identifier: GPL-2.0-only */
/* One task's, or one interrupt's, use of one mm's mmap_lock. */
#ifndef MLS_CORE_USE_H
#define MLS_CORE_USE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "lockseq.h"
#include "types.h"

struct mm_struct;

/**
 * struct mls_use - the open operations of one task or interrupt on one mm
 * @mm: the mm; compared, never followed; NULL where the use is free
 * @seq: state of its operations
 */
struct mls_use {
	struct mm_struct *mm;
	struct mls_lockseq seq;
};

/**
 * mls_use_find() - the use of an mm among a few
 * @uses: where to look
 * @nr: how many
 * @mm: the mm; NULL finds a free one
 *
 * Context: Any; @uses are the caller's alone.
 * Return: The use, or NULL.
 */
static __always_inline struct mls_use *mls_use_find(struct mls_use *uses, int nr,
						    const struct mm_struct *mm)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (uses[i].mm == mm)
			return &uses[i];
	}
	return NULL;
}

/**
 * mls_use_add_open() - add what is open in some uses to a sum
 * @uses: the uses; they may change meanwhile, then the sum is a moment's guess
 * @nr: how many
 * @open: the sum
 *
 * Context: Any.
 */
static inline void mls_use_add_open(const struct mls_use *uses, int nr,
				    struct mls_open *open)
{
	int i;

	for (i = 0; i < nr; i++) {
		const struct mls_lockseq *seq = &uses[i].seq;

		if (!READ_ONCE(uses[i].mm))
			continue;
		if (READ_ONCE(seq->waiting))
			open->wait[READ_ONCE(seq->wait_mode) & 1]++;
		open->hold[READ_ONCE(seq->hold_mode) & 1] += READ_ONCE(seq->depth);
	}
}

#endif /* MLS_CORE_USE_H */
