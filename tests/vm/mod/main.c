// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: makes exact numbers of known mmap_lock operations.
 *
 * /proc/mmlocktest, root only.  One command a write, carried out before the
 * write returns, in the calling task or where `by=` says:
 *
 *	OP mm=PID [mm2=PID] [n=N] [ns=NS] [by=self|kthread|kthread-use]
 *	   [holder=read|write] [waiter=read|write] [migrate=1]
 *
 * A read then gives what was done, a `key value` pair a line.  Commands of
 * two descriptors run one after the other.
 *
 * For test guests only: it locks the mm of any process, for as long as asked.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "mlt.h"

#define MLT_N_MAX	1000000
#define MLT_NS_MAX	(20ULL * NSEC_PER_SEC)

static const struct mlt_op *const mlt_tables[] = {
	mlt_plain_ops, mlt_task_ops, mlt_irq_ops, mlt_probe_ops, mlt_nmi_ops,
	mlt_timed_ops,
};

static const char *const mlt_count_names[MLT_NR_COUNTS] = {
	[MLT_ATTEMPTS] = "attempts",
	[MLT_ACQUIRED] = "acquired",
	[MLT_TRYLOCK_FAILED] = "trylock_failed",
	[MLT_ABORTED] = "aborted",
	[MLT_RELEASED] = "released",
	[MLT_NESTED] = "nested",
	[MLT_DOWNGRADED] = "downgraded",
};

/**
 * struct mlt_file - one open file
 * @lock: one command at a time on this descriptor
 * @hold: a lock held from `hold-begin` to `hold-end` or the close
 * @hold_run: what @hold works for
 * @holding: @hold is there
 * @len: bytes in @text
 * @text: the last command's result
 */
struct mlt_file {
	struct mutex lock;
	struct mlt_holder hold;
	struct mlt_run hold_run;
	bool holding;
	size_t len;
	char text[MLT_TEXT_MAX];
};

/**
 * mlt_say() - append to the text that a read gives
 * @run: the command
 * @fmt: as for printf
 *
 * Context: process context.
 */
void mlt_say(struct mlt_run *run, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	run->len += vscnprintf(run->text + run->len, MLT_TEXT_MAX - run->len,
			       fmt, args);
	va_end(args);
}

/* The mm of a process; pid 0 is the caller's own. */
static struct mm_struct *mlt_get_mm(unsigned int nr)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *pid;

	if (!nr)
		return get_task_mm(current);
	pid = find_get_pid(nr);
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return NULL;
	mm = get_task_mm(task);
	put_task_struct(task);
	return mm;
}

static const char *const mlt_by_names[] = { "self", "kthread", "kthread-use" };
static const char *const mlt_mode_names[] = { "read", "write" };

static int mlt_parse_mm(const char *value, struct mm_struct **mm)
{
	unsigned int pid;

	if (*mm || kstrtouint(value, 10, &pid))
		return -EINVAL;
	*mm = mlt_get_mm(pid);
	return *mm ? 0 : -ESRCH;
}

static int mlt_parse_word(const char *value, const char *const *names, size_t nr)
{
	return match_string(names, nr, value);
}

static int mlt_parse_key(struct mlt_run *run, char *key, char *value)
{
	int ret;

	if (!strcmp(key, "mm"))
		return mlt_parse_mm(value, &run->mm);
	if (!strcmp(key, "mm2"))
		return mlt_parse_mm(value, &run->mm2);
	if (!strcmp(key, "n")) {
		ret = kstrtouint(value, 10, &run->n);
		return ret ?: (run->n < 1 || run->n > MLT_N_MAX ? -ERANGE : 0);
	}
	if (!strcmp(key, "ns")) {
		ret = kstrtou64(value, 10, &run->ns);
		return ret ?: (run->ns > MLT_NS_MAX ? -ERANGE : 0);
	}
	if (!strcmp(key, "migrate"))
		return kstrtobool(value, &run->migrate);
	if (!strcmp(key, "by")) {
		ret = mlt_parse_word(value, mlt_by_names, ARRAY_SIZE(mlt_by_names));
		run->by = ret;
		return min(ret, 0);
	}
	if (!strcmp(key, "holder") || !strcmp(key, "waiter")) {
		ret = mlt_parse_word(value, mlt_mode_names, ARRAY_SIZE(mlt_mode_names));
		if (ret < 0)
			return ret;
		if (*key == 'h')
			run->holder = ret;
		else
			run->waiter = ret;
		return 0;
	}
	return -EINVAL;
}

static const struct mlt_op *mlt_find(const char *name)
{
	const struct mlt_op *op;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mlt_tables); i++)
		for (op = mlt_tables[i]; op->name; op++)
			if (!strcmp(op->name, name))
				return op;
	return NULL;
}

