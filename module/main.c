// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlockstat: who takes mmap_lock, how long they wait for it and hold it.
 *
 * Loading is a ladder of stages, each with its undoing; on the way out, and when
 * a stage fails, they are undone in reverse.  Probes come last and go first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>

#include "core/context.h"
#include "core/holders.h"
#include "params.h"
#include "proc/proc.h"
#include "session.h"
#include "sink/hist_percpu.h"

#ifndef CONFIG_64BIT
#error "mmlockstat needs a 64-bit kernel: its per-CPU counters are read without locks"
#endif

static int holders_init(void)
{
	return mls_holders_init(mls_param_slots);
}

static int session_init(void)
{
	return mls_session_init(mls_param_wait_start,
				mls_param_clock == MLS_CLOCK_AUTO);
}

static int recording_init(void)
{
	return mls_param_start ? mls_session_start_at_load() : 0;
}

/**
 * struct stage - one step of loading
 * @name: for the log
 * @init: 0 or -errno, then nothing is left of it
 * @exit: undoes @init; NULL where nothing is to be undone
 */
struct stage {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
};

static const struct stage stages[] = {
	{ "histograms", mls_hist_percpu_init, mls_hist_percpu_exit },
	{ "holder table", holders_init, mls_holders_exit },
	{ "interrupt slots", mls_context_init, mls_context_exit },
	{ "session", session_init, mls_session_free },
	{ "proc files", mls_proc_init, mls_proc_exit },
	{ "recording", recording_init, mls_session_exit },
};

static void undo(int nr)
{
	while (nr--) {
		if (stages[nr].exit)
			stages[nr].exit();
	}
}

static int __init mls_init(void)
{
	int i, err;

	if (mls_param_fail_stage > ARRAY_SIZE(stages)) {
		pr_err("fail_stage=%u: there are %zu stages\n",
		       mls_param_fail_stage, ARRAY_SIZE(stages));
		return -EINVAL;
	}
	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		err = stages[i].init();
		if (!err && mls_param_fail_stage == i + 1) {
			undo(i + 1);
			pr_err("not loaded: told to fail at stage %d (%s)\n",
			       i + 1, stages[i].name);
			return -ECANCELED;
		}
		if (err) {
			undo(i);
			pr_err("not loaded: %s: error %d\n", stages[i].name, err);
			return err;
		}
	}
	pr_info("%s loaded, %s; see /proc/mmlockstat\n", MLS_VERSION,
		mls_param_start ? "recording" : "not recording");
	return 0;
}

static void __exit mls_exit(void)
{
	undo(ARRAY_SIZE(stages));
	pr_info("unloaded\n");
}

module_init(mls_init);
module_exit(mls_exit);

MODULE_DESCRIPTION("Records who takes mmap_lock, how long they wait and hold");
MODULE_VERSION(MLS_VERSION);
MODULE_LICENSE("GPL");
