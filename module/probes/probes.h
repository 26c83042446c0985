/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of hooks: attached in order, detached in reverse. */
#ifndef MLS_PROBES_PROBES_H
#define MLS_PROBES_PROBES_H

#include <linux/types.h>

/**
 * struct mls_probe - one hook into the kernel
 * @name: what is hooked, as the kernel names it
 * @backend: by which means
 * @required: without it nothing can be recorded
 * @why: what is missing without it, for an optional one
 * @attach: hook; 0 or -errno, then nothing is hooked
 * @detach: unhook; probes may still be running afterwards
 */
struct mls_probe {
	const char *name;
	const char *backend;
	bool required;
	const char *why;
	int (*attach)(void);
	void (*detach)(void);
};

/**
 * enum mls_probe_state - of a hook
 * @MLS_PROBE_DETACHED: not asked for now
 * @MLS_PROBE_ATTACHED: hooked
 * @MLS_PROBE_ABSENT: optional, and this kernel does not let us
 */
enum mls_probe_state {
	MLS_PROBE_DETACHED,
	MLS_PROBE_ATTACHED,
	MLS_PROBE_ABSENT,
};

extern const struct mls_probe mls_probe_start_locking;
extern const struct mls_probe mls_probe_acquire_returned;
extern const struct mls_probe mls_probe_released;
extern const struct mls_probe mls_probe_exec;

int mls_probes_attach(void);
void mls_probes_detach(void);
int mls_probes_nr(void);
const struct mls_probe *mls_probes_get(int i, enum mls_probe_state *state);

#endif /* MLS_PROBES_PROBES_H */
