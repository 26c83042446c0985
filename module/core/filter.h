/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which mms are recorded.  Processes are named by pid; what is compared in the
 * probes is the mm, whoever operates on it.
 */
#ifndef MLS_CORE_FILTER_H
#define MLS_CORE_FILTER_H

#include <linux/hash.h>
#include <linux/kref.h>
#include <linux/types.h>

struct mm_struct;
struct pid;

/* Processes that one filter may name. */
#define MLS_FILTER_PIDS		64
/* mms that it may grow to: a process gets a new one at every exec. */
#define MLS_FILTER_MM_BITS	10
#define MLS_FILTER_MMS		(1 << MLS_FILTER_MM_BITS)
/* How far a search goes; the set is never more than a quarter full. */
#define MLS_FILTER_MM_MAX	(MLS_FILTER_MMS / 4)

/**
 * struct mls_filter - a set of mms; only ever grows
 * @ref: references: the recorder's, and that of settings put aside by `own`
 * @nr_pids: number of processes
 * @pid: the processes, referenced
 * @nr_mms: number of mms
 * @mm: hash set, referenced (mmgrab): an address stays theirs while it stands
 *	here
 */
struct mls_filter {
	struct kref ref;
	int nr_pids;
	struct pid *pid[MLS_FILTER_PIDS];
	atomic_t nr_mms;
	struct mm_struct *mm[MLS_FILTER_MMS];
};

struct mls_filter *mls_filter_alloc(void);
int mls_filter_add_pid(struct mls_filter *filter, int nr);
void mls_filter_get(struct mls_filter *filter);
void mls_filter_put(struct mls_filter *filter);
void mls_filter_follow_exec(struct mls_filter *filter);
void mls_filter_refresh(struct mls_filter *filter);

static __always_inline unsigned int mls_filter_home(const struct mm_struct *mm)
{
	return hash_ptr(mm, MLS_FILTER_MM_BITS);
}

/**
 * mls_filter_has() - is this mm recorded?
 * @filter: the filter; NULL is all
 * @mm: compared, not followed
 *
 * Context: Any.
 * Return: true when it is.
 */
static __always_inline bool mls_filter_has(const struct mls_filter *filter,
					   const struct mm_struct *mm)
{
	unsigned int i, home;

	if (likely(!filter))
		return true;
	home = mls_filter_home(mm);
	for (i = 0; i < MLS_FILTER_MMS; i++) {
		const struct mm_struct *at =
			READ_ONCE(filter->mm[(home + i) & (MLS_FILTER_MMS - 1)]);

		if (at == mm)
			return true;
		if (!at)
			return false;
	}
	return false;
}

#endif /* MLS_CORE_FILTER_H */
