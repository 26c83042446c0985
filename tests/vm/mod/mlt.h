/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmlocktest: what its files share.
 *
 * Every lock operation goes through the wrappers below, which count it at the
 * place where it is made: the module's own account of what it did, to be held
 * against what a recorder says and against the number that was asked for.
 */
#ifndef MLT_H
#define MLT_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/mm_types.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include <linux/types.h>

/* Lock modes; also indices. */
enum mlt_mode { MLT_READ, MLT_WRITE, MLT_NR_MODES };

/* Who makes the operations. */
enum mlt_by {
	MLT_BY_SELF,		/* the task that writes the command */
	MLT_BY_KTHREAD,		/* a kernel thread without an mm */
	MLT_BY_KTHREAD_USE,	/* a kernel thread that borrowed the mm */
	MLT_NR_BY,
};

/* What is counted, each per mode. */
enum mlt_count {
	MLT_ATTEMPTS,
	MLT_ACQUIRED,
	MLT_TRYLOCK_FAILED,
	MLT_ABORTED,
	MLT_RELEASED,
	MLT_NESTED,		/* acquired while the same task held it already */
	MLT_DOWNGRADED,		/* counted under read */
	MLT_NR_COUNTS,
};

/**
 * struct mlt_stamp - one moment, on the clocks a recorder may use
 * @mono: ktime_get_ns(), ns
 * @tsc: the TSC, ticks; 0 where there is none
 */
struct mlt_stamp {
	u64 mono;
	u64 tsc;
};

/**
 * struct mlt_run - one command while it is carried out
 * @mm: the mm worked on; a reference is held
 * @mm2: a second one, or NULL; a reference is held
 * @n: how many times, 1 .. 10^6
 * @ns: a length for timed operations, ns
 * @by: who makes the operations
 * @holder: mode in which the helper holds the lock
 * @waiter: mode in which the waiter asks for it
 * @migrate: move the tasks between CPUs while they wait and hold
 * @count: what was done, see enum mlt_count
 * @hits: interrupts that really hit the acting task where they were meant to
 * @text: what a read of the file gives; a page
 * @len: bytes in @text
 */
struct mlt_run {
	struct mm_struct *mm;
	struct mm_struct *mm2;
	u32 n;
	u64 ns;
	enum mlt_by by;
	enum mlt_mode holder;
	enum mlt_mode waiter;
	bool migrate;
	atomic64_t count[MLT_NR_MODES][MLT_NR_COUNTS];
	atomic64_t hits;
	char *text;
	size_t len;
};

#define MLT_TEXT_MAX (4 * PAGE_SIZE)

__printf(2, 3) void mlt_say(struct mlt_run *run, const char *fmt, ...);

static inline void mlt_count(struct mlt_run *run, enum mlt_mode mode,
			     enum mlt_count what)
{
	atomic64_inc(&run->count[mode][what]);
}

static inline void mlt_lock(struct mlt_run *run, struct mm_struct *mm,
			    enum mlt_mode mode)
{
	mlt_count(run, mode, MLT_ATTEMPTS);
	if (mode == MLT_WRITE)
		mmap_write_lock(mm);
	else
		mmap_read_lock(mm);
	mlt_count(run, mode, MLT_ACQUIRED);
}

static inline int mlt_lock_killable(struct mlt_run *run, struct mm_struct *mm,
				    enum mlt_mode mode)
{
	int ret;

	mlt_count(run, mode, MLT_ATTEMPTS);
	if (mode == MLT_WRITE)
		ret = mmap_write_lock_killable(mm);
	else
		ret = mmap_read_lock_killable(mm);
	mlt_count(run, mode, ret ? MLT_ABORTED : MLT_ACQUIRED);
	return ret;
}

static inline bool mlt_trylock(struct mlt_run *run, struct mm_struct *mm,
			       enum mlt_mode mode)
{
	bool ok = false;

	if (mode == MLT_READ)
		ok = mmap_read_trylock(mm);
#ifdef MLT_WRITE_TRYLOCK
	else
		ok = mmap_write_trylock(mm);
#else
	else if (WARN_ON_ONCE(1))
		return false;
#endif
	mlt_count(run, mode, MLT_ATTEMPTS);
	mlt_count(run, mode, ok ? MLT_ACQUIRED : MLT_TRYLOCK_FAILED);
	return ok;
}

static inline void mlt_unlock(struct mlt_run *run, struct mm_struct *mm,
			      enum mlt_mode mode)
{
	mlt_count(run, mode, MLT_RELEASED);
	if (mode == MLT_WRITE)
		mmap_write_unlock(mm);
	else
		mmap_read_unlock(mm);
}

static inline void mlt_downgrade(struct mlt_run *run, struct mm_struct *mm)
{
	mlt_count(run, MLT_READ, MLT_DOWNGRADED);
	mmap_write_downgrade(mm);
}

/*
 * A helper thread: @fn runs in it once, mlt_thread_join() waits for its end.
 */
typedef void (*mlt_fn)(struct mlt_run *run);

/**
 * struct mlt_thread - a helper thread
 * @run: the command it works for
 * @fn: what it does
 * @use_mm: borrow the run's mm while it does
 * @task: the thread
 * @done: completed when @fn has returned
 */
struct mlt_thread {
	struct mlt_run *run;
	mlt_fn fn;
	bool use_mm;
	struct task_struct *task;
	struct completion done;
};

int mlt_thread_start(struct mlt_thread *t, struct mlt_run *run, mlt_fn fn,
		     bool use_mm, const char *name);
void mlt_thread_join(struct mlt_thread *t);
int mlt_run_by(struct mlt_run *run, mlt_fn fn);

/**
 * struct mlt_holder - a helper thread that holds an mmap_lock until told
 * @run: the command it works for
 * @mm: whose lock
 * @mode: how it holds it
 * @task: the thread
 * @held: completed when the lock is held
 */
struct mlt_holder {
	struct mlt_run *run;
	struct mm_struct *mm;
	enum mlt_mode mode;
	struct task_struct *task;
	struct completion held;
};

int mlt_holder_start(struct mlt_holder *h, struct mlt_run *run,
		     struct mm_struct *mm, enum mlt_mode mode);
void mlt_holder_stop(struct mlt_holder *h);
int mlt_wait_blocked(struct task_struct *task, struct mm_struct *mm,
		     unsigned int state);

struct mlt_stamp mlt_now(void);
void mlt_say_span(struct mlt_run *run, const char *what, enum mlt_mode mode,
		  struct mlt_stamp out0, struct mlt_stamp in0,
		  struct mlt_stamp in1, struct mlt_stamp out1);
void mlt_sleep_ns(u64 ns);

/**
 * struct mlt_op - a command word
 * @name: the word
 * @run: carries it out; Return: 0 or -errno
 * @need_mm2: it works on two mms
 */
struct mlt_op {
	const char *name;
	int (*run)(struct mlt_run *run);
	bool need_mm2;
};

extern const struct mlt_op mlt_plain_ops[];	/* ops.c */
extern const struct mlt_op mlt_task_ops[];	/* task.c */
extern const struct mlt_op mlt_irq_ops[];	/* irq.c */
extern const struct mlt_op mlt_probe_ops[];	/* probe.c */
extern const struct mlt_op mlt_nmi_ops[];	/* nmi.c */
extern const struct mlt_op mlt_timed_ops[];	/* timed.c */

#endif /* MLT_H */
