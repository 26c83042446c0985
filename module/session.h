/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the recorder is told to do: start, stop, reset, mark, filter, and who
 * may tell it.
 */
#ifndef MLS_SESSION_H
#define MLS_SESSION_H

#include <linux/types.h>

#include "probes/probes.h"
#include "sink/totals.h"

struct mls_filter;
struct pid;

/**
 * struct mls_session_info - state of the recorder at one moment
 * @load_id: random, another at every load
 * @reset_seq: number of resets
 * @mark_seq: number of marks (a reset is one too)
 * @generation: how often recording began, or began anew with another filter
 * @since_reset_ns: time since the load or the last reset, ns
 * @owner: process id of who made itself the owner of the control, in the initial
 *	namespace; 0 where nobody owns it
 * @recording: probes are attached and count
 * @wait_start: what marks the start of a wait, now or when it last recorded
 * @filter: which mms, referenced; NULL for all
 * @probes: state of every hook
 * @used_probes: the same when recording last began
 * @clock: name of the clock
 * @nr_online_cpus: CPUs online
 * @nr_missed: how often a hook could not be called, since the last reset
 * @nr_slots: size of the table of holders
 * @nr_used: slots in use
 */
struct mls_session_info {
	u64 load_id;
	u64 reset_seq;
	u64 mark_seq;
	u64 generation;
	u64 since_reset_ns;
	pid_t owner;
	bool recording;
	enum mls_wait_start wait_start;
	struct mls_filter *filter;
	enum mls_probe_state probes[MLS_NR_PROBES];
	enum mls_probe_state used_probes[MLS_NR_PROBES];
	const char *clock;
	unsigned int nr_online_cpus;
	unsigned long nr_missed;
	unsigned int nr_slots;
	unsigned int nr_used;
};

int mls_session_init(enum mls_wait_start first_wait_start, bool clock_may_be_tsc);
void mls_session_exit(void);
void mls_session_free(void);

int mls_session_start(const void *cookie);
int mls_session_start_at_load(void);
int mls_session_stop(const void *cookie);
int mls_session_reset(const void *cookie);
int mls_session_mark(const void *cookie);
int mls_session_filter(const void *cookie, struct mls_filter *filter);
int mls_session_own(const void *cookie);
void mls_session_disown(const void *cookie);

int mls_session_look(struct mls_session_info *info, struct mls_totals *totals);

#endif /* MLS_SESSION_H */
