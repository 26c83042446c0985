// SPDX-License-Identifier: GPL-2.0-only
/*
 * The recorder's settings; see session.h.
 *
 * Settings persist, except those of a program that owns the control: when it
 * closes its descriptor, also by dying, what it set is put back.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include <linux/tracepoint.h>

#include "core/acct.h"
#include "core/clock.h"
#include "core/context.h"
#include "core/filter.h"
#include "core/holders.h"
#include "probes/probes.h"
#include "session.h"
#include "sink/hist_percpu.h"

/**
 * struct settings - what `own` puts aside
 * @recording: probes are attached and count
 * @filter: which mms, one reference; NULL for all
 */
struct settings {
	bool recording;
	struct mls_filter *filter;
};

static DEFINE_MUTEX(lock);
static struct settings current_settings;
static struct settings saved_settings;
static const void *owner;
static pid_t owner_pid;
static struct mls_totals *base;
static enum mls_wait_start wait_start;
static bool may_be_tsc;
static u64 load_id, reset_seq, mark_seq, generation, reset_at_ns;
static unsigned long base_missed;
static bool leaving;

/**
 * mls_session_init() - a stopped recorder
 * @first_wait_start: what the first start will try as the start of a wait
 * @clock_may_be_tsc: whether the TSC may be the clock
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int mls_session_init(enum mls_wait_start first_wait_start, bool clock_may_be_tsc)
{
	/* All zero: nothing had been counted. */
	base = kvzalloc(sizeof(*base), GFP_KERNEL);
	if (!base)
		return -ENOMEM;
	get_random_bytes(&load_id, sizeof(load_id));
	/* What the first start will try, until it has found out. */
	wait_start = first_wait_start;
	may_be_tsc = clock_may_be_tsc;
	mls_clock_init(may_be_tsc);
	reset_at_ns = ktime_get_ns();
	return 0;
}

static void begin(void)
{
	lockdep_assert_held(&lock);
	mls_clock_init(may_be_tsc);
	generation++;
	mls_acct_enable(current_settings.filter, wait_start);
	mls_filter_refresh(current_settings.filter);
}

/* No probe runs: what is open never comes back. */
static void end(void)
{
	lockdep_assert_held(&lock);
	mls_holders_wipe();
	mls_context_wipe();
}

static int start(void)
{
	int err;

	lockdep_assert_held(&lock);
	if (leaving)
		return -ENODEV;
	if (current_settings.recording)
		return 0;
	err = mls_probes_attach(&wait_start);
	if (err)
		return err;
	begin();
	current_settings.recording = true;
	return 0;
}

static void stop(void)
{
	lockdep_assert_held(&lock);
	if (!current_settings.recording)
		return;
	mls_acct_disable();
	mls_probes_detach();
	end();
	current_settings.recording = false;
}

/* Takes over the reference. */
static void set_filter(struct mls_filter *filter)
{
	struct mls_filter *old = current_settings.filter;

	lockdep_assert_held(&lock);
	current_settings.filter = filter;
	if (current_settings.recording) {
		/*
		 * Operations open now would lose their ends, or get ends without
		 * a start: another filter is another generation.
		 */
		mls_acct_disable();
		/*
		 * Both: from 7.0 on the first does not wait for a hooked
		 * function's callback, only for tracepoints.
		 */
		tracepoint_synchronize_unregister();
		synchronize_rcu();
		end();
		begin();
	}
	mls_filter_put(old);
}

static int may(const void *cookie)
{
	lockdep_assert_held(&lock);
	if (leaving)
		return -ENODEV;
	return owner && owner != cookie ? -EBUSY : 0;
}

/**
 * mls_session_exit() - stop for good
 *
 * Context: Process, may sleep.  No probe runs behind this, and none will.
 */
void mls_session_exit(void)
{
	mutex_lock(&lock);
	leaving = true;
	stop();
	mls_filter_put(current_settings.filter);
	current_settings.filter = NULL;
	mutex_unlock(&lock);
}

/**
 * mls_session_free() - free what readers may have looked at until now
 *
 * Where loading fails behind the proc files, somebody may have started it.
 *
 * Context: Process; the proc files are gone.
 */
void mls_session_free(void)
{
	mls_session_exit();
	kvfree(base);
	base = NULL;
}

/**
 * mls_session_start() - record
 * @cookie: who asks: the open file
 *
 * Context: Process, may sleep.
 * Return: 0, also where it records already; -EBUSY where another one owns the
 * control; or why the hooks could not be attached.
 */
int mls_session_start(const void *cookie)
{
	int err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = may(cookie);
	if (!err)
		err = start();
	mutex_unlock(&lock);
	return err;
}

/**
 * mls_session_start_at_load() - record, as the module's parameter says
 *
 * The files are there already: where somebody owns the control, it begins when
 * that one lets go.
 *
 * Context: Process, may sleep.
 * Return: 0, or why the hooks could not be attached.
 */
int mls_session_start_at_load(void)
{
	int err = 0;

	mutex_lock(&lock);
	if (owner)
		saved_settings.recording = true;
	else
		err = start();
	mutex_unlock(&lock);
	return err;
}

/**
 * mls_session_stop() - record no more; operations open now never come back
 * @cookie: who asks
 *
 * Context: Process, may sleep.
 * Return: 0, also where it had stopped; -EBUSY.
 */
