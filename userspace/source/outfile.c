// SPDX-License-Identifier: GPL-2.0-only
#include "source/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/tempfile.h"

/**
 * outfile_is_special - whether a name is of a pipe or a device
 * @path: the name
 *
 * Such a thing is written as it is: renaming over it would destroy it.
 *
 * Context: any.
 * Return: true if so.
 */
bool outfile_is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

#define MAX_LINKS	40

/* What a path's last component is in: its length, 0 for the current one. */
static size_t dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 - path : 0;
}

/*
 * A link's target is what is to be replaced, not the link, also where there is
 * no such file yet: as if the shell wrote it.  NULL with errno set.
 */
static char *final_path(const char *path)
{
	char *at = strdup(path), *next, target[PATH_MAX];
	ssize_t n;
	int i, rc;

	for (i = 0; at && i < MAX_LINKS; i++) {
		n = readlink(at, target, sizeof(target) - 1);
		if (n < 0)
			return at;		/* no link, or nothing */
		target[n] = '\0';
		rc = *target == '/' ?
		     asprintf(&next, "%s", target) :
		     asprintf(&next, "%.*s%s", (int)dir_len(at), at, target);
		free(at);
		at = rc < 0 ? NULL : next;
	}
	free(at);
	errno = at ? ELOOP : ENOMEM;
	return NULL;
}

/* The directory of a path, as something that can be opened. */
static char *dir_of(const char *path)
{
	size_t len = dir_len(path);

	return len ? strndup(path, len) : strdup(".");
}

/**
 * outfile_is_same - whether two names are of one file
 * @a: a name
 * @b: another
 *
 * Devices and pipes are what they are: they may be written twice.
 *
 * Context: any; the files need not be there.
 * Return: true when writing one would replace the other.
 */
bool outfile_is_same(const char *a, const char *b)
{
	char *path[2] = { final_path(a), final_path(b) };
	const char *base[2];
	bool same = false;
	struct stat st[2];
	char *dir;
	int i, rc = 0;

	if (outfile_is_special(a) || outfile_is_special(b) || !path[0] || !path[1])
		goto out;
	for (i = 0; i < 2; i++) {
		dir = dir_of(path[i]);
		rc |= dir ? stat(dir, &st[i]) : -1;
		free(dir);
		base[i] = path[i] + dir_len(path[i]);
	}
	same = !rc && st[0].st_dev == st[1].st_dev &&
	       st[0].st_ino == st[1].st_ino && !strcmp(base[0], base[1]);
out:
	free(path[0]);
	free(path[1]);
	return same;
}

/**
 * outfile_check - whether a file could be written, before the work is done
 * @path: its name
 * @old: as of outfile_open_keep(), or NULL
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int outfile_check(const char *path, const char *old, struct err *err)
{
	char *real, *dir;
	struct stat st;
	int rc = 0;

	if (!*path)
		return err_set(err, -EINVAL, "the output's name is empty");
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return err_sys(err, EISDIR, path);
	if (outfile_is_special(path)) {
		if (access(path, W_OK))
			return err_sys(err, errno, path);
		return 0;
	}
	if (old && !lstat(path, &st) && !lstat(old, &st) && S_ISDIR(st.st_mode))
		return err_set(err, -EISDIR,
			       "%s: %s, and %s has to be kept there", old,
			       strerror(EISDIR), path);
	real = final_path(path);
	dir = real ? dir_of(real) : NULL;
	if (!dir || access(dir, W_OK | X_OK))
		rc = err_sys(err, errno, path);
	free(real);
	free(dir);
	return rc;
}

/* @old: as of outfile_open_keep(), or NULL. */
static int begin(struct outfile *file, const char *path, const char *old,
		 struct err *err)
{
	struct stat st;
	mode_t mask;
	bool keeps;
	int fd, rc;

	*file = (struct outfile){ 0 };
	if (!strcmp(path, "-"))
		return err_set(err, -EINVAL,
			       "-: the output needs a name (./- for a file called -)");
	if (outfile_is_special(path)) {
		file->path = strdup(path);
		file->out = file->path ? fopen(path, "we") : NULL;
		if (!file->out)
			goto fail;
		return 0;
	}
	keeps = old && !lstat(path, &st);
	if (keeps)
		file->old = strdup(old);
	file->path = keeps ? strdup(path) : final_path(path);
	if (!file->path || (keeps && !file->old))
		goto fail;
	if (asprintf(&file->temp, "%s.XXXXXX", file->path) < 0) {
		file->temp = NULL;
		errno = ENOMEM;
		goto fail;
	}
	fd = tempfile_open(file->temp, 0);
	if (fd < 0) {
		rc = errno;
		free(file->temp);
		file->temp = NULL;
		errno = rc;
		goto fail;
	}
	mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
	file->out = fdopen(fd, "w");
	if (!file->out) {
		rc = errno;
		close(fd);
		errno = rc;
		goto fail;
	}
	return 0;

fail:
	rc = err_sys(err, errno, path);
	outfile_abort(file);
	return rc;
}

