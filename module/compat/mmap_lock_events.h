/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between kernels in <trace/events/mmap_lock.h>. */
#ifndef MLS_COMPAT_MMAP_LOCK_EVENTS_H
#define MLS_COMPAT_MMAP_LOCK_EVENTS_H

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

#endif /* MLS_COMPAT_MMAP_LOCK_EVENTS_H */
