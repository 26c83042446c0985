// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints without a path (6.14). */
#include <linux/mm.h>
#include <trace/events/mmap_lock.h>

static void start(void *data, struct mm_struct *mm, bool write)
{
}

static void returned(void *data, struct mm_struct *mm, bool write, bool success)
{
}

int mls_check(void);
int mls_check(void)
{
	return register_trace_mmap_lock_start_locking(start, NULL) ||
	       register_trace_mmap_lock_released(start, NULL) ||
	       register_trace_mmap_lock_acquire_returned(returned, NULL);
}
