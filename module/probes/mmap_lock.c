// SPDX-License-Identifier: GPL-2.0-only
/*
 * The three mmap_lock tracepoints.
 *
 * The kernel's own header gives the typed register functions: a prototype that
 * changes fails the build, not the run.  Cost: docs/overhead.md.
 */
#include <trace/events/mmap_lock.h>

#include "../compat/mmap_lock_events.h"
#include "../core/acct.h"
#include "probes.h"

static void start_locking(MLS_TP_ARGS(mm, bool write))
{
	mls_acct_start(mm, write ? MLS_WRITE : MLS_READ);
}

static void acquire_returned(MLS_TP_ARGS(mm, bool write, bool success))
{
	mls_acct_returned(mm, write ? MLS_WRITE : MLS_READ, success);
}

static void released(MLS_TP_ARGS(mm, bool write))
{
	mls_acct_released(mm, write ? MLS_WRITE : MLS_READ);
}

#define MLS_TRACEPOINT_PROBE(probe)					\
static int attach_##probe(void)						\
{									\
	return register_trace_mmap_lock_##probe(probe, NULL);		\
}									\
									\
static void detach_##probe(void)					\
{									\
	unregister_trace_mmap_lock_##probe(probe, NULL);		\
}									\
									\
const struct mls_probe mls_probe_##probe = {				\
	.name = "mmap_lock_" #probe,					\
	.backend = "tracepoint",					\
	.attach = attach_##probe,					\
	.detach = detach_##probe,					\
}

MLS_TRACEPOINT_PROBE(start_locking);
MLS_TRACEPOINT_PROBE(acquire_returned);
MLS_TRACEPOINT_PROBE(released);
