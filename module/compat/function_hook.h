/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between kernels in reading a hooked function's arguments. */
#ifndef MLS_COMPAT_FUNCTION_HOOK_H
#define MLS_COMPAT_FUNCTION_HOOK_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>

#include "config.h"

/*
 * 6.1 has no ftrace_regs_get_argument(): its callbacks get the arguments only
 * with the full registers, which cost more to save.
 */
#if defined(MLS_HAVE_FTRACE_REGS_GET_ARGUMENT)
#define MLS_FTRACE_OPS_FLAGS 0

static __always_inline unsigned long mls_ftrace_first_argument(struct ftrace_regs *fregs)
{
	return ftrace_regs_get_argument(fregs, 0);
}
#else
#define MLS_FTRACE_OPS_FLAGS FTRACE_OPS_FL_SAVE_REGS

static __always_inline unsigned long mls_ftrace_first_argument(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	return regs ? regs_get_kernel_argument(regs, 0) : 0;
}
#endif

#endif /* MLS_COMPAT_FUNCTION_HOOK_H */
