// SPDX-License-Identifier: GPL-2.0-only
/*
 * The signals that end a program, held back and read from a descriptor, so
 * that whoever waits can wait for them too.  The end of a child has another
 * descriptor: it is no reason to give up anything.
 */
#include "source/ends.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static struct {
	int fd, child_fd, told;
	sigset_t was;
} ends = { .fd = -1, .child_fd = -1 };

/* Who starts us with nohup wants it ignored: held back, it would come. */
static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction now;

	if (sigaction(sig, NULL, &now) || now.sa_handler != SIG_IGN)
		sigaddset(set, sig);
}

/**
 * ends_open - from now on signals to end are told here
 * @err: what went wrong
 *
 * SIGHUP and SIGQUIT stay ignored where they were.
 *
 * Context: one thread; ends with ends_close(), also on failure.
 * Return: 0 or -errno.
 */
int ends_open(struct err *err)
{
	sigset_t set, child, both;

	sigemptyset(&set);
	/* A shell ignores SIGINT for what runs in the background: sent, it is meant. */
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	add_unless_ignored(&set, SIGHUP);
	add_unless_ignored(&set, SIGQUIT);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	/* An ignored child would leave no status. */
	signal(SIGCHLD, SIG_DFL);
	sigorset(&both, &set, &child);
	if (sigprocmask(SIG_BLOCK, &both, &ends.was))
		return err_sys(err, errno, "signals");
	ends.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	ends.child_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (ends.fd < 0 || ends.child_fd < 0)
		return err_sys(err, errno, "signals");
	ends.told = 0;
	return 0;
}

/**
 * ends_close - signals have their usual effect again
 *
 * Context: one thread; harmless when not open.
 */
void ends_close(void)
{
	if (ends.fd < 0)
		return;
	close(ends.fd);
	ends.fd = -1;
	if (ends.child_fd >= 0)
		close(ends.child_fd);
	ends.child_fd = -1;
	sigprocmask(SIG_SETMASK, &ends.was, NULL);
}

/**
 * ends_are_held - whether signals to end wait for us to look
 *
 * Context: any.
 * Return: true between ends_open() and ends_close().
 */
bool ends_are_held(void)
{
	return ends.fd >= 0;
}

/**
 * ends_fd - what to poll for
 *
 * Context: between ends_open() and ends_close().
 * Return: a descriptor, readable when ends_take() has something to say.
 */
int ends_fd(void)
{
	return ends.fd;
}

/**
 * ends_child_fd - what to poll for the end of a child
 *
 * Context: between ends_open() and ends_close().
 * Return: a descriptor, readable until ends_child_seen().
 */
int ends_child_fd(void)
{
	return ends.child_fd;
}

/**
 * ends_child_seen - the next child's end is news again
 *
 * Context: before waitpid().
 */
void ends_child_seen(void)
{
	struct signalfd_siginfo info;

	while (read(ends.child_fd, &info, sizeof(info)) == sizeof(info))
		;
}

/**
 * ends_take - whether we were told to end since the last call
 *
 * Context: between ends_open() and ends_close().
 * Return: the signal, or 0.
 */
int ends_take(void)
{
	struct signalfd_siginfo info;
	int sig = 0;

	while (read(ends.fd, &info, sizeof(info)) == sizeof(info))
		sig = info.ssi_signo;
	if (sig)
		ends.told = sig;
	return sig;
}

/**
 * ends_told - whether we were ever told to end
 *
 * Context: between ends_open() and ends_close().
 * Return: the last signal, or 0.
 */
int ends_told(void)
{
	ends_take();
	return ends.told;
}

/**
 * ends_restore - signals of this process are as we found them
 *
 * Context: in a child, before it becomes another program.
 */
void ends_restore(void)
{
	sigprocmask(SIG_SETMASK, &ends.was, NULL);
}
