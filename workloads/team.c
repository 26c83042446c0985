// SPDX-License-Identifier: GPL-2.0-only
/* Threads and processes that start, are measured and stop together. */

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "team.h"

/* How often to look whether enough has been done after the time. */
#define TEAM_POLL_NS	(50 * NSEC_PER_MSEC)

/* Small, so that a thousand threads need no memory worth mention. */
#define TEAM_STACK	(256 * KIB)

/**
 * struct team_shared - state of the team, seen by all its processes
 * @phase: enum ml_phase; members wait on it while it is READY
 * @event: goes up whenever the main thread should look up
 * @ready: members that wait for the start
 * @failed: a member has filled @failure
 * @failure: what failed
 * @nr: members in use
 * @member: the members
 */
struct team_shared {
	atomic_uint phase;
	atomic_uint event;
	atomic_uint ready;
	atomic_bool failed;
	char failure[200];
	unsigned int nr;
	struct ml_member member[ML_TEAM_MAX];
};

static struct team_shared *team_shared;
static pthread_t team_thread[ML_TEAM_MAX];

static void team_futex_wait(atomic_uint *word, unsigned int value, uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};

	syscall(SYS_futex, word, FUTEX_WAIT, value, ns ? &ts : NULL, NULL, 0);
}

static void team_futex_wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/**
 * ml_team_init() - make the memory that members share
 *
 * Context: before the worker is forked.
 * Return: 0 or a negative errno.
 */
int ml_team_init(void)
{
	void *area = mmap(NULL, sizeof(*team_shared), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (area == MAP_FAILED)
		return -errno;
	team_shared = area;
	return 0;
}

/**
 * ml_team_poke() - make the main thread look whether something has changed
 *
 * Context: any, also signal handlers.
 */
void ml_team_poke(void)
{
	int err = errno;

	atomic_fetch_add(&team_shared->event, 1);
	team_futex_wake(&team_shared->event);
	errno = err;
}

/**
 * ml_team_phase() - where the run stands
 *
 * Return: the phase.
 */
enum ml_phase ml_team_phase(void)
{
	return atomic_load_explicit(&team_shared->phase, memory_order_relaxed);
}

/**
 * ml_runs() - shall this member do another operation?
 * @member: who asks
 *
 * Return: false when it is to return from its function.
 */
bool ml_runs(const struct ml_member *member)
{
	if (ml_team_phase() == ML_PHASE_STOP)
		return false;
	return !ml_common.rounds || member->part->background ||
	       atomic_load_explicit(&member->ops, memory_order_relaxed) <
	       ml_common.rounds;
}

/**
 * ml_took() - count an operation and its time
 * @member: who did it
 * @ns: how long it took, in ns; kept only while measuring
 */
void ml_took(struct ml_member *member, uint64_t ns)
{
	ml_op(member);
	if (ml_team_phase() == ML_PHASE_MEASURE)
		ml_latency_add(&member->lat, ns);
}

/**
 * ml_fail() - an operation failed: the whole run ends as failed
 * @member: who
 * @what: what it did
 * @err: the errno, positive
 */
void ml_fail(const struct ml_member *member, const char *what, int err)
{
	if (atomic_exchange(&team_shared->failed, true))
		return;
	snprintf(team_shared->failure, sizeof(team_shared->failure), "%s %u: %s: %s",
		 member->part->name, member->index, what, strerror(err));
	/* Stops the others too, who may wait for this one. */
	atomic_store(&team_shared->phase, ML_PHASE_STOP);
	team_futex_wake(&team_shared->phase);
	ml_team_poke();
}

static void team_member_main(struct ml_member *member)
{
	atomic_fetch_add(&team_shared->ready, 1);
	ml_team_poke();
	while (atomic_load(&team_shared->phase) == ML_PHASE_READY)
		team_futex_wait(&team_shared->phase, ML_PHASE_READY, 0);
	member->part->fn(member);
	atomic_store(&member->finished, true);
	ml_team_poke();
}

static void *team_thread_main(void *arg)
{
	team_member_main(arg);
	return NULL;
}

static int team_start_process(struct ml_member *member)
{
	pid_t parent = getpid(), pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid) {
		member->pid = pid;
		return 0;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_DFL);
	if (getppid() == parent)
		team_member_main(member);
	_exit(0);
}

static int team_start_thread(struct ml_member *member, unsigned int slot)
{
	sigset_t all, old;
	pthread_attr_t attr;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, TEAM_STACK);
	/* Signals are the main thread's, so that its waits end early. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&team_thread[slot], &attr, team_thread_main, member);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return -err;
}

/* Processes before threads: fork copies only the thread that calls it. */
static int team_start(struct ml_team *team)
{
	unsigned int pass, p, i;

	for (pass = 0; pass < 2; pass++) {
		for (p = 0; p < team->nr_parts; p++) {
			struct ml_part *part = &team->parts[p];

			if (part->process != !pass)
				continue;
			for (i = 0; i < part->nr; i++) {
				unsigned int slot = team_shared->nr;
				struct ml_member *member = &team_shared->member[slot];
				int err = -E2BIG;

				if (slot < ML_TEAM_MAX) {
					memset(member, 0, sizeof(*member));
					member->index = i;
					member->part = part;
					member->lat.limit_ns = part->limit_ns;
					err = part->process ?
					      team_start_process(member) :
					      team_start_thread(member, slot);
				}
				if (err) {
					ml_error("cannot start %s %u: %s",
						 part->name, i, strerror(-err));
					return err;
				}
				team_shared->nr++;
			}
		}
	}
	return 0;
}

