// SPDX-License-Identifier: GPL-2.0-only
#include "source/snapshot.h"

#include <errno.h>
#include <mmlockstat.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/decade.h"

/* Words of the longest line that we know. */
#define MAX_WORDS	6

/**
 * struct line - one line of the file, cut into words
 * @nr: its number, from 1
 * @key: first word
 * @rest: everything behind it
 * @word: the words behind it
 * @nr_words: how many; of more than MAX_WORDS, MAX_WORDS + 1
 */
struct line {
	unsigned int nr;
	char *key, *rest;
	char *word[MAX_WORDS];
	int nr_words;
};

static int bad(struct err *err, const struct line *line, const char *why)
{
	return err_set(err, -EINVAL, "line %u (%.40s): %s", line->nr,
		       line->key, why);
}

static void cut(struct line *line, char *words)
{
	char *word, *save = NULL;

	line->nr_words = 0;
	for (word = strtok_r(words, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		if (line->nr_words == MAX_WORDS) {
			line->nr_words++;
			break;
		}
		line->word[line->nr_words++] = word;
	}
}

/* Digits only: no sign, no blank, no overflow. */
static int number(const char *word, uint64_t *out)
{
	uint64_t v = 0;

	if (!*word)
		return -EINVAL;
	for (; *word; word++) {
		if (*word < '0' || *word > '9' ||
		    __builtin_mul_overflow(v, (uint64_t)10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*word - '0'), &v))
			return -EINVAL;
	}
	*out = v;
	return 0;
}

static int take_counter(struct counters *c, struct line *line,
			struct err *err)
{
	uint64_t v;

	if (line->nr_words < 2 || number(line->word[1], &v))
		return bad(err, line, "not NAME NUMBER");
	if (v > INT64_MAX)
		return bad(err, line, "the number is above 2^63 - 1");
	if (counters_find(c, line->word[0], NULL))
		return bad(err, line, "appears twice");
	return counters_add(c, line->word[0], v) ? err_sys(err, ENOMEM,
							   "snapshot") : 0;
}

static int take_series(struct snapshot *snap, struct line *line,
		       struct err *err)
{
	struct series *s;
	uint64_t v[3];
	int i;

	if (line->nr_words < 4)
		return bad(err, line, "not NAME COUNT SUM_NS MAX_NS");
	for (i = 0; i < 3; i++) {
		if (number(line->word[i + 1], &v[i]))
			return bad(err, line, "not NAME COUNT SUM_NS MAX_NS");
		if (v[i] > INT64_MAX)
			return bad(err, line, "the number is above 2^63 - 1");
	}
	if (run_series(&snap->data, line->word[0]))
		return bad(err, line, "appears twice");
	s = run_add_series(&snap->data, line->word[0]);
	if (!s)
		return err_sys(err, ENOMEM, "snapshot");
	s->count = v[0];
	s->sum_ns = v[1];
	s->max_ns = v[2];
	s->has_max = true;
	return 0;
}

static int take_bucket(struct snapshot *snap, struct line *line,
		       struct err *err)
{
	struct series *s = snap->data.nr_series ?
		&snap->data.series[snap->data.nr_series - 1] : NULL;
	struct bucket b;

	if (line->nr_words < 4 || number(line->word[1], &b.lower) ||
	    number(line->word[3], &b.count))
		return bad(err, line, "not SERIES LOWER UPPER COUNT");
	if (!strcmp(line->word[2], "inf"))
		b.upper = BUCKET_INF;
	else if (number(line->word[2], &b.upper))
		return bad(err, line, "not SERIES LOWER UPPER COUNT");
	if (!s || strcmp(s->name, line->word[0]))
		return bad(err, line, "does not follow its series");
	if (b.lower >= b.upper || bucket_straddles(&b))
		return bad(err, line, "its bounds are not those of a bucket");
	if (b.count > INT64_MAX)
		return bad(err, line, "the number is above 2^63 - 1");
	if (s->nr_buckets && b.lower < s->buckets[s->nr_buckets - 1].upper)
		return bad(err, line, "is out of order");
	return series_add_bucket(s, b) ? err_sys(err, ENOMEM, "snapshot") : 0;
}

static int take_word(char **where, struct line *line, struct err *err)
{
	if (!line->nr_words)
		return bad(err, line, "has no value");
	if (*where)
		return bad(err, line, "appears twice");
	return str_set(where, line->rest) ? err_sys(err, ENOMEM, "snapshot") : 0;
}

static int take_number(uint64_t *where, struct line *line, struct err *err)
{
	if (line->nr_words < 1 || number(line->word[0], where))
		return bad(err, line, "not a number");
	return 0;
}

static int take_pair(struct pairs *pairs, struct line *line, struct err *err)
{
	if (line->nr_words < 2)
		return bad(err, line, "not NAME VALUE");
	return pairs_add(pairs, line->word[0], line->word[1]) ?
		err_sys(err, ENOMEM, "snapshot") : 0;
}

static int take_line(struct snapshot *snap, struct line *line,
		     struct err *err)
{
	const char *key = line->key;
	uint64_t on = 0;
	int rc;

