// SPDX-License-Identifier: GPL-2.0-only
/* ftrace_regs_get_argument() exists. */
#include <linux/ftrace.h>

unsigned long mls_check(struct ftrace_regs *fregs);
unsigned long mls_check(struct ftrace_regs *fregs)
{
	return ftrace_regs_get_argument(fregs, 0);
}
