// SPDX-License-Identifier: GPL-2.0-only
/*
 * The supervisor: the process that the user started.  It forks the worker,
 * which runs the workload, passes signals on to it, shows its progress, and
 * undoes what it changed when it is gone, however it went.  Should the
 * supervisor itself be killed, the keeper does that (keeper.c).
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "journal.h"
#include "keeper.h"
#include "team.h"

#define PROGRESS_NS	(250 * NSEC_PER_MSEC)
/* How long a worker may take to stop by itself. */
#define GRACE_NS	(15 * NSEC_PER_SEC)

/**
 * struct supervise_shared - what worker and supervisor both see
 * @worker: the worker's process, once it is there
 * @stop: the number of the signal that told the worker to stop, or 0
 * @seq: odd while @what is being written
 * @what: what the worker is at
 * @since_ns: since when
 * @until_ns: till when, or 0 when that is open
 */
struct supervise_shared {
	atomic_int worker;
	atomic_int stop;
	atomic_uint seq;
	char what[64];
	uint64_t since_ns;
	uint64_t until_ns;
};

static struct supervise_shared *shared;

/**
 * ml_stopped() - has the user told the workload to stop?
 *
 * Return: true after SIGINT, SIGTERM or SIGHUP.
 */
bool ml_stopped(void)
{
	return atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

/**
 * ml_progress() - say what the worker is at, for the terminal
 * @what: a few words
 * @seconds: how long it will take, 0 when that is open
 */
void ml_progress(const char *what, double seconds)
{
	atomic_fetch_add(&shared->seq, 1);
	snprintf(shared->what, sizeof(shared->what), "%s", what);
	shared->since_ns = ml_now();
	shared->until_ns = seconds > 0 ?
			   shared->since_ns + (uint64_t)(seconds * 1e9) : 0;
	atomic_fetch_add(&shared->seq, 1);
}

static void supervise_show(const struct ml_workload *load)
{
	unsigned int seq = atomic_load(&shared->seq);
	double total, done;
	char what[64];

	if (!seq || seq & 1)
		return;
	memcpy(what, shared->what, sizeof(what));
	what[sizeof(what) - 1] = '\0';
	done = (double)(ml_now() - shared->since_ns) / 1e9;
	total = (double)(shared->until_ns - shared->since_ns) / 1e9;
	if (shared->until_ns)
		fprintf(stderr, "\r\033[K%s: %s %.0f/%.0f s", load->name, what,
			done < total ? done : total, total);
	else
		fprintf(stderr, "\r\033[K%s: %s %.0f s", load->name, what, done);
}

static void worker_signal(int sig)
{
	int none = 0;

	atomic_compare_exchange_strong(&shared->stop, &none, sig);
	ml_team_poke();
}

static void worker_child(int sig)
{
	(void)sig;
	ml_team_poke();
}

/* Never returns: runs the workload and exits with its status. */
static void worker_main(const struct ml_workload *load, pid_t parent,
			const sigset_t *unblock)
{
	struct sigaction sa = { .sa_handler = worker_signal };
	struct sigaction child = { .sa_handler = worker_child,
				   .sa_flags = SA_NOCLDSTOP };
	int status;

	ml_keeper_forget();
	setpgid(0, 0);
	atomic_store(&shared->worker, getpid());
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sigaction(SIGCHLD, &child, NULL);
	sigprocmask(SIG_SETMASK, unblock, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(ML_FAILED);
	/* If memory runs out, the worker goes, not the one that cleans up. */
	ml_file_write("/proc/self/oom_score_adj", "1000");

	status = load->run();
	if (fflush(stdout) || ferror(stdout)) {
		ml_error("cannot write the results: %s", strerror(errno));
		status = ML_FAILED;
	}
	_exit(status);
}

/* Only one workload that changes settings at a time, or the second would take
 * the first one's values for the machine's own. The name is free again as
 * soon as no process of this run is left.
 */
static int supervise_lock(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX,
				    .sun_path = "\0mmlockload" };
	socklen_t len = offsetof(struct sockaddr_un, sun_path) +
			strlen("mmlockload") + 1;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&name, len)) {
		if (errno == EADDRINUSE)
			ml_error("another mmlockload that changes settings is running: wait for its end");
		else
			ml_error("cannot make sure to run alone: %s", strerror(errno));
		return -1;
	}
	return 0;
}

/* Wait for the worker's end, passing signals on. Returns its wait status. */
static int supervise_wait(const struct ml_workload *load, pid_t worker,
			  const sigset_t *set, int *interrupted)
{
	bool show = !ml_common.quiet && isatty(STDERR_FILENO);
	uint64_t deadline = 0;
	int status;

	for (;;) {
		struct timespec ts = { .tv_nsec = PROGRESS_NS };
		pid_t pid;
		int sig;

		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			if (pid == worker)
				goto out;
		if (show)
			supervise_show(load);
		if (deadline && ml_now() > deadline)
			kill(-worker, SIGKILL);
		sig = show || deadline ? sigtimedwait(set, NULL, &ts) :
		      sigwaitinfo(set, NULL);
		if (sig <= 0 || sig == SIGCHLD)
			continue;
		if (*interrupted)	/* asked twice: at once */
			kill(-worker, SIGKILL);
		else
			kill(worker, SIGTERM);
		*interrupted = sig;
		deadline = ml_now() + GRACE_NS;
	}
out:
	if (show)
		fputs("\r\033[K", stderr);
	return status;
}

/**
 * ml_supervise() - run a workload in a worker and clean up behind it
 * @load: the workload; its options are parsed
 *
 * Context: a process with one thread.  When a signal stopped the run, the
 * process ends by that signal, so that a shell sees it.
 * Return: an enum ml_status.
 */
int ml_supervise(const struct ml_workload *load)
{
	pid_t parent = getpid(), worker;
	int status, interrupted = 0;
	sigset_t set, old;
	bool undone;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || ml_journal_init() || ml_team_init()) {
		ml_error("no shared memory: %s", strerror(errno));
		return ML_FAILED;
	}
	if (load->exclusive && supervise_lock())
		return ML_PREMISE;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	/* Children that the worker leaves come to us, so that we can wait. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(stdout);

	if (ml_keeper_start(&shared->worker)) {
		ml_error("cannot start the process that cleans up: %s",
			 strerror(errno));
		return ML_FAILED;
	}
	worker = fork();
	if (worker < 0) {
		ml_keeper_dismiss();
		ml_error("cannot fork: %s", strerror(errno));
		return ML_FAILED;
	}
	if (!worker)
		worker_main(load, parent, &old);
	setpgid(worker, worker);
	atomic_store(&shared->worker, worker);

	status = supervise_wait(load, worker, &set, &interrupted);
	kill(-worker, SIGKILL);
	/* All that it left is in its group, and ours to wait for. */
	while (waitpid(-worker, NULL, 0) > 0 || errno == EINTR)
		;
	undone = !ml_journal_undo();
	ml_keeper_dismiss();
	if (!undone)
		return ML_FAILED;
	if (interrupted) {
		signal(interrupted, SIG_DFL);
		sigdelset(&set, SIGCHLD);
		raise(interrupted);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
	}
	if (WIFSIGNALED(status)) {
		ml_error("the worker was ended by signal %d (%s); settings are put back",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
		return ML_FAILED;
	}
	return WEXITSTATUS(status);
}
