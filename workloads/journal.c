// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was changed outside the worker, and how to undo it.
 *
 * An entry is complete in shared memory before the change it stands for is
 * made, so a worker killed at any point leaves a journal that covers all it
 * did.  Undoing something that was not done after all is harmless: each kind
 * of entry takes "is so already" for success.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "frame.h"
#include "journal.h"

#define JOURNAL_MAX	256
#define UNDO_TRIES	50
#define UNDO_PAUSE_NS	(20 * NSEC_PER_MSEC)

struct journal_entry {
	enum ml_undo kind;
	char path[256];
	char value[64];
};

struct journal {
	atomic_uint nr;
	struct journal_entry entry[JOURNAL_MAX];
};

static struct journal *journal;

/**
 * ml_journal_init() - make the journal
 *
 * Context: once, before the worker is forked.
 * Return: 0 or a negative errno.
 */
int ml_journal_init(void)
{
	void *area = mmap(NULL, sizeof(*journal), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return -errno;
	journal = area;
	return 0;
}

/**
 * ml_undo_later() - something is about to be made or changed: undo it at the end
 * @kind: what undoes it
 * @path: what it is about
 * @value: what to write, for ML_UNDO_WRITE; otherwise ""
 *
 * Context: the worker's main thread, before the change is made.
 * Return: 0, or a negative errno when a line has said why not.
 */
int ml_undo_later(enum ml_undo kind, const char *path, const char *value)
{
	unsigned int nr = atomic_load(&journal->nr);
	struct journal_entry *entry = &journal->entry[nr];

	if (nr == JOURNAL_MAX) {
		ml_error("%s: more than %d changes to undo", path, JOURNAL_MAX);
		return -ENOSPC;
	}
	if (strlen(path) >= sizeof(entry->path) ||
	    strlen(value) >= sizeof(entry->value)) {
		ml_error("%s: path or value too long", path);
		return -ENAMETOOLONG;
	}
	entry->kind = kind;
	strcpy(entry->path, path);
	strcpy(entry->value, value);
	/* Publishes the entry: pairs with the load in ml_journal_undo(). */
	atomic_store(&journal->nr, nr + 1);
	return 0;
}

/* A setting like "always [madvise] never" is written as the chosen word. */
static void journal_chosen(char *text)
{
	char *open = strchr(text, '[');
	char *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	*close = '\0';
	memmove(text, open + 1, close - open);
}

/**
 * ml_setting() - change a setting until the workload ends
 * @path: file of the setting below /proc/sys or /sys
 * @value: what to write; nothing is done if it stands there already
 *
 * Context: the worker's main thread.
 * Return: 0, or a negative errno when a line has said why not.
 */
int ml_setting(const char *path, const char *value)
{
	char old[64];
	int err;

	err = ml_file_read(path, old, sizeof(old));
	if (err) {
		ml_error("cannot read %s: %s", path, strerror(-err));
		return err;
	}
	journal_chosen(old);
	if (!strcmp(old, value))
		return 0;
	/* The right to change it, before it stands in the journal. */
	if (access(path, W_OK)) {
		err = -errno;
		ml_error("cannot change %s from %s to %s: %s: run as root or set it beforehand",
			 path, old, value, strerror(-err));
		return err;
	}
	err = ml_undo_later(ML_UNDO_WRITE, path, old);
	if (err)
		return err;
	err = ml_file_write(path, value);
	if (err)
		ml_error("cannot change %s from %s to %s: %s", path, old, value,
			 strerror(-err));
	return err;
}

static int journal_undo_one(const struct journal_entry *entry)
{
	int err = 0;

	switch (entry->kind) {
	case ML_UNDO_WRITE:
		err = ml_file_write(entry->path, entry->value);
		break;
	case ML_UNDO_UNLINK:
		err = unlink(entry->path) ? -errno : 0;
		break;
	case ML_UNDO_RMDIR:
		err = rmdir(entry->path) ? -errno : 0;
		break;
	case ML_UNDO_SWAPOFF:
		err = swapoff(entry->path) ? -errno : 0;
		break;
	case ML_UNDO_UMOUNT:
		err = umount2(entry->path, UMOUNT_NOFOLLOW) ? -errno : 0;
		break;
	case ML_UNDO_RMMOD:
		err = syscall(SYS_delete_module, entry->path, O_NONBLOCK) ?
		      -errno : 0;
		/* EAGAIN: still referenced, as EBUSY of the others. */
		if (err == -EAGAIN)
			err = -EBUSY;
		break;
	}
	/* EINVAL: no swap there, or nothing mounted: not done, or undone. */
	if (err == -EINVAL && (entry->kind == ML_UNDO_SWAPOFF ||
			       entry->kind == ML_UNDO_UMOUNT))
		return 0;
	return err == -ENOENT ? 0 : err;
}

/**
 * ml_journal_undo() - undo every change, the last one first
 *
 * Context: the supervisor, when the worker and its children are gone.  A
 * cgroup or a device stays busy for a moment after that: tried again for a
 * second.
 * Return: how many could not be undone; a line has named each.
 */
int ml_journal_undo(void)
{
	static const char *const doing[] = {
		[ML_UNDO_WRITE] = "put back", [ML_UNDO_UNLINK] = "remove",
		[ML_UNDO_RMDIR] = "remove", [ML_UNDO_SWAPOFF] = "stop swapping to",
		[ML_UNDO_UMOUNT] = "unmount", [ML_UNDO_RMMOD] = "unload",
	};
	/* Pairs with the store in ml_undo_later(). */
	unsigned int nr = atomic_load(&journal->nr);
	int failed = 0;

	while (nr--) {
		const struct journal_entry *entry = &journal->entry[nr];
		int tries = 0, err;

		while ((err = journal_undo_one(entry)) == -EBUSY &&
		       ++tries < UNDO_TRIES)
			ml_sleep_ns(UNDO_PAUSE_NS);
		if (err) {
			ml_error("cannot %s %s%s%s: %s: do it by hand",
				 doing[entry->kind], entry->path,
				 *entry->value ? " to " : "", entry->value,
				 strerror(-err));
			failed++;
		}
	}
	atomic_store(&journal->nr, 0);
	return failed;
}
