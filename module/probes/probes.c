// SPDX-License-Identifier: GPL-2.0-only
/* The table of hooks; see probes.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/tracepoint.h>

#include "probes.h"

static const struct mls_probe * const probes[] = {
	&mls_probe_released,
	&mls_probe_acquire_returned,
	&mls_probe_start_locking,
	&mls_probe_exec,
};

static enum mls_probe_state states[ARRAY_SIZE(probes)];

static void detach_first(int nr)
{
	while (nr--) {
		if (states[nr] == MLS_PROBE_ATTACHED)
			probes[nr]->detach();
		states[nr] = MLS_PROBE_DETACHED;
	}
	/* No probe runs behind this: what they use may be freed. */
	tracepoint_synchronize_unregister();
}

/**
 * mls_probes_attach() - hook everything
 *
 * Context: Process, may sleep; the session's lock is held.
 * Return: 0; or the errno of a required hook, named in the log, with nothing
 * hooked.
 */
int mls_probes_attach(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = probes[i]->attach();
		if (!err) {
			states[i] = MLS_PROBE_ATTACHED;
			continue;
		}
		if (probes[i]->required) {
			pr_err("cannot attach %s (%s): error %d; nothing can be recorded without it\n",
			       probes[i]->name, probes[i]->backend, err);
			detach_first(i);
			return err;
		}
		pr_notice("cannot attach %s (%s): error %d; %s\n",
			  probes[i]->name, probes[i]->backend, err, probes[i]->why);
		states[i] = MLS_PROBE_ABSENT;
	}
	return 0;
}

/**
 * mls_probes_detach() - unhook everything, and wait until no probe runs
 *
 * Context: Process, may sleep; the session's lock is held.
 */
void mls_probes_detach(void)
{
	detach_first(ARRAY_SIZE(probes));
}

/**
 * mls_probes_nr() - how many hooks there are
 *
 * Context: Any.
 * Return: Number of hooks.
 */
int mls_probes_nr(void)
{
	return ARRAY_SIZE(probes);
}

/**
 * mls_probes_get() - one hook and its state
 * @i: index, below mls_probes_nr()
 * @state: filled
 *
 * Context: Process; the session's lock is held.
 * Return: The hook.
 */
const struct mls_probe *mls_probes_get(int i, enum mls_probe_state *state)
{
	*state = states[i];
	return probes[i];
}
