/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every workload is built on.  A workload is one file: an option table
 * and a run function.  It runs in a worker process; the process that the user
 * started supervises it, and puts settings back however the worker ends.
 */
#ifndef MMLOCKLOAD_FRAME_H
#define MMLOCKLOAD_FRAME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Exit statuses of the program, and results of a workload's run function. */
enum ml_status {
	ML_DONE		= 0,	/* ran, metrics are valid */
	ML_FAILED	= 1,	/* something went wrong on the way */
	ML_USAGE	= 2,	/* wrong command line */
	ML_PREMISE	= 3,	/* cannot run here: memory, swap, rights */
};

#define KIB	(UINT64_C(1) << 10)
#define MIB	(UINT64_C(1) << 20)
#define GIB	(UINT64_C(1) << 30)

#define NSEC_PER_USEC	UINT64_C(1000)
#define NSEC_PER_MSEC	UINT64_C(1000000)
#define NSEC_PER_SEC	UINT64_C(1000000000)

enum ml_option_type {
	ML_OPT_COUNT,	/* uint64_t: a plain number */
	ML_OPT_SIZE,	/* uint64_t: bytes, with KiB, MiB or GiB behind */
	ML_OPT_SECONDS,	/* double: seconds */
	ML_OPT_FLAG,	/* bool: no argument */
	ML_OPT_TEXT,	/* const char *: anything, or one of @choices */
};

/**
 * struct ml_option - one option of the command line
 * @name: long name without the dashes; NULL ends a table
 * @type: how the argument is read
 * @value: where it goes; what stands there before is the default
 * @arg: name of the argument in --help
 * @help: what it does, one line
 * @min: least value (COUNT: itself, SIZE: bytes, SECONDS: ms)
 * @max: greatest value, 0 for no limit
 * @choices: for TEXT, the words allowed, separated by '|', or NULL
 */
struct ml_option {
	const char *name;
	enum ml_option_type type;
	void *value;
	const char *arg;
	const char *help;
	uint64_t min;
	uint64_t max;
	const char *choices;
};

/**
 * struct ml_workload - one workload
 * @name: what it is called on the command line
 * @summary: one line for the list
 * @about: what it does and measures, some lines, for its own --help
 * @options: its options, beside the common ones
 * @untimed: runs through once: of the common options only --quiet is its own
 * @exclusive: changes settings or makes devices, so only one at a time
 * @run: runs it in the worker process; returns an enum ml_status
 */
struct ml_workload {
	const char *name;
	const char *summary;
	const char *about;
	const struct ml_option *options;
	bool untimed;
	bool exclusive;
	int (*run)(void);
};

/**
 * struct ml_common - options that every workload has
 * @seconds: how long to measure
 * @warmup: how long to run before measuring, in seconds
 * @rounds: operations of each thread instead of a time, 0 for a time
 * @quiet: no progress on the terminal
 */
struct ml_common {
	double seconds;
	double warmup;
	uint64_t rounds;
	bool quiet;
};

extern struct ml_common ml_common;
extern const struct ml_workload *const ml_workloads[];
extern const struct ml_option ml_common_options[];
extern const struct ml_option ml_untimed_options[];

/* options.c */
int ml_options_parse(const struct ml_workload *load, int argc, char **argv);
void ml_options_print(const struct ml_option *table);

/* say.c: what goes out.  Errors: one line, what and why. */
void ml_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ml_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ml_metric(const char *name, double value, const char *unit, bool higher);
void ml_set_name(const char *name);

/* supervise.c */
int ml_supervise(const struct ml_workload *load);
bool ml_stopped(void);
void ml_progress(const char *what, double seconds);

/* system.c: what the kernel says. Results are -1 or UINT64_MAX if absent. */
uint64_t ml_vmstat(const char *name);
uint64_t ml_meminfo_kib(const char *name);
int ml_file_read(const char *path, char *text, size_t size);
int ml_file_write(const char *path, const char *text);
uint64_t ml_file_u64(const char *path);
uint64_t ml_file_field(const char *path, const char *name, char mark);
uint64_t ml_cpus(void);
int ml_need_memory(uint64_t bytes);
void *ml_map(size_t bytes, int prot);

/* ml_page - size of a page in bytes, set before any workload runs. */
extern size_t ml_page;

/**
 * ml_now() - a clock that only goes forward
 *
 * Return: nanoseconds since some point in the past.
 */
static inline uint64_t ml_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

void ml_sleep_ns(uint64_t ns);

/**
 * ml_whole_pages() - a size as whole pages
 * @bytes: the size
 *
 * Return: the size, rounded up to pages.
 */
static inline uint64_t ml_whole_pages(uint64_t bytes)
{
	return (bytes + ml_page - 1) / ml_page * ml_page;
}

/**
 * ml_random() - next number of a fixed pseudo-random sequence (splitmix64)
 * @state: where the sequence stands; any start value will do
 *
 * Return: 64 evenly distributed bits, the same on every machine.
 */
static inline uint64_t ml_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

#endif /* MMLOCKLOAD_FRAME_H */
