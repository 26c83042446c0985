/* SPDX-License-Identifier: GPL-2.0-only */
/* For the module's files on the host: one CPU, and no other. */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#include <stdint.h>

typedef int64_t s64;

#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define __percpu
#define DECLARE_PER_CPU(type, name) extern type name
#define DEFINE_PER_CPU(type, name) type name
#define this_cpu_add(what, by) ((void)((what) += (by)))
#define this_cpu_inc(what) this_cpu_add(what, 1)
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), #condition)

#endif
