// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command gets a process group of its own, so that ending it ends all of
 * it and nothing else.  Ctrl-C reaches us, and we hand it on: the command may
 * end in its own way within GRACE_MS, then it is told to terminate, then it is
 * killed.  Its output goes through pipes; processes that it left behind may
 * keep those open, so its end is the end of the run.
 */
#include "source/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS	5000
#define TICK_MS		1000
#define LINE_MAX_BYTES	4096

/**
 * struct stream - one of the command's outputs
 * @fd: our end of the pipe, -1 when closed
 * @to: where it is passed on to
 * @line: the line so far; what is beyond its room is passed on, not looked at
 * @len: bytes of it
 */
struct stream {
	int fd, to;
	char line[LINE_MAX_BYTES];
	size_t len;
};

static struct {
	int fd;
	sigset_t was;
} signals = { .fd = -1 };

/**
 * runner_open - from now on signals to end are ours to hand on
 * @err: what went wrong
 *
 * Context: one thread.
 * Return: 0 or -errno.
 */
int runner_open(struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &set, &signals.was))
		return err_sys(err, errno, "signals");
	signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals.fd < 0)
		return err_sys(err, errno, "signals");
	return 0;
}

/**
 * runner_close - signals have their usual effect again
 *
 * Context: one thread.
 */
void runner_close(void)
{
	if (signals.fd < 0)
		return;
	close(signals.fd);
	signals.fd = -1;
	sigprocmask(SIG_SETMASK, &signals.was, NULL);
}

/**
 * runner_pending - whether we were told to end, between two runs
 *
 * Context: between runner_open() and runner_close(); takes the signal.
 * Return: the signal, or 0.
 */
