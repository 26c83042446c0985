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
#include <linux/string.h>
#include <linux/sysfs.h>

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
MODULE_PARM_DESC(slots, "tasks that may hold or wait for an mmap_lock at a time; 192 bytes each (default: 8192)");

/**
 * struct choice - a parameter that is one of a few words
 * @value: index of the word
 * @what: the parameter's name and its words, for the log
 * @words: the words; NULL behind the last
 */
struct choice {
	unsigned int *value;
	const char *what;
	const char * const *words;
};

static int set_choice(const char *text, const struct kernel_param *param)
{
	const struct choice *choice = param->arg;
	char word[16];
	int i;

	if (strscpy(word, text, sizeof(word)) < 0)
		goto refused;
	for (i = 0; choice->words[i]; i++) {
		if (!strcmp(strim(word), choice->words[i])) {
			*choice->value = i;
			return 0;
		}
	}
refused:
	pr_err("%s is wanted, not \"%s\"\n", choice->what, text);
	return -EINVAL;
}

static int get_choice(char *buffer, const struct kernel_param *param)
{
	const struct choice *choice = param->arg;

	return sysfs_emit(buffer, "%s\n", choice->words[*choice->value]);
}

static const struct kernel_param_ops choice_ops = {
	.set = set_choice,
	.get = get_choice,
};

unsigned int mls_param_wait_start = MLS_WAIT_START_SLOWPATH;

static const char * const wait_start_words[] = {
	[MLS_WAIT_START_LOCKING] = "locking",
	[MLS_WAIT_START_SLOWPATH] = "slowpath",
	NULL
};

static struct choice wait_start = {
	&mls_param_wait_start, "wait_start=slowpath or wait_start=locking",
	wait_start_words
};

module_param_cb(wait_start, &choice_ops, &wait_start, 0444);
__MODULE_PARM_TYPE(wait_start, "charp");
MODULE_PARM_DESC(wait_start, "what marks the start of a wait: slowpath, of the rwsem, or locking, mmap_lock_start_locking (default: slowpath)");

unsigned int mls_param_backend;

static const char * const backend_words[] = {
	[MLS_BACKEND_AUTO] = "auto",
	[MLS_BACKEND_FTRACE] = "ftrace",
	[MLS_BACKEND_KPROBE] = "kprobe",
	NULL
};

static struct choice backend = {
	&mls_param_backend, "backend=auto, backend=ftrace or backend=kprobe",
	backend_words
};

module_param_cb(backend, &choice_ops, &backend, 0444);
__MODULE_PARM_TYPE(backend, "charp");
MODULE_PARM_DESC(backend, "how functions are hooked: auto, ftrace or kprobe (default: auto, the first of them that works)");

unsigned int mls_param_clock;

static const char * const clock_words[] = {
	[MLS_CLOCK_AUTO] = "auto",
	[MLS_CLOCK_MONO] = "mono",
	NULL
};

static struct choice clock = {
	&mls_param_clock, "clock=auto or clock=mono", clock_words
};

module_param_cb(clock, &choice_ops, &clock, 0444);
__MODULE_PARM_TYPE(clock, "charp");
MODULE_PARM_DESC(clock, "auto, the TSC where the kernel calls it stable, or mono, CLOCK_MONOTONIC (default: auto)");

unsigned int mls_param_fail_stage;
module_param_named(fail_stage, mls_param_fail_stage, uint, 0444);
MODULE_PARM_DESC(fail_stage, "for tests: the stage of loading, from 1, that fails (default: 0, none)");
