// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters.  A value out of range is refused with a line in the log
 * that says what is allowed; the load then fails with EINVAL.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/moduleparam.h>

#include "core/holders.h"
#include "params.h"

bool mls_param_start = true;
module_param_named(start, mls_param_start, bool, 0444);
MODULE_PARM_DESC(start, "record from loading on (default: 1)");

unsigned int mls_param_slots = MLS_SLOTS_DEFAULT;

static int set_slots(const char *text, const struct kernel_param *param)
{
	unsigned int nr;
	int err = kstrtouint(text, 0, &nr);

	if (err || nr < MLS_SLOTS_MIN || nr > MLS_SLOTS_MAX || !is_power_of_2(nr)) {
		pr_err("slots=%s: a power of two from %d to %d is wanted\n",
		       text, MLS_SLOTS_MIN, MLS_SLOTS_MAX);
		return -EINVAL;
	}
	*(unsigned int *)param->arg = nr;
	return 0;
}

static const struct kernel_param_ops slots_ops = {
	.set = set_slots,
	.get = param_get_uint,
};

module_param_cb(slots, &slots_ops, &mls_param_slots, 0444);
__MODULE_PARM_TYPE(slots, "uint");
MODULE_PARM_DESC(slots, "tasks that may hold or wait for an mmap_lock at a time; 64 bytes each (default: 8192)");

unsigned int mls_param_fail_stage;
module_param_named(fail_stage, mls_param_fail_stage, uint, 0444);
MODULE_PARM_DESC(fail_stage, "for tests: the stage of loading, from 1, that fails (default: 0, none)");
