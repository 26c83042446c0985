// SPDX-License-Identifier: GPL-2.0-only
/* The table of tasks that wait or hold; see holders.h. */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "health.h"
#include "holders.h"

/* How far from its home a slot may lie; bounds every search. */
#define MLS_MAX_PROBES 256

/**
 * struct slot - one (task, mm); a cache line
 * @task: the owner, NULL when free; compared, never followed
 * @task_start: the owner's start time, ns: a new task may get the address of a
 *	dead one that left something open
 * @use: what the owner does; the owner's alone
 * @displaced: how many slots in use have their home here but lie elsewhere
 */
struct slot {
	struct task_struct *task;
	u64 task_start;
	struct mls_use use;
	atomic_t displaced;
} ____cacheline_aligned;

static struct slot *table;
static unsigned int slot_mask;
static unsigned int slot_bits;

/**
 * mls_holders_init() - make the table
 * @nr_slots: a power of two from MLS_SLOTS_MIN to MLS_SLOTS_MAX
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int mls_holders_init(unsigned int nr_slots)
{
	BUILD_BUG_ON(sizeof(struct slot) > 64 && L1_CACHE_BYTES == 64);

	table = kvcalloc(nr_slots, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	slot_mask = nr_slots - 1;
	slot_bits = ilog2(nr_slots);
	return 0;
}

/**
 * mls_holders_exit() - free the table
 *
 * Context: Process; no probe runs any more.
 */
void mls_holders_exit(void)
{
	kvfree(table);
	table = NULL;
}

static __always_inline unsigned int home_of(const struct task_struct *task,
					    const struct mm_struct *mm)
{
	/* Both are at least 64-byte aligned; a sum keeps all their bits. */
	return hash_64(((u64)(uintptr_t)task >> 6) + (u64)(uintptr_t)mm, slot_bits);
}

static __always_inline struct slot *slot_at(unsigned int home, unsigned int i)
{
	return &table[(home + i) & slot_mask];
}

static __always_inline bool slot_is(const struct slot *slot,
				    const struct task_struct *task,
				    const struct mm_struct *mm)
{
	/* Of another task's slot only @task is looked at. */
	return READ_ONCE(slot->task) == task && slot->use.mm == mm;
}

static void count_stale(const struct mls_use *use)
{
	struct mls_open open = { 0 };
	int mode;

	mls_use_add_open(use, &open);
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		mls_count_mode(mode, MLS_C_STALE_WAIT, open.wait[mode]);
		mls_count_mode(mode, MLS_C_STALE_HOLD, open.hold[mode]);
	}
}

/* A slot of a dead task at our address: what it left open never ends. */
static __always_inline void check_generation(struct slot *slot)
{
	if (likely(slot->task_start == current->start_time))
		return;
	count_stale(&slot->use);
	slot->use.seq = (struct mls_lockseq){ 0 };
	slot->task_start = current->start_time;
}

/**
 * mls_holders_find() - the current task's slot for an mm
 * @mm: the mm
 *
 * Context: Task, preemption off.
 * Return: The use, or NULL where nothing is open.
 */
struct mls_use *mls_holders_find(struct mm_struct *mm)
{
	unsigned int home = home_of(current, mm);
	struct slot *slot = slot_at(home, 0);
	unsigned int i;

	if (likely(slot_is(slot, current, mm)))
		goto found;
	if (likely(!atomic_read(&slot->displaced)))
		return NULL;
	for (i = 1; i < MLS_MAX_PROBES; i++) {
		slot = slot_at(home, i);
		if (slot_is(slot, current, mm))
			goto found;
	}
	return NULL;

found:
	check_generation(slot);
	return &slot->use;
}

/**
 * mls_holders_take() - a new slot for the current task and an mm
 * @mm: the mm, for which mls_holders_find() found nothing
 *
 * Context: Task, preemption off.
 * Return: The use, with nothing open, or NULL where the table is full.
 */
struct mls_use *mls_holders_take(struct mm_struct *mm)
{
	unsigned int home = home_of(current, mm);
	unsigned int i;

	for (i = 0; i < MLS_MAX_PROBES; i++) {
		struct slot *slot = slot_at(home, i);

		/* Acquire: pairs with the release in mls_holders_put(). */
		if (READ_ONCE(slot->task) ||
		    cmpxchg_acquire(&slot->task, NULL, current))
			continue;
		slot->task_start = current->start_time;
		slot->use.mm = mm;
		if (unlikely(i))
			atomic_inc(&slot_at(home, 0)->displaced);
		return &slot->use;
	}
	return NULL;
}

/**
 * mls_holders_put() - give a slot of the current task back
 * @use: as found or taken; nothing is open in it
 *
 * Context: Task, preemption off.
 */
void mls_holders_put(struct mls_use *use)
{
	struct slot *slot = container_of(use, struct slot, use);
	struct slot *home = slot_at(home_of(current, use->mm), 0);

	if (unlikely(slot != home))
		atomic_dec(&home->displaced);
	/* Release: the next owner finds the use idle (mls_holders_take()). */
	smp_store_release(&slot->task, NULL);
}

/**
 * mls_holders_count_open() - add up what the table holds open
 * @open: grows
 *
 * Context: Process.  A moment's guess on a running recorder, exact on a
 * stopped one.
 */
void mls_holders_count_open(struct mls_open *open)
{
	unsigned int i;

	for (i = 0; i <= slot_mask; i++) {
		if (READ_ONCE(table[i].task))
			mls_use_add_open(&table[i].use, open);
	}
}

/**
 * mls_holders_nr_used() - slots in use at this moment
 *
 * Context: Process.
 * Return: Number of slots.
 */
unsigned int mls_holders_nr_used(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i <= slot_mask; i++)
		nr += !!READ_ONCE(table[i].task);
	return nr;
}

/**
 * mls_holders_nr_slots() - size of the table
 *
 * Context: Any.
 * Return: Number of slots.
 */
unsigned int mls_holders_nr_slots(void)
{
	return slot_mask + 1;
}

/**
 * mls_holders_wipe() - give up everything open, and count it as stale
 *
 * Context: Process; nothing is being recorded.
 */
void mls_holders_wipe(void)
{
	unsigned int i;

	preempt_disable();
	for (i = 0; i <= slot_mask; i++) {
		struct slot *slot = &table[i];

		if (slot->task)
			count_stale(&slot->use);
		memset(slot, 0, sizeof(*slot));
	}
	preempt_enable();
}
