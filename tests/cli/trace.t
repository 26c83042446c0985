# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# Sessions of trace-cmd and texts of traces become recordings.

cases=$tree/tests/cases
session=$cases/trace

totals() { # RECORDING [EXPRESSION OF LINES TO LEAVE OUT]
	"$here/trace_totals" "$1" | grep -Ev "${2:-^$}"
}
same_totals() { # RECORDING FILE [EXPRESSION]
	diff <(totals "$1" "${3:-}") <(grep -Ev "${3:-^$}" "$2")
}

# A session that an independent program has paired.
t "a session of 417,000 records" 0 "" "" trace -o stock.json "$cases/stock-7.3.dat"
ok "every line of it as another program has it" \
	same_totals stock.json "$cases/stock-7.3.expected"
t "report of it" 0 '^Read Total Wait \(us\) +3,972,341' 'LOST|UNPAIRED' report stock.json
ok "its kernel and CPUs are known" grep -q '2 CPUs, kernel 7.3.4+deb13-amd64' <<< "$out"
t "diff of it and itself" 0 '^Write Total Wait \(us\) .* 0\.00 *%?' "" \
	diff stock.json stock.json
t "its failed attempts are one number" 0 '^Read Attempts Failed +291' '' report stock.json

# The public lines, and one's own: same counts from every printer of one session.
head -n 12 "$session/public.txt" > public-2021
tail -n +13 "$session/public.txt" > public-7.3
t "a public capture with function lines and memcg_path" 0 "" "" \
	trace -o public.json public-2021
cat > want << 'EOF'
downgraded 0
read_acquired 2
read_attempts 2
read_released 2
unfinished_hold 0
unfinished_wait 0
mmap_read_wait count 2 sum_ns 3000 max_ns 2000 bands 0 2 0 0 0 0 0 0
mmap_write_wait count 0 sum_ns 0 max_ns 0 bands 0 0 0 0 0 0 0 0
mmap_read_hold count 2 sum_ns 9000 max_ns 5000 bands 0 2 0 0 0 0 0 0
mmap_write_hold count 0 sum_ns 0 max_ns 0 bands 0 0 0 0 0 0 0 0
EOF
ok "two cycles" same_totals public.json want
t "report of a text: what it cannot know" 0 'CPUs unknown, kernel unknown' "" \
	report public.json
t "7.3's lines" 0 "" "" trace -o public.json public-7.3
ok "a write and a read cycle" \
	grep -q 'mmap_write_wait count 1 sum_ns 356000 ' <(totals public.json)
t "two captures in one file: out of order, and said" 3 \
	"incomplete: 1 events out of order" "" trace -o x.json "$session/public.txt"

t "a buffer of a session" 0 "" "" trace -o dat.json --buffer bar \
	"$session/two-buffers-6.18.dat"
totals dat.json > dat.totals
for i in report trace; do
	t "text of $i" 0 "" "" trace -o "$i.json" "$session/$i-6.18.txt"
	ok "text of $i: the counts of the session itself" \
		same_totals "$i.json" dat.totals '^mmap'
done
ok "text with ns: the times, too" same_totals report.json dat.totals
ok "who printed it is kept" grep -q '"text of the tracing file"' trace.json
t "text of perf script" 0 "" "" trace -o perf.json "$session/perf-6.18.txt"
ok "text of perf script: its waits" \
	grep -q 'mmap_read_wait count 35 sum_ns 29542 max_ns 15068' <(totals perf.json)
ok "text of perf script: known as such" grep -q '"text of perf script"' perf.json
in=$session/trace-6.18.txt
t "text from standard input" 0 "" "" trace -o x.json -
ok "the same" same_totals x.json <(totals trace.json)
head -c 20000 "$session/trace-6.18.txt" > short
in=short
t "what is wrong with standard input" 3 '^mmlockstat: standard input: incomplete: 1 events' '' \
	trace --report -o x.json -
ok "and its tables, by the same name" grep -q '^standard input: 1 run' <<< "$out"
in=$tree/COPYING
t "no trace on standard input" 1 '^mmlockstat: standard input: no mmap_lock event' '' trace -o no.json -
in=
ok "text from a pipe" eval 'cat "$session/trace-6.18.txt" | "$MMLOCKSTAT" trace -o x.json -'
ok "the same from a pipe" same_totals x.json <(totals trace.json)

# What is missing is said.
t "lost events" 3 "incomplete: [0-9]+ events lost" "" \
	trace -o lost.json "$session/pipe-lost-6.18.txt"
lost=$(sed -n 's/.*\[LOST \([0-9]*\) EVENTS\].*/\1/p' "$session/pipe-lost-6.18.txt" |
	awk '{ n += $1 } END { print n }')
t "lost events by CPU, in the tables" 0 "LOST $lost events \(cpu0 $lost\)" "" \
	report lost.json
