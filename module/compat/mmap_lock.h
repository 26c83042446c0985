/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels in <linux/mmap_lock.h> and its tracepoints.  What
 * a kernel has is found out by compiling module/compat/checks, never from a
 * version number: stable kernels and vendors backport.
 */
#ifndef MLS_COMPAT_MMAP_LOCK_H
#define MLS_COMPAT_MMAP_LOCK_H

#include "config.h"

/*
 * Arguments of the probes.
 *
 * 5.11: (mm, memcg_path, write).  6.14: the path is gone, an id is computed in
 * the event itself and only for those who record it (inferred from commits; the
 * checks decide).
 */
#if defined(MLS_HAVE_TP_MEMCG_PATH)
#define MLS_TP_ARGS(mm, ...) \
	void *data, struct mm_struct *mm, const char *memcg_path, __VA_ARGS__
#elif defined(MLS_HAVE_TP_PLAIN)
#define MLS_TP_ARGS(mm, ...) \
	void *data, struct mm_struct *mm, __VA_ARGS__
#else
#error "this kernel's mmap_lock tracepoints have arguments that mmlockstat does not know"
#endif

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
