// SPDX-License-Identifier: GPL-2.0-only
#include "source/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What people, shells and limits end a program with. */
static const int signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGXCPU,
};

#define NR_SIGNALS (sizeof(signals) / sizeof(*signals))

/* Empty: none.  Changed only while the signals are held back. */
static char path[PATH_MAX];
static bool is_ours[NR_SIGNALS];

static void on_signal(int sig)
{
	unlink(path);
	/* It is still blocked: it ends us when we return. */
	signal(sig, SIG_DFL);
	raise(sig);
}

/**
 * tempfile_hold - signals that would end us wait
 * @was: what was blocked before, for tempfile_release()
 *
 * Context: one thread.
 */
void tempfile_hold(sigset_t *was)
{
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < NR_SIGNALS; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, was);
}

/**
 * tempfile_release - signals that would end us come again
 * @was: of tempfile_hold()
 *
 * Context: one thread.
 */
void tempfile_release(const sigset_t *was)
{
	sigprocmask(SIG_SETMASK, was, NULL);
}

/* What is ignored, or has a handler, does not end us. */
static void watch(void)
{
	const struct sigaction ours = { .sa_handler = on_signal };
	struct sigaction now;
	size_t i;

	for (i = 0; i < NR_SIGNALS; i++) {
		if (sigaction(signals[i], NULL, &now) ||
		    (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
			continue;
		is_ours[i] = !sigaction(signals[i], &ours, NULL);
	}
}

/**
 * tempfile_open - make a file that a signal that ends us takes with it
 * @name: its name, as for mkostemps(); set to what it became
 * @suffix_len: bytes behind the XXXXXX
 *
 * Context: one thread, one such file at a time; ends with tempfile_forget().
 * Return: a descriptor, or -1 with errno set.
 */
int tempfile_open(char *name, int suffix_len)
{
	sigset_t was;
	int fd, why;

	tempfile_hold(&was);
	fd = mkostemps(name, suffix_len, O_CLOEXEC);
	why = errno;
	/* A name that is too long to be kept is too long to be opened. */
	if (fd >= 0) {
		snprintf(path, sizeof(path), "%s", name);
		watch();
	}
	tempfile_release(&was);
	errno = why;
	return fd;
}

/**
 * tempfile_forget - the file has its last name, or is removed
 *
 * Context: one thread; harmless where there is none.
 */
void tempfile_forget(void)
{
	sigset_t was;
	size_t i;

	tempfile_hold(&was);
	*path = '\0';
	for (i = 0; i < NR_SIGNALS; i++) {
		if (is_ours[i])
			signal(signals[i], SIG_DFL);
		is_ours[i] = false;
	}
	tempfile_release(&was);
}
