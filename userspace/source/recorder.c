// SPDX-License-Identifier: GPL-2.0-only
#include "source/recorder.h"

#include <errno.h>
#include <unistd.h>

#include "source/delta.h"
#include "source/host.h"
#include "source/proc.h"

/**
 * recorder_open - take control of the module
 * @rec: the control
 * @pids: command for the module's filter, or NULL to leave it
 * @err: what went wrong
 *
 * Context: any; ends with recorder_close(), also on failure.
 * Return: 0 or -errno.
 */
int recorder_open(struct recorder *rec, const char *pids, struct err *err)
{
	struct snapshot snap;
	int rc;

	*rec = (struct recorder){ .root = "/" };
	rec->control = proc_control_open(err);
	if (rec->control < 0)
		return rec->control;
	rc = proc_control(rec->control, "own", err);
	if (!rc)
		rc = proc_snapshot(&snap, err);
	if (rc)
		return rc;
	rec->was_off = !snap.recording;
	rec->generation = snap.generation;
	snapshot_free(&snap);
	return pids ? proc_control(rec->control, pids, err) : 0;
}

static void forget(struct recorder *rec)
{
	snapshot_free(&rec->before);
	counters_free(&rec->vmstat);
}

/**
 * recorder_begin - a run begins
 * @rec: the control
 * @err: what went wrong
 *
 * The mark comes right before the snapshot, so that no maximum of the run can
 * be missed; delta() sees one that fell between the two.
 *
 * Context: the command is run right after.
 * Return: 0 or -errno.
 */
int recorder_begin(struct recorder *rec, struct err *err)
{
	time_t now = time(NULL);
	struct tm tm;
	int rc = 0;

	forget(rec);
	if (rec->was_off)
		rc = proc_control(rec->control, "start", err);
	if (!rc)
		rc = vmstat_read(rec->root, &rec->vmstat, err);
	if (!rc)
		rc = proc_control(rec->control, "mark", err);
	if (!rc)
		rc = proc_snapshot(&rec->before, err);
	if (rc)
		return rc;
	/* By us, or by a filter, or by the command that made the setting. */
	rec->is_started = rec->was_off ||
			  rec->before.generation != rec->generation;
	rec->generation = rec->before.generation;
	rec->start[0] = '\0';
	if (gmtime_r(&now, &tm))
		strftime(rec->start, sizeof(rec->start), "%Y-%m-%dT%H:%M:%SZ",
			 &tm);
	clock_gettime(CLOCK_MONOTONIC, &rec->begin);
	return 0;
}

static int take_vmstat(struct recorder *rec, struct run *run, struct err *err)
{
	struct counters now = { 0 };
	int rc;

	rc = vmstat_read(rec->root, &now, err);
	if (!rc && vmstat_delta(&rec->vmstat, &now, &run->vmstat))
		rc = err_sys(err, ENOMEM, "vmstat");
	counters_free(&now);
	return rc;
}

/* Two looks where there was a stop between: what it gave up is the difference. */
static int look(struct recorder *rec, struct snapshot *live,
		struct snapshot *after, struct err *err)
{
	int rc = 0;

	if (rec->was_off) {
		rc = proc_snapshot(live, err);
		rc = rc ? rc : proc_control(rec->control, "stop", err);
	}
	rc = rc ? rc : proc_snapshot(after, err);
	if (rc)
		snapshot_free(live);
	if (rc == -ENOENT)
		rc = err_set(err, -ESTALE,
			     "the module was unloaded during the run");
	return rc;
}

/**
 * recorder_end - a run has ended
 * @rec: the control
 * @run: where to, empty before; empty again on failure
 * @err: what went wrong
 *
 * Context: right after the command's end.
 * Return: 0; -ESTALE when what was recorded is not one run of one recording
 * (module unloaded, reset, restarted, changed); -errno.
 */
int recorder_end(struct recorder *rec, struct run *run, struct err *err)
{
	struct snapshot live = { 0 }, after = { 0 };
	struct delta_how how = {
		.is_marked = true,
		.is_started = rec->is_started,
		.at_stop = rec->was_off ? &live.counters : NULL,
	};
	struct timespec end;
	struct err why;
	int rc;

	clock_gettime(CLOCK_MONOTONIC, &end);
	rc = look(rec, &live, &after, err);
	if (rc)
		return rc;
	rc = delta(&rec->before, &after, &how, run, err);
	snapshot_free(&live);
	snapshot_free(&after);
	if (rc == -ESTALE || rc == -EPROTO) {
		why = *err;
		return err_set(err, -ESTALE, "%.200s during the run", why.text);
	}
	if (rc)
		return rc;
	run->seconds = end.tv_sec - rec->begin.tv_sec +
		       (end.tv_nsec - rec->begin.tv_nsec) / 1e9;
	rc = take_vmstat(rec, run, err);
	if (!rc && str_set(&run->start, rec->start))
		rc = err_sys(err, ENOMEM, "run");
	if (rc)
		run_free(run);
	return rc;
}

/**
 * recorder_close - give control back: the module is as it was
 * @rec: the control
 *
 * Context: any.
 */
void recorder_close(struct recorder *rec)
{
	if (rec->control >= 0)
		close(rec->control);
	rec->control = -1;
	forget(rec);
}
