// SPDX-License-Identifier: GPL-2.0-only
/* mmap_write_trylock() exists. */
#include <linux/mm.h>

int mls_check(struct mm_struct *mm);
int mls_check(struct mm_struct *mm)
{
	return mmap_write_trylock(mm);
}
