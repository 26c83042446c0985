// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings: what is read, what is refused and in which words, and that what
 * is written reads back.
 */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>

#include "source/recfile.h"

/* A recording around one run, and around one histogram. */
#define FILE_OF(runs) "{\"format\":\"mmlockstat-recording\",\"version\":1," \
	"\"groups\":[{\"set\":{},\"runs\":[" runs "]}]}"
#define SERIES(body) FILE_OF("{\"series\":{\"mmap_read_wait\":{" body "}}}")
#define BUCKETS(list) SERIES("\"count\":1,\"sum_ns\":1,\"buckets\":[" list "]")
#define HIST(nr, sum, list) SERIES("\"count\":" nr ",\"sum_ns\":" sum \
	",\"buckets\":[" list "]")
#define HEALTH(body) FILE_OF("{\"health\":{" body "}}")

static int parse(const char *text, struct recording *rec, struct err *err)
{
	*rec = (struct recording){ 0 };
	err->text[0] = '\0';
	return recfile_parse(text, strlen(text), rec, err);
}

static void refused(void **state)
{
	static const struct { const char *text, *says; int rc; } cases[] = {
		{ "", "empty", -EINVAL },
		{ " \t", "empty", -EINVAL },
		{ "mmlockstat-snapshot 1\n", "not a recording", -EINVAL },
		{ "{", "truncated", -EINVAL },
		{ "{}", "not a recording", -EINVAL },
		{ "{\"format\":\"other\"}", "not a recording", -EINVAL },
		{ "{\"format\":7}", "not a recording", -EINVAL },
		{ "{\"format\":\"mmlockstat-recording\"}", "version", -EINVAL },
		{ "{\"format\":\"mmlockstat-recording\",\"version\":1}",
		  "groups", -EINVAL },
		{ "{\"format\":\"mmlockstat-recording\",\"version\":2}",
		  "version 2", -EPROTONOSUPPORT },
		{ "{\"format\":\"mmlockstat-recording\",\"version\":1,\"groups\":{}}",
		  "groups: must be an array", -EINVAL },
		{ FILE_OF("7"), "groups[0].runs[0]: must be an object", -EINVAL },
		{ FILE_OF("{\"exit\":-1}"), "exit: must not be negative", -EINVAL },
		{ FILE_OF("{\"exit\":256}"), "0 to 255", -EINVAL },
		{ FILE_OF("{\"seconds\":-1}"), "seconds", -EINVAL },
		{ FILE_OF("{\"seconds\":NaN}"), "line 1", -EINVAL },
		{ FILE_OF("{\"exit\":1,\"exit\":1}"), "duplicate", -EINVAL },
		{ FILE_OF("{\"counters\":{\"a\":-1}}"), "counters.a: must not",
		  -EINVAL },
		{ FILE_OF("{\"counters\":{\"a\":1.5}}"), "whole number, not a fraction",
		  -EINVAL },
		{ FILE_OF("{\"counters\":{\"a\":9223372036854775808}}"), "line 1",
		  -EINVAL },
		{ FILE_OF("{\"metrics\":{\"m\":{\"unit\":\"s\"}}}"),
		  "metrics.m: has no number", -EINVAL },
		{ FILE_OF("{\"metrics\":{\"m\":{\"value\":1,\"better\":\"up\"}}}"),
		  "higher", -EINVAL },
		{ SERIES("\"sum_ns\":1"), "has no count", -EINVAL },
		{ SERIES("\"count\":1"), "has no sum_ns", -EINVAL },
		{ SERIES("\"count\":-1,\"sum_ns\":1"), "must not be negative",
		  -EINVAL },
		{ BUCKETS("[0,1]"), "must be [lower, upper, count]", -EINVAL },
		{ BUCKETS("[5,5,1]"), "not below", -EINVAL },
		{ BUCKETS("[null,5,1]"), "whole number", -EINVAL },
		{ BUCKETS("[500,2000,1]"),
		  "[500, 2000) of mmap_read_wait straddles the decade edge at 1000 ns",
		  -EINVAL },
		{ BUCKETS("[100000000,null,1]"), "straddles", -EINVAL },
		{ BUCKETS("[5,7,1],[6,8,1]"), "ascend", -EINVAL },
		{ BUCKETS("[5,6,9223372036854775807],[7,8,1]"), "2^63", -EINVAL },
		/* What cannot be true together. */
		{ BUCKETS("[1,2,2]"), "series.mmap_read_wait: count 1, but its buckets add up to 2",
		  -EINVAL },
		{ BUCKETS(""), "count 1, but its buckets add up to 0", -EINVAL },
		{ HIST("0", "1", ""), "sum_ns 1, but its count is 0", -EINVAL },
		{ HIST("0", "0,\"max_ns\":1", ""), "max_ns 1, but its count is 0",
		  -EINVAL },
		{ HIST("3", "29", "[5,6,1],[12,13,2]"), "its buckets hold at least 29",
		  0 },
		{ HIST("3", "28", "[5,6,1],[12,13,2]"), "its buckets hold at least 29",
		  -EINVAL },
		{ HIST("3", "30", "[5,6,1],[12,13,2]"), "its buckets hold at most 29",
		  -EINVAL },
		{ HIST("2", "2999,\"max_ns\":2000", "[100,1000,1],[2000,3000,1]"),
		  "", 0 },
		{ HIST("2", "3000,\"max_ns\":2000", "[100,1000,1],[2000,3000,1]"),
		  "its buckets hold at most 2999", -EINVAL },
		{ HIST("2", "2500,\"max_ns\":1999", "[100,1000,1],[2000,3000,1]"),
		  "max_ns 1999, but its highest bucket begins at 2000", -EINVAL },
		{ HIST("2", "2500,\"max_ns\":3000", "[100,1000,1],[2000,3000,1]"),
		  "max_ns 3000, but its highest bucket ends at 3000", -EINVAL },
		{ HIST("2", "2500,\"max_ns\":3000,\"max_is_bound\":true",
		       "[100,1000,1],[2000,3000,1]"), "", 0 },
		{ HIST("2", "2500,\"max_ns\":1999,\"max_is_bound\":true",
		       "[100,1000,1],[2000,3000,1]"), "begins at 2000", -EINVAL },
		{ HIST("2", "2500,\"max_ns\":2500,\"rounded\":1", "[2000,3000,1]"),
		  "rounded: must be true or false", -EINVAL },
		{ HIST("2", "2500,\"max_ns\":5,\"rounded\":true", "[2000,3000,1]"),
		  "", 0 },
		/* Nothing is known above an endless bucket, unless a maximum is. */
		{ HIST("1", "9000000000000000000", "[1000000000,null,1]"), "", 0 },
		{ HIST("1", "2000000001,\"max_ns\":2000000000", "[1000000000,null,1]"),
		  "at most 2000000000", -EINVAL },
		{ HIST("2", "1,\"max_ns\":9223372036854775806",
		       "[1000000000,9223372036854775807,2]"),
		  "at least 2000000000", -EINVAL },
		{ HEALTH("\"lost\":-1"), "health.lost: must not be negative", -EINVAL },
		{ HEALTH("\"orphan_release\":-1"), "must not be negative", -EINVAL },
		{ HEALTH("\"orphan_release\":2,\"early_release\":2"), "", 0 },
		{ HEALTH("\"orphan_release\":2,\"early_release\":3"),
		  "health: more early ones than orphans in all", -EINVAL },
		{ HEALTH("\"orphan_release\":2,\"early_acquire\":1"),
		  "health: more early ones than orphans in all", -EINVAL },
		{ HEALTH("\"early_acquire\":-1"), "must not be negative", -EINVAL },
		{ HEALTH("\"out_of_order\":-1"), "must not be negative", -EINVAL },
		{ HEALTH("\"write_overlap\":-1"), "must not be negative", -EINVAL },
		{ HEALTH("\"overwritten\":-1"), "must not be negative", -EINVAL },
		{ HEALTH("\"lost_table_full\":-1,\"lost\":-1"), "negative", -EINVAL },
		{ HEALTH("\"lost_nmi\":2,\"lost\":3"), "not the sum of its causes",
		  -EINVAL },
		{ HEALTH("\"lost_nmi\":2,\"lost\":3,\"lost_x\":1"), "", 0 },
		{ HEALTH("\"in_flight_wait\":-1,\"unexplained_hold\":-1,\"later\":-1"),
		  "", 0 },
		{ "{\"format\":\"mmlockstat-recording\",\"version\":1,\"groups\":"
		  "[{\"set\":{\"a\":\"1\"},\"runs\":[]},{\"set\":{\"a\":1},\"runs\":[]}]}",
		  "same set", -EINVAL },
		{ "{\"format\":\"mmlockstat-recording\",\"version\":1,\"groups\":[{}]}",
		  "has no runs", -EINVAL },
	};
	struct recording rec;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (parse(cases[i].text, &rec, &err) != cases[i].rc)
			fail_msg("%s: %s", cases[i].text, err.text);
		if (!cases[i].rc) {
			recording_free(&rec);
			continue;
		}
		assert_says(err, cases[i].says);
		/* Nothing half-read is handed out. */
		assert_null(rec.groups);
	}
}

