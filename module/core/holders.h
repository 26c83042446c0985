/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bounded table of tasks that wait for or hold an mmap_lock: one slot a
 * (task, mm), taken at the first event of an operation and given back when
 * nothing is open any more.
 *
 * Only the current task looks for, takes and gives back its slots, with
 * preemption off, never from an interrupt (those have slots of their own, see
 * context.h).  So a slot in use is written by one task alone, and what is shared
 * is only the taking of a free slot, by one cmpxchg on the slot itself.
 */
#ifndef MLS_CORE_HOLDERS_H
#define MLS_CORE_HOLDERS_H

#include "use.h"

/* Bounds and default of the number of slots, a power of two. */
#define MLS_SLOTS_MIN		256
#define MLS_SLOTS_MAX		(1 << 20)
#define MLS_SLOTS_DEFAULT	8192

int mls_holders_init(unsigned int nr_slots);
void mls_holders_exit(void);
struct mls_use *mls_holders_find(struct mm_struct *mm);
struct mls_use *mls_holders_take(struct mm_struct *mm);
void mls_holders_put(struct mls_use *use);
void mls_holders_count_open(struct mls_open *open);
unsigned int mls_holders_nr_used(void);
unsigned int mls_holders_nr_slots(void);
void mls_holders_wipe(void);

#endif /* MLS_CORE_HOLDERS_H */
