// SPDX-License-Identifier: GPL-2.0-only
/* Must compile: shows that a missing object means a failed check. */
#include <linux/mm.h>
#include <trace/events/mmap_lock.h>

int mls_check(struct mm_struct *mm);
int mls_check(struct mm_struct *mm)
{
	return mmap_read_trylock(mm);
}