/* True while nothing speaks against going on: no signal, failure or death. */
static bool team_sound(void)
{
	unsigned int i;
	int status;

	if (ml_stopped() || atomic_load(&team_shared->failed))
		return false;
	for (i = 0; i < team_shared->nr; i++) {
		struct ml_member *member = &team_shared->member[i];

		if (member->pid <= 0 || waitpid(member->pid, &status, WNOHANG) <= 0)
			continue;
		member->pid = -1;
		if (WIFEXITED(status) && !WEXITSTATUS(status) &&
		    atomic_load(&member->finished))
			continue;
		ml_fail(member, "its process was killed", ECHILD);
		return false;
	}
	return true;
}

static bool team_foreground_done(void)
{
	unsigned int i;

	for (i = 0; i < team_shared->nr; i++) {
		struct ml_member *member = &team_shared->member[i];

		if (!member->part->background && !atomic_load(&member->finished))
			return false;
	}
	return true;
}

/* Wait until @until_ns (0: no such point) or, with @done, until that holds. */
static bool team_wait(uint64_t until_ns, bool (*done)(void))
{
	for (;;) {
		unsigned int event = atomic_load(&team_shared->event);
		uint64_t now = ml_now();

		if (!team_sound())
			return false;
		if (done && done())
			return true;
		if (until_ns && now >= until_ns)
			return true;
		team_futex_wait(&team_shared->event, event,
				until_ns ? until_ns - now : 0);
	}
}

/* Operations of the first part since measuring began. */
static uint64_t team_first_ops(const struct ml_team *team)
{
	uint64_t ops = 0;
	unsigned int i;

	for (i = 0; i < team_shared->nr; i++) {
		struct ml_member *member = &team_shared->member[i];

		if (member->part == team->parts)
			ops += atomic_load(&member->ops) - member->at_start;
	}
	return ops;
}

static bool team_all_ready(void)
{
	return atomic_load(&team_shared->ready) == team_shared->nr;
}

static void team_set_phase(enum ml_phase phase)
{
	unsigned int i;

	for (i = 0; i < team_shared->nr; i++) {
		struct ml_member *member = &team_shared->member[i];

		if (phase == ML_PHASE_MEASURE) {
			member->at_start = atomic_load(&member->ops);
			member->extra_at_start = atomic_load(&member->extra);
		} else if (phase == ML_PHASE_STOP) {
			member->at_stop = atomic_load(&member->ops);
			member->extra_at_stop = atomic_load(&member->extra);
		}
	}
	atomic_store(&team_shared->phase, phase);
	team_futex_wake(&team_shared->phase);
}

static bool team_measure(struct ml_team *team)
{
	uint64_t start, length;
	bool sound;

	ml_progress("starting", 0);
	if (!team_wait(0, team_all_ready))
		return false;
	if (!ml_common.rounds && ml_common.warmup > 0) {
		ml_progress("warming up", ml_common.warmup);
		team_set_phase(ML_PHASE_WARMUP);
		if (!team_wait(ml_now() + (uint64_t)(ml_common.warmup * 1e9), NULL))
			return false;
	}
	ml_progress("measuring", ml_common.rounds ? 0 : ml_common.seconds);
	if (team->begin)
		team->begin();
	start = ml_now();
	team_set_phase(ML_PHASE_MEASURE);
	length = (uint64_t)(ml_common.seconds * 1e9);
	sound = ml_common.rounds ? team_wait(0, team_foreground_done) :
		team_wait(start + length, NULL);
	while (sound && !ml_common.rounds && team_first_ops(team) < team->at_least)
		sound = team_wait(ml_now() + TEAM_POLL_NS, NULL);
	team_set_phase(ML_PHASE_STOP);
	team->seconds = (double)(ml_now() - start) / 1e9;
	if (team->end)
		team->end();
	ml_progress("stopping", 0);
	return sound;
}

static void team_collect(struct ml_team *team)
{
	unsigned int p, i;

	for (p = 0; p < team->nr_parts; p++) {
		struct ml_part *part = &team->parts[p];

		part->ops = 0;
		part->extra = 0;
		part->lat = NULL;
		for (i = 0; i < team_shared->nr; i++) {
			struct ml_member *member = &team_shared->member[i];

			if (member->part != part)
				continue;
			part->ops += member->at_stop - member->at_start;
			part->extra += member->extra_at_stop - member->extra_at_start;
			if (part->lat)
				ml_latency_merge(part->lat, &member->lat);
			else
				part->lat = &member->lat;
		}
	}
}

/**
 * ml_team_run() - start a team, warm it up, measure it, stop it
 * @team: its parts; results are filled in
 *
 * Context: the worker's main thread, one team at a time.
 * Return: ML_DONE, or ML_FAILED when a line has said why or a signal came.
 */
int ml_team_run(struct ml_team *team)
{
	unsigned int i;
	bool sound;

	team_shared->nr = 0;
	atomic_store(&team_shared->ready, 0);
	atomic_store(&team_shared->failed, false);
	atomic_store(&team_shared->phase, ML_PHASE_READY);
	sound = !team_start(team) && team_measure(team);
	if (!sound)
		team_set_phase(ML_PHASE_STOP);
	for (i = 0; i < team_shared->nr; i++) {
		struct ml_member *member = &team_shared->member[i];
		int status;

		if (!member->part->process)
			pthread_join(team_thread[i], NULL);
		else if (member->pid > 0)
			while (waitpid(member->pid, &status, 0) < 0 && errno == EINTR)
				;
		member->pid = 0;
	}
	if (atomic_load(&team_shared->failed)) {
		ml_error("%s", team_shared->failure);
		return ML_FAILED;
	}
	if (!sound)
		return ML_FAILED;
	team_collect(team);
	return ML_DONE;
}
