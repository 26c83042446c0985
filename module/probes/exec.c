// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched_process_exec: a process that is filtered for gets a new mm.
 *
 * The tracepoint is not exported to modules; it is found by name.  One probe an
 * exec.
 */
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "../core/acct.h"
#include "probes.h"

static struct tracepoint *exec_tracepoint;

static void find(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "sched_process_exec"))
		exec_tracepoint = tracepoint;
}

static void process_exec(void *data, struct task_struct *task, pid_t old_pid,
			 struct linux_binprm *bprm)
{
	mls_acct_exec();
}

static int attach(void)
{
	/* The typed register function needs an export; its type check does not. */
	check_trace_callback_type_sched_process_exec(process_exec);
	if (!exec_tracepoint)
		for_each_kernel_tracepoint(find, NULL);
	if (!exec_tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(exec_tracepoint, process_exec, NULL);
}

static void detach(void)
{
	tracepoint_probe_unregister(exec_tracepoint, process_exec, NULL);
}

const struct mls_probe mls_probe_exec = {
	.name = "sched_process_exec",
	.backend = "tracepoint",
	.why = "a pid filter does not follow an exec",
	.attach = attach,
	.detach = detach,
};