int runner_pending(void)
{
	struct signalfd_siginfo info;
	int sig = 0;

	while (read(signals.fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			sig = info.ssi_signo;
	return sig;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void child(struct runner *r, const int *out, const int *errors,
		  int status_fd)
{
	int fd, why;

	setpgid(0, 0);
	/* Of a process group in the background, reading a terminal stops it. */
	if (isatty(STDIN_FILENO)) {
		fd = open("/dev/null", O_RDONLY);
		if (fd >= 0)
			dup2(fd, STDIN_FILENO);
	}
	dup2(out[1], STDOUT_FILENO);
	dup2(errors[1], STDERR_FILENO);
	/* What we ignore so that writes fail, the command does not. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &signals.was, NULL);
	execvp(r->argv[0], r->argv);
	why = errno;
	if (write(status_fd, &why, sizeof(why)) < 0)
		_exit(127);
	_exit(127);
}

/* Returns 0 or the errno of the write that failed. */
static int pass_on(struct runner *r, struct stream *s, const char *buf,
		   size_t n)
{
	ssize_t done;

	if (r->on_data)
		r->on_data(r->arg);
	while (n) {
		done = write(s->to, buf, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			if (!r->output_failed)
				r->output_failed = errno;
			return errno;
		}
		buf += done;
		n -= done;
	}
	return 0;
}

static void end_line(struct runner *r, struct stream *s)
{
	s->line[s->len] = '\0';
	s->len = 0;
	if (r->on_line)
		r->on_line(r->arg, s->line);
}

/* Read what there is; false at the end. */
static bool drain(struct runner *r, struct stream *s)
{
	char buf[65536];
	ssize_t n, i;

	n = read(s->fd, buf, sizeof(buf));
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (!n)
		return false;
	/* Nobody listens to us: nobody is to listen to the command either. */
	if (pass_on(r, s, buf, n) == EPIPE)
		return false;
	for (i = 0; i < n; i++) {
		if (buf[i] == '\n')
			end_line(r, s);
		else if (s->len < sizeof(s->line) - 1)
			s->line[s->len++] = buf[i];
	}
	return true;
}

static void finish(struct runner *r, struct stream *s)
{
	struct pollfd p = { s->fd, POLLIN, 0 };

	while (s->fd >= 0 && poll(&p, 1, 0) > 0 && drain(r, s))
		;
	if (s->len)
		end_line(r, s);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* Wait for the end of a group whose leader is gone already. */
static void end_group(pid_t pid)
{
	struct timespec pause = { 0, 20 * 1000 * 1000 };
	int i;

	if (kill(-pid, SIGTERM))
		return;
	for (i = 0; i < 50; i++) {
		if (kill(-pid, 0))
			return;
		nanosleep(&pause, NULL);
	}
	kill(-pid, SIGKILL);
}

/**
 * struct ending - how far we are in ending the command
 * @sent: the last signal sent, 0 for none
 * @at_ms: when the next one is due
 */
struct ending {
	int sent;
	int64_t at_ms;
};

static void escalate(struct ending *e, pid_t pid, int first)
{
	if (!e->sent)
		e->sent = first;
	else if (e->sent != SIGTERM && e->sent != SIGKILL)
		e->sent = SIGTERM;
	else
		e->sent = SIGKILL;
	kill(-pid, e->sent);
	/* A stopped command must run to end. */
	kill(-pid, SIGCONT);
	e->at_ms = now_ms() + GRACE_MS;
}

static void take_signals(struct runner *r, struct ending *e, pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(signals.fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		r->interrupted = info.ssi_signo;
		escalate(e, pid, info.ssi_signo);
	}
}

static void watch(struct runner *r, pid_t pid, struct stream *s, int *status)
{
	int64_t tick = now_ms() + TICK_MS, now, due;
	struct ending ending = { 0 };
	struct pollfd p[3];
	int i;

	while (!waitpid(pid, status, WNOHANG)) {
		now = now_ms();
		due = tick;
		if (ending.sent && ending.at_ms < due)
			due = ending.at_ms;
		p[0] = (struct pollfd){ signals.fd, POLLIN, 0 };
		for (i = 0; i < 2; i++)
			p[i + 1] = (struct pollfd){ s[i].fd, POLLIN, 0 };
		poll(p, 3, due > now ? due - now : 0);
		if (p[0].revents)
			take_signals(r, &ending, pid);
		for (i = 0; i < 2; i++) {
			if (s[i].fd < 0 || !p[i + 1].revents ||
			    drain(r, &s[i]))
				continue;
			close(s[i].fd);
			s[i].fd = -1;
		}
		now = now_ms();
		if (now >= tick) {
			if (r->on_tick)
				r->on_tick(r->arg);
			tick = now + TICK_MS;
		}
		if (ending.sent && now >= ending.at_ms)
			escalate(&ending, pid, 0);
	}
	if (r->interrupted)
		end_group(pid);
}

static void close_all(int *fds, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/**
 * runner_run - run a command to its end
 * @r: the command; the results in it are set
 * @err: what went wrong
 *
 * Context: between runner_open() and runner_close(); not nested.
 * Return: 0 when it was run, whatever came of it; -errno when it could not be.
 */
int runner_run(struct runner *r, struct err *err)
{
	struct stream s[2] = { { .to = STDOUT_FILENO },
			       { .to = STDERR_FILENO } };
	int fds[6] = { -1, -1, -1, -1, -1, -1 };
	int *out = fds, *errors = fds + 2, *exec = fds + 4;
	int status = 0, why = 0;
	pid_t pid;

	r->exit = 0;
	r->signal = 0;
	r->interrupted = 0;
	r->output_failed = 0;
	if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC) ||
	    pipe2(exec, O_CLOEXEC))
		goto fail;
	pid = fork();
	if (pid < 0)
		goto fail;
	if (!pid)
		child(r, out, errors, exec[1]);
	setpgid(pid, pid);
	close(out[1]);
	close(errors[1]);
	close(exec[1]);
	out[1] = -1;
	errors[1] = -1;
	exec[1] = -1;
	/* Nothing comes and the pipe ends once the program has begun. */
	if (read(exec[0], &why, sizeof(why)) == sizeof(why)) {
		waitpid(pid, &status, 0);
		errno = why;
		goto fail;
	}
	close(exec[0]);
	exec[0] = -1;
	s[0].fd = out[0];
	s[1].fd = errors[0];
	watch(r, pid, s, &status);
	finish(r, &s[0]);
	finish(r, &s[1]);
	if (WIFSIGNALED(status))
		r->signal = WTERMSIG(status);
	r->exit = r->signal ? 128 + r->signal : WEXITSTATUS(status);
	return 0;

fail:
	why = errno;
	close_all(fds, 6);
	return err_sys(err, why, r->argv[0]);
}
