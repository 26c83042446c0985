// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "source/slurp.h"
#include "source/trace_dat.h"
#include "source/trace_guard.h"
#include "source/trace_text.h"

/* So many bytes tell a text from what is none. */
#define SNIFF_BYTES	4096

/**
 * struct job - a trace-cmd file to be read
 * @path: the file
 * @buffer: the only buffer to read, or NULL
 * @result: where to, shared
 */
struct job {
	const char *path, *buffer;
	struct trace_result *result;
};

static int read_dat(void *arg, volatile uint64_t *progress, struct err *err)
{
	struct job *job = arg;
	struct trace_pair p = { .totals = &job->result->totals };
	int rc, failed;

	rc = trace_dat_read(job->path, job->buffer, &job->result->dat, &p,
			    progress, err);
	failed = trace_pair_finish(&p);
	if (!rc && failed)
		rc = err_sys(err, -failed, job->path);
	return rc;
}

static int import_dat(const char *path, const char *buffer, off_t size,
		      struct trace_result *r, struct err *err)
{
	struct job job = { .path = path, .buffer = buffer, .result = r };
	struct trace_guard guard = {
		.work = read_dat, .arg = &job, .name = path,
	};
	int rc;

	rc = trace_datopt_read(path, NULL, &r->dat, err);
	if (!rc)
		rc = trace_guard_run(&guard, size, err);
	r->source = "trace-cmd file";
	r->clock = r->dat.clock;
	r->resolution_ns = 1;
	return rc;
}

static int import_text(FILE *in, const char *head, size_t len,
		       const char *name, struct trace_result *r,
		       struct err *err)
{
	struct trace_pair p = { .totals = &r->totals };
	struct trace_text text;
	int rc, failed;
	unsigned int i;

	rc = trace_text_read(in, head, len, name, &p, &text, err);
	failed = trace_pair_finish(&p);
	if (!rc && failed)
		rc = err_sys(err, -failed, name);
	r->source = text.printer;
	r->clock = "as printed";
	for (i = text.digits, r->resolution_ns = 1; i < 9; i++)
		r->resolution_ns *= 10;
	return rc;
}

static int foreign(const char *name, const char *head, size_t len,
		   struct err *err)
{
	if (len >= 8 && !memcmp(head, "PERFILE2", 8))
		return err_set(err, -EINVAL,
			       "%s: a file of perf record: import what 'perf script --ns -i FILE' prints",
			       name);
	return err_set(err, -EINVAL,
		       "%s: no trace: neither a trace-cmd file nor text of trace-cmd report, of the tracing file or of perf script",
		       name);
}

static int import_any(FILE *in, const char *path, const char *name,
		      const char *buffer, struct trace_result *r,
		      struct err *err)
{
	char head[SNIFF_BYTES];
	struct stat st;
	size_t len;

	if (fstat(fileno(in), &st))
		return err_sys(err, errno, name);
	len = fread(head, 1, sizeof(head), in);
	if (ferror(in))
		return err_sys(err, errno ? errno : EIO, name);
	if (len >= TRACE_DAT_MAGIC_LEN &&
	    !memcmp(head, TRACE_DAT_MAGIC, TRACE_DAT_MAGIC_LEN)) {
		if (!S_ISREG(st.st_mode))
			return err_set(err, -ESPIPE,
				       "%s: a trace-cmd file is not read from a pipe: give its name",
				       name);
		return import_dat(path, buffer, st.st_size, r, err);
	}
	if (memchr(head, '\0', len) || !len)
		return foreign(name, head, len, err);
	if (buffer)
		return err_set(err, -EINVAL,
			       "%s: a text has no buffers to choose from",
			       name);
	return import_text(in, head, len, name, r, err);
}

/* No CPU makes an event in less time. */
#define LEAST_NS	10
/* Fewer events prove nothing. */
#define MANY_EVENTS	100

static int check_any(const struct trace_result *r, const char *name,
		     struct err *err)
{
	const struct trace_totals *t = &r->totals;
	uint64_t events = 0, cpus = r->dat.cpus ? r->dat.cpus : 1;
	size_t what, mode;

	for (what = 0; what < TRACE_NR_WHAT; what++)
		for (mode = 0; mode < MLS_NR_MODES; mode++)
			events += t->events[what][mode];
	/* trace-cmd extract does not ask for an instance's clock. */
	if (r->dat.cpus && events >= MANY_EVENTS &&
	    (t->last_ns - t->first_ns) / LEAST_NS < events / cpus)
		return err_set(err, -EDOM,
			       "%s: %llu events in %llu ns: its clock is no time, whatever the file says: record with 'trace-cmd record -C mono'",
			       name, (unsigned long long)events,
			       (unsigned long long)(t->last_ns - t->first_ns));
	if (events)
		return 0;
	if (t->malformed)
		return err_set(err, -EINVAL,
			       "%s: none of its %llu mmap_lock events can be understood",
			       name, (unsigned long long)t->malformed);
	return err_set(err, -ENOENT,
		       "%s: no mmap_lock event in it: record with 'trace-cmd record -e mmap_lock'",
		       name);
}

/**
 * trace_import - pair the mmap_lock events of a trace session
 * @path: the file: of trace-cmd, or a text; - for standard input
 * @buffer: of a trace-cmd file, the only buffer to read; NULL for all
 * @result: what it comes to, to be freed by trace_result_free() on success
 * @err: what went wrong
 *
 * Context: one thread; forks.
 * Return: 0; -errno, with -EINVAL for a file that is damaged or no trace, -ENOENT
 * for one without such events or buffer, -EDOM where its clock is no time.
 */
int trace_import(const char *path, const char *buffer,
		 struct trace_result **result, struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	const char *name = slurp_name(path);
	struct trace_result *r;
	FILE *in;
	int rc;

	if (is_stdin)
		path = "/dev/stdin";
	in = fopen(path, "re");
	if (!in)
		return err_sys(err, errno, name);
	r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r == MAP_FAILED) {
		rc = err_sys(err, errno, name);
		fclose(in);
		return rc;
	}
	rc = import_any(in, path, name, buffer, r, err);
	fclose(in);
	if (!rc)
		rc = check_any(r, name, err);
	if (rc)
		trace_result_free(r);
	else
		*result = r;
	return rc;
}

/**
 * trace_result_free - free a result
 * @result: as trace_import() gave it, or NULL
 *
 * Context: any.
 */
void trace_result_free(struct trace_result *result)
{
	if (result)
		munmap(result, sizeof(*result));
}
