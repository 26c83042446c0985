// SPDX-License-Identifier: GPL-2.0-only
/* The table of tasks that wait or hold; see holders.h. */
#include <linux/log2.h>
#include <linux/mm.h>

#include "health.h"
#include "holders.h"

/* How far from its home a slot may lie; bounds every search. */
#define MLS_MAX_PROBES 256

struct mls_holder *mls_holder_table;
unsigned int mls_holder_shift;

static unsigned int slot_mask;

/**
 * mls_holders_init() - make the table
 * @nr_slots: a power of two from MLS_SLOTS_MIN to MLS_SLOTS_MAX
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int mls_holders_init(unsigned int nr_slots)
{
	BUILD_BUG_ON(L1_CACHE_BYTES == 64 &&
		     offsetofend(struct mls_holder, use[0]) > 64);

	mls_holder_table = kvcalloc(nr_slots, sizeof(*mls_holder_table), GFP_KERNEL);
	if (!mls_holder_table)
		return -ENOMEM;
	slot_mask = nr_slots - 1;
	mls_holder_shift = 64 - ilog2(nr_slots);
	return 0;
}

/**
 * mls_holders_exit() - free the table
 *
 * Context: Process; no probe runs any more.
 */
void mls_holders_exit(void)
{
	kvfree(mls_holder_table);
	mls_holder_table = NULL;
}

static __always_inline unsigned int home_of(const struct task_struct *task)
{
	return mls_holder_home(task) - mls_holder_table;
}

static __always_inline struct mls_holder *slot_at(unsigned int home, unsigned int i)
{
	return &mls_holder_table[(home + i) & slot_mask];
}

static void count_stale(const struct mls_holder *holder)
{
	struct mls_open open = { 0 };
	int mode;

	mls_use_add_open(holder->use, MLS_HOLDER_USES, &open);
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		mls_count_mode(mode, MLS_C_STALE_WAIT, open.wait[mode]);
		mls_count_mode(mode, MLS_C_STALE_HOLD, open.hold[mode]);
	}
}

static __always_inline struct mls_holder *find(const struct task_struct *task)
{
	unsigned int home = home_of(task);
	struct mls_holder *slot = slot_at(home, 0);
	unsigned int i;

	if (likely(READ_ONCE(slot->task) == task))
		return slot;
	if (likely(!atomic_read(&slot->displaced)))
		return NULL;
	for (i = 1; i < MLS_MAX_PROBES; i++) {
		slot = slot_at(home, i);
		if (READ_ONCE(slot->task) == task)
			return slot;
	}
	return NULL;
}

/**
 * mls_holders_find() - the current task's slot
 *
 * Context: Task, preemption off.
 * Return: The slot, or NULL where nothing is open.
 */
struct mls_holder *mls_holders_find(void)
{
	return find(current);
}

/**
 * mls_holders_take() - a new slot for the current task
 *
 * Context: Task, preemption off; mls_holders_find() found nothing.
 * Return: The slot, with nothing open, or NULL where the table is full.
 */
struct mls_holder *mls_holders_take(void)
{
	unsigned int home = home_of(current);
	unsigned int i;

	for (i = 0; i < MLS_MAX_PROBES; i++) {
		struct mls_holder *slot = slot_at(home, i);

		/* Acquire: pairs with the release in put(). */
		if (READ_ONCE(slot->task) ||
		    cmpxchg_acquire(&slot->task, NULL, current))
			continue;
		if (unlikely(i))
			atomic_inc(&slot_at(home, 0)->displaced);
		return slot;
	}
	return NULL;
}

static __always_inline void put(struct mls_holder *slot)
{
	struct mls_holder *home = slot_at(home_of(slot->task), 0);

	if (unlikely(slot != home))
		atomic_dec(&home->displaced);
	/* Release: the next owner finds it idle; pairs with mls_holders_take(). */
	smp_store_release(&slot->task, NULL);
}

/**
 * mls_holder_take_use() - a new use of an mm
 * @holder: the current task's slot
 * @mm: the mm, which it does not use yet
 *
 * Context: Task, preemption off.
 * Return: The use, with nothing open, or NULL where all are taken.
 */
struct mls_use *mls_holder_take_use(struct mls_holder *holder, struct mm_struct *mm)
{
	struct mls_use *use = mls_use_find(holder->use, MLS_HOLDER_USES, NULL);

	if (likely(use)) {
		WRITE_ONCE(use->mm, mm);
		holder->nr_uses++;
	}
	return use;
}

/**
 * mls_holder_put_use() - a use has nothing open any more
 * @holder: the current task's slot
 * @use: in it
 *
 * Context: Task, preemption off.
 */
void mls_holder_put_use(struct mls_holder *holder, struct mls_use *use)
{
	WRITE_ONCE(use->mm, NULL);
	holder->nr_uses--;
}

/**
 * mls_holders_put_if_idle() - give the current task's slot back if it may be
 * @holder: the slot
 *
 * Context: Task, preemption off.
 */
void mls_holders_put_if_idle(struct mls_holder *holder)
{
	if (!holder->nr_uses && !holder->slow_sem)
		put(holder);
}

/**
 * mls_holders_task_freed() - a task is gone for good
 * @task: which; compared, not followed
 *
 * The slow paths serve every rwsem of the kernel, so a task may have gone
 * through one and never have come to an mmap_lock since: its slot is given back
 * here.  And what a task leaves open must not be found by the next one that gets
 * its address.
 *
 * Context: Probe of sched_process_free, preemption off.  Nobody else touches the
 * slot: its owner never runs again, and its address is not reused before this.
 */
void mls_holders_task_freed(const struct task_struct *task)
{
	struct mls_holder *slot = find(task);

	if (!slot)
		return;
	count_stale(slot);
	memset(slot->use, 0, sizeof(slot->use));
	slot->nr_uses = 0;
	slot->slow_sem = NULL;
	put(slot);
}

/* Walks of a large table let others run. */
static void breathe(unsigned int i)
{
	if (!(i & 4095))
		cond_resched();
}

/**
 * mls_holders_count_open() - add up what the table holds open
 * @open: grows
 *
 * Context: Process.  A moment's guess on a running recorder; a stopped one has
 * nothing open.
 */
void mls_holders_count_open(struct mls_open *open)
{
	unsigned int i;

	for (i = 0; i <= slot_mask; i++) {
		breathe(i);
		if (READ_ONCE(mls_holder_table[i].task))
			mls_use_add_open(mls_holder_table[i].use, MLS_HOLDER_USES, open);
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

	for (i = 0; i <= slot_mask; i++) {
		breathe(i);
		nr += !!READ_ONCE(mls_holder_table[i].task);
	}
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

	for (i = 0; i <= slot_mask; i++) {
		breathe(i);
		if (mls_holder_table[i].task)
			count_stale(&mls_holder_table[i]);
		memset(&mls_holder_table[i], 0, sizeof(mls_holder_table[i]));
	}
}
