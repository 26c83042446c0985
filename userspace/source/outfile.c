// SPDX-License-Identifier: GPL-2.0-only
#include "source/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe or a device is written as it is: renaming over it would destroy it. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* A link's target is what is to be replaced, not the link. */
static char *final_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : strdup(path);
}

/**
 * outfile_check - whether a file could be written, before the work is done
 * @path: its name
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int outfile_check(const char *path, struct err *err)
{
	char *copy;
	int rc = 0;
	struct stat st;

	if (!*path)
		return err_set(err, -EINVAL, "the output's name is empty");
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return err_sys(err, EISDIR, path);
	if (is_special(path)) {
		if (access(path, W_OK))
			return err_sys(err, errno, path);
		return 0;
	}
	copy = strdup(path);
	if (!copy)
		return err_sys(err, ENOMEM, path);
	if (access(dirname(copy), W_OK | X_OK))
		rc = err_sys(err, errno, path);
	free(copy);
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
	mode_t mask;
	int fd, rc;

	*file = (struct outfile){ 0 };
	if (is_special(path)) {
		file->path = strdup(path);
		file->out = file->path ? fopen(path, "we") : NULL;
		if (!file->out)
			goto fail;
		return 0;
	}
	file->path = final_path(path);
	if (!file->path ||
	    asprintf(&file->temp, "%s.XXXXXX", file->path) < 0) {
		file->temp = NULL;
		errno = ENOMEM;
		goto fail;
	}
	fd = mkostemp(file->temp, O_CLOEXEC);
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
	int rc = 0;

	errno = 0;
	if (fflush(out) || ferror(out))
		rc = errno ? errno : EIO;
	if (!rc && file->temp && fsync(fileno(out)))
		rc = errno;
	file->out = NULL;
	if (fclose(out) && !rc)
		rc = errno;
	if (!rc && file->temp && rename(file->temp, file->path))
		rc = errno;
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
	if (file->temp)
		unlink(file->temp);
	free(file->temp);
	free(file->path);
	*file = (struct outfile){ 0 };
}
