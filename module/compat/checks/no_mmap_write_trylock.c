// SPDX-License-Identifier: GPL-2.0-only
/* mmap_write_trylock() does not exist: its name is free. */
#include <linux/mm.h>

struct mls_check {
	int unused;
};

struct mls_check *mmap_write_trylock(struct mls_check *free);
struct mls_check *mmap_write_trylock(struct mls_check *free)
{
	return free;
}
