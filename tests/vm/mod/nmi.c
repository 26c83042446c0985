// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: a trylock and its release in NMI, as a BPF program on a
 * hardware counter makes them.  x86 only; elsewhere the words are refused.
 */
#include "mlt.h"

#ifdef CONFIG_X86_LOCAL_APIC
#include <linux/delay.h>
#include <asm/apic.h>
#include <asm/nmi.h>

static struct mlt_run *nmi_run;
static atomic_t nmi_armed;
static DEFINE_MUTEX(nmi_lock);

static int nmi_handler(unsigned int cmd, struct pt_regs *regs)
{
	struct mlt_run *run = nmi_run;

	if (!atomic_xchg(&nmi_armed, 0))
		return NMI_DONE;
	/* No waiter can be on this mm, so the release wakes nobody. */
	if (mlt_trylock(run, run->mm, MLT_READ))
		mlt_unlock(run, run->mm, MLT_READ);
	atomic64_inc(&run->hits);
	return NMI_HANDLED;
}

static int nmi_once(struct mlt_run *run)
{
	s64 hits = atomic64_read(&run->hits);
	int wait = 1000000;

	preempt_disable();
	atomic_set(&nmi_armed, 1);
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	while (atomic64_read(&run->hits) == hits && wait--)
		udelay(1);
	preempt_enable();
	return wait > 0 ? 0 : -ETIMEDOUT;
}

static int nmi(struct mlt_run *run, bool hold)
{
	int ret;
	u32 i;

	mutex_lock(&nmi_lock);
	nmi_run = run;
	ret = register_nmi_handler(NMI_LOCAL, nmi_handler, 0, "mmlocktest");
	if (ret)
		goto out;
	for (i = 0; i < run->n && !ret; i++) {
		if (hold)
			mlt_lock(run, run->mm, MLT_READ);
		ret = nmi_once(run);
		if (hold)
			mlt_unlock(run, run->mm, MLT_READ);
	}
	unregister_nmi_handler(NMI_LOCAL, "mmlocktest");
out:
	mutex_unlock(&nmi_lock);
	return ret;
}

static int op_nmi(struct mlt_run *run)
{
	return nmi(run, false);
}

static int op_nmi_in_read(struct mlt_run *run)
{
	return nmi(run, true);
}

const struct mlt_op mlt_nmi_ops[] = {
	{ "nmi", op_nmi },
	{ "nmi-in-read", op_nmi_in_read },
	{ }
};
#else
const struct mlt_op mlt_nmi_ops[] = { { } };
#endif