	if (!strcmp(key, "bucket"))
		return take_bucket(snap, line, err);
	if (!strcmp(key, "counter"))
		return take_counter(&snap->counters, line, err);
	if (!strcmp(key, "lost"))
		return take_counter(&snap->lost, line, err);
	if (!strcmp(key, "series"))
		return take_series(snap, line, err);
	if (!strcmp(key, "hook"))
		return take_pair(&snap->hooks, line, err);
	if (!strcmp(key, "threshold"))
		return take_pair(&snap->thresholds, line, err);
	if (!strcmp(key, "version"))
		return take_word(&snap->version, line, err);
	if (!strcmp(key, "load-id"))
		return take_word(&snap->load_id, line, err);
	if (!strcmp(key, "mode"))
		return take_word(&snap->mode, line, err);
	if (!strcmp(key, "wait-start"))
		return take_word(&snap->wait_start, line, err);
	if (!strcmp(key, "clock"))
		return take_word(&snap->clock, line, err);
	if (!strcmp(key, "scope"))
		return take_word(&snap->scope, line, err);
	if (!strcmp(key, "failed-split"))
		return take_word(&snap->failed_split, line, err);
	if (!strcmp(key, "reset-seq"))
		return take_number(&snap->reset_seq, line, err);
	if (!strcmp(key, "mark-seq"))
		return take_number(&snap->mark_seq, line, err);
	if (!strcmp(key, "generation"))
		return take_number(&snap->generation, line, err);
	if (!strcmp(key, "recording")) {
		rc = take_number(&on, line, err);
		snap->recording = !rc && on;
		return rc;
	}
	return 0;		/* written by a later version */
}

/* The file ends where the module ended it: it has all that version 1 has. */
static int complete(const struct snapshot *snap, struct err *err)
{
	static const char * const series[] = {
		"mmap_read_wait", "mmap_write_wait",
		"mmap_read_hold", "mmap_write_hold",
	};
	struct err why;
	size_t i;

	if (!snap->load_id || !snap->version || !snap->mode || !snap->clock)
		return err_set(err, -EINVAL,
			       "truncated: version, load-id, mode or clock missing");
	for (i = 0; i < sizeof(series) / sizeof(*series); i++)
		if (!run_series(&snap->data, series[i]))
			return err_set(err, -EINVAL,
				       "truncated: series %s missing",
				       series[i]);
	/*
	 * The module adds a CPU up between two events, and counts by the buckets:
	 * that holds while it records, too.  Its maxima are of another time, since
	 * the last mark.
	 */
	for (i = 0; i < snap->data.nr_series; i++)
		if (series_check(&snap->data.series[i], false, &why))
			return err_set(err, -EINVAL, "series %.80s: %s",
				       snap->data.series[i].name, why.text);
	return 0;
}

static int head(const char *first, struct err *err)
{
	size_t len = strlen(MMLOCKSTAT_SNAPSHOT_MAGIC);
	uint64_t version;

	if (strncmp(first, MMLOCKSTAT_SNAPSHOT_MAGIC, len) ||
	    first[len] != ' ' || number(first + len + 1, &version))
		return err_set(err, -EINVAL, "not a snapshot of mmlockstat");
	if (version != MMLOCKSTAT_SNAPSHOT_VERSION)
		return err_set(err, -EPROTONOSUPPORT,
			       "the module writes version %llu, this program reads version %d: install module and reader of one version",
			       (unsigned long long)version,
			       MMLOCKSTAT_SNAPSHOT_VERSION);
	return 0;
}

/**
 * snapshot_parse - take the text of a snapshot apart
 * @text: the text
 * @len: its length, bytes
 * @snap: the snapshot, empty before; to be freed by the caller on success
 * @err: what went wrong
 *
 * Context: any.
 * Return: 0, -EINVAL, -EPROTONOSUPPORT for another version, -ENOMEM.
 */
int snapshot_parse(const char *text, size_t len, struct snapshot *snap,
		   struct err *err)
{
	struct line line = { 0 };
	char *copy, *at, *end, *next, *words = NULL;
	int rc = 0;

	if (!len || memchr(text, '\0', len))
		return err_set(err, -EINVAL, len ?
			       "not a snapshot of mmlockstat (binary)" :
			       "empty: not a snapshot of mmlockstat");
	copy = malloc(len + 1);
	if (!copy)
		return err_sys(err, ENOMEM, "snapshot");
	memcpy(copy, text, len);
	copy[len] = '\0';

	end = copy + len;
	for (at = copy; !rc && at < end; at = next) {
		next = strchr(at, '\n');
		line.nr++;
		if (next)
			*next++ = '\0';
		if (line.nr == 1) {
			rc = head(at, err);
			if (rc)
				break;
		}
		if (!next) {
			rc = err_set(err, -EINVAL,
				     "truncated: ends within line %u", line.nr);
			break;
		}
		if (line.nr == 1)
			continue;
		line.key = at;
		line.rest = strchr(at, ' ');
		if (!line.rest)
			continue;
		*line.rest++ = '\0';
		free(words);
		words = strdup(line.rest);
		if (!words) {
			rc = err_sys(err, ENOMEM, "snapshot");
			break;
		}
		cut(&line, words);
		rc = take_line(snap, &line, err);
	}
	free(words);
	free(copy);
	if (!rc)
		rc = complete(snap, err);
	if (rc)
		snapshot_free(snap);
	return rc;
}

/**
 * snapshot_free - free what a snapshot holds
 * @snap: the snapshot, empty afterwards
 *
 * Context: any.
 */
void snapshot_free(struct snapshot *snap)
{
	free(snap->version);
	free(snap->load_id);
	free(snap->mode);
	free(snap->wait_start);
	free(snap->clock);
	free(snap->scope);
	free(snap->failed_split);
	pairs_free(&snap->hooks);
	pairs_free(&snap->thresholds);
	counters_free(&snap->counters);
	counters_free(&snap->lost);
	run_free(&snap->data);
	*snap = (struct snapshot){ 0 };
}
