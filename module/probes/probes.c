// SPDX-License-Identifier: GPL-2.0-only
/* The table of hooks; see probes.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "../params.h"
#include "probes.h"

static const struct mls_probe * const probes[MLS_NR_PROBES] = {
	&mls_probe_released,
	&mls_probe_acquire_returned,
	&mls_probe_slowpath_ftrace,
	&mls_probe_slowpath_kprobe,
	&mls_probe_start_locking,
	&mls_probe_exec,
	&mls_probe_task_free,
};

static enum mls_probe_state states[MLS_NR_PROBES];
/* As they were when everything had been attached the last time. */
static enum mls_probe_state used[MLS_NR_PROBES];

static bool is_slowpath(int i)
{
	return probes[i] == &mls_probe_slowpath_ftrace ||
	       probes[i] == &mls_probe_slowpath_kprobe;
}

static bool is_allowed(int i)
{
	if (mls_param_wait_start != MLS_WAIT_START_SLOWPATH)
		return false;
	return mls_param_backend == MLS_BACKEND_AUTO ||
	       (mls_param_backend == MLS_BACKEND_FTRACE) ==
	       (probes[i] == &mls_probe_slowpath_ftrace);
}

/* A wait's start needs one hook: the first of ftrace, kprobe, start_locking. */
static bool is_needed(int i, enum mls_wait_start wait_start)
{
	if (is_slowpath(i))
		return is_allowed(i) && wait_start == MLS_WAIT_START_LOCKING;
	if (probes[i] == &mls_probe_start_locking)
		return wait_start == MLS_WAIT_START_LOCKING;
	return true;
}

static void detach_first(int nr)
{
	while (nr--) {
		if (states[nr] == MLS_PROBE_ATTACHED)
			probes[nr]->detach();
		states[nr] = MLS_PROBE_DETACHED;
	}
	/*
	 * No probe runs behind this: what they use may be freed.  Unregistering a
	 * hooked function has waited for its callbacks itself.
	 */
	tracepoint_synchronize_unregister();
}

static int attach(int i)
{
	int err = probes[i]->attach();

	if (err || !is_slowpath(i))
		return err;
	err = mls_probes_selftest();
	if (err)
		probes[i]->detach();
	if (err == -ENXIO)
		pr_notice("%s (%s) can be hooked, and the hook is never called: kprobes/enabled in debugfs, or kernel.ftrace_enabled before 7.x, may be 0\n",
			  probes[i]->name, probes[i]->backend);
	return err;
}

/* It cannot be had here; anything else may be another time. */
static bool is_absent(int i, int err)
{
	return probes[i]->why && err != -EINTR && err != -ENOMEM && err != -ETIMEDOUT;
}

/**
 * mls_probes_attach() - hook everything
 * @wait_start: filled: which hook marks the start of a wait
 *
 * Context: Process, may sleep; the session's lock is held.
 * Return: 0; or the errno of a hook that is required, or that could be had another
 * time, named in the log, with nothing hooked.
 */
int mls_probes_attach(enum mls_wait_start *wait_start)
{
	int i, err;

	*wait_start = MLS_WAIT_START_LOCKING;
	for (i = 0; i < MLS_NR_PROBES; i++) {
		if (!is_needed(i, *wait_start)) {
			states[i] = MLS_PROBE_UNUSED;
			continue;
		}
		err = attach(i);
		if (!err) {
			states[i] = MLS_PROBE_ATTACHED;
			if (is_slowpath(i))
				*wait_start = MLS_WAIT_START_SLOWPATH;
			continue;
		}
		if (!is_absent(i, err)) {
			pr_err("cannot attach %s (%s): error %d; nothing is recorded\n",
			       probes[i]->name, probes[i]->backend, err);
			detach_first(i);
			return err;
		}
		pr_notice("cannot attach %s (%s): error %d; %s\n",
			  probes[i]->name, probes[i]->backend, err, probes[i]->why);
		states[i] = MLS_PROBE_ABSENT;
	}
	memcpy(used, states, sizeof(used));
	return 0;
}

/**
 * mls_probes_detach() - unhook everything, and wait until no probe runs
 *
 * Context: Process, may sleep; the session's lock is held.
 */
void mls_probes_detach(void)
{
	detach_first(MLS_NR_PROBES);
}

/**
 * mls_probes_get() - one hook
 * @i: index, below MLS_NR_PROBES
 *
 * Context: Any.
 * Return: The hook.
 */
const struct mls_probe *mls_probes_get(int i)
{
	return probes[i];
}

/**
 * mls_probes_used() - the state of a hook while what is counted was recorded
 * @i: index, below MLS_NR_PROBES
 *
 * Context: Process; the session's lock is held.
 * Return: Its state now, or when recording last began; MLS_PROBE_DETACHED where
 * nothing has been recorded yet.
 */
enum mls_probe_state mls_probes_used(int i)
{
	return used[i];
}

/**
 * mls_probes_state() - the state of a hook
 * @i: index, below MLS_NR_PROBES
 *
 * Context: Process; the session's lock is held.
 * Return: Its state.
 */
enum mls_probe_state mls_probes_state(int i)
{
	return states[i];
}

/**
 * mls_probes_nr_missed() - how often a hook could not be called
 *
 * Context: Process; the session's lock is held.
 * Return: Since the module was loaded.
 */
unsigned long mls_probes_nr_missed(void)
{
	unsigned long nr = 0;
	int i;

	for (i = 0; i < MLS_NR_PROBES; i++) {
		if (probes[i]->nr_missed)
			nr += probes[i]->nr_missed();
	}
	return nr;
}
