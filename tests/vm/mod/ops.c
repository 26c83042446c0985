// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmlocktest: operations that need one task and nothing around it.
 */
#include <linux/sched/signal.h>

#include "mlt.h"

static void do_pairs(struct mlt_run *run, enum mlt_mode mode)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, mode);
		mlt_unlock(run, run->mm, mode);
	}
}

static void do_read(struct mlt_run *run)
{
	do_pairs(run, MLT_READ);
}

static void do_write(struct mlt_run *run)
{
	do_pairs(run, MLT_WRITE);
}

/* Ends early only when the caller is killed: the counts then say how far. */
static void do_killable(struct mlt_run *run, enum mlt_mode mode)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		if (mlt_lock_killable(run, run->mm, mode))
			return;
		mlt_unlock(run, run->mm, mode);
	}
}

static void do_read_killable(struct mlt_run *run)
{
	do_killable(run, MLT_READ);
}

static void do_write_killable(struct mlt_run *run)
{
	do_killable(run, MLT_WRITE);
}

static void do_trylocks(struct mlt_run *run, enum mlt_mode mode)
{
	u32 i;

	for (i = 0; i < run->n; i++)
		if (mlt_trylock(run, run->mm, mode))
			mlt_unlock(run, run->mm, mode);
}

static void do_read_trylock(struct mlt_run *run)
{
	do_trylocks(run, MLT_READ);
}

static void do_write_trylock(struct mlt_run *run)
{
	do_trylocks(run, MLT_WRITE);
}

static void do_downgrade(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_WRITE);
		mlt_downgrade(run, run->mm);
		mlt_unlock(run, run->mm, MLT_READ);
	}
}

/* Safe on an mm that no writer waits for: a queued one would deadlock us. */
static void do_nested(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_READ);
		mlt_lock(run, run->mm, MLT_READ);
		mlt_count(run, MLT_READ, MLT_NESTED);
		mlt_unlock(run, run->mm, MLT_READ);
		mlt_unlock(run, run->mm, MLT_READ);
	}
}

/* A downgrade, then a second read hold over it. */
static void do_downgrade_nested(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_WRITE);
		mlt_downgrade(run, run->mm);
		mlt_lock(run, run->mm, MLT_READ);
		mlt_count(run, MLT_READ, MLT_NESTED);
		mlt_unlock(run, run->mm, MLT_READ);
		mlt_unlock(run, run->mm, MLT_READ);
	}
}

/* fork's order: the old mm, inside it the new one. */
static void do_two_write(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_WRITE);
		mlt_count(run, MLT_WRITE, MLT_ATTEMPTS);
		mmap_write_lock_nested(run->mm2, SINGLE_DEPTH_NESTING);
		mlt_count(run, MLT_WRITE, MLT_ACQUIRED);
		mlt_unlock(run, run->mm2, MLT_WRITE);
		mlt_unlock(run, run->mm, MLT_WRITE);
	}
}

/* Interleaved: the first is released while the second is still held. */
static void do_two_read(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_READ);
		mlt_lock(run, run->mm2, MLT_READ);
		mlt_unlock(run, run->mm, MLT_READ);
		mlt_unlock(run, run->mm2, MLT_READ);
	}
}

/* A downgrade of one while the other is held for write. */
static void do_two_downgrade(struct mlt_run *run)
{
	u32 i;

	for (i = 0; i < run->n; i++) {
		mlt_lock(run, run->mm, MLT_WRITE);
		mlt_lock(run, run->mm2, MLT_READ);
		mlt_downgrade(run, run->mm);
		mlt_unlock(run, run->mm2, MLT_READ);
		mlt_unlock(run, run->mm, MLT_READ);
	}
}

#define MLT_OP(word)							\
static int op_##word(struct mlt_run *run)				\
{									\
	return mlt_run_by(run, do_##word);				\
}

MLT_OP(read)
MLT_OP(write)
MLT_OP(read_killable)
MLT_OP(write_killable)
MLT_OP(read_trylock)
MLT_OP(downgrade)
MLT_OP(nested)
MLT_OP(downgrade_nested)
MLT_OP(two_write)
MLT_OP(two_read)
MLT_OP(two_downgrade)

static int op_write_trylock(struct mlt_run *run)
{
	if (!__is_defined(MLT_WRITE_TRYLOCK))
		return -EOPNOTSUPP;
	return mlt_run_by(run, do_write_trylock);
}

const struct mlt_op mlt_plain_ops[] = {
	{ "read", op_read },
	{ "write", op_write },
	{ "read-killable", op_read_killable },
	{ "write-killable", op_write_killable },
	{ "read-trylock", op_read_trylock },
	{ "write-trylock", op_write_trylock },
	{ "downgrade", op_downgrade },
	{ "nested", op_nested },
	{ "downgrade-nested", op_downgrade_nested },
	{ "two-write", op_two_write, true },
	{ "two-read", op_two_read, true },
	{ "two-downgrade", op_two_downgrade, true },
	{ }
};