static void accepted(void **state)
{
	const struct series *s;
	struct recording rec;
	struct err err;

	(void)state;
	assert_int_equal(parse(SERIES("\"count\":9007199254740996,"
				      "\"sum_ns\":9000000003000000000,\"buckets\":"
				      "[[0,1000,9007199254740993],[1000,1001,0],"
				      "[1000000000,null,3]]"), &rec, &err), 0);
	s = run_series(&rec.groups[0].runs[0], "mmap_read_wait");
	assert_non_null(s);
	assert_true(s->buckets[0].count == 9007199254740993);
	assert_true(s->buckets[2].upper == BUCKET_INF);
	assert_false(s->has_max);
	assert_null(run_series(&rec.groups[0].runs[0], "mmap_write_wait"));
	recording_free(&rec);

	assert_int_equal(parse(SERIES("\"count\":9223372036854775807,\"sum_ns\":0,"
				      "\"max_ns\":5,\"max_is_bound\":true"),
			       &rec, &err), 0);
	s = &rec.groups[0].runs[0].series[0];
	assert_true(s->count == INT64_MAX && s->has_max && s->max_bound);
	assert_int_equal(s->nr_buckets, 0);
	recording_free(&rec);
}

static char *print(const struct recording *rec, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	assert_non_null(out);
	assert_int_equal(recfile_print(out, rec), 0);
	fclose(out);
	return text;
}

