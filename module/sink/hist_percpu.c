// SPDX-License-Identifier: GPL-2.0-only
/* Per-CPU histograms; see hist_percpu.h. */
#include <linux/cpu.h>
#include <linux/smp.h>

#include "hist_percpu.h"

struct mls_hist __percpu *mls_hists[MLS_NR_SERIES];

/**
 * mls_hist_percpu_init() - make all histograms
 *
 * One allocation a series: a piece of per-CPU memory is limited to 32 KiB.
 *
 * Context: Process, may sleep.
 * Return: 0, or -ENOMEM with nothing made.
 */
int mls_hist_percpu_init(void)
{
	int i;

	BUILD_BUG_ON(sizeof(struct mls_hist) > 32 * 1024);
	for (i = 0; i < MLS_NR_SERIES; i++) {
		mls_hists[i] = alloc_percpu(struct mls_hist);
		if (!mls_hists[i]) {
			mls_hist_percpu_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * mls_hist_percpu_exit() - free them, also when half made
 *
 * Context: Process; no probe runs any more.
 */
void mls_hist_percpu_exit(void)
{
	int i;

	for (i = 0; i < MLS_NR_SERIES; i++) {
		free_percpu(mls_hists[i]);
		mls_hists[i] = NULL;
	}
}

/**
 * mls_hist_percpu_raise_max() - the value is above this CPU's maximum
 * @hist: the histogram
 * @value_ns: the value, ns
 *
 * Context: As mls_hist_percpu_add().  An interrupt, or a clearing, may come
 * between: then it is tried again.
 */
void mls_hist_percpu_raise_max(struct mls_hist __percpu *hist, u64 value_ns)
{
	u64 old = this_cpu_read(hist->max_ns);

	while (value_ns > old) {
		u64 seen = this_cpu_cmpxchg(hist->max_ns, old, value_ns);

		if (seen == old)
			break;
		old = seen;
	}
}

static void clear_max_of(int cpu)
{
	int i;

	for (i = 0; i < MLS_NR_SERIES; i++)
		WRITE_ONCE(per_cpu_ptr(mls_hists[i], cpu)->max_ns, 0);
}

static void clear_max_here(void *unused)
{
	clear_max_of(smp_processor_id());
}

/**
 * mls_hist_percpu_clear_max() - all maxima begin anew
 *
 * On each CPU itself, so that it cannot fall between a probe's reading and its
 * writing.
 *
 * Context: Process, may sleep.
 */
void mls_hist_percpu_clear_max(void)
{
	int cpu;

	cpus_read_lock();
	on_each_cpu(clear_max_here, NULL, 1);
	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			clear_max_of(cpu);
	}
	cpus_read_unlock();
}
