// SPDX-License-Identifier: GPL-2.0-only
#include "source/recfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/json.h"
#include "source/outfile.h"
#include "source/slurp.h"

/**
 * recfile_read - read a recording
 * @path: its file; `-` for standard input
 * @rec: the recording; to be freed by the caller on success
 * @err: what went wrong, with the file's name
 *
 * Context: one thread.
 * Return: 0 or -errno.
 */
int recfile_read(const char *path, struct recording *rec, struct err *err)
{
	struct err why;
	size_t len;
	char *text;
	int rc;

	*rec = (struct recording){ 0 };
	rc = slurp(path, RECFILE_MAX_BYTES, '{', &text, &len, err);
	if (rc)
		return rc;
	rc = recfile_parse(text, len, rec, &why);
	free(text);
	if (rc)
		err_set(err, rc, "%s: %s", slurp_name(path), why.text);
	return rc;
}

/* The keys that some later version wrote, put back. */
static void put_extra(FILE *out, const char *extra)
{
	size_t len = extra ? strlen(extra) : 0;

	if (len > 2)
		fprintf(out, ", %.*s", (int)(len - 2), extra + 1);
}

static void put_pairs(FILE *out, const struct pairs *p)
{
	size_t i;

	fputs("{", out);
	for (i = 0; i < p->nr; i++) {
		fputs(i ? ", " : " ", out);
		json_put_text(out, p->v[i].name);
		fputs(": ", out);
		json_put_text(out, p->v[i].value);
	}
	fputs(p->nr ? " }" : "}", out);
}

static void put_counters(FILE *out, const char *key, const struct counters *c)
{
	size_t i;

	if (!c->nr)
		return;
	fprintf(out, ",\n      \"%s\": {", key);
	for (i = 0; i < c->nr; i++) {
		fputs(i ? ", " : " ", out);
		json_put_text(out, c->v[i].name);
		fprintf(out, ": %lld", (long long)c->v[i].value);
	}
	fputs(" }", out);
}

static void put_series(FILE *out, const struct series *s)
{
	const struct bucket *b;
	size_t i;

	json_put_text(out, s->name);
	fprintf(out, ": { \"count\": %llu, \"sum_ns\": %llu",
		(unsigned long long)s->count, (unsigned long long)s->sum_ns);
	if (s->has_max)
		fprintf(out, ", \"max_ns\": %llu",
			(unsigned long long)s->max_ns);
	if (s->max_bound)
		fputs(", \"max_is_bound\": true", out);
	if (s->rounded)
		fputs(", \"rounded\": true", out);
	put_extra(out, s->extra);
	/* None known is not none there: a count without buckets stays one. */
	if (s->count && !s->nr_buckets) {
		fputs(" }", out);
		return;
	}
	fputs(",\n          \"buckets\": [", out);
	for (i = 0; i < s->nr_buckets; i++) {
		b = &s->buckets[i];
		fprintf(out, "%s[%llu, ", i ? ", " : " ",
			(unsigned long long)b->lower);
		if (b->upper == BUCKET_INF)
			fputs("null", out);
		else
			fprintf(out, "%llu", (unsigned long long)b->upper);
		fprintf(out, ", %llu]", (unsigned long long)b->count);
	}
	fputs(s->nr_buckets ? " ] }" : "] }", out);
}

static void put_metrics(FILE *out, const struct run *run)
{
	const struct metric *m;
	size_t i;

	if (!run->nr_metrics)
		return;
	fputs(",\n      \"metrics\": {", out);
	for (i = 0; i < run->nr_metrics; i++) {
		m = &run->metrics[i];
		fputs(i ? ",\n        " : "\n        ", out);
		json_put_text(out, m->name);
		fputs(": { \"value\": ", out);
		json_put_real(out, m->value);
		fputs(", \"unit\": ", out);
		json_put_text(out, m->unit);
		if (m->better != BETTER_UNKNOWN)
			fprintf(out, ", \"better\": \"%s\"",
				m->better == BETTER_HIGHER ? "higher" :
							     "lower");
		fputs(" }", out);
	}
	fputs(" }", out);
}