/* Everything that a recording can hold, unknown keys at every level too. */
static const char full[] =
	"{\"format\":\"mmlockstat-recording\",\"version\":1,\"label\":\"a \\\"b\\\"\\n\","
	"\"tool\":\"t\",\"later\":{\"x\":[1,2]},\"host\":{\"kernel\":\"7\",\"arch\":\"x\","
	"\"cpus\":2,\"memory_kib\":4,\"settings\":{\"thp\":\"always\"},\"later\":1},"
	"\"command\":[\"a\",\"\\u00e4\"],\"groups\":[{\"set\":{\"w\":\"8\"},\"later\":true,"
	"\"runs\":[{\"start\":\"s\",\"seconds\":30.25,\"exit\":137,\"signal\":9,"
	"\"blame\":[1],\"recorder\":{\"mode\":\"full\",\"hooks\":{\"h\":\"t\"},"
	"\"thresholds\":{\"wait_us\":100},\"later\":[]},"
	"\"metrics\":{\"m\":{\"value\":0.1,\"unit\":\"/s\",\"better\":\"lower\"},"
	"\"n\":{\"value\":3,\"unit\":\"\"}},"
	"\"vmstat\":{\"pgfault\":-3},\"counters\":{\"c\":9007199254740993},"
	"\"series\":{\"e\":{\"count\":0,\"sum_ns\":0,\"buckets\":[]},"
	"\"bare\":{\"count\":3,\"sum_ns\":9},"
	"\"s\":{\"count\":2,\"sum_ns\":1000000009,\"max_ns\":1000000010,"
	"\"max_is_bound\":true,\"rounded\":false,\"later\":null,"
	"\"buckets\":[[1,2,1],[1000000000,null,1]]}},\"health\":{\"lost\":1,\"x\":-1}}]}]}";

