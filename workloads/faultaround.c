// SPDX-License-Identifier: GPL-2.0-only
/*
 * Launching apps where memory is short: ten apps one after the other, then the
 * same again.  Each is a process that stays; it has files of its own and files
 * that all share, and touches pages of them in an order that is the same each
 * time, and memory of its own.  All live inside one memory limit, so that what
 * one maps pushes another's pages out.
 */

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal.h"
#include "latency.h"
#include "list.h"
#include "resources.h"

#define AROUND_APPS_MAX	100
#define AROUND_KNOB	"/sys/kernel/debug/fault_around_bytes"

static uint64_t around_apps = 10;
static uint64_t around_passes = 2;
static uint64_t around_own = 16 * MIB;
static uint64_t around_shared = 32 * MIB;
static uint64_t around_anon = 6 * MIB;
static uint64_t around_percent = 20;
static uint64_t around_limit = 96 * MIB;
static uint64_t around_bytes;
static const char *around_where = "/var/tmp";
static const char *around_swap = "none";

static const struct ml_option around_options[] = {
	{ "apps", ML_OPT_COUNT, &around_apps, "N",
	  "apps", 1, AROUND_APPS_MAX, NULL },
	{ "passes", ML_OPT_COUNT, &around_passes, "N",
	  "how often all are launched", 1, 1000, NULL },
	{ "own", ML_OPT_SIZE, &around_own, "SIZE",
	  "file of each app", 64 * KIB, 1024 * GIB, NULL },
	{ "shared", ML_OPT_SIZE, &around_shared, "SIZE",
	  "file that all apps map", 64 * KIB, 1024 * GIB, NULL },
	{ "anon", ML_OPT_SIZE, &around_anon, "SIZE",
	  "memory that each app writes", 0, 1024 * GIB, NULL },
	{ "percent", ML_OPT_COUNT, &around_percent, "P",
	  "share of a file's pages touched", 1, 100, NULL },
	{ "limit", ML_OPT_SIZE, &around_limit, "SIZE",
	  "memory of all apps together", 16 * MIB, 0, NULL },
	{ "fault-around", ML_OPT_SIZE, &around_bytes, "SIZE",
	  "fault_around_bytes for the run; 0: as it is", 0, 1 * GIB, NULL },
	{ "swap-on", ML_OPT_TEXT, &around_swap, "WHERE",
	  "none, existing (zram too), null_blk, a block device", 0, 0, NULL },
	{ "dir", ML_OPT_TEXT, &around_where, "DIR",
	  "directory of the files, or null_blk", 0, 0, NULL },
	{ "latency-us", ML_OPT_COUNT, &ml_device_latency_us, "US",
	  "null_blk: time of a request", 1, 1000000, NULL },
	{ NULL, 0, NULL, NULL, NULL, 0, 0, NULL }
};

/**
 * struct around_app - an app
 * @file: its own file
 * @pid: its process
 * @go: a byte written here launches it
 * @done: it answers here with one, 0 if all went well
 */
struct around_app {
	int file;
	pid_t pid;
	int go;
	int done;
};

static struct around_app around_app[AROUND_APPS_MAX];
static int around_shared_file;
static struct ml_latency around_lat[2];	/* first launch, later ones */

/* @percent of the pages of a mapping, in an order fixed by @seed. */
static void around_touch(const char *area, uint64_t bytes, uint64_t seed)
{
	uint64_t pages = bytes / ml_page, nr = pages * around_percent / 100;

	while (nr--)
		(void)*(volatile const char *)(area +
				ml_random(&seed) % pages * ml_page);
}

static unsigned char around_launch(unsigned int index)
{
	static char *own, *shared, *anon;
	uint64_t offset;

	if (!own) {
		own = mmap(NULL, around_own, PROT_READ, MAP_PRIVATE,
			   around_app[index].file, 0);
		shared = mmap(NULL, around_shared, PROT_READ, MAP_PRIVATE,
			      around_shared_file, 0);
		anon = ml_map(around_anon + ml_page, PROT_READ | PROT_WRITE);
		if (own == MAP_FAILED || shared == MAP_FAILED || !anon)
			return 1;
	}
	/* Apps use different parts of the shared file, and some the same. */
	around_touch(shared, around_shared / 2, 1);
	around_touch(shared, around_shared, 1000 + index);
	around_touch(own, around_own, 2000 + index);
	for (offset = 0; offset < around_anon; offset += ml_page)
		*(volatile uint64_t *)(anon + offset) += offset + 1;
	return 0;
}

