// SPDX-License-Identifier: GPL-2.0-only
/* Swap to work with: what the machine has, or a device for the run. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <linux/fs.h>
#include <unistd.h>

#include "journal.h"
#include "resources.h"

/* Where the fields of a swap header of version 1 stand. */
#define SWAP_VERSION_AT		1024
#define SWAP_LAST_PAGE_AT	1028
#define SWAP_MAGIC		"SWAPSPACE2"
#define SWAP_MAGIC_LEN		10
/* So much of a device must be empty before it is written to. */
#define SWAP_LOOK		(64 * KIB)

/**
 * struct swap_space - swap that the machine has
 * @total_kib: all of it
 * @used_kib: in use
 * @only_zram: there is some, and it is all on zram
 */
struct swap_space {
	uint64_t total_kib;
	uint64_t used_kib;
	bool only_zram;
};

static void swap_look_up(struct swap_space *space)
{
	bool any = false, other = false;
	char line[512], name[256];
	FILE *file = fopen("/proc/swaps", "re");
	uint64_t size, used;

	memset(space, 0, sizeof(*space));
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%255s %*s %" SCNu64 " %" SCNu64, name, &size,
			   &used) != 3)
			continue;
		any = true;
		other |= !strstr(name, "/zram");
		space->total_kib += size;
		space->used_kib += used;
	}
	if (file)
		fclose(file);
	space->only_zram = any && !other;
}

static bool swap_is_on(const char *device)
{
	size_t len = strlen(device);
	bool found = false;
	char line[512];
	FILE *file = fopen("/proc/swaps", "re");

	while (file && fgets(line, sizeof(line), file))
		found |= !strncmp(line, device, len) && line[len] == ' ';
	if (file)
		fclose(file);
	return found;
}

static bool swap_all_zero(const char *data, size_t len)
{
	while (len--)
		if (*data++)
			return false;
	return true;
}

/* Refuses a device that holds anything: swapping would destroy it. */
static int swap_look(int fd, const char *device)
{
	char *data = calloc(1, SWAP_LOOK);
	int status = ML_PREMISE;
	ssize_t len;

	if (!data)
		return ML_FAILED;
	len = pread(fd, data, SWAP_LOOK, 0);
	if (len < (ssize_t)SWAP_LOOK)
		ml_error("cannot read %s: %s", device,
			 len < 0 ? strerror(errno) : "too small");
	else if (memcmp(data + ml_page - SWAP_MAGIC_LEN, SWAP_MAGIC,
			SWAP_MAGIC_LEN) && !swap_all_zero(data, SWAP_LOOK))
		ml_error("%s holds data: clear it first (wipefs -a, and zeroes at its start)",
			 device);
	else
		status = ML_DONE;
	free(data);
	return status;
}

static int swap_write_header(int fd, const char *device, uint64_t bytes)
{
	char *page = calloc(1, ml_page);
	uint32_t version = 1, last = bytes / ml_page - 1;
	int status = ML_DONE;

	if (!page)
		return ML_FAILED;
	memcpy(page + SWAP_VERSION_AT, &version, sizeof(version));
	memcpy(page + SWAP_LAST_PAGE_AT, &last, sizeof(last));
	memcpy(page + ml_page - SWAP_MAGIC_LEN, SWAP_MAGIC, SWAP_MAGIC_LEN);
	if (pwrite(fd, page, ml_page, 0) != (ssize_t)ml_page || fsync(fd)) {
		ml_error("cannot write a swap header to %s: %s", device,
			 strerror(errno));
		status = ML_FAILED;
	}
	free(page);
	return status;
}

static int swap_on_device(const char *device, uint64_t bytes)
{
	uint64_t size = 0;
	struct stat st;
	int fd, status;

	if (swap_is_on(device)) {
		ml_error("%s is swap already: use --swap-on existing", device);
		return ML_PREMISE;
	}
	/* O_EXCL: refused if it is mounted or otherwise in use. */
	fd = open(device, O_RDWR | O_EXCL | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISBLK(st.st_mode)) {
		ml_error("cannot swap to %s: %s", device,
			 fd < 0 ? strerror(errno) : "not a block device");
		if (fd >= 0)
			close(fd);
		return ML_PREMISE;
	}
	if (ioctl(fd, BLKGETSIZE64, &size) || size < bytes) {
		ml_error("%s has %" PRIu64 " MiB, %" PRIu64 " are needed", device,
			 size / MIB, bytes / MIB);
		close(fd);
		return ML_PREMISE;
	}
	status = swap_look(fd, device);
	if (!status)
		status = swap_write_header(fd, device, size);
	close(fd);
	if (status)
		return status;
	if (ml_undo_later(ML_UNDO_SWAPOFF, device, ""))
		return ML_FAILED;
	/* Before all other swap. */
	if (swapon(device, SWAP_FLAG_PREFER | SWAP_FLAG_PRIO_MASK)) {
		ml_error("cannot swap to %s: %s", device, strerror(errno));
		return errno == EPERM ? ML_PREMISE : ML_FAILED;
	}
	return ML_DONE;
}

/**
 * ml_swap_prepare() - see to it that there is swap
 * @where: "existing", "null_blk" or a block device
 * @bytes: how much will be swapped out
 * @allow_zram: zram alone is good enough
 *
 * There must be twice as much: when half of all swap is in use, the kernel
 * gives a page's place in swap away as soon as the page is read, and it has to
 * be written again the next time.
 *
 * Return: an enum ml_status; other than ML_DONE a line has said why.
 */
int ml_swap_prepare(const char *where, uint64_t bytes, bool allow_zram)
{
	char device[ML_PATH];
	struct swap_space space;
	int status;

	swap_look_up(&space);
	if (!strcmp(where, ML_NULL_BLK)) {
		status = ml_null_blk(4 * bytes + 64 * MIB, bytes, device);
		return status ? status : swap_on_device(device, 2 * bytes);
	}
	if (strcmp(where, "existing"))
		return swap_on_device(where, 2 * bytes + bytes / 4);
	if (space.only_zram && !allow_zram) {
		ml_error("all swap is on zram, which completes at once: use --swap-on null_blk or a device");
		return ML_PREMISE;
	}
	if (space.total_kib >= 2 * (space.used_kib + bytes / KIB))
		return ML_DONE;
	ml_error("needs %" PRIu64 " MiB of swap, has %" PRIu64
		 ": use --swap-on null_blk or a device",
		 2 * (space.used_kib + bytes / KIB) / KIB, space.total_kib / KIB);
	return ML_PREMISE;
}
