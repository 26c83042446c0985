/* SPDX-License-Identifier: GPL-2.0-only */
/* Per-CPU histograms: the sink that counts every operation. */
#ifndef MLS_SINK_HIST_PERCPU_H
#define MLS_SINK_HIST_PERCPU_H

#include <linux/percpu.h>

#include "../core/hist.h"
#include "../core/types.h"

extern struct mls_hist __percpu *mls_hists[MLS_NR_SERIES];

int mls_hist_percpu_init(void);
void mls_hist_percpu_exit(void);
void mls_hist_percpu_clear_max(void);
void mls_hist_percpu_raise_max(struct mls_hist __percpu *hist, u64 value_ns);

/**
 * mls_hist_percpu_add() - count one value
 * @series: where
 * @value_ns: what, ns
 *
 * Context: Any but NMI, preemption off.  An interrupt on the same CPU may do the
 * same at any point.
 */
static __always_inline void mls_hist_percpu_add(enum mls_series series,
						u64 value_ns)
{
	struct mls_hist __percpu *hist = mls_hists[series];

	this_cpu_inc(hist->bucket[mls_hist_bucket(value_ns)]);
	this_cpu_add(hist->sum_ns, value_ns);
	if (unlikely(value_ns > this_cpu_read(hist->max_ns)))
		mls_hist_percpu_raise_max(hist, value_ns);
}

/**
 * mls_hist_percpu_add_fast() - the same, without a call
 * @series: where
 * @value_ns: what, ns
 *
 * Context: As mls_hist_percpu_add().
 * Return: false where nothing has been done: it is a new maximum.
 */
static __always_inline bool mls_hist_percpu_add_fast(enum mls_series series,
						     u64 value_ns)
{
	struct mls_hist __percpu *hist = mls_hists[series];

	if (unlikely(value_ns > this_cpu_read(hist->max_ns)))
		return false;
	/* A pointer: the index is in range, and a check of it would cost registers. */
	this_cpu_inc(*(hist->bucket + mls_hist_bucket(value_ns)));
	this_cpu_add(hist->sum_ns, value_ns);
	return true;
}

#endif /* MLS_SINK_HIST_PERCPU_H */
