// SPDX-License-Identifier: GPL-2.0-only
/* Must not compile: shows that a probe of a wrong type is refused. */
#include <linux/mm.h>
#include <trace/events/mmap_lock.h>

static void probe(void *data, struct mm_struct **wrong, bool write)
{
}

int mls_check(void);
int mls_check(void)
{
	return register_trace_mmap_lock_start_locking(probe, NULL);
}