static void around_app_main(unsigned int index, int go, int done)
{
	unsigned char byte;

	while (read(go, &byte, 1) == 1) {
		byte = around_launch(index);
		if (write(done, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static int around_start(unsigned int index)
{
	struct around_app *app = &around_app[index];
	pid_t parent = getpid();
	int go[2], done[2];

	if (pipe(go) || pipe(done)) {
		ml_error("no pipe: %s", strerror(errno));
		return ML_FAILED;
	}
	fflush(stdout);
	app->pid = fork();
	if (app->pid < 0) {
		ml_error("cannot fork: %s", strerror(errno));
		return ML_FAILED;
	}
	if (!app->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGCHLD, SIG_DFL);
		if (getppid() != parent)
			_exit(1);
		close(go[1]);
		close(done[0]);
		around_app_main(index, go[0], done[1]);
	}
	close(go[0]);
	close(done[1]);
	app->go = go[1];
	app->done = done[0];
	return ML_DONE;
}

/* Launch one app; a signal or its death ends the wait. */
static int around_launch_app(unsigned int index, struct ml_latency *lat)
{
	struct around_app *app = &around_app[index];
	unsigned char byte = 0;
	uint64_t start = ml_now();
	ssize_t len;

	if (write(app->go, &byte, 1) != 1)
		goto gone;
	do
		len = read(app->done, &byte, 1);
	while (len < 0 && errno == EINTR && !ml_stopped());
	if (ml_stopped())
		return ML_FAILED;
	if (len != 1)
		goto gone;
	if (byte) {
		ml_error("app %u cannot map its memory", index);
		return ML_FAILED;
	}
	ml_latency_add(lat, ml_now() - start);
	return ML_DONE;
gone:
	ml_error("app %u was killed: is the limit too small?", index);
	return ML_FAILED;
}

static int around_file(const char *dir, uint64_t bytes, int *fd)
{
	*fd = ml_file_make(dir, bytes);
	if (*fd < 0)
		return ML_FAILED;
	if (ml_file_chill(*fd, bytes) < 0) {
		ml_error("cannot write a file in %s back", dir);
		return ML_FAILED;
	}
	return ML_DONE;
}

static int around_files(void)
{
	uint64_t total = around_apps * around_own + around_shared;
	char dir[ML_PATH];
	unsigned int i;
	int status;

	status = ml_dir_prepare(around_where, total, dir);
	if (!status)
		status = ml_dir_need_cold(dir);
	if (!status)
		ml_progress("filling files", 0);
	if (!status)
		status = around_file(dir, around_shared, &around_shared_file);
	for (i = 0; !status && i < around_apps; i++)
		status = around_file(dir, around_own, &around_app[i].file);
	return status;
}

static int around_settings(void)
{
	bool swap = strcmp(around_swap, "none");
	struct ml_cgroup group;
	char text[32];
	int status;

	if (!strcmp(around_where, ML_NULL_BLK) && !strcmp(around_swap, ML_NULL_BLK)) {
		ml_error("only one of --dir and --swap-on can be null_blk");
		return ML_USAGE;
	}
	if (around_bytes) {
		if (ml_file_u64(AROUND_KNOB) == UINT64_MAX) {
			ml_error("no " AROUND_KNOB ": mount debugfs as root (mount -t debugfs none /sys/kernel/debug)");
			return ML_PREMISE;
		}
		snprintf(text, sizeof(text), "%" PRIu64, around_bytes);
		if (ml_setting(AROUND_KNOB, text))
			return ML_PREMISE;
		if (ml_file_u64(AROUND_KNOB) != around_bytes) {
			ml_error("fault_around_bytes %" PRIu64 " is not a power of two of at least a page",
				 around_bytes);
			return ML_USAGE;
		}
	}
	if (swap) {
		status = ml_swap_prepare(around_swap, around_apps * around_anon, true);
		if (status)
			return status;
	}
	status = around_files();
	if (!status)
		status = ml_cgroup_make(&group, "faultaround", around_limit, swap);
	if (!status)
		status = ml_cgroup_enter(&group);
	return status;
}

static double around_ms(const struct ml_latency *lat)
{
	return ml_latency_us(lat->sum_ns) / lat->count / 1000;
}

static int around_run(void)
{
	uint64_t faults = 0, major = 0;
	struct rusage usage;
	unsigned int pass, i;
	int status;

	/* A dead app is an error to report, not a signal to die of. */
	signal(SIGPIPE, SIG_IGN);
	around_own = ml_whole_pages(around_own);
	around_shared = ml_whole_pages(around_shared);
	around_anon = ml_whole_pages(around_anon);
	status = around_settings();
	for (i = 0; !status && i < around_apps; i++)
		status = around_start(i);
	for (pass = 0; !status && pass < around_passes; pass++) {
		char what[64];

		snprintf(what, sizeof(what), "launching all apps, pass %u of %" PRIu64,
			 pass + 1, around_passes);
		ml_progress(what, 0);
		for (i = 0; !status && i < around_apps; i++)
			status = around_launch_app(i, &around_lat[!!pass]);
	}
	if (status)
		return status;
	/* The apps end when their pipes do. */
	for (i = 0; i < around_apps; i++)
		close(around_app[i].go);
	for (i = 0; i < around_apps; i++) {
		while (wait4(around_app[i].pid, NULL, 0, &usage) < 0 &&
		       errno == EINTR)
			;
		faults += usage.ru_minflt + usage.ru_majflt;
		major += usage.ru_majflt;
	}
	ml_metric("launch_first", around_ms(&around_lat[0]), "ms", false);
	if (around_passes > 1)
		ml_metric("launch_again", around_ms(&around_lat[1]), "ms", false);
	ml_metric("faults", faults, "faults", false);
	ml_metric("major_faults", major, "faults", false);
	return ML_DONE;
}

const struct ml_workload ml_faultaround = {
	.name = "faultaround",
	.summary = "launch apps one after the other where memory is short",
	.about =
"Apps are launched one after the other, then all again. Each is a process that\n"
"stays, has a file of its own and one that all share, touches some pages of both\n"
"in a fixed pseudo-random order, and writes memory of its own. One memory limit\n"
"holds for all. Look at vmstat too: mmlockstat record keeps it.\n"
"Metrics: launch_first and launch_again (mean ms of a launch in the first and\n"
"in later passes), faults and major_faults of all apps.",
	.options = around_options,
	.exclusive = true,
	.untimed = true,
	.run = around_run,
};
