/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Locks taken where `current` means nothing: in interrupts, and with interrupts
 * off.
 *
 * A stack walk of BPF trylocks the interrupted task's mm with interrupts off
 * and leaves the release to an irq_work of the same CPU, which interrupts just
 * anybody (kernel/bpf/mmap_unlock_work.h).  Such holds are kept per CPU, by
 * level, and no task's state is touched.
 */
#ifndef MLS_CORE_CONTEXT_H
#define MLS_CORE_CONTEXT_H

#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>	/* in_serving_softirq() of PREEMPT_RT looks into the task */

#include "use.h"

/**
 * enum mls_level - what a probe interrupted; each runs at most once on a CPU,
 *	and is interrupted only by those behind it
 * @MLS_LEVEL_TASK: a task with interrupts on
 * @MLS_LEVEL_SOFTIRQ: a soft interrupt with interrupts on
 * @MLS_LEVEL_IRQS_OFF: interrupts are off, but it is no hard interrupt
 * @MLS_LEVEL_HARDIRQ: a hard interrupt
 * @MLS_NR_LEVELS: number of levels
 */
enum mls_level {
	MLS_LEVEL_TASK,
	MLS_LEVEL_SOFTIRQ,
	MLS_LEVEL_IRQS_OFF,
	MLS_LEVEL_HARDIRQ,
	MLS_NR_LEVELS,
};

/**
 * mls_level() - the level of the caller
 *
 * Context: Not NMI.
 * Return: enum mls_level.
 */
static __always_inline enum mls_level mls_level(void)
{
	if (unlikely(in_hardirq()))
		return MLS_LEVEL_HARDIRQ;
	if (unlikely(irqs_disabled()))
		return MLS_LEVEL_IRQS_OFF;
	if (unlikely(in_serving_softirq()))
		return MLS_LEVEL_SOFTIRQ;
	return MLS_LEVEL_TASK;
}

int mls_context_init(void);
void mls_context_exit(void);
struct mls_use *mls_context_find(enum mls_level level, struct mm_struct *mm);
struct mls_use *mls_context_find_held(enum mls_level level, struct mm_struct *mm);
struct mls_use *mls_context_take(enum mls_level level, struct mm_struct *mm);
void mls_context_put(struct mls_use *use);
void mls_context_count_open(struct mls_open *open);
void mls_context_wipe(void);

#endif /* MLS_CORE_CONTEXT_H */