head -c 20000 "$session/trace-6.18.txt" > short
t "a text that is cut" 3 "incomplete: 1 events not understood" "" trace -o x.json short
line() { # SECONDS TID NAME FIELDS
	printf '  a [x] -1: b-%d [000] d..1. %s: mmap_lock_%s: mm=0xff memcg_path=/a write=b %s\n' \
		"$2" "$1" "$3" "$4"
}
{
	line 1.000000 7 start_locking write=true
	line 1.000001 7 acquire_returned 'write=true success=true'
	line 1.000002 8 start_locking write=true
	line 1.000003 8 acquire_returned 'write=true success=true'
	line 1.000004 7 released write=true
	line 1.000009 8 released write=true
} | sed 's/ d\.\.1\. / ...1. /' > writers
t "two writers at once, as before 5.15" 3 \
	"incomplete: 1 acquisitions while another held the lock for write" "" \
	trace -o x.json writers
ok "their holds are kept" grep -q 'mmap_write_hold count 2 sum_ns 9000 ' <(totals x.json)
t "report of it" 0 "UNPAIRED write_overlap 1" "" report x.json
{
	line 2.000000 7 start_locking write=false
	line 1.000000 7 acquire_returned 'write=false success=true'
	line 0.500000 7 released write=false
} > backwards
t "a clock that runs backwards" 3 "2 events out of order, 2 times below zero" "" \
	trace -o x.json backwards
ok "no time below zero" grep -q 'mmap_read_hold count 1 sum_ns 0 ' <(totals x.json)
grep -v start_locking "$session/trace-6.18.txt" > no-start
t "a session without start_locking" 3 "kind of event missing, start_locking: no waits" "" \
	trace -o x.json no-start

# What is no time, no trace or not whole is refused.
sed 's/ \([0-9]*\)\.\([0-9]\{6\}\): / \1\2: /' "$session/trace-6.18.txt" > counter
t1 "a text of a clock that is no time" 1 "line 13: its clock is no time" \
	trace -o no.json counter
LC_ALL=C sed 's/\[local\] global counter/local global [counter]/; s/\x00local\x00/\x00ticks\x00/' \
	"$cases/stock-7.3.dat" > counter.dat
t1 "a file of a clock that is no time" 1 "its clock 'ticks' is no time" \
	trace -o no.json counter.dat
t1 "two buffers with such events" 1 "two buffers, bar and foo: choose one by --buffer" \
	trace -o no.json "$session/two-buffers-6.18.dat"
t1 "a buffer that is not there" 1 "no buffer baz" \
	trace -o no.json --buffer baz "$session/two-buffers-6.18.dat"
t1 "a buffer without such events" 1 "no mmap_lock event" \
	trace -o no.json --buffer top "$session/two-buffers-6.18.dat"
t1 "a buffer of a text" 1 "a text has no buffers" trace -o no.json --buffer foo short
t1 "a file that is not there" 1 "none.dat: No such file" trace -o no.json none.dat
t1 "a directory" 1 "Is a directory" trace -o no.json .
: > empty
t1 "an empty file" 1 "empty: no trace" trace -o no.json empty
t1 "a program" 1 "no trace" trace -o no.json /bin/true
printf 'PERFILE2\0\0\0\0' > perf.data
t1 "a file of perf record" 1 "what 'perf script --ns -i FILE' prints" \
	trace -o no.json perf.data
t1 "a recording" 1 "no mmap_lock event" trace -o no.json stock.json
t1 "a text about something else" 1 "no mmap_lock event" trace -o no.json "$tree/COPYING"
sed 's/write=/wrote=/' short > wrong
t1 "a text with other fields" 1 "none of its [0-9]+ mmap_lock events" \
	trace -o no.json wrong
{ printf '\x17\x08\x44tracing99\0'; head -c 99 /dev/zero; } > new.dat
t1 "a trace-cmd file of another version" 1 "version 99: 6 and 7 are known" \
	trace -o no.json new.dat
t1 "no trace" 2 "needs one trace" trace -o no.json
t1 "two traces" 2 "needs one trace" trace -o no.json a b
t1 "an output that cannot be" 1 "No such file" trace -o none/x.json short
ok "none of these left a file" [ ! -e no.json ]
ok "damaged files: refused, or incomplete, in a line each" \
	"$here/trace_damage" "$MMLOCKSTAT" "$session/two-buffers-6.18.dat" 10 10
ok "damaged files of one buffer" \
	"$here/trace_damage" "$QUICK" "$cases/stock-7.3.dat" 50 40

mkdir usual
cd usual || exit
t "the usual name" 0 "" "" trace "$session/trace-6.18.txt"
t "the tables, too" 0 '^Read Lock Count' "" trace --report --label mine \
	"$session/trace-6.18.txt"
ok "the label" grep -q '^mine: 1 run' <<< "$out"
ok "what the name held is kept" [ -s mmlockstat.json.old ]
cd ..

ok "what it costs: $("$tree/tests/bench/import" "$QUICK" "$BARE" "$cases/stock-7.3.dat")" \
	"$tree/tests/bench/import" "$QUICK" "$BARE" "$cases/stock-7.3.dat"
