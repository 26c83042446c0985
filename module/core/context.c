// SPDX-License-Identifier: GPL-2.0-only
/* Locks of interrupts; see context.h. */
#include <linux/string.h>

#include "context.h"
#include "health.h"

/* Locks that one level of one CPU may hold at a time. */
#define MLS_CONTEXT_USES 4

/**
 * struct mls_context - one CPU's locks that belong to no task
 * @use: by level (the task level has none); free where use.mm is NULL
 */
struct mls_context {
	struct mls_use use[MLS_NR_LEVELS][MLS_CONTEXT_USES];
};

static struct mls_context __percpu *contexts;

/**
 * mls_context_init() - make the per-CPU slots
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int mls_context_init(void)
{
	contexts = alloc_percpu(struct mls_context);
	return contexts ? 0 : -ENOMEM;
}

/**
 * mls_context_exit() - free them
 *
 * Context: Process; no probe runs any more.
 */
void mls_context_exit(void)
{
	free_percpu(contexts);
	contexts = NULL;
}

static struct mls_use *find(enum mls_level level, const struct mm_struct *mm)
{
	return mls_use_find(this_cpu_ptr(contexts)->use[level],
			    MLS_CONTEXT_USES, mm);
}

/**
 * mls_context_find() - the level's slot for an mm
 * @level: the caller's level, not MLS_LEVEL_TASK
 * @mm: the mm
 *
 * Context: That level, on this CPU.
 * Return: The use, or NULL.
 */
struct mls_use *mls_context_find(enum mls_level level, struct mm_struct *mm)
{
	return find(level, mm);
}

/**
 * mls_context_find_held() - whose hold does a release at this level end?
 * @level: the caller's level, not MLS_LEVEL_TASK
 * @mm: the mm released
 *
 * The level's own, else that of a level which it may release for: an irq_work
 * for code that ran with interrupts off; code that switched interrupts off after
 * it took the lock in a soft interrupt.  Those are not in a probe now: interrupts
 * were off there, or it is the caller itself.
 *
 * Context: That level, on this CPU.
 * Return: The use, or NULL.
 */
struct mls_use *mls_context_find_held(enum mls_level level, struct mm_struct *mm)
{
	struct mls_use *use = find(level, mm);

	if (use)
		return use;
	if (level == MLS_LEVEL_HARDIRQ)
		return find(MLS_LEVEL_IRQS_OFF, mm);
	if (level == MLS_LEVEL_IRQS_OFF && in_serving_softirq())
		return find(MLS_LEVEL_SOFTIRQ, mm);
	return NULL;
}

/**
 * mls_context_take() - a new slot for the level and an mm
 * @level: the caller's level, not MLS_LEVEL_TASK
 * @mm: the mm
 *
 * Context: That level, on this CPU.
 * Return: The use, with nothing open, or NULL where all are taken.
 */
struct mls_use *mls_context_take(enum mls_level level, struct mm_struct *mm)
{
	struct mls_use *use = find(level, NULL);

	if (use)
		WRITE_ONCE(use->mm, mm);
	return use;
}

/**
 * mls_context_put() - give a slot back
 * @use: as found or taken; nothing is open in it
 *
 * Context: Its level, or one that found it held.
 */
void mls_context_put(struct mls_use *use)
{
	WRITE_ONCE(use->mm, NULL);
}

static void count_open(int cpu, struct mls_open *open)
{
	const struct mls_context *context = per_cpu_ptr(contexts, cpu);
	int level;

	for (level = 0; level < MLS_NR_LEVELS; level++)
		mls_use_add_open(context->use[level], MLS_CONTEXT_USES, open);
}

/**
 * mls_context_count_open() - add up what interrupts hold open
 * @open: grows
 *
 * Context: Process.  Exact on a stopped recorder.
 */
void mls_context_count_open(struct mls_open *open)
{
	int cpu;

	for_each_possible_cpu(cpu)
		count_open(cpu, open);
}

/**
 * mls_context_wipe() - give up everything open, and count it as stale
 *
 * Context: Process; nothing is being recorded.
 */
void mls_context_wipe(void)
{
	struct mls_open open = { 0 };
	int cpu, mode;

	mls_context_count_open(&open);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(contexts, cpu), 0, sizeof(struct mls_context));
	for (mode = 0; mode < MLS_NR_MODES; mode++) {
		mls_count_mode(mode, MLS_C_STALE_WAIT, open.wait[mode]);
		mls_count_mode(mode, MLS_C_STALE_HOLD, open.hold[mode]);
	}
}