static void reads_back(void **state)
{
	struct recording rec, again;
	size_t len, len2;
	char *text, *text2;
	struct err err;

	(void)state;
	assert_int_equal(parse(full, &rec, &err), 0);
	assert_string_equal(rec.extra, "{\"later\":{\"x\":[1,2]}}");
	assert_string_equal(rec.host.extra, "{\"later\":1}");
	assert_string_equal(rec.groups[0].extra, "{\"later\":true}");
	assert_string_equal(rec.groups[0].runs[0].extra, "{\"blame\":[1]}");
	assert_string_equal(rec.groups[0].runs[0].recorder_extra,
			    "{\"later\":[]}");
	assert_string_equal(rec.groups[0].runs[0].series[2].extra,
			    "{\"later\":null}");
	text = print(&rec, &len);
	assert_int_equal(recfile_parse(text, len, &again, &err), 0);
	text2 = print(&again, &len2);
	assert_string_equal(text, text2);
	assert_non_null(strstr(text, "9007199254740993"));
	assert_non_null(strstr(text, "\"signal\": 9"));
	assert_non_null(strstr(text, "\"later\":{\"x\":[1,2]}"));
	assert_non_null(strstr(text, "[1000000000, null, 1]"));
	assert_non_null(strstr(text, "\"value\": 3.0"));
	free(text);
	free(text2);
	recording_free(&rec);
	recording_free(&again);
}

/* Every truncation of it is refused in words, none is half-read. */
static void every_truncation(void **state)
{
	struct recording rec;
	struct err err;
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(full) - 1; len++) {
		rec = (struct recording){ 0 };
		err.text[0] = '\0';
		assert_int_equal(recfile_parse(full, len, &rec, &err), -EINVAL);
		assert_true(strlen(err.text) > 0);
		assert_null(rec.groups);
	}
}

/* Words of a command line need not be UTF-8, a recording is. */
static void any_bytes(void **state)
{
	struct recording rec = { 0 }, again = { 0 };
	char *words[4] = { "\xff\xfe", "\xc3\xa4", "\xed\xa0\x80", "\x01" };
	struct err err;
	size_t len;
	char *text;

	(void)state;
	rec.command = words;
	rec.nr_command = 4;
	text = print(&rec, &len);
	assert_int_equal(recfile_parse(text, len, &again, &err), 0);
	assert_string_equal(again.command[0], "\xef\xbf\xbd\xef\xbf\xbd");
	assert_string_equal(again.command[1], "\xc3\xa4");
	assert_string_equal(again.command[3], "\x01");
	free(text);
	recording_free(&again);
}

/* A small file that would unfold into a lot of memory. */
static void bombs(void **state)
{
	size_t len = 8 * 1024 * 1024, i;
	char *text = malloc(len + 1);
	struct recording rec = { 0 };
	struct err err;

	(void)state;
	assert_non_null(text);
	strcpy(text, "{\"a\":[");
	for (i = strlen(text); i + 3 < len; i += 3)
		memcpy(text + i, "{},", 3);
	text[i] = '\0';
	assert_int_equal(recfile_parse(text, i, &rec, &err), -EINVAL);
	assert_says(err, "memory");
	memset(text, '[', len);
	text[0] = '{';
	assert_int_equal(recfile_parse(text, len, &rec, &err), -EINVAL);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(accepted),
		cmocka_unit_test(reads_back),
		cmocka_unit_test(every_truncation),
		cmocka_unit_test(any_bytes),
		cmocka_unit_test(bombs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
