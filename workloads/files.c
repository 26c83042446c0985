// SPDX-License-Identifier: GPL-2.0-only
/* Files to map, where their pages come from a device. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "journal.h"
#include "resources.h"

/* Inodes and tables of a file system, beside its files. */
#define FS_OVERHEAD(bytes)	((bytes) / 16 + 32 * MIB)

static int files_mkfs(const char *device)
{
	const char *const mkfs[] = {
		"mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-E", "nodiscard",
		device, NULL
	};
	int status = ml_program(mkfs);

	if (!status)
		return ML_DONE;
	ml_error("mkfs.ext4 %s", status == 127 ?
		 "is not installed (e2fsprogs): name a directory instead" :
		 "failed on the null_blk device");
	return status == 127 ? ML_PREMISE : ML_FAILED;
}

static int files_mount(uint64_t bytes, char *dir)
{
	char device[ML_PATH];
	int status;

	status = ml_null_blk(bytes + FS_OVERHEAD(bytes), bytes, device);
	if (!status)
		status = files_mkfs(device);
	if (status)
		return status;
	snprintf(dir, ML_PATH, "/tmp/mmlockload.%d", (int)getpid());
	if (ml_undo_later(ML_UNDO_RMDIR, dir, "") || mkdir(dir, 0700)) {
		ml_error("cannot make %s: %s", dir, strerror(errno));
		return ML_FAILED;
	}
	if (ml_undo_later(ML_UNDO_UMOUNT, dir, "") ||
	    mount(device, dir, "ext4", MS_NOATIME | MS_NODEV | MS_NOSUID, NULL)) {
		ml_error("cannot mount %s on %s: %s", device, dir, strerror(errno));
		return ML_FAILED;
	}
	return ML_DONE;
}

/**
 * ml_dir_prepare() - a directory for files
 * @where: a directory, or "null_blk" for a file system on a device of our own
 * @bytes: what the files will take
 * @dir: receives its path, ML_PATH bytes
 *
 * Return: an enum ml_status; other than ML_DONE a line has said why.
 */
int ml_dir_prepare(const char *where, uint64_t bytes, char *dir)
{
	struct statvfs st;

	if (!strcmp(where, ML_NULL_BLK))
		return files_mount(bytes, dir);
	errno = ENAMETOOLONG;
	if (strlen(where) >= ML_PATH || statvfs(where, &st) ||
	    access(where, W_OK | X_OK)) {
		ml_error("cannot write to %s: %s", where, strerror(errno));
		return ML_PREMISE;
	}
	if (bytes / st.f_frsize >= st.f_bavail) {
		ml_error("needs %" PRIu64 " MiB on %s, %" PRIu64 " are free",
			 bytes / MIB, where,
			 (uint64_t)st.f_bavail * st.f_frsize / MIB);
		return ML_PREMISE;
	}
	strcpy(dir, where);
	return ML_DONE;
}

/* A file without a name, so that there is nothing to remove. */
static int files_open(const char *dir)
{
	char path[ML_PATH + 32];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not every file system can do that. */
	snprintf(path, sizeof(path), "%s/mmlockload.XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/**
 * ml_file_make() - a file full of data, without a name
 * @dir: where
 * @bytes: its size
 *
 * Its blocks are all written, so that reading them takes the device's time.
 *
 * Return: a file descriptor, or -1 when a line has said why or a signal came.
 */
int ml_file_make(const char *dir, uint64_t bytes)
{
	uint64_t block[4096 / sizeof(uint64_t)], done, state = bytes;
	int fd = files_open(dir);
	size_t i;

	if (fd < 0) {
		ml_error("cannot make a file in %s: %s", dir, strerror(errno));
		return -1;
	}
	for (done = 0; done < bytes; done += sizeof(block)) {
		size_t len = bytes - done < sizeof(block) ? bytes - done :
			     sizeof(block);

		for (i = 0; i < sizeof(block) / sizeof(*block); i++)
			block[i] = ml_random(&state);
		if (write(fd, block, len) != (ssize_t)len) {
			ml_error("cannot fill a file in %s: %s", dir,
				 strerror(errno));
			close(fd);
			return -1;
		}
		if (!(done & (16 * MIB - 1)) && ml_stopped()) {
			close(fd);
			return -1;
		}
	}
	return fd;
}

/**
 * ml_file_chill() - write a file back and drop it from memory
 * @fd: the file, not mapped anywhere
 * @bytes: its size
 *
 * Return: bytes that stayed in memory, or a negative errno.
 */
int ml_file_chill(int fd, uint64_t bytes)
{
	unsigned char *in_memory;
	uint64_t pages = (bytes + ml_page - 1) / ml_page, i;
	void *area;
	int stayed = 0;

	if (fdatasync(fd))
		return -errno;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	area = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	in_memory = malloc(pages);
	if (area == MAP_FAILED || !in_memory || mincore(area, bytes, in_memory))
		stayed = -ENOMEM;
	for (i = 0; stayed >= 0 && i < pages; i++)
		stayed += (in_memory[i] & 1) * ml_page;
	free(in_memory);
	if (area != MAP_FAILED)
		munmap(area, bytes);
	return stayed;
}

/**
 * ml_dir_need_cold() - check that files in a directory can leave memory
 * @dir: the directory
 *
 * Files in a tmpfs are memory: nothing is read from a device there.
 *
 * Return: ML_DONE, or another enum ml_status when a line has said why.
 */
int ml_dir_need_cold(const char *dir)
{
	const uint64_t bytes = MIB;
	int fd = ml_file_make(dir, bytes), stayed;

	if (fd < 0)
		return ML_FAILED;
	stayed = ml_file_chill(fd, bytes);
	close(fd);
	if (!stayed)
		return ML_DONE;
	ml_error("files in %s stay in memory (a tmpfs?): use --dir " ML_NULL_BLK
		 " or a directory on a disk", dir);
	return ML_PREMISE;
}