static void mlt_say_counts(struct mlt_run *run)
{
	int mode, what;
	s64 v;

	for (mode = 0; mode < MLT_NR_MODES; mode++) {
		for (what = 0; what < MLT_NR_COUNTS; what++) {
			v = atomic64_read(&run->count[mode][what]);
			if (what == MLT_DOWNGRADED) {
				if (mode == MLT_READ)
					mlt_say(run, "downgraded %lld\n", v);
				continue;
			}
			mlt_say(run, "%s_%s %lld\n", mlt_mode_names[mode],
				mlt_count_names[what], v);
		}
	}
	mlt_say(run, "hits %lld\n", (s64)atomic64_read(&run->hits));
	/* The address itself, so that the stock events can be filtered by it. */
	mlt_say(run, "mm %px\n", run->mm);
}

/* A hold that outlives its command, so that another task can wait for it. */
static int mlt_hold_begin(struct mlt_file *f, struct mlt_run *run)
{
	int ret;

	if (f->holding)
		return -EBUSY;
	f->hold_run = *run;
	ret = mlt_holder_start(&f->hold, &f->hold_run, run->mm, run->holder);
	if (ret)
		return ret;
	mmget(run->mm);
	f->holding = true;
	return 0;
}

static int mlt_hold_end(struct mlt_file *f)
{
	if (!f->holding)
		return -ENOENT;
	mlt_holder_stop(&f->hold);
	mmput(f->hold.mm);
	f->holding = false;
	return 0;
}

static int mlt_do(struct mlt_file *f, char *line)
{
	struct mlt_run run = { .n = 1, .text = f->text };
	const struct mlt_op *op;
	char *word, *value, *name;
	int ret = 0;

	name = strsep(&line, " ");
	while (!ret && (word = strsep(&line, " "))) {
		value = strchr(word, '=');
		if (!value) {
			ret = -EINVAL;
			break;
		}
		*value++ = '\0';
		ret = mlt_parse_key(&run, word, value);
	}
	if (ret)
		goto out_put;

	if (!strcmp(name, "hold-end")) {
		ret = mlt_hold_end(f);
		goto out_put;
	}
	ret = -EINVAL;
	if (!run.mm)
		goto out_put;
	if (!strcmp(name, "hold-begin")) {
		ret = mlt_hold_begin(f, &run);
		goto out_put;
	}
	op = mlt_find(name);
	if (!op || (op->need_mm2 && !run.mm2))
		goto out_put;
	ret = op->run(&run);
	if (!ret)
		mlt_say_counts(&run);
	f->len = run.len;
out_put:
	if (run.mm2)
		mmput(run.mm2);
	if (run.mm)
		mmput(run.mm);
	return ret;
}

static ssize_t mlt_write(struct file *file, const char __user *buf, size_t len,
			 loff_t *pos)
{
	struct mlt_file *f = file->private_data;
	char line[256];
	int ret;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, buf, len))
		return -EFAULT;
	line[len] = '\0';

	mutex_lock(&f->lock);
	f->len = 0;
	ret = mlt_do(f, strim(line));
	mutex_unlock(&f->lock);
	/* The result is read from its start whatever was written before. */
	*pos = 0;
	return ret ?: len;
}

static ssize_t mlt_read(struct file *file, char __user *buf, size_t len,
			loff_t *pos)
{
	struct mlt_file *f = file->private_data;
	ssize_t ret;

	mutex_lock(&f->lock);
	ret = simple_read_from_buffer(buf, len, pos, f->text, f->len);
	mutex_unlock(&f->lock);
	return ret;
}

static int mlt_open(struct inode *inode, struct file *file)
{
	struct mlt_file *f = kvzalloc(sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	mutex_init(&f->lock);
	file->private_data = f;
	return 0;
}

static int mlt_release(struct inode *inode, struct file *file)
{
	struct mlt_file *f = file->private_data;

	if (f->holding)
		mlt_hold_end(f);
	kvfree(f);
	return 0;
}

static const struct proc_ops mlt_proc_ops = {
	.proc_open = mlt_open,
	.proc_read = mlt_read,
	.proc_write = mlt_write,
	.proc_release = mlt_release,
};

static int __init mlt_init(void)
{
	if (!proc_create("mmlocktest", 0600, NULL, &mlt_proc_ops))
		return -ENOMEM;
	return 0;
}

static void __exit mlt_exit(void)
{
	remove_proc_entry("mmlocktest", NULL);
}

module_init(mlt_init);
module_exit(mlt_exit);
MODULE_DESCRIPTION("exact numbers of known mmap_lock operations, for tests");
MODULE_LICENSE("GPL");
