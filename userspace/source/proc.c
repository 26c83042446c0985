// SPDX-License-Identifier: GPL-2.0-only
#include "source/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <mmlockstat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/slurp.h"

/* A snapshot has at most some tens of thousands of short lines. */
#define PROC_MAX_BYTES	(64UL * 1024 * 1024)

/**
 * proc_dir - where the module's files are
 *
 * MMLOCKSTAT_PROC in the environment names another directory: for tests, which
 * put captured files there.
 *
 * Context: any.
 * Return: the directory.
 */
const char *proc_dir(void)
{
	const char *dir = secure_getenv("MMLOCKSTAT_PROC");

	return dir && *dir ? dir : MMLOCKSTAT_PROC_DIR;
}

static int path_of(const char *file, char *path, size_t size, struct err *err)
{
	int n = snprintf(path, size, "%s/%s", proc_dir(), file);

	if (n < 0 || (size_t)n >= size)
		return err_sys(err, ENAMETOOLONG, file);
	return 0;
}

/* What to do about it, where that is known. */
static int explain(struct err *err, int errnum, const char *path)
{
	switch (errnum) {
	case ENOENT:
	/* Removed after it was opened: so says /proc of it, or the module. */
	case EIO:
	case ENODEV:
		return err_set(err, -ENOENT,
			       "%s: the module is not loaded: run 'modprobe mmlockstat' as root",
			       path);
	case EACCES:
	case EPERM:
		return err_set(err, -errnum,
			       "%s: no permission: run as root", path);
	case EBUSY:
		return err_set(err, -errnum,
			       "%s: another program has control of the module (a running 'mmlockstat record'?): wait for it or end it",
			       path);
	default:
		return err_sys(err, errnum, path);
	}
}

/**
 * proc_read - read one of the module's files
 * @file: its name in the directory
 * @text: its contents; the caller frees it
 * @len: bytes
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int proc_read(const char *file, char **text, size_t *len, struct err *err)
{
	char path[4096];
	int rc;

	rc = path_of(file, path, sizeof(path), err);
	if (rc)
		return rc;
	rc = slurp(path, PROC_MAX_BYTES, 0, text, len, err);
	if (rc && rc != -EFBIG)
		return explain(err, -rc, path);
	return rc;
}

/**
 * proc_snapshot - take a snapshot
 * @snap: the snapshot; to be freed by the caller on success
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno; -ENOENT when the module is not loaded.
 */
int proc_snapshot(struct snapshot *snap, struct err *err)
{
	struct err why;
	size_t len;
	char *text;
	int rc;

	*snap = (struct snapshot){ 0 };
	rc = proc_read(MMLOCKSTAT_FILE_SNAPSHOT, &text, &len, err);
	if (rc)
		return rc;
	rc = snapshot_parse(text, len, snap, &why);
	free(text);
	if (rc)
		err_set(err, rc, "%s/%s: %s", proc_dir(),
			MMLOCKSTAT_FILE_SNAPSHOT, why.text);
	return rc;
}

/**
 * proc_control_open - open the control file
 * @err: what went wrong
 *
 * Context: any; not inherited by programs that are run.
 * Return: a descriptor, or -errno.
 */
int proc_control_open(struct err *err)
{
	char path[4096];
	int fd, rc;

	rc = path_of(MMLOCKSTAT_FILE_CONTROL, path, sizeof(path), err);
	if (rc)
		return rc;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? explain(err, errno, path) : fd;
}

/**
 * proc_control - say one command to the module
 * @fd: of proc_control_open()
 * @command: the command, without a newline
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int proc_control(int fd, const char *command, struct err *err)
{
	char line[MMLOCKSTAT_CONTROL_MAX + 1], path[4096];
	ssize_t n, done;

	n = snprintf(line, sizeof(line), "%s\n", command);
	if (n < 0 || (size_t)n >= sizeof(line))
		return err_set(err, -E2BIG, "'%.40s...': longer than the module takes",
			       command);
	do {
		done = write(fd, line, n);
	} while (done < 0 && errno == EINTR);
	if (done == n)
		return 0;
	if (done >= 0)
		return err_set(err, -EIO, "'%.40s': the module took only a part of it",
			       command);
	if (errno == ESRCH)
		return err_set(err, -ESRCH, "'%s': no such process", command);
	if (errno == EINVAL)
		return err_set(err, -EINVAL,
			       "'%s': the module does not know this command: install module and reader of one version",
			       command);
	if (path_of(MMLOCKSTAT_FILE_CONTROL, path, sizeof(path), NULL))
		path[0] = '\0';
	return explain(err, errno, path);
}