/**
 * outfile_open - begin a file
 * @file: the file
 * @path: its final name
 * @err: what went wrong
 *
 * Context: any; ends with outfile_commit() or outfile_abort().
 * Return: 0 or -errno.
 */
int outfile_open(struct outfile *file, const char *path, struct err *err)
{
	return begin(file, path, NULL, err);
}

/**
 * outfile_open_keep - begin a file, and keep what its name holds
 * @file: the file
 * @path: its final name; a link there is kept itself, not its target
 * @old: the other name of what is kept; what that holds is lost
 * @err: what went wrong
 *
 * Context: as of outfile_open().
 * Return: 0 or -errno.
 */
int outfile_open_keep(struct outfile *file, const char *path, const char *old,
		      struct err *err)
{
	return begin(file, path, old, err);
}

/**
 * outfile_open_spare - begin a file where there is room for what has no other place
 * @file: the file; its name is in @file->path
 * @base: what its name begins with
 * @err: what went wrong
 *
 * In the directory for temporary files, for its owner only.
 *
 * Context: as of outfile_open().
 * Return: 0 or -errno.
 */
int outfile_open_spare(struct outfile *file, const char *base,
		       struct err *err)
{
	static const char suffix[] = ".json";
	const char *dir = getenv("TMPDIR");
	int fd, rc;

	*file = (struct outfile){ 0 };
	if (!dir || !*dir)
		dir = "/tmp";
	if (asprintf(&file->path, "%s/%s-XXXXXX%s", dir, base, suffix) < 0) {
		file->path = NULL;
		return err_sys(err, ENOMEM, dir);
	}
	fd = tempfile_open(file->path, strlen(suffix));
	if (fd < 0) {
		rc = err_sys(err, errno, dir);
	} else {
		file->temp = strdup(file->path);
		file->out = fdopen(fd, "w");
		if (file->temp && file->out)
			return 0;
		rc = err_sys(err, ENOMEM, dir);
		unlink(file->path);
		tempfile_forget();
		if (!file->out)
			close(fd);
	}
	outfile_abort(file);
	return rc;
}

/*
 * The complete file gets its name, and what had that name gets another: both,
 * or none.  Exchanged first, so that at no moment the name is nobody's.
 */
static int rename_both(const struct outfile *file)
{
	int rc;

	if (!renameat2(AT_FDCWD, file->temp, AT_FDCWD, file->path,
		       RENAME_EXCHANGE)) {
		if (!rename(file->temp, file->old))
			return 0;
		rc = errno;
		renameat2(AT_FDCWD, file->temp, AT_FDCWD, file->path,
			  RENAME_EXCHANGE);
		return rc;
	}
	/* Not every file system can exchange. */
	if (errno != EINVAL)
		return errno;
	if (rename(file->path, file->old))
		return errno;
	if (!rename(file->temp, file->path))
		return 0;
	rc = errno;
	rename(file->old, file->path);
	return rc;
}

/**
 * outfile_commit - end a file and give it its name
 * @file: the file, closed afterwards also on failure
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno, and then nothing is left behind.
 */
int outfile_commit(struct outfile *file, struct err *err)
{
	FILE *out = file->out;
	sigset_t was;
	int rc = 0;

	errno = 0;
	if (fflush(out) || ferror(out))
		rc = errno ? errno : EIO;
	if (!rc && file->temp && fsync(fileno(out)))
		rc = errno;
	file->out = NULL;
	if (fclose(out) && !rc)
		rc = errno;
	/* Half way, what is kept has the name that a signal would remove. */
	tempfile_hold(&was);
	if (!rc && file->old)
		rc = rename_both(file);
	else if (!rc && file->temp && rename(file->temp, file->path))
		rc = errno;
	if (!rc && file->temp)
		tempfile_forget();
	tempfile_release(&was);
	if (rc) {
		rc = err_sys(err, rc, file->path);
	} else {
		free(file->temp);
		file->temp = NULL;
	}
	outfile_abort(file);
	return rc;
}

/**
 * outfile_abort - forget a file
 * @file: the file; the final name is untouched
 *
 * Context: any; harmless after outfile_commit().
 */
void outfile_abort(struct outfile *file)
{
	if (file->out)
		fclose(file->out);
	if (file->temp) {
		unlink(file->temp);
		tempfile_forget();
	}
	free(file->temp);
	free(file->path);
	free(file->old);
	*file = (struct outfile){ 0 };
}
