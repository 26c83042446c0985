/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of hooks: attached in order, detached in reverse. */
#ifndef MLS_PROBES_PROBES_H
#define MLS_PROBES_PROBES_H

#include <linux/types.h>

#include "../core/acct.h"

/**
 * struct mls_probe - one hook into the kernel
 * @name: what is hooked, as the kernel names it
 * @backend: by which means
 * @why: what is missing without it; NULL where nothing can be recorded then
 * @attach: hook; 0 or -errno, then nothing is hooked
 * @detach: unhook; probes may still be running afterwards
 * @nr_missed: how often it could not be called, ever; NULL where that cannot be
 */
struct mls_probe {
	const char *name;
	const char *backend;
	const char *why;
	int (*attach)(void);
	void (*detach)(void);
	unsigned long (*nr_missed)(void);
};

/**
 * enum mls_probe_state - of a hook
 * @MLS_PROBE_DETACHED: not asked for now
 * @MLS_PROBE_ATTACHED: hooked
 * @MLS_PROBE_UNUSED: another one does its work
 * @MLS_PROBE_ABSENT: optional, and this kernel does not let us
 * @MLS_NR_PROBE_STATES: number of states
 */
enum mls_probe_state {
	MLS_PROBE_DETACHED,
	MLS_PROBE_ATTACHED,
	MLS_PROBE_UNUSED,
	MLS_PROBE_ABSENT,
	MLS_NR_PROBE_STATES,
};

/* Number of hooks in the table. */
#define MLS_NR_PROBES 7

extern const struct mls_probe mls_probe_start_locking;
extern const struct mls_probe mls_probe_acquire_returned;
extern const struct mls_probe mls_probe_released;
extern const struct mls_probe mls_probe_slowpath_ftrace;
extern const struct mls_probe mls_probe_slowpath_kprobe;
extern const struct mls_probe mls_probe_exec;
extern const struct mls_probe mls_probe_task_free;

int mls_probes_attach(enum mls_wait_start *wait_start);
void mls_probes_detach(void);
const struct mls_probe *mls_probes_get(int i);
enum mls_probe_state mls_probes_state(int i);
enum mls_probe_state mls_probes_used(int i);
unsigned long mls_probes_nr_missed(void);
int mls_probes_selftest(void);

#endif /* MLS_PROBES_PROBES_H */
