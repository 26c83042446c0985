// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_guard.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* So much CPU time without progress is a loop, seconds. */
#define STUCK_SECONDS	30
/* Exit status of who found itself in one. */
#define STUCK_STATUS	99
/* A library that wants more than this for a small file follows a broken number. */
#define MEMORY_BYTES	(1UL << 31)

static struct trace_outcome *watched;

static void on_tick(int sig)
{
	static uint64_t before = UINT64_MAX;

	(void)sig;
	if (watched->progress == before)
		_exit(STUCK_STATUS);
	before = watched->progress;
}

static void set_limits(off_t size)
{
	struct itimerval tick = {
		.it_interval.tv_sec = STUCK_SECONDS,
		.it_value.tv_sec = STUCK_SECONDS,
	};
	struct rlimit none = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__	/* its shadow alone is larger */
	struct rlimit memory;

	memory.rlim_cur = MEMORY_BYTES + 4 * (rlim_t)size;
	memory.rlim_max = memory.rlim_cur;
	setrlimit(RLIMIT_AS, &memory);
#else
	(void)size;
#endif
	signal(SIGPROF, on_tick);
	setitimer(ITIMER_PROF, &tick, NULL);
}

static void child(struct trace_guard *guard, off_t size, int said)
{
	struct trace_outcome *out = guard->outcome;

	watched = out;
	dup2(said, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	set_limits(size);
	out->rc = guard->work(guard->arg, &out->progress, &out->err);
	out->is_done = 1;
	_exit(0);
}

/* The first line that the library printed, in parentheses; or nothing. */
static void first_line(int said, char *buf, size_t size)
{
	ssize_t n = pread(said, buf + 2, size - 4, 0);
	size_t len, i;

	if (n < 0)
		n = 0;
	buf[2 + n] = '\0';
	len = strspn(buf + 2, "\n ");
	memmove(buf + 2, buf + 2 + len, n - len + 1);
	len = strcspn(buf + 2, "\n");
	for (i = 2; i < len + 2; i++)
		if (buf[i] < ' ' || buf[i] > '~')
			buf[i] = '?';
	if (!len) {
		*buf = '\0';
		return;
	}
	memcpy(buf, " (", 2);
	memcpy(buf + 2 + len, ")", 2);
}

static int judge(const struct trace_guard *guard, int status, int said,
		 struct err *err)
{
	const struct trace_outcome *out = guard->outcome;
	char why[160];

	if (WIFEXITED(status) && !WEXITSTATUS(status) && out->is_done) {
		if (out->rc == -EINVAL)
			first_line(said, why, sizeof(why));
		else
			*why = '\0';
		if (out->rc)
			return err_set(err, out->rc, "%.340s%s",
				       out->err.text, why);
		return 0;
	}
	if (WIFSIGNALED(status))
		return err_set(err, -EINVAL,
			       "%s: the file is damaged: libtracecmd crashed on it (%s)",
			       guard->name, strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == STUCK_STATUS)
		return err_set(err, -EINVAL,
			       "%s: the file is damaged: libtracecmd did not get on with it for %d seconds",
			       guard->name, STUCK_SECONDS);
	first_line(said, why, sizeof(why));
	return err_set(err, -EINVAL,
		       "%.200s: the file is damaged: libtracecmd gave up on it%s",
		       guard->name, why);
}

/**
 * trace_guard_run - do the work, and survive it
 * @guard: the work
 * @size: of the file, bytes: bounds the memory that the work may take
 * @err: what went wrong, a crash included
 *
 * Context: one thread.
 * Return: what the work returned; -EINVAL when it died; -errno when it could not
 * be started.
 */
int trace_guard_run(struct trace_guard *guard, off_t size, struct err *err)
{
	int said = memfd_create("said", MFD_CLOEXEC), status, rc;
	pid_t pid, got;

	if (said < 0)
		return err_sys(err, errno, guard->name);
	guard->outcome = mmap(NULL, sizeof(*guard->outcome),
			      PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (guard->outcome == MAP_FAILED) {
		rc = err_sys(err, errno, guard->name);
		close(said);
		return rc;
	}
	pid = fork();
	if (!pid)
		child(guard, size, said);
	if (pid < 0) {
		rc = err_sys(err, errno, guard->name);
	} else {
		do
			got = waitpid(pid, &status, 0);
		while (got < 0 && errno == EINTR);
		rc = got < 0 ? err_sys(err, errno, guard->name) :
			       judge(guard, status, said, err);
	}
	munmap(guard->outcome, sizeof(*guard->outcome));
	close(said);
	return rc;
}
