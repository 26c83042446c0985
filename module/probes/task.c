// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to tasks: a filtered process gets a new mm by exec; a task is
 * gone for good.
 *
 * These tracepoints are not exported to modules; they are found by name.  One
 * probe an exec, and one a task's end.
 */
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "../core/acct.h"
#include "probes.h"

static struct tracepoint *exec_tracepoint;
static struct tracepoint *free_tracepoint;

static void find(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "sched_process_exec"))
		exec_tracepoint = tracepoint;
	else if (!strcmp(tracepoint->name, "sched_process_free"))
		free_tracepoint = tracepoint;
}

static int attach(struct tracepoint **tracepoint, void *probe)
{
	if (!*tracepoint)
		for_each_kernel_tracepoint(find, NULL);
	if (!*tracepoint)
		return -ENOENT;
	return tracepoint_probe_register(*tracepoint, probe, NULL);
}

static void process_exec(void *data, struct task_struct *task, pid_t old_pid,
			 struct linux_binprm *bprm)
{
	mls_acct_exec();
}

static int attach_exec(void)
{
	/* The typed register function needs an export; its type check does not. */
	check_trace_callback_type_sched_process_exec(process_exec);
	return attach(&exec_tracepoint, process_exec);
}

static void detach_exec(void)
{
	tracepoint_probe_unregister(exec_tracepoint, process_exec, NULL);
}

static void process_free(void *data, struct task_struct *task)
{
	mls_acct_task_freed(task);
}

static int attach_free(void)
{
	check_trace_callback_type_sched_process_free(process_free);
	return attach(&free_tracepoint, process_free);
}

static void detach_free(void)
{
	tracepoint_probe_unregister(free_tracepoint, process_free, NULL);
}

const struct mls_probe mls_probe_exec = {
	.name = "sched_process_exec",
	.backend = "tracepoint",
	.why = "a pid filter does not follow an exec",
	.attach = attach_exec,
	.detach = detach_exec,
};

const struct mls_probe mls_probe_task_free = {
	.name = "sched_process_free",
	.backend = "tracepoint",
	.attach = attach_free,
	.detach = detach_free,
};
