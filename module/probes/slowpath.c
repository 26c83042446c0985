// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slow paths of the kernel's rwsems: the true start of a contended wait, the
 * optimistic spin included.  An uncontended lock never comes here and pays
 * nothing for it.
 *
 * Both functions take the rwsem first.  They serve every rwsem, so a slot of the
 * holder table may be taken for one that is no mmap_lock.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "../compat/function_hook.h"
#include "../core/acct.h"
#include "probes.h"

#define MLS_READ_SLOWPATH	"rwsem_down_read_slowpath"
#define MLS_WRITE_SLOWPATH	"rwsem_down_write_slowpath"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
static void enter_read(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	mls_acct_slowpath((const void *)mls_ftrace_first_argument(fregs), MLS_READ);
}

static void enter_write(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	mls_acct_slowpath((const void *)mls_ftrace_first_argument(fregs), MLS_WRITE);
}

static struct ftrace_ops read_ops, write_ops;

static int hook(struct ftrace_ops *ops, ftrace_func_t callback,
		const char *function)
{
	char name[sizeof(MLS_WRITE_SLOWPATH)];
	int err;

	/*
	 * Anew each time: the ftrace_free_filter() of older kernels leaves
	 * pointers to what it freed, and setting a filter frees that again.
	 * mls_acct_slowpath() guards itself against recursion, and counts it;
	 * FTRACE_OPS_FL_RECURSION would drop what is nested uncounted.
	 */
	*ops = (struct ftrace_ops){
		.func = callback,
		/*
		 * Permanent: with kernel.ftrace_enabled=0 registering fails, and
		 * later the sysctl does; else the callback would fall silent.
		 */
		.flags = FTRACE_OPS_FL_PERMANENT | MLS_FTRACE_OPS_FLAGS,
	};
	strscpy(name, function, sizeof(name));
	/* Fails where nothing matches: without a filter it would hook everything. */
	err = ftrace_set_filter(ops, (unsigned char *)name, strlen(name), 1);
	if (!err)
		err = register_ftrace_function(ops);
	if (err)
		ftrace_free_filter(ops);
	return err;
}

static void unhook(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

static int attach_ftrace(void)
{
	int err = hook(&read_ops, enter_read, MLS_READ_SLOWPATH);

	if (err)
		return err;
	err = hook(&write_ops, enter_write, MLS_WRITE_SLOWPATH);
	if (err)
		unhook(&read_ops);
	return err;
}

static void detach_ftrace(void)
{
	unhook(&write_ops);
	unhook(&read_ops);
}
#else
static int attach_ftrace(void)
{
	return -EOPNOTSUPP;
}

static void detach_ftrace(void)
{
}
#endif

static int before_read(struct kprobe *kprobe, struct pt_regs *regs)
{
	mls_acct_slowpath((const void *)regs_get_kernel_argument(regs, 0), MLS_READ);
	return 0;
}

static int before_write(struct kprobe *kprobe, struct pt_regs *regs)
{
	mls_acct_slowpath((const void *)regs_get_kernel_argument(regs, 0), MLS_WRITE);
	return 0;
}

static struct kprobe read_kprobe, write_kprobe;
/* By registrations that are gone. */
static unsigned long missed_before;

static unsigned long kprobes_missed(void)
{
	return missed_before + READ_ONCE(read_kprobe.nmissed) +
	       READ_ONCE(write_kprobe.nmissed);
}

static int add_kprobe(struct kprobe *kprobe, const char *name,
		      kprobe_pre_handler_t handler)
{
	/* What an earlier registration left in it is refused. */
	*kprobe = (struct kprobe){ .symbol_name = name, .pre_handler = handler };
	return register_kprobe(kprobe);
}

/* Neither is registered any more. */
static void keep_missed(void)
{
	missed_before = kprobes_missed();
	read_kprobe.nmissed = 0;
	write_kprobe.nmissed = 0;
}

static void detach_kprobe(void)
{
	unregister_kprobe(&write_kprobe);
	unregister_kprobe(&read_kprobe);
	keep_missed();
}

static int attach_kprobe(void)
{
	int err;

	err = add_kprobe(&read_kprobe, MLS_READ_SLOWPATH, before_read);
	if (err)
		return err;
	err = add_kprobe(&write_kprobe, MLS_WRITE_SLOWPATH, before_write);
	if (err) {
		unregister_kprobe(&read_kprobe);
		keep_missed();
	}
	return err;
}

const struct mls_probe mls_probe_slowpath_ftrace = {
	.name = "rwsem_down_slowpath",
	.backend = "ftrace",
	.why = "a kprobe is tried, or a wait begins at mmap_lock_start_locking",
	.attach = attach_ftrace,
	.detach = detach_ftrace,
};

const struct mls_probe mls_probe_slowpath_kprobe = {
	.name = "rwsem_down_slowpath",
	.backend = "kprobe",
	.why = "a wait begins at mmap_lock_start_locking instead",
	.attach = attach_kprobe,
	.detach = detach_kprobe,
	.nr_missed = kprobes_missed,
};
