/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels in <linux/mmap_lock.h>.  What a kernel has is found
 * out by compiling module/compat/checks, never from a version number: stable
 * kernels and vendors backport.
 */
#ifndef MLS_COMPAT_MMAP_LOCK_H
#define MLS_COMPAT_MMAP_LOCK_H

#include "config.h"

/*
 * Is there a write trylock with tracepoints?  6.1 has one (khugepaged uses it
 * there); it is gone in 6.12, and every write lock that fails was killed.
 */
#if defined(MLS_HAVE_MMAP_WRITE_TRYLOCK)
#define MLS_KERNEL_HAS_WRITE_TRYLOCK 1
#else
#define MLS_KERNEL_HAS_WRITE_TRYLOCK 0
#endif

#endif /* MLS_COMPAT_MMAP_LOCK_H */