static void put_recorder(FILE *out, const struct run *run)
{
	size_t i;

	fputs(",\n      \"recorder\": { ", out);
	for (i = 0; i < run->recorder.nr; i++) {
		json_put_text(out, run->recorder.v[i].name);
		fputs(": ", out);
		json_put_text(out, run->recorder.v[i].value);
		fputs(", ", out);
	}
	fputs("\n        \"hooks\": ", out);
	put_pairs(out, &run->hooks);
	fputs(", \"thresholds\": ", out);
	put_pairs(out, &run->thresholds);
	put_extra(out, run->recorder_extra);
	fputs(" }", out);
}

static void put_run(FILE *out, const struct run *run)
{
	size_t i;

	fputs("    { ", out);
	if (run->start) {
		fputs("\"start\": ", out);
		json_put_text(out, run->start);
		fputs(", ", out);
	}
	fputs("\"seconds\": ", out);
	json_put_real(out, run->seconds);
	fprintf(out, ", \"exit\": %d", run->exit);
	if (run->signal)
		fprintf(out, ", \"signal\": %d", run->signal);
	put_recorder(out, run);
	put_metrics(out, run);
	put_counters(out, "vmstat", &run->vmstat);
	put_counters(out, "counters", &run->counters);
	fputs(",\n      \"series\": {", out);
	for (i = 0; i < run->nr_series; i++) {
		fputs(i ? ",\n        " : "\n        ", out);
		put_series(out, &run->series[i]);
	}
	fputs(" }", out);
	put_counters(out, "health", &run->health);
	put_extra(out, run->extra);
	fputs(" }", out);
}

static void put_host(FILE *out, const struct host *host)
{
	size_t i;

	fputs("  \"host\": { \"kernel\": ", out);
	json_put_text(out, host->kernel ? host->kernel : "");
	fputs(", \"arch\": ", out);
	json_put_text(out, host->arch ? host->arch : "");
	fprintf(out, ", \"cpus\": %lld, \"memory_kib\": %lld,\n"
		"    \"settings\": {", (long long)host->cpus,
		(long long)host->memory_kib);
	for (i = 0; i < host->settings.nr; i++) {
		fputs(i ? ",\n      " : "\n      ", out);
		json_put_text(out, host->settings.v[i].name);
		fputs(": ", out);
		json_put_text(out, host->settings.v[i].value);
	}
	fputs(" }", out);
	put_extra(out, host->extra);
	fputs(" },\n", out);
}

/**
 * recfile_print - write a recording as JSON
 * @out: where to
 * @rec: the recording
 *
 * Context: any.
 * Return: 0, or -EIO when the stream has an error.
 */
int recfile_print(FILE *out, const struct recording *rec)
{
	size_t i, j;

	fprintf(out, "{ \"format\": \"%s\", \"version\": %d",
		RECORDING_FORMAT, RECORDING_VERSION);
	if (rec->label) {
		fputs(", \"label\": ", out);
		json_put_text(out, rec->label);
	}
	if (rec->tool) {
		fputs(", \"tool\": ", out);
		json_put_text(out, rec->tool);
	}
	fputs(",\n", out);
	put_host(out, &rec->host);
	fputs("  \"command\": [", out);
	for (i = 0; i < rec->nr_command; i++) {
		if (i)
			fputs(", ", out);
		json_put_text(out, rec->command[i]);
	}
	fputs("],\n  \"groups\": [", out);
	for (i = 0; i < rec->nr_groups; i++) {
		fputs(i ? ",\n  { \"set\": " : "\n  { \"set\": ", out);
		put_pairs(out, &rec->groups[i].set);
		put_extra(out, rec->groups[i].extra);
		fputs(", \"runs\": [", out);
		for (j = 0; j < rec->groups[i].nr_runs; j++) {
			fputs(j ? ",\n" : "\n", out);
			put_run(out, &rec->groups[i].runs[j]);
		}
		fputs(" ] }", out);
	}
	fputs(" ]", out);
	put_extra(out, rec->extra);
	fputs(" }\n", out);
	return ferror(out) ? -EIO : 0;
}

/**
 * recfile_write - write a recording to a file, whole or not at all
 * @path: its name
 * @rec: the recording
 * @err: what went wrong, with the file's name
 *
 * Context: any.
 * Return: 0 or -errno.
 */
int recfile_write(const char *path, const struct recording *rec,
		  struct err *err)
{
	struct outfile file;
	int rc;

	rc = outfile_open(&file, path, err);
	if (rc)
		return rc;
	recfile_print(file.out, rec);
	return outfile_commit(&file, err);
}
