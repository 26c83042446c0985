// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is a hook of the slow path called at all?
 *
 * kernel.ftrace_enabled=0 (6.1 and 6.12; 7.3 refuses it) and 0 in debugfs'
 * kprobes/enabled let a kprobe be set that is never called; nothing tells a
 * module of either.  So a thread is sent through the slow path of an rwsem of our
 * own.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "../core/acct.h"
#include "probes.h"

/* How long the thread may take until it waits; the machine may be very busy. */
#define MLS_SELFTEST_MS	60000

static DECLARE_RWSEM(sem);

static int wait_for_read(void *unused)
{
	down_read(&sem);
	up_read(&sem);
	return 0;
}

static int wait_for_write(void *unused)
{
	down_write(&sem);
	up_write(&sem);
	return 0;
}

/* The thread has entered the slow path once somebody is queued. */
static int wait_until_entered(enum mls_mode mode)
{
	unsigned long end = jiffies + msecs_to_jiffies(MLS_SELFTEST_MS);

	while (!mls_acct_watched(mode)) {
		if (rwsem_is_contended(&sem))
			return mls_acct_watched(mode) ? 0 : -ENXIO;
		if (fatal_signal_pending(current))
			return -EINTR;
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
		usleep_range(100, 200);
	}
	return 0;
}

static int test_mode(enum mls_mode mode)
{
	struct task_struct *thread;
	int err;

	thread = kthread_create(mode == MLS_WRITE ? wait_for_write : wait_for_read,
				NULL, "mmlockstat");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	/* Stays until it is stopped, also where it ends first. */
	get_task_struct(thread);
	down_write(&sem);
	mls_acct_watch(&sem);
	wake_up_process(thread);
	err = wait_until_entered(mode);
	up_write(&sem);
	kthread_stop(thread);
	put_task_struct(thread);
	mls_acct_watch(NULL);
	return err;
}

/**
 * mls_probes_selftest() - send a thread through both slow paths
 *
 * Context: Process, may sleep; the hooks are attached, nothing is recorded.
 * Return: 0 where both hooks were called; -ENXIO where one was not.  Else it is not
 * known: -ETIMEDOUT where the thread did not come to wait in a minute, -EINTR where
 * the caller is killed, -ENOMEM.
 */
int mls_probes_selftest(void)
{
	int err = test_mode(MLS_READ);

	return err ? err : test_mode(MLS_WRITE);
}
