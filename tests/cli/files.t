# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# Files that are no recordings, and some that are odd ones.

rec() { "$here/make_recording" "$@"; }
rec good.json
t1 "a file that is not there" 1 "none.json: No such file" report none.json
t1 "a directory" 1 "\.: Is a directory" report .
: > empty.json
t1 "an empty file" 1 "empty.json: empty: not a recording" report empty.json
printf 'mmlockstat-snapshot 1\n' > snapshot
t1 "a foreign file" 1 "snapshot: not a recording" report snapshot
t1 "a program" 1 "not a recording" report /bin/true
head -c 700 good.json > cut.json
t1 "a truncated one" 1 "cut.json: truncated: the file ends within line 1" report cut.json
t1 "as the second of a diff" 1 "cut.json: truncated" diff good.json cut.json
sed 's/"version": 1/"version": 99/' good.json > later.json
t1 "another version" 1 "version 99, this program reads version 1" report later.json
sed 's/\[\[10000, 10001/[[500, 10001/' good.json > straddle.json
t1 "a bucket over a decade's edge" 1 \
	"bucket \[500, 10001\) of mmap_read_wait straddles the decade edge at 1000 ns" \
	report straddle.json
sed 's/"exit": 0/"exit": 0, "exit": 1/' good.json > twice.json
t1 "a key twice" 1 "duplicate" report twice.json
sed 's/"seconds": 2.0/"seconds": NaN/' good.json > nan.json
t1 "NaN" 1 "nan.json: line 1" report nan.json
sed 's/"count": 100/"count": -100/' good.json > minus.json
t1 "a negative count" 1 "count: must not be negative" report minus.json
sed 's/"count": 100/"count": 9223372036854775808/' good.json > huge.json
t1 "a count above 2^63 - 1" 1 "huge.json: line 1" report huge.json
printf '{"format":"mmlockstat-recording","version":1,"groups":[{"set":{"\033[31mx":[]},"runs":[]}]}' > escape.json
t1 "nothing of a file reaches the terminal raw" 1 "line 1" report escape.json
printf '{ "a": [' > deep.json
head -c 100000 /dev/zero | tr '\0' '[' >> deep.json
t1 "a file as deep as a well" 1 "deep.json: line 1" report deep.json

# 1 GiB of garbage of three kinds; none is read to its end.
truncate -s 1G zeros
t1 "1 GiB of zeros" 1 "zeros: not a recording" report zeros
printf '{"format":"mmlockstat-recording","version":1,"groups":[' > brace
truncate -s 1G brace
t1 "1 GiB that begins well" 1 "brace: larger than 256 MiB" report brace
rm -f zeros brace
ok "1 GiB of brackets from a pipe" bash -c \
	"yes '[[[[[[[' | head -c 1G | '$MMLOCKSTAT' report - 2>&1 | grep 'not a recording'"

# What cannot be true together.
sed 's/"count": 100,/"count": 101,/' good.json > lies.json
t1 "a count that its buckets deny" 1 \
	'lies.json: groups\[0\].runs\[0\].series.mmap_read_wait: count 101, but its buckets add up to 100' report lies.json
sed 's/"max_ns": 10000,/"max_ns": 9999,/' good.json > lies.json
t1 "a maximum that they deny" 1 'lies.json: .*mmap_read_wait: max_ns 9999, but' diff good.json lies.json
sed 's/"sum_ns": 1000000,/"sum_ns": 999999,/' good.json > lies.json
t1 "a sum that they deny" 1 'lies.json: .*mmap_read_wait: sum_ns 999999, but its buckets hold at least 1000000' \
	diff good.json lies.json
sed 's/"lost": 0,/"lost": -1,/' good.json > lies.json
t1 "less than nothing lost" 1 'lies.json: .*health.lost: must not be negative' report lies.json
"$here/make_snapshot" snap slow=2
sed -i 's/^\(series mmap_read_hold \)1000/\11001/' snap
fake_proc snap
t1 "a snapshot that contradicts itself" 1 'snapshot: series mmap_read_hold: count 1001, but its buckets add up to 1000' show
unset MMLOCKSTAT_PROC

# Odd, but right.
sed -E 's/"count": 100,/"count": 9007199254740993,/; s/(10001, )100\]/\19007199254740993]/
	s/"sum_ns": 1000000/"sum_ns": 9007199254740993, "rounded": true/' good.json > exact.json
t "a count above 2^53 is exact" 0 'Read Lock Count +9,007,199,254,740,993' '' \
	report exact.json
t "and its difference" 0 'summary,Read Lock Count,9007199254740993,9007199254740993,0,' '' \
	diff -f csv exact.json exact.json
sed 's/"health": {/&"in_flight_wait": 9223372036854775807, "orphan_acquire": 9223372036854775807,\
	"early_acquire": 9223372036854775807, "early_release": 1, /; s/"in_flight_hold": 0/"in_flight_hold": 1/
	s/"orphan_release": 0/"orphan_release": 1/' good.json > sums.json
