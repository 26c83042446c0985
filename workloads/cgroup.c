// SPDX-License-Identifier: GPL-2.0-only
/* A memory cgroup for the run, of either version. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal.h"
#include "resources.h"

/* Where the hierarchy with the memory controller is mounted. */
static bool cgroup_root(char *root, bool *v2)
{
	char line[1024], dir[256], type[64], flags[512], path[300], text[512];
	FILE *file = fopen("/proc/self/mounts", "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %255s %63s %511s", dir, type, flags) != 3 ||
		    strlen(dir) >= ML_PATH / 2)
			continue;
		if (!strcmp(type, "cgroup")) {
			char *last, *word;

			for (word = strtok_r(flags, ",", &last); word;
			     word = strtok_r(NULL, ",", &last))
				found |= !strcmp(word, "memory");
			*v2 = false;
		} else if (!strcmp(type, "cgroup2")) {
			snprintf(path, sizeof(path), "%s/cgroup.controllers", dir);
			found = !ml_file_read(path, text, sizeof(text)) &&
				strstr(text, "memory");
			*v2 = true;
		}
		if (found)
			strcpy(root, dir);
	}
	if (file)
		fclose(file);
	return found;
}

static int cgroup_write(const struct ml_cgroup *group, const char *name,
			uint64_t value)
{
	char path[ML_PATH + 64], text[32];

	snprintf(path, sizeof(path), "%s/%s", group->path, name);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return ml_file_write(path, text);
}

/* Children get the memory controller only where the root hands it on. */
static int cgroup_hand_on(const char *root)
{
	char path[ML_PATH], text[512];
	int err;

	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", root);
	err = ml_file_read(path, text, sizeof(text));
	if (err || strstr(text, "memory"))
		return err;
	if (ml_undo_later(ML_UNDO_WRITE, path, "-memory"))
		return -ENOSPC;
	return ml_file_write(path, "+memory");
}

static int cgroup_limit(const struct ml_cgroup *group, uint64_t limit, bool swap)
{
	int err;

	err = cgroup_write(group, group->v2 ? "memory.max" :
			   "memory.limit_in_bytes", limit);
	if (err || swap)
		return err;
	err = cgroup_write(group, group->v2 ? "memory.swap.max" :
			   "memory.memsw.limit_in_bytes", group->v2 ? 0 : limit);
	/* No such file: the kernel does not swap groups at all. */
	return err == -ENOENT ? 0 : err;
}

/**
 * ml_cgroup_make() - make a memory cgroup with a limit
 * @group: filled in
 * @name: its name in messages and on disk
 * @limit: its memory, in bytes
 * @swap: its memory may be swapped out
 *
 * Return: an enum ml_status; other than ML_DONE a line has said why.
 */
int ml_cgroup_make(struct ml_cgroup *group, const char *name, uint64_t limit,
		   bool swap)
{
	char root[ML_PATH / 2];
	int err;

	if (!cgroup_root(root, &group->v2)) {
		ml_error("no memory cgroups: mount cgroup2 on /sys/fs/cgroup");
		return ML_PREMISE;
	}
	if (geteuid()) {
		ml_error("a memory cgroup needs root");
		return ML_PREMISE;
	}
	err = group->v2 ? cgroup_hand_on(root) : 0;
	if (err) {
		ml_error("cannot hand the memory controller on below %s: %s", root,
			 strerror(-err));
		return ML_PREMISE;
	}
	snprintf(group->path, sizeof(group->path), "%s/mmlockload-%s", root, name);
	if (ml_undo_later(ML_UNDO_RMDIR, group->path, ""))
		return ML_FAILED;
	if (mkdir(group->path, 0755)) {
		ml_error("cannot make %s: %s", group->path, strerror(errno));
		return ML_FAILED;
	}
	err = cgroup_limit(group, limit, swap);
	if (err) {
		ml_error("cannot limit %s to %" PRIu64 " bytes: %s", group->path,
			 limit, strerror(-err));
		return ML_FAILED;
	}
	return ML_DONE;
}

/**
 * ml_cgroup_enter() - move the calling process into a cgroup
 * @group: the cgroup
 *
 * Return: ML_DONE, or ML_FAILED when a line has said why.
 */
int ml_cgroup_enter(const struct ml_cgroup *group)
{
	int err = cgroup_write(group, "cgroup.procs", getpid());

	if (!err)
		return ML_DONE;
	ml_error("cannot move into %s: %s", group->path, strerror(-err));
	return ML_FAILED;
}

/**
 * ml_cgroup_stat() - a counter of a cgroup's memory.stat
 * @group: the cgroup
 * @name: the counter
 *
 * Return: its value, UINT64_MAX if there is none.
 */
uint64_t ml_cgroup_stat(const struct ml_cgroup *group, const char *name)
{
	char path[ML_PATH + 64];

	snprintf(path, sizeof(path), "%s/memory.stat", group->path);
	return ml_file_field(path, name, ' ');
}
