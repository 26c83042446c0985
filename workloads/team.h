/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A team: the threads and processes of a workload, started together, warmed
 * up, measured over one span of time, and stopped together.
 */
#ifndef MMLOCKLOAD_TEAM_H
#define MMLOCKLOAD_TEAM_H

#include "frame.h"
#include "latency.h"

#define ML_TEAM_MAX	1024

enum ml_phase { ML_PHASE_READY, ML_PHASE_WARMUP, ML_PHASE_MEASURE, ML_PHASE_STOP };

struct ml_part;

/**
 * struct ml_member - one thread or process of a team
 * @ops: operations done so far, of all phases
 * @extra: a second count of the workload's own
 * @at_start: @ops when measuring began
 * @at_stop: @ops when measuring ended
 * @extra_at_start: the same of @extra
 * @extra_at_stop: the same of @extra
 * @index: number within its part, from 0
 * @pid: its process, 0 for a thread
 * @finished: it has left its function
 * @part: what it belongs to
 * @lat: times of operations that ended while measuring
 */
struct ml_member {
	_Alignas(64) _Atomic uint64_t ops;
	_Atomic uint64_t extra;
	uint64_t at_start;
	uint64_t at_stop;
	uint64_t extra_at_start;
	uint64_t extra_at_stop;
	unsigned int index;
	int pid;
	atomic_bool finished;
	const struct ml_part *part;
	struct ml_latency lat;
};

/**
 * struct ml_part - members that do the same
 * @name: what they are called in messages
 * @nr: how many
 * @process: each is a process, not a thread
 * @background: it goes on until the others are done, whatever --rounds says
 * @fn: what each does: loops while ml_runs(), counting with ml_op()
 * @arg: for @fn
 * @limit_ns: operations longer than this are counted in lat.over
 * @ops: result: operations within the measured span
 * @extra: result: the same of the second count
 * @lat: result: times of all members, or NULL; points into the team's memory
 */
struct ml_part {
	const char *name;
	unsigned int nr;
	bool process;
	bool background;
	void (*fn)(struct ml_member *member);
	void *arg;
	uint64_t limit_ns;
	uint64_t ops;
	uint64_t extra;
	struct ml_latency *lat;
};

/**
 * struct ml_team - a run of several parts
 * @parts: the parts
 * @nr_parts: how many
 * @at_least: go on beyond the time until the first part has counted so many
 * @begin: called when measuring begins, or NULL
 * @end: called when it ends, before the members are told to stop, or NULL
 * @seconds: result: length of the measured span
 */
struct ml_team {
	struct ml_part *parts;
	unsigned int nr_parts;
	uint64_t at_least;
	void (*begin)(void);
	void (*end)(void);
	double seconds;
};

int ml_team_init(void);
int ml_team_run(struct ml_team *team);
void ml_team_poke(void);
enum ml_phase ml_team_phase(void);
bool ml_runs(const struct ml_member *member);
void ml_took(struct ml_member *member, uint64_t ns);
void ml_fail(const struct ml_member *member, const char *what, int err);

/**
 * ml_op() - count an operation
 * @member: who did it
 *
 * Context: the member itself.
 */
static inline void ml_op(struct ml_member *member)
{
	/* The only writer: a plain increment, no locked instruction. */
	atomic_store_explicit(&member->ops,
			      atomic_load_explicit(&member->ops,
						   memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

/**
 * ml_extra() - count in the second counter
 * @member: who
 * @nr: how many
 *
 * Context: the member itself.
 */
static inline void ml_extra(struct ml_member *member, uint64_t nr)
{
	atomic_store_explicit(&member->extra,
			      atomic_load_explicit(&member->extra,
						   memory_order_relaxed) + nr,
			      memory_order_relaxed);
}

#endif /* MMLOCKLOAD_TEAM_H */