t "counts whose sum is above 2^63 - 1" 0 'In flight at the end: 9223372036854775807' '' report sums.json
ok "are the most there is" grep -q 'begun  *unseen: *9223372036854775807. ' <<< "${out//$'\n'/}"
sed 's/"start"/"blame": [1, {"x": 2}], "later": null, "start"/' good.json > unknown.json
t "unknown keys are ignored" 0 'Read Lock Count +100$' '' report unknown.json
python3 - << 'END'
import json
r = json.load(open("good.json", encoding="utf-8"))
run = r["groups"][0]["runs"][0]
del run["series"]["mmap_write_hold"]
run["series"]["mmap_read_hold"] = {"count": 0, "sum_ns": 0, "buckets": []}
json.dump(r, open("absent.json", "w", encoding="utf-8"))
r["groups"] = []
json.dump(r, open("nothing.json", "w", encoding="utf-8"))
r["groups"] = [{"set": {}, "runs": []}]
json.dump(r, open("noruns.json", "w", encoding="utf-8"))
END
t "an absent series is absent, not zero" 0 'Write Avg Hold \(us\) +10.00 +absent +N/A' '' \
	diff good.json absent.json
t "an absent series alone is not there" 0 - 'Write.*Hold|held for write' report absent.json
t "an empty series has no average" 0 'Read Avg Hold \(us\) +10.00 +- +N/A' '' \
	diff good.json absent.json
t "csv leaves absent ones empty" 0 '^summary,Write Avg Hold \(us\),10,,,,,,1,0,' '' \
	diff -f csv good.json absent.json
t "json says null" 0 '"row": "Write Avg Hold \(us\)", "before": 10, "after": null, "change": null' '' \
	diff -f json good.json absent.json
t "a recording without groups" 0 'nothing to show' '' report nothing.json
t "a group without runs" 0 'nothing to show' '' report noruns.json
t "and against one with runs" 0 'After: no runs' '' diff good.json noruns.json
ok "standard input is a file too" bash -c "'$MMLOCKSTAT' report - < good.json | grep 'Read Lock Count'"
in=good.json
t "and is called so" 0 '^standard input: 1 run' '^-: ' report -
t "in a diff" 0 '^Before is standard input' '^-: ' diff - good.json
in=cut.json
t "and in messages" 1 '^mmlockstat: standard input: truncated' '' report -
in=.
t "and where it cannot be read" 1 '^mmlockstat: standard input: Is a directory' '' report -
in=

# Output.
t1 "-o into a directory that is not there" 1 "no/such/x: No such file" \
	diff good.json good.json -o no/such/x
t "-o writes the file" 0 '' '' diff good.json good.json -o out.txt
ok "and all of it" bash -c "'$MMLOCKSTAT' diff good.json good.json | cmp - out.txt"
ok "a full disk: one line, status 1, nothing left" bash -c '
	ulimit -f 1
	said=$("$MMLOCKSTAT" diff -f json good.json good.json -o full.json 2>&1)
	[ $? = 1 ] && [ "$said" = "mmlockstat: full.json: File too large" ] ||
		{ echo "$said"; exit 1; }
	[ -z "$(ls | grep full)" ]'
cp out.txt kept.txt
ok "a full disk leaves what was there before" bash -c '
	ulimit -f 1
	"$MMLOCKSTAT" diff -f json good.json good.json -o kept.txt && exit 1
	cmp out.txt kept.txt'
ok "standard output that is full" bash -c '
	"$MMLOCKSTAT" diff good.json good.json 2> said > /dev/full
	[ $? = 1 ] && grep "^mmlockstat: standard output: No space left" said'
ok "-o /dev/full fails, and the device stays" bash -c '
	"$MMLOCKSTAT" diff good.json good.json -o /dev/full 2> said
	[ $? = 1 ] && [ -c /dev/full ] && grep "No space left" said'
ln -s out.txt link.txt
t "-o through a link" 0 '' '' diff -f csv good.json good.json -o link.txt
ok "replaces what it points to, not the link" bash -c '[ -L link.txt ] && grep -q ^table, out.txt'

# Ended while a file is written: nothing of it is left.
mkdir cut
for sig in SIGINT SIGTERM SIGHUP SIGQUIT; do
	cut_short=(env "--default-signal=INT,QUIT,HUP,TERM" "$here/cut_short" "$sig" cut)
	ok "report -o, $sig: nothing is left" "${cut_short[@]}" "$MMLOCKSTAT" report -o cut/x.json good.json
	ok "diff -o, $sig: nothing is left" "${cut_short[@]}" \
		"$MMLOCKSTAT" diff -f csv -o cut/x.json good.json good.json
	ok "trace -o, $sig: nothing is left" "${cut_short[@]}" \
		"$MMLOCKSTAT" trace -o cut/x.json "$tree/tests/cases/trace/trace-6.18.txt"
done
ok "what is ignored does not end it" bash -c '
	trap "" TERM
	"$MMLOCKSTAT" report -o cut/x.json good.json & wait $! && [ -s cut/x.json ]'
