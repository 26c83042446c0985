/* SPDX-License-Identifier: GPL-2.0-only */
/* mmlocktest: an interrupt on demand. */
#ifndef MLT_IRQ_H
#define MLT_IRQ_H

#include <linux/completion.h>
#include <linux/irq_work.h>

#include "mlt.h"

/**
 * struct mlt_shot - a hard interrupt that hits a task on demand
 * @work: the interrupt
 * @run: the command
 * @fn: what it does
 * @actor: the task it is meant to hit
 * @done: completed each time it has fired
 */
struct mlt_shot {
	struct irq_work work;
	struct mlt_run *run;
	mlt_fn fn;
	struct task_struct *actor;
	struct completion done;
};

void mlt_shot_init(struct mlt_shot *s, struct mlt_run *run, mlt_fn fn);
void mlt_shot_fire_here(struct mlt_shot *s);
void mlt_irq_trylock(struct mlt_run *run);

#endif /* MLT_IRQ_H */
