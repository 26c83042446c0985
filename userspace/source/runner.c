// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command gets a process group of its own, so that ending it ends all of
 * it and nothing else.  Ctrl-C reaches us, and we hand it on: the command may
 * end in its own way within GRACE_MS, then it is told to terminate, then it is
 * killed.  Its output goes through pipes; processes that it left behind may
 * keep those open, so its end is the end of the run.
 *
 * Who reads us slowly slows the command, as in any pipe, but holds nothing
 * else up: we never wait in a write, only in poll(), where signals are seen.
 */
#include "source/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "source/ends.h"
#include "source/stream.h"

#define GRACE_MS	5000
#define TICK_MS		1000
/* Told to end, we give whoever reads us that long, then drop output. */
#define PATIENCE_MS	200

/* Standard output and error. */
static struct sink sinks[2];

/**
 * runner_open - from now on signals to end are ours to hand on
 * @err: what went wrong
 *
 * Context: one thread; ends with runner_close(), also on failure.
 * Return: 0 or -errno.
 */
int runner_open(struct err *err)
{
	int rc = ends_open(err);

	if (rc)
		return rc;
	sink_open(&sinks[0], STDOUT_FILENO);
	sink_open(&sinks[1], STDERR_FILENO);
	return 0;
}

/**
 * runner_close - signals have their usual effect again
 *
 * Context: one thread; harmless when not open.
 */
void runner_close(void)
{
	if (!ends_are_held())
		return;
	sink_close(&sinks[0]);
	sink_close(&sinks[1]);
	ends_close();
}

/**
 * runner_say - write to standard error while signals are held back
 * @text: what
 * @len: bytes of it
 *
 * Waits for whoever reads it until we are told to end, and no longer.
 *
 * Context: any.
 * Return: false when signals are not held back, and nothing was written: the
 * caller may write as usual.
 */
bool runner_say(const char *text, size_t len)
{
	struct pollfd p[2];
	ssize_t done;

	if (!ends_are_held())
		return false;
	while (len) {
		p[0] = (struct pollfd){ sinks[1].fd, POLLOUT, 0 };
		p[1] = (struct pollfd){ ends_fd(), POLLIN, 0 };
		if (ends_told() ? !sink_ready(&sinks[1], PATIENCE_MS) :
				  poll(p, 2, -1) < 0 && errno != EINTR)
			break;
		if (!sink_ready(&sinks[1], 0))
			continue;
		done = sink_write(&sinks[1], text, len);
		if (done < 0 && done != -EAGAIN)
			break;
		if (done > 0) {
			text += done;
			len -= done;
		}
	}
	return true;
}

/**
 * runner_hint - write to standard error what may as well be missed
 * @text: what
 * @len: bytes of it
 *
 * Context: between runner_open() and runner_close().
 * Return: whether it was written; not when it would have to wait.
 */
bool runner_hint(const char *text, size_t len)
{
	return sink_ready(&sinks[1], 0) &&
	       sink_write(&sinks[1], text, len) > 0;
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
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			dup2(fd, STDIN_FILENO);
	}
	dup2(out[1], STDOUT_FILENO);
	dup2(errors[1], STDERR_FILENO);
	/* What we ignore so that writes fail, the command does not. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	ends_restore();
	execvp(r->argv[0], r->argv);
	why = errno;
	if (write(status_fd, &why, sizeof(why)) < 0)
		_exit(127);
	_exit(127);
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

static int until(int64_t due)
{
	int64_t now = now_ms();

	return due > now ? due - now : 0;
}

static void watch(struct runner *r, pid_t pid, struct stream *s, int *status)
{
	int64_t tick = now_ms() + TICK_MS, due, patience = 0;
	struct ending ending = { 0 };
	struct pollfd p[4];
	int i, sig;

	for (;;) {
		ends_child_seen();
		if (waitpid(pid, status, WNOHANG))
			break;
		due = tick;
		if (ending.sent && ending.at_ms < due)
			due = ending.at_ms;
		if (patience && (stream_is_pending(&s[0]) || stream_is_pending(&s[1])) &&
		    patience < due)
			due = patience;
		p[0] = (struct pollfd){ ends_fd(), POLLIN, 0 };
		p[1] = (struct pollfd){ ends_child_fd(), POLLIN, 0 };
		for (i = 0; i < 2; i++)
			p[i + 2] = stream_wanted(&s[i]);
		if (poll(p, 4, until(due)) > 0)
			for (i = 0; i < 2; i++)
				if (p[i + 2].revents)
					stream_move(r, &s[i]);
		sig = ends_told();
		if (sig && (!ending.sent || p[0].revents)) {
			r->interrupted = sig;
			escalate(&ending, pid, sig);
			if (!patience)
				patience = now_ms() + PATIENCE_MS;
		}
		if (now_ms() >= tick) {
			if (r->on_tick)
				r->on_tick(r->arg);
			tick = now_ms() + TICK_MS;
		}
		if (ending.sent && now_ms() >= ending.at_ms)
			escalate(&ending, pid, 0);
		for (i = 0; patience && i < 2; i++)
			if (now_ms() >= patience)
				stream_give_up(r, &s[i]);
	}
}

/* What the command left to be passed on, its run being over. */
static void pass_rest(struct runner *r, struct stream *s)
{
	struct pollfd p[3];
	int i, ready;

	while (stream_is_pending(&s[0]) || stream_is_pending(&s[1])) {
		p[0] = (struct pollfd){ ends_fd(), POLLIN, 0 };
		for (i = 0; i < 2; i++)
			p[i + 1] = stream_wanted(&s[i]);
		if (ends_told())
			p[0].fd = -1;
		ready = poll(p, 3, ends_told() ? PATIENCE_MS : -1);
		for (i = 0; i < 2; i++) {
			if (ready > 0 && p[i + 1].revents)
				stream_push(r, &s[i]);
			else if (!ready)
				stream_give_up(r, &s[i]);
		}
	}
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
	static struct stream s[2];
	int fds[6] = { -1, -1, -1, -1, -1, -1 };
	int *out = fds, *errors = fds + 2, *exec = fds + 4;
	int status = 0, why = 0, rc = 0, i;
	pid_t pid;

	for (i = 0; i < 2; i++)
		rc |= stream_open(&s[i], &sinks[i]);
	r->exit = 0;
	r->signal = 0;
	r->interrupted = 0;
	r->output_failed = 0;
	r->is_cut = false;
	errno = ENOMEM;
	if (rc || pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC) ||
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
	if (r->on_end)
		r->on_end(r->arg);
	if (r->interrupted)
		end_group(pid);
	stream_pull_rest(r, &s[0]);
	stream_pull_rest(r, &s[1]);
	pass_rest(r, s);
	stream_close(&s[0]);
	stream_close(&s[1]);
	if (WIFSIGNALED(status))
		r->signal = WTERMSIG(status);
	r->exit = r->signal ? 128 + r->signal : WEXITSTATUS(status);
	return 0;

fail:
	why = errno;
	close_all(fds, 6);
	stream_close(&s[0]);
	stream_close(&s[1]);
	return err_sys(err, why, r->argv[0]);
}
