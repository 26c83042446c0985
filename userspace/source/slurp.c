// SPDX-License-Identifier: GPL-2.0-only
#include "source/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the text so far can begin with @first; blanks may come before. */
static bool begins_with(const char *text, size_t len, char first)
{
	size_t i = 0;

	while (i < len && (text[i] == ' ' || text[i] == '\t' ||
			   text[i] == '\r' || text[i] == '\n'))
		i++;
	return i == len || text[i] == first;
}

/**
 * slurp_name - what messages and tables call a file
 * @path: its name on the command line
 *
 * Context: any.
 * Return: @path, or other words for `-`.
 */
const char *slurp_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/**
 * slurp - read a whole file
 * @path: its name; `-` for standard input
 * @limit: most bytes it may have
 * @first: the character it must begin with, looked at after the first piece
 *	so that a huge file of another kind is not read; 0 for any
 * @text: the contents, NUL behind; the caller frees it
 * @len: bytes
 * @err: what went wrong, with the file's name
 *
 * Context: any; files of /proc too, which have no size.
 * Return: 0 or -errno.
 */
int slurp(const char *path, size_t limit, char first, char **text,
	  size_t *len, struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	const char *name = slurp_name(path);
	size_t cap = 64 * 1024, n = 0;
	char *buf, *more;
	ssize_t got;
	int fd, rc = 0;

	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, name);
	buf = malloc(cap + 1);
	if (!buf) {
		rc = err_sys(err, ENOMEM, name);
		goto out;
	}
	for (;;) {
		got = read(fd, buf + n, cap - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			rc = err_sys(err, errno, name);
			goto out;
		}
		if (!got)
			break;
		n += got;
		if (first && !begins_with(buf, n, first))
			break;		/* the parser says what it is not */
		if (n > limit) {
			rc = err_set(err, -EFBIG, "%s: larger than %zu MiB: not a file of ours",
				     name, limit >> 20);
			goto out;
		}
		if (n < cap)
			continue;
		more = realloc(buf, cap * 2 + 1);
		if (!more) {
			rc = err_sys(err, ENOMEM, name);
			goto out;
		}
		buf = more;
		cap *= 2;
	}
	buf[n] = '\0';
	*text = buf;
	*len = n;
out:
	if (rc)
		free(buf);
	if (!is_stdin)
		close(fd);
	return rc;
}
