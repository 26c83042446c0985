/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bounded table of tasks that wait for or hold an mmap_lock: one slot a
 * task, taken at its first event and given back when nothing is open any more.
 *
 * Only the current task looks for, takes and gives back its slot, with
 * preemption off, never from an interrupt (those have slots of their own, see
 * context.h); when it is freed, its slot is given up for it, and nobody else can
 * be there.  So a slot in use is written by one task alone, and what is shared is
 * only the taking of a free slot, by one cmpxchg on the slot itself.
 */
#ifndef MLS_CORE_HOLDERS_H
#define MLS_CORE_HOLDERS_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/sched.h>

#include "use.h"

/* Bounds and default of the number of slots, a power of two. */
#define MLS_SLOTS_MIN		256
#define MLS_SLOTS_MAX		(1 << 20)
#define MLS_SLOTS_DEFAULT	8192

/*
 * mms that one task may use at a time: fork uses two, reclaim inside it a third,
 * a stack walk inside that a fourth.
 */
#define MLS_HOLDER_USES		4

/**
 * struct mls_holder - one task; three cache lines, of which an uncontended
 *	operation touches the first
 * @task: the owner, NULL when free; compared, never followed; given up when the
 *	task is freed, before another can get its address
 * @displaced: how many slots in use have their home here but lie elsewhere
 * @slow_sem: the rwsem whose slow path the owner entered last, NULL when it has
 *	come out; compared, never followed
 * @nr_uses: uses taken
 * @slow_mode: enum mls_mode in which it entered that slow path
 * @use: the mms it uses
 * @slow_since_ns: when it entered that slow path, ns
 * @nvcsw: the owner's voluntary context switches when its last wait began
 */
struct mls_holder {
	struct task_struct *task;
	atomic_t displaced;
	const void *slow_sem;
	u16 nr_uses;
	u8 slow_mode;
	struct mls_use use[MLS_HOLDER_USES];
	u64 slow_since_ns;
	unsigned long nvcsw;
} ____cacheline_aligned;

extern struct mls_holder *mls_holder_table;
extern unsigned int mls_holder_shift;

/**
 * mls_holder_home() - where a task's slot is looked for first
 * @task: the task
 *
 * Context: Any.
 * Return: The slot, whoever has it.
 */
static __always_inline struct mls_holder *mls_holder_home(const struct task_struct *task)
{
	/* The mask tells the compiler what holds anyway. */
	return &mls_holder_table[(u64)(uintptr_t)task * GOLDEN_RATIO_64 >>
				 (mls_holder_shift & 63)];
}

int mls_holders_init(unsigned int nr_slots);
void mls_holders_exit(void);
struct mls_holder *mls_holders_find(void);
struct mls_holder *mls_holders_take(void);
struct mls_use *mls_holder_take_use(struct mls_holder *holder, struct mm_struct *mm);
void mls_holder_put_use(struct mls_holder *holder, struct mls_use *use);
void mls_holders_put_if_idle(struct mls_holder *holder);
void mls_holders_task_freed(const struct task_struct *task);
void mls_holders_count_open(struct mls_open *open);
unsigned int mls_holders_nr_used(void);
unsigned int mls_holders_nr_slots(void);
void mls_holders_wipe(void);

#endif /* MLS_CORE_HOLDERS_H */