int mls_session_stop(const void *cookie)
{
	int err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = may(cookie);
	if (!err)
		stop();
	mutex_unlock(&lock);
	return err;
}

static void mark(void)
{
	lockdep_assert_held(&lock);
	mls_hist_percpu_clear_max();
	mark_seq++;
}

static int reset(void)
{
	struct mls_totals *now;
	int err;

	lockdep_assert_held(&lock);
	now = kvmalloc(sizeof(*now), GFP_KERNEL);
	if (!now)
		return -ENOMEM;
	err = mls_totals_take(now, current_settings.recording);
	if (err) {
		kvfree(now);
		return err;
	}
	swap(base, now);
	kvfree(now);
	base_missed = mls_probes_nr_missed();
	mark();
	reset_seq++;
	reset_at_ns = ktime_get_ns();
	return 0;
}

/**
 * mls_session_reset() - count from now on
 * @cookie: who asks
 *
 * A baseline for readers.  What is in flight is carried into attempts and
 * acquired.  Maxima begin anew.
 *
 * Context: Process, may sleep.
 * Return: 0; -EBUSY; -ENOMEM; or as mls_totals_take().  On an error nothing has
 * changed.
 */
int mls_session_reset(const void *cookie)
{
	int err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = may(cookie);
	if (!err)
		err = reset();
	mutex_unlock(&lock);
	return err;
}

/**
 * mls_session_mark() - maxima begin anew
 * @cookie: who asks
 *
 * Context: Process, may sleep.
 * Return: 0; -EBUSY; -EINTR where the caller is killed while it waits.
 */
int mls_session_mark(const void *cookie)
{
	int err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = may(cookie);
	if (!err)
		mark();
	mutex_unlock(&lock);
	return err;
}

/**
 * mls_session_filter() - record these mms only
 * @cookie: who asks
 * @filter: which; NULL for all.  The reference is taken over on success.
 *
 * Context: Process, may sleep.
 * Return: 0; -EBUSY; -EINTR where the caller is killed while it waits.
 */
int mls_session_filter(const void *cookie, struct mls_filter *filter)
{
	int err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = may(cookie);
	if (!err)
		set_filter(filter);
	mutex_unlock(&lock);
	return err;
}

/**
 * mls_session_own() - from now on only @cookie may tell the recorder anything
 * @cookie: who asks
 *
 * The module cannot be unloaded meanwhile.
 *
 * Context: Process, may sleep.
 * Return: 0, also for the owner itself; -EBUSY for others; -ENODEV where the
 * module is being unloaded.
 */
int mls_session_own(const void *cookie)
{
	int err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = may(cookie);
	if (err || owner)
		goto out;
	if (!try_module_get(THIS_MODULE)) {
		err = -ENODEV;
		goto out;
	}
	owner = cookie;
	owner_pid = task_tgid_nr(current);
	saved_settings = current_settings;
	mls_filter_get(saved_settings.filter);
out:
	mutex_unlock(&lock);
	return err;
}

/**
 * mls_session_disown() - the open file is closed
 * @cookie: which
 *
 * If it owned the control, what it set is put back as it was.
 *
 * Context: Process, may sleep.
 */
void mls_session_disown(const void *cookie)
{
	bool owned;
	int err;

	mutex_lock(&lock);
	owned = owner == cookie;
	if (owned) {
		owner = NULL;
		if (!saved_settings.recording)
			stop();
		if (current_settings.filter == saved_settings.filter)
			mls_filter_put(saved_settings.filter);
		else
			set_filter(saved_settings.filter);
		saved_settings.filter = NULL;
		if (saved_settings.recording) {
			err = start();
			/* Unloaded by force: there is no more recording. */
			if (err && !leaving)
				pr_err("cannot record again after a program that had stopped it closed: error %d\n",
				       err);
		}
	}
	mutex_unlock(&lock);
	if (owned)
		module_put(THIS_MODULE);
}

/**
 * mls_session_look() - everything there is to read, at one moment
 * @info: filled; the caller gives its filter back with mls_filter_put()
 * @totals: filled, since the last reset
 *
 * Context: Process, may sleep.
 * Return: 0; or why there is nothing to read, as mls_totals_take().
 */
int mls_session_look(struct mls_session_info *info, struct mls_totals *totals)
{
	int i, err;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	err = mls_totals_take(totals, current_settings.recording);
	if (err)
		goto out;
	mls_totals_since(totals, base);
	info->load_id = load_id;
	info->reset_seq = reset_seq;
	info->mark_seq = mark_seq;
	info->generation = generation;
	info->since_reset_ns = ktime_get_ns() - reset_at_ns;
	info->owner = owner ? owner_pid : 0;
	info->recording = current_settings.recording;
	info->wait_start = wait_start;
	info->filter = current_settings.filter;
	mls_filter_get(info->filter);
	info->clock = mls_clock_name();
	info->nr_online_cpus = num_online_cpus();
	for (i = 0; i < MLS_NR_PROBES; i++) {
		info->probes[i] = mls_probes_state(i);
		info->used_probes[i] = mls_probes_used(i);
	}
	info->nr_missed = mls_probes_nr_missed() - base_missed;
	info->nr_slots = mls_holders_nr_slots();
	info->nr_used = mls_holders_nr_used();
out:
	mutex_unlock(&lock);
	return err;
}
