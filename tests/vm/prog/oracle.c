// SPDX-License-Identifier: GPL-2.0-only
/*
 * mlt-oracle: switches two recorders on, runs a command, switches both off.
 *
 *	mlt-oracle [-m] TRACING -- COMMAND [ARGUMENT...]
 *
 * One recorder is the kernel's own: hist triggers on the three stock events,
 * set up and paused by the caller, which count in a table and cannot lose.
 * The other, with -m, is mmlockstat, loaded and stopped.
 *
 * Between the first switch and the last nothing but the command may take an
 * mmap_lock.  So everything is opened before, all memory is locked, the command
 * is spawned without copying an address space, orphans are waited for too, and
 * before each switching the guest must have been idle for a while.
 *
 * Exit status: the command's, or 126 when the switching itself failed.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "quiet.h"

#define FAILED 126
#define STACK_USED (64 * 1024)

extern char **environ;

struct recorder {
	const char *path;	/* below TRACING, or absolute */
	const char *on;
	const char *off;
	int fd;
};

#define EVENT(name, keys) {						\
	"events/mmap_lock/mmap_lock_" name "/trigger",			\
	"hist:keys=" keys ":cont", "hist:keys=" keys ":pause", -1	\
}

/*
 * Switched on in this order, off in reverse.  mmlockstat comes first: hooking a
 * function makes a trampoline, and the kernel takes init_mm's mmap_lock for its
 * page tables (7.3: up to 8 reads and 2 writes), which the stock events show.  To
 * continue and pause a trigger takes none.
 */
static struct recorder recorders[] = {
	{ "/proc/mmlockstat/control", "start", "stop", -1 },
	EVENT("start_locking", "write"),
	EVENT("acquire_returned", "write,success"),
	EVENT("released", "write"),
};

#define NR_RECORDERS (sizeof(recorders) / sizeof(recorders[0]))

static int loadavg = -1;

static int fail(const char *what)
{
	fprintf(stderr, "mlt-oracle: %s: %s\n", what, strerror(errno));
	return FAILED;
}

/* Appending: a plain open for writing with truncation removes triggers. */
static int open_all(const char *tracing, size_t first)
{
	char path[512];
	size_t i;

	for (i = first; i < NR_RECORDERS; i++) {
		if (recorders[i].path[0] == '/')
			snprintf(path, sizeof(path), "%s", recorders[i].path);
		else
			snprintf(path, sizeof(path), "%s/%s", tracing,
				 recorders[i].path);
		recorders[i].fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
		if (recorders[i].fd < 0)
			return fail(path);
	}
	return 0;
}

static int switch_all(size_t first, int on)
{
	size_t i, j, len;
	const char *word;

	for (j = first; j < NR_RECORDERS; j++) {
		i = on ? j : first + NR_RECORDERS - 1 - j;
		word = on ? recorders[i].on : recorders[i].off;
		len = strlen(word);
		if (write(recorders[i].fd, word, len) != (ssize_t)len)
			return fail(recorders[i].path);
	}
	return 0;
}

/* Faults in what the switching will use of the stack. */
static void touch_stack(void)
{
	volatile char here[STACK_USED];
	size_t i;

	for (i = 0; i < sizeof(here); i += 1024)
		here[i] = 1;
}

static int settle(void)
{
	return quiet_wait(loadavg) ? fail("waiting for an idle guest") : 0;
}

static int run(char **argv)
{
	int status, result = FAILED, err;
	pid_t pid, gone;

	err = posix_spawn(&pid, argv[0], NULL, NULL, argv, environ);
	if (err) {
		errno = err;
		return fail(argv[0]);
	}
	for (;;) {
		gone = waitpid(-1, &status, 0);
		if (gone < 0 && errno == ECHILD)
			return result;
		if (gone == pid)
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	}
}

int main(int argc, char **argv)
{
	size_t first = 1;
	int result;

	if (argc > 1 && !strcmp(argv[1], "-m")) {
		first = 0;
		argc--;
		argv++;
	}
	if (argc < 4 || strcmp(argv[2], "--")) {
		fprintf(stderr, "usage: mlt-oracle [-m] TRACING -- COMMAND...\n");
		return FAILED;
	}
	if (open_all(argv[1], first))
		return FAILED;
	loadavg = quiet_open();
	if (loadavg < 0)
		return fail("/proc/loadavg");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return fail("prctl");
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		return fail("mlockall");
	touch_stack();
	if (settle() || switch_all(first, 1))
		return FAILED;
	result = run(argv + 3);
	touch_stack();
	if (settle() || switch_all(first, 0))
		return FAILED;
	return result;
}
