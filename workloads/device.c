// SPDX-License-Identifier: GPL-2.0-only
/*
 * A block device in memory whose requests complete later, from a timer.
 *
 * Swap and files of these workloads must not be ready at once: a fault that
 * has to wait for its page drops the lock and comes again, and that is what
 * is looked at.  A ram disk or zram completes within the submission.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal.h"
#include "resources.h"

#define CONFIG_DIR	"/sys/kernel/config"
#define NULL_BLK_DIR	CONFIG_DIR "/nullb"
/* Name of the directory; newer kernels call the disk so too. */
#define DEVICE_NAME	"mmlockload"

uint64_t ml_device_latency_us = 50;

/**
 * ml_program() - run a program of the system and wait for it
 * @argv: its name and arguments, NULL at the end
 *
 * Looks in the system's administrative directories too. What it prints on
 * standard output goes nowhere.
 *
 * Context: the worker's main thread, while it has no others.
 * Return: its exit status, 127 if there is no such program.
 */
int ml_program(const char *const *argv)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		const char *path = getenv("PATH");
		char all[4096];

		snprintf(all, sizeof(all), "%s:/usr/sbin:/sbin:/usr/bin:/bin",
			 path ? path : "/usr/local/bin");
		setenv("PATH", all, 1);
		if (!freopen("/dev/null", "w", stdout))
			_exit(126);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (pid < 0)
		return 126;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

static int device_attribute(const char *name, uint64_t value)
{
	char path[ML_PATH], text[32];
	int err;

	snprintf(path, sizeof(path), NULL_BLK_DIR "/" DEVICE_NAME "/%s", name);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	err = ml_file_write(path, text);
	if (err)
		ml_error("cannot set %s of the null_blk device to %s: %s", name,
			 text, strerror(-err));
	return err;
}

/* The directory where null_blk devices are made, mounted and loaded. */
static int device_configfs(void)
{
	static const char *const modprobe[] = {
		"modprobe", "-q", "null_blk", "nr_devices=0", NULL
	};

	if (access("/sys/module/null_blk", F_OK)) {
		if (ml_undo_later(ML_UNDO_RMMOD, "null_blk", ""))
			return ML_FAILED;
		if (ml_program(modprobe) || access("/sys/module/null_blk", F_OK)) {
			ml_error("cannot load the module null_blk: name a real device or directory instead");
			return ML_PREMISE;
		}
	}
	if (access(NULL_BLK_DIR, F_OK)) {
		if (ml_undo_later(ML_UNDO_UMOUNT, CONFIG_DIR, ""))
			return ML_FAILED;
		if (mount("configfs", CONFIG_DIR, "configfs", 0, NULL)) {
			ml_error("cannot mount configfs on " CONFIG_DIR ": %s",
				 strerror(errno));
			return ML_PREMISE;
		}
	}
	return ML_DONE;
}

/**
 * ml_null_blk() - make a block device in memory
 * @bytes: its size
 * @filled: how much of it will be written: only that takes memory
 * @device: receives the path of the device, ML_PATH bytes
 *
 * Its requests complete ml_device_latency_us after they were submitted.
 *
 * Context: once in a run.
 * Return: an enum ml_status; other than ML_DONE a line has said why.
 */
int ml_null_blk(uint64_t bytes, uint64_t filled, char *device)
{
	int status, tries;

	if (geteuid()) {
		ml_error("a null_blk device needs root");
		return ML_PREMISE;
	}
	status = ml_need_memory(filled);
	if (!status)
		status = device_configfs();
	if (status)
		return status;
	if (ml_undo_later(ML_UNDO_RMDIR, NULL_BLK_DIR "/" DEVICE_NAME, ""))
		return ML_FAILED;
	if (mkdir(NULL_BLK_DIR "/" DEVICE_NAME, 0755)) {
		ml_error("cannot make a null_blk device: %s", strerror(errno));
		return ML_FAILED;
	}
	if (device_attribute("size", (bytes + MIB - 1) / MIB) ||
	    device_attribute("blocksize", 4096) ||
	    device_attribute("memory_backed", 1) ||
	    device_attribute("irqmode", 2) ||
	    device_attribute("completion_nsec", ml_device_latency_us * 1000) ||
	    device_attribute("power", 1))
		return ML_FAILED;

	for (tries = 0; tries < 100; tries++) {
		snprintf(device, ML_PATH, "/dev/" DEVICE_NAME);
		if (!access(device, F_OK))
			return ML_DONE;
		snprintf(device, ML_PATH, "/dev/nullb%" PRIu64,
			 ml_file_u64(NULL_BLK_DIR "/" DEVICE_NAME "/index"));
		if (!access(device, F_OK))
			return ML_DONE;
		ml_sleep_ns(20 * NSEC_PER_MSEC);
	}
	ml_error("the null_blk device did not appear in /dev");
	return ML_FAILED;
}
