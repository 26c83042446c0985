// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keeper: a process that does nothing unless the supervisor is killed.
 * Then it ends the worker and undoes what it changed.
 *
 * The worker cannot do that itself: it has the files open and sits in the
 * cgroup that are to go.  The keeper is forked before the worker, in a session
 * of its own, and has nothing but the journal.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "journal.h"
#include "keeper.h"

/* How long a killed worker may take to be gone: its memory may be large. */
#define KEEPER_GONE_NS	(60 * NSEC_PER_SEC)

static int keeper_pipe = -1;
static pid_t keeper_pid;

/* A zombie holds nothing any more, whether anybody waits for it or not. */
static bool keeper_gone(pid_t pid)
{
	char path[64], text[256], *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (ml_file_read(path, text, sizeof(text)))
		return true;
	end = strrchr(text, ')');
	return end && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X');
}

static void keeper_main(int from, const _Atomic int *worker)
{
	uint64_t start;
	char byte;
	ssize_t len;
	int null;

	setsid();
	null = open("/dev/null", O_RDWR);
	if (null >= 0) {
		/* Standard error stays, for what cannot be undone. */
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	do
		len = read(from, &byte, 1);
	while (len < 0 && errno == EINTR);
	if (len == 1)		/* all is well, the supervisor has done it */
		_exit(0);
	/* The worker's whole group; its threads end with it. */
	if (*worker > 0) {
		start = ml_now();
		kill(-*worker, SIGKILL);
		while (!keeper_gone(*worker) && ml_now() - start < KEEPER_GONE_NS)
			ml_sleep_ns(10 * NSEC_PER_MSEC);
	}
	_exit(ml_journal_undo() ? 1 : 0);
}

/**
 * ml_keeper_start() - start the keeper
 * @worker: in shared memory, where the worker's process will be noted
 *
 * Context: the supervisor, with its signals blocked, before the worker is
 * forked.
 * Return: 0 or a negative errno.
 */
int ml_keeper_start(const _Atomic int *worker)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	keeper_pid = fork();
	if (keeper_pid < 0)
		return -errno;
	if (!keeper_pid) {
		close(ends[1]);
		keeper_main(ends[0], worker);
	}
	close(ends[0]);
	keeper_pipe = ends[1];
	return 0;
}

/**
 * ml_keeper_forget() - close the supervisor's end in another process
 *
 * Context: the worker, first thing: while it has that end open, the keeper
 * does not see the supervisor die.
 */
void ml_keeper_forget(void)
{
	close(keeper_pipe);
}

/**
 * ml_keeper_dismiss() - all is undone: let the keeper go
 */
void ml_keeper_dismiss(void)
{
	char byte = 0;

	signal(SIGPIPE, SIG_IGN);	/* should it have been killed */
	if (write(keeper_pipe, &byte, 1) != 1)
		kill(keeper_pid, SIGKILL);
	close(keeper_pipe);
	waitpid(keeper_pid, NULL, 0);
}
