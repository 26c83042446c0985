// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockbug: one mistake on loading, of the kind that a debug kernel reports.
 * What finds nothing in mmlockstat has to be seen to find these first.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static char *kind = "";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "memory, lock, sleep, shift or leak");

static DEFINE_SPINLOCK(lock_a);
static DEFINE_SPINLOCK(lock_b);

/* KASAN: read after free */
static void bug_memory(void)
{
	int *p = kmalloc(sizeof(*p), GFP_KERNEL | __GFP_ZERO);

	if (!p)
		return;
	kfree(p);
	OPTIMIZER_HIDE_VAR(p);
	pr_info("read %d\n", READ_ONCE(*p));
}

/* lockdep: both orders, one after the other, so that nothing hangs */
static void bug_lock(void)
{
	spin_lock(&lock_a);
	spin_lock(&lock_b);
	spin_unlock(&lock_b);
	spin_unlock(&lock_a);

	spin_lock(&lock_b);
	spin_lock(&lock_a);
	spin_unlock(&lock_a);
	spin_unlock(&lock_b);
}

static void bug_sleep(void)
{
	spin_lock(&lock_a);
	might_sleep();
	spin_unlock(&lock_a);
}

/* UBSAN */
static void bug_shift(void)
{
	int one = 1, by = 40;

	OPTIMIZER_HIDE_VAR(one);
	OPTIMIZER_HIDE_VAR(by);
	pr_info("shifted %d\n", one << by);
}

/* kmemleak: sixteen, as one may be seen in a stale word of a stack */
static void bug_leak(void)
{
	int i;

	for (i = 0; i < 16; i++) {
		void *p = kmalloc(123, GFP_KERNEL);

		/* volatile: an allocation that nobody uses is optimised away */
		barrier_data(p);
	}
}

static const struct {
	const char *name;
	void (*make)(void);
} bugs[] = {
	{ "memory", bug_memory },
	{ "lock", bug_lock },
	{ "sleep", bug_sleep },
	{ "shift", bug_shift },
	{ "leak", bug_leak },
};

static int __init bug_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (!strcmp(kind, bugs[i].name)) {
			bugs[i].make();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit bug_exit(void)
{
}

module_init(bug_init);
module_exit(bug_exit);
MODULE_DESCRIPTION("Mistakes on purpose, for debug kernels to report");
MODULE_LICENSE("GPL");
