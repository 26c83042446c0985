// SPDX-License-Identifier: GPL-2.0-only
/*
 * control: one command a write.  What is unknown or malformed is EINVAL and
 * changes nothing.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../../include/uapi/mmlockstat.h"
#include "../core/filter.h"
#include "proc.h"

static const struct {
	const char *word;
	int (*run)(const void *cookie);
} commands[] = {
	{ "own", mls_session_own },
	{ "start", mls_session_start },
	{ "stop", mls_session_stop },
	{ "reset", mls_session_reset },
	{ "mark", mls_session_mark },
};

/* "N N ...": all of them are there, or nothing is changed. */
static int filter_pids(const void *cookie, char *text)
{
	struct mls_filter *filter = mls_filter_alloc();
	char *word;
	int err = 0, nr;

	if (!filter)
		return -ENOMEM;
	while (!err && (word = strsep(&text, " \t"))) {
		if (!*word)
			continue;
		if (!isdigit(*word) || kstrtoint(word, 10, &nr) || nr < 1)
			err = -EINVAL;
		else
			err = mls_filter_add_pid(filter, nr);
	}
	if (!err)
		err = mls_session_filter(cookie, filter);
	if (err)
		mls_filter_put(filter);
	return err;
}

static int run_pid(const void *cookie, char *text)
{
	text = strim(text);
	if (!*text)
		return -EINVAL;
	if (!strcmp(text, "all"))
		return mls_session_filter(cookie, NULL);
	return filter_pids(cookie, text);
}

static int run(const void *cookie, char *text)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(text, commands[i].word))
			return commands[i].run(cookie);
	}
	if (!strncmp(text, "pid", 3) && (text[3] == ' ' || text[3] == '\t'))
		return run_pid(cookie, text + 4);
	return -EINVAL;
}

/*
 * strim() takes a no-break space of Latin-1 for a blank: no byte of that kind is part
 * of any command.
 */
static bool is_plain(const char *text, size_t size)
{
	while (size--) {
		if (!*text || !isascii(*text))
			return false;
		text++;
	}
	return true;
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t size, loff_t *pos)
{
	char *text, *line;
	int err;

	if (!size || size > MMLOCKSTAT_CONTROL_MAX)
		return -EINVAL;
	text = memdup_user_nul(from, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (!is_plain(text, size)) {
		kfree(text);
		return -EINVAL;
	}
	/* One command, with or without the newline that echo adds. */
	line = strim(text);
	if (strchr(line, '\n'))
		err = -EINVAL;
	else
		err = run(file, line);
	kfree(text);
	return err ? err : size;
}

static int control_open(struct inode *inode, struct file *file)
{
	return nonseekable_open(inode, file);
}

static int control_release(struct inode *inode, struct file *file)
{
	mls_session_disown(file);
	return 0;
}

const struct proc_ops mls_control_ops = {
	.proc_open = control_open,
	.proc_write = control_write,
	.proc_release = control_release,
};
