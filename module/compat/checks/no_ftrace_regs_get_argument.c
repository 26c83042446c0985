// SPDX-License-Identifier: GPL-2.0-only
/* ftrace_regs_get_argument() does not exist: its name is free. */
#include <linux/ftrace.h>

struct mls_check {
	int unused;
};

struct mls_check *ftrace_regs_get_argument(struct mls_check *free);
struct mls_check *ftrace_regs_get_argument(struct mls_check *free)
{
	return free;
}
