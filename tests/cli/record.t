# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# record, against a directory that looks like the module's: what the command
# does to its snapshot is what the module would have counted.

snapshot() { "$here/make_snapshot" "$@"; }
get() { # FILE EXPRESSION: of the recording r, and of its first run
	python3 -c "import json,sys
r = json.load(open(sys.argv[1], encoding='utf-8'))
runs = [x for g in r['groups'] for x in g['runs']]
run = runs[0]
print($2)" "$1"
}
is() { # NAME FILE EXPRESSION VALUE
	local is
	is=$(get "$2" "$3")
	ok "$1" [ "$is" = "$4" ]
}
fresh() { snapshot s0; fake_proc s0; }

fresh
snapshot s1 reads=1300 slow=2
t "a run" 0 '^hello$' '' record -o a.json --label one -- \
	sh -c 'echo hello; cp s1 proc/snapshot; sleep 0.2'
is "its difference" a.json "run['series']['mmap_read_wait']['count']" 300
is "its sum" a.json "run['series']['mmap_read_wait']['sum_ns']" 4001490000
is "its maximum is the module's since the mark" a.json \
	"run['series']['mmap_read_wait']['max_ns']" 2000000123
is "only buckets that grew" a.json "run['series']['mmap_read_wait']['buckets']" \
	"[[5000, 5100, 298], [2000000000, 2100000000, 2]]"
is "its counters" a.json "run['counters']['read_acquired']" 300
is "its status" a.json "run['exit']" 0
is "its time" a.json "0.2 <= run['seconds'] < 5" True
is "its label" a.json "r['label']" one
is "its command" a.json "r['command'][:2]" "['sh', '-c']"
is "how it was recorded" a.json "run['recorder']['hooks']['mmap_lock_released']" tracepoint
is "vmstat" a.json "run['vmstat']['pgfault'] > 0" True
is "no gauges of vmstat" a.json "any(k.startswith('nr_free') for k in run['vmstat'])" False
is "the kernel" a.json "r['host']['kernel']" "$(uname -r)"
is "the settings" a.json "'swappiness' in r['host']['settings']" True
is "when" a.json "run['start'][4] + run['start'][10] + run['start'][-1]" -TZ
ok "what it said to the module" [ "$(cat proc/control)" = $'own\nmark' ]
t "report of it" 0 'Read Lock Count +300$' '' report a.json
t "nothing of progress in a pipe" 0 '' '' record -o b.json -- true

# Several runs, warm-up, sets.
fresh
echo 1000 > n
# Each call makes 10 more operations.
cat > ten <<'END'
#!/bin/sh
n=$(($(cat n) + 10)); echo $n > n
"$here/make_snapshot" proc/snapshot reads=$n
echo "metric work $n /s higher"
END
sed -i "s|\$here|$here|" ten
chmod +x ten
t "-r 3 --warmup 2" 0 '^metric work 1050' '' record -r 3 --warmup 2 -o r.json -- ./ten
is "three runs" r.json "len(runs)" 3
is "without the warm-ups" r.json \
	"[x['metrics']['work']['value'] for x in runs]" "[1030.0, 1040.0, 1050.0]"
is "each its own difference" r.json "[x['counters']['read_acquired'] for x in runs]" "[10, 10, 10]"
ok "each with its mark" [ "$(grep -c mark proc/control)" = 3 ]
t "--set" 0 - '' record -r 2 --set w=0,4,8 --set x=a,b -o set.json -- sh -c 'echo metric m 1{w} s lower; : {x}'
is "a group each" set.json "[(g['set']['w'], g['set']['x'], len(g['runs'])) for g in r['groups']]" \
	"[('0', 'a', 2), ('0', 'b', 2), ('4', 'a', 2), ('4', 'b', 2), ('8', 'a', 2), ('8', 'b', 2)]"
is "with its value" set.json "r['groups'][4]['runs'][1]['metrics']['m']['value']" 18.0
is "the command as given" set.json "'{w}' in r['command'][2]" True

# Metrics.
fresh
t "a metric twice: the last, and it is said" 0 'printed before, the last one counts' '' \
	record -o m.json -- printf 'metric a 1 s lower\nmetric a 2 s lower\n'
is "the last" m.json "run['metrics']['a']" "{'value': 2.0, 'unit': 's', 'better': 'lower'}"
t "none is no error" 0 '' '' record -o m.json -- true
t "no number is said and ignored" 0 "no metric: 'nan' is no number: ignored" '' \
	record -o m.json -- echo 'metric a nan s lower'
t "sentences are no metrics, and it is said once" 0 "'metric system .*': no metric: not NAME .*the first of 2 lines" '' \
	record -o m.json -- printf 'metric system is what we use here\nmetric a 1 s up\n'
is "none was taken" m.json "'metrics' in run" False
bad_line() { # NAME LINE WORDS
	t "a bad line: $1" 0 "no metric: .*$3" '' record -o m.json -- printf "$2\\n"
	is "a bad line: $1: not taken" m.json "'metrics' in run" False
}
bad_line "a decimal comma" 'metric a 1,5 s lower' "'1,5' is no number"
bad_line "a separator" 'metric a 1,234.5 s lower' "is no number"
bad_line "hexadecimal" 'metric a 0x10 s lower' "'0x10' is no number"
bad_line "infinite" 'metric a inf s lower' "is no number"
bad_line "too large" 'metric a 1e999 s lower' "is no number"
bad_line "two signs" 'metric a +-1 s lower' "is no number"
bad_line "a direction" 'metric a 1 s up' "'up' is not higher or lower"
bad_line "a word less" 'metric a 1 lower' "not NAME VALUE UNIT"
bad_line "a word more" 'metric a 1 s lower now' "not NAME VALUE UNIT"
bad_line "a NUL" 'metric a 1 s lower\0' "a NUL in it"
bad_line "a long one" "metric a 1 $(printf '%01100d' 0) lower" "longer than 1023 bytes"
t "a value with exponent, CR at the end" 0 - 'mmlockstat:' record -o m.json -- printf 'metric\ta -1.5e3  s lower\r\n'
is "is taken" m.json "run['metrics']['a']['value']" -1500.0
for v in 1,5 1,234 12,34,567 1,234,56 0x10 01,234.5 .; do
	t "--metric: $v" 3 "metric a: '$v' is no number" '' record -o m.json --metric 'a=v=(.*)' -- echo "v=$v"
done
t "--metric: separated millions" 0 - 'mmlockstat:' record -o m.json --metric 'a=v=(.*)' -- echo v=-1,234,567
is "are a number" m.json "run['metrics']['a']['value']" -1234567.0
t1 "--metric twice" 2 "--metric a given twice" record --metric 'a=(x)' --metric 'a:s=(y)' -- true
t "--metric in a line that is too long" 3 "longer than 65535 bytes" '' record -o m.json --metric 'a=([0-9]+)' -- \
	sh -c 'head -c 70000 /dev/zero | tr "\0" 1; echo'
t "without a newline at the end" 0 - '' record -o m.json -- printf 'metric a 3 - higher'
is "it counts too" m.json "run['metrics']['a']" "{'value': 3.0, 'unit': '', 'better': 'higher'}"
t "--metric, also on standard error" 0 - '' record -o m.json --metric 'fps:/s:higher=([0-9.,]+) frames' \
	-- sh -c 'echo 10 frames; echo 1,234.5 frames >&2'
is "the last line" m.json "run['metrics']['fps']" "{'value': 1234.5, 'unit': '/s', 'better': 'higher'}"
t "--metric that is not there" 3 'no line with metric fps' '' record -o m.json --metric 'fps=([0-9]+) f' -- true
t "--metric that is no number" 3 "metric a: 'x' is no number" '' record -o m.json --metric 'a=v=(.)' -- echo v=x
t "a line of a megabyte" 0 - '' record -o m.json -- sh -c 'head -c 1000000 /dev/zero | tr "\0" x; echo; echo metric a 4 s lower'
is "does not hide the next" m.json "run['metrics']['a']['value']" 4.0

# Commands that go wrong.
fresh
t "a command that fails: kept, marked, said" 3 'the command ended with status 7: the run is kept' '' \
	record -r 2 -o f.json -- sh -c 'exit 7'
is "kept" f.json "[x['exit'] for x in runs]" "[7, 7]"
t "report says it" 0 '2 of 2 runs the command FAILED' '' report f.json
t "a command that is killed" 3 'killed by signal 9' '' record -o f.json -- sh -c 'kill -9 $$'
is "marked" f.json "(run['exit'], run['signal'])" "(137, 9)"
rm -f f.json
t1 "a command that does not exist" 1 "no-such-command: No such file" record -o f.json -- no-such-command
t1 "a command that is no program" 1 "proc: Permission denied" record -o f.json -- ./proc
ok "nothing was written" [ ! -e f.json ]
fresh
snapshot s1 lost=5
t "events lost" 3 '5 events were lost' '' record -o f.json -- cp s1 proc/snapshot
is "and told" f.json "(run['health']['lost'], run['health']['lost_table_full'])" "(5, 5)"
t "what it leaves behind does not hold it up" 0 '' '' record -o f.json -- sh -c 'sleep 60 & echo $! > left'
is "its time is the command's" f.json "run['seconds'] < 30" True
ok "nor does it end it" kill "$(cat left)"

t "nor does what it leaves behind talk for ever" 0 '^hi$' '' record -o f.json -- \
	sh -c 'yes > /proc/self/fd/1 & echo hi; sleep 0.1'
ok "a pipe that nobody reads ends the command" bash -c '
	timeout 30 "$MMLOCKSTAT" record -o f.json -- yes 2> said | head -n 1
	grep "killed by signal 13" said'
is "and is a failed run" f.json "run['signal']" 13

# What happens to the module meanwhile.
refuse() { # WHAT WORDS SNAPSHOT-OPTIONS...
	local what=$1 words=$2
	shift 2
	fresh
	rm -f x.json
	snapshot s1 "$@"
	t "$what" 1 "^mmlockstat: run 1 of 2: .*$words.*: nothing is written$" '' \
		record -r 2 -o x.json -- cp s1 proc/snapshot
	ok "$what: one line, no file" [ "$(wc -l <<< "$out")$(ls x.json* 2> /dev/null)" = 1 ]
}
refuse "a reload" "loaded anew during the run: not kept" load=bb
refuse "a reset" "was reset during the run" reset=1
refuse "a restart" "stopped and started during the run" gen=2
refuse "a stop" "recording was stopped during the run" recording=0
refuse "a change of mode" "mode was changed during the run" mode=contended
refuse "a change of filter" "pid filter was changed" "scope=pids 1"
refuse "counters that go down" "went down during the run" reads=5
fresh
t "the module unloaded" 1 'the module was unloaded during the run: not kept: nothing is written$' '' \
	record -o x.json -- rm proc/snapshot
ok "the module unloaded: one line, no file" [ "$(wc -l <<< "$out")$(ls x.json* 2> /dev/null)" = 1 ]
fresh
cat > ./twice <<'END'
#!/bin/sh
[ -e once ] && exec "$here/make_snapshot" proc/snapshot load=bb
touch once
END
sed -i "s|\$here|$here|" twice
chmod +x twice
t "a reload in the second run" 3 'run 2 of 3: the module was loaded anew' '' record -r 3 -o x.json -- ./twice
is "the first is a recording" x.json "len(runs)" 1
fresh
snapshot s1 mark=9 reads=1300 slow=1
t "another's mark" 0 '' '' record -o x.json -- cp s1 proc/snapshot
is "the maximum is a bound" x.json "(run['series']['mmap_read_wait']['max_ns'], run['series']['mmap_read_wait']['max_is_bound'])" \
	"(2100000000, True)"
t "and shown as one" 0 'Read Wait max +<= 2,100,000.00' '' report x.json
snapshot s0 recording=0
fake_proc s0
t "recording was off" 0 'recording was off: it is on during the runs' '' record -r 2 -o x.json -- true
ok "on for each run, off behind it" [ "$(tr '\n' ' ' < proc/control)" = "own start mark stop start mark stop " ]
snapshot s1 recording=0 orphan=3
t "and locks that were taken before" 0 - '' record -o x.json -- cp s1 proc/snapshot
is "and locks that were taken before: told apart" x.json \
	"(run['health']['orphan_release'], run['health']['early_release'])" "(3, 3)"
t "and locks that were taken before: nobody is alarmed" 0 \
	'^x.json: Nothing was lost. In flight when recording started, or begun unseen: 3.$' \
	'UNPAIRED|nothing is unpaired' report x.json
t "and locks that were taken before: in markdown" 0 \
	'x.json: Nothing was lost. In flight when recording started, or begun unseen: 3.$' '\*\*' \
	report -f markdown x.json
fresh
snapshot s1 reads=1001 stale=1
t "recording was on, and a hold was given up" 0 - '' record -o x.json -- cp s1 proc/snapshot
is "it is unfinished" x.json "run['health']['unfinished_hold']" 1
fresh
snapshot s1 orphan=3
t "recording was on, and a release without its acquisition" 0 - '' record -o x.json -- cp s1 proc/snapshot
is "it is an orphan" x.json "(run['health']['orphan_release'], 'early_release' in run['health'])" "(3, False)"
t "it is shouted" 0 '^x.json: UNPAIRED orphan_release 3.$' 'In flight when' report x.json
fresh
snapshot s2 gen=2
snapshot s3 gen=2 orphan=3
t "a start before the run, by a filter or the like" 0 - '' record -o b.json -o a.json \
	--interleave 'cp s2 proc/snapshot' 'cp s3 s2' -- sh -c 'cp s3 proc/snapshot; cp s2 next'
is "is a start, too" b.json "(run['health']['orphan_release'], run['health']['early_release'])" "(3, 3)"
is "and none of the next run" a.json "(run['health']['orphan_release'], 'early_release' in run['health'])" "(0, False)"
t "side by side" 0 '^Before: Nothing was lost. In flight when recording started, or begun unseen: 3.$' \
	'UNPAIRED|^After: [UN]' diff b.json a.json
fresh
t "-p" 0 '' '' record -p 1,2 -o x.json -- true
ok "is the module's filter" [ "$(head -n 2 proc/control)" = $'own\npid 1 2' ]

# Interleaved.
fresh
echo 1000 > n
t "--interleave" 0 - '' record -r 2 --warmup 1 -o b.json -o a.json \
	--interleave 'echo A >> order' 'echo B >> order' -- sh -c 'echo run >> order; ./ten'
ok "alternates" [ "$(tr '\n' ' ' < order)" = "A run B run A run B run A run B run " ]
is "into two recordings" b.json "[x['metrics']['work']['value'] for x in runs]" "[1030.0, 1050.0]"
is "into two recordings: after" a.json "[x['metrics']['work']['value'] for x in runs]" "[1040.0, 1060.0]"
is "with labels" a.json "r['label']" after
t1 "a setting that fails" 1 "'false' ended with status 1: no setting, no run" \
	record -o x1.json -o x2.json --interleave false true -- true
ok "a setting that fails: no file" [ -z "$(ls x[12].json* 2> /dev/null)" ]
t "a setting that fails later" 3 "'exit 2' ended with status 2: no setting, no run" '' \
	record -o x1.json -o x2.json --interleave true 'exit 2' -- true
ok "a setting that fails later: the finished run is a recording" [ "$(ls x[12].json*)" = x1.json ]
ok "a setting that is interrupted: a failure in one line" bash -c '
	said=$(env --default-signal=INT "$MMLOCKSTAT" record -o y1.json -o y2.json \
		--interleave "kill -INT \$PPID; sleep 9" true -- true 2>&1)
	[ $? = 1 ] && [[ "$said" == *"run 1 of 1 before: interrupted (Interrupt) before it began: nothing is written" ]] &&
		[ "$(wc -l <<< "$said")" = 1 ] && [ ! -e y1.json ] || { echo "$said"; exit 1; }'
ok "interrupted in the warm-up: a failure in one line" bash -c '
	said=$(env --default-signal=INT "$MMLOCKSTAT" record --warmup 1 -o y1.json -- sh -c "
		echo metric a b; kill -INT \$PPID; sleep 9" 2>&1 > /dev/null)
	[ $? = 1 ] && [[ "$said" == *"warm-up 1 of 1: interrupted (Interrupt): not kept: nothing is written" ]] &&
		[ "$(wc -l <<< "$said")" = 1 ] && [ ! -e y1.json ] || { echo "$said"; exit 1; }'
printf '#!/bin/sh\nrm passing\n' > passing
chmod +x passing
t "a command that is gone in the second run" 3 'passing: No such file or directory' '' \
	record -r 2 -o y1.json -- ./passing
is "a command that is gone in the second run: the first is a recording" y1.json "len(runs)" 1
rm -f y1.json

# The file.
fresh
rm -f mmlockstat.json*
t "the usual name" 0 '' '' record -- true
cp mmlockstat.json first
t "and again" 0 '' '' record -- true
ok "keeps what was there" cmp first mmlockstat.json.old
rm -f ./*.json && mkdir d && ln -s d e && ln -s d/later.json dangling
for pair in "A ./A" "d/A e/A" "dangling d/later.json"; do
	# shellcheck disable=SC2086
	t1 "one file by two names: $pair" 2 "one file for two recordings" \
		record -o ${pair% *} -o ${pair#* } --interleave true true -- touch ran
done
t1 "-o -" 2 "standard output is COMMAND's" record -o - -- touch ran
t "a dangling link" 0 '' '' record -o dangling -- true
ok "is followed" [ "$(readlink dangling)" -ef d/later.json ]
ok "a failed write moves nothing to .old" bash -c '
	"$MMLOCKSTAT" record -- true && cp mmlockstat.json before && rm -f mmlockstat.json.old
	ulimit -f 1
	"$MMLOCKSTAT" record -r 20 -- true
	[ $? = 1 ] && cmp before mmlockstat.json && [ ! -e mmlockstat.json.old ]'
mkdir mmlockstat.json.old
t1 "an .old that cannot be replaced is found before the first run" 1 \
	"mmlockstat.json.old: Is a directory, and mmlockstat.json has to be kept there$" record -- touch ran
ok "an .old that cannot be replaced: nothing changes" bash -c \
	'cmp before mmlockstat.json && [ "$(ls -d mmlockstat* ran 2> /dev/null | wc -l)" = 2 ]'
t1 "likewise by trace" 1 "mmlockstat.json.old: Is a directory" trace "$tree/tests/cases/trace/trace-6.18.txt"
t "with a chosen name it is of no account" 0 '' '' record -o ./mmlockstat.json -- true
rm mmlockstat.json
t "nor where there is nothing to keep" 0 '' '' record -- true
rmdir mmlockstat.json.old
# A place that goes away during the runs does not take them with it.
mkdir spare gone
export TMPDIR=spare
t "a directory removed during the runs" 1 \
	'^mmlockstat: gone/x.json: No such file or directory: the recording is in spare/mmlockstat-......\.json instead$' '' \
	record -r 2 -o gone/x.json -- rm -rf gone
is "its runs are elsewhere" spare/mmlockstat-*.json "len(runs)" 2
ok "for their owner only" [ "$(stat -c %a spare/*)" = 600 ]
rm spare/* && mkdir gone
ok "with no place at all it is one line, and nothing is left" bash -c '
	said=$(TMPDIR=none "$MMLOCKSTAT" record -o gone/x.json -- rm -rf gone 2>&1)
	[ $? = 1 ] && [ "$said" = "mmlockstat: gone/x.json: No such file or directory" ] || { echo "$said"; exit 1; }
	[ -z "$(ls spare)" ]'
unset TMPDIR
t1 "a place that is not there" 1 "no/x.json: No such file" record -o no/x.json -- touch ran
ok "and the command was not run" [ ! -e ran ]
ok "a full disk: one line, status 1, nothing left" bash -c '
	"$MMLOCKSTAT" record -o kept.json -- true && cp kept.json before.json
	ulimit -f 1
	said=$("$MMLOCKSTAT" record -r 20 -o kept.json -- true 2>&1)
	[ $? = 1 ] && [[ "$said" == "mmlockstat: "*"kept.json: File too large" ]] ||
		{ echo "$said"; exit 1; }
	cmp kept.json before.json && [ "$(ls | grep -c "^kept")" = 1 ]'
if [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null; then
		ok "a disk that is really full" unshare -m bash -c '
		export TMPDIR=$PWD/spare
		mkdir -p disk && mount -t tmpfs -o size=16k none disk || exit 1
		said=$("$MMLOCKSTAT" record -r 20 -o disk/x.json -- true 2>&1)
		[ $? = 1 ] && [[ "$said" == *"disk/x.json: No space left on device: the recording is in "*" instead" ]] ||
			{ echo "$said"; exit 1; }
		[ -z "$(ls disk)" ] && [ "$(ls spare | wc -l)" = 1 ] && "$MMLOCKSTAT" report spare/*'
fi
t "a device is written, not replaced" 0 '^\{ "format"' '' record -o /dev/stdout -- true

# Signals.
interrupt() { # SIGNAL COMMAND...: after the first run has finished
	local sig=$1 pid i
	shift
	rm -f done.* x.json
	# whoever started the tests may have had them ignored, as nohup does
	env --default-signal=HUP,QUIT "$MMLOCKSTAT" record -r 3 -o x.json -- "$@" > log 2>&1 &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		[ ! -e done.2 ] || break
		sleep 0.1
	done
	kill "-$sig" "$pid"
	got=0
	wait "$pid" || got=$?
	out=$(cat log)
}
cat > ./slow <<'END'
#!/bin/sh
# The first run ends at once, the second one waits to be ended.
[ ! -e done.1 ] && { touch done.1; exit; }
[ "$1" != deaf ] || trap '' INT TERM HUP
touch done.2
sleep 55 &
echo $! > sleeper
wait
[ "$1" != deaf ] || sleep 55
END
chmod +x slow
# Ended: gone, or only waiting for init to take note of it.
gone() { # PID
	local i state
	for ((i = 0; i < 50; i++)); do
		[ -e "/proc/$1/stat" ] || return 0
		read -r _ _ state _ < "/proc/$1/stat" 2> /dev/null || return 0
		[ "$state" != Z ] || return 0
		sleep 0.1
	done
	return 1
}
fresh
for sig in INT TERM HUP; do
	interrupt $sig ./slow
	ok "SIG$sig: status 3, the finished run is a recording" \
		[ "$got $(get x.json 'len(runs)')" = "3 1" ]
	ok "SIG$sig: it is said" grep -q 'run 2 of 3: interrupted' log
	ok "SIG$sig: nothing of the command is left" gone "$(cat sleeper)"
done
# Nobody reads what it prints: it can be ended all the same.
mkfifo unread
for sig in INT TERM HUP QUIT; do
	rm -f x.json once
	# shellcheck disable=SC2217 # it holds it open
	sleep 50 < unread &
	reader=$!
	env --default-signal=INT,HUP,QUIT "$MMLOCKSTAT" record -r 2 -o x.json -- \
		sh -c '[ ! -e once ] || exec yes; touch once' > unread 2> log &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		[ ! -e once ] || break
		sleep 0.1
	done
	sleep 1
	SECONDS=0
	kill -$sig $pid
	got=0
	wait $pid || got=$?
	ok "SIG$sig while nobody reads: at once" [ "$SECONDS" -lt 5 ]
	ok "SIG$sig while nobody reads: the finished run is a recording" \
		[ "$got $(get x.json 'len(runs)')" = "3 1" ]
	# gone, before the next one's writer takes it for its reader
	kill $reader
	wait $reader || :
done
ok "nohup is respected" bash -c '
	nohup "$MMLOCKSTAT" record -o x.json -- sh -c "kill -HUP \$PPID; sleep 0.3; echo lives" | grep lives'
SECONDS=0
interrupt INT ./slow deaf
ok "a command that outlives Ctrl-C: status 3, the finished run is a recording" \
	[ "$got $(get x.json 'len(runs)')" = "3 1" ]
ok "it was ended after its time of grace: $SECONDS s" [ $((SECONDS >= 9 && SECONDS < 40)) = 1 ]
ok "and nothing of it is left" gone "$(cat sleeper)"
rm -f y.json
"$MMLOCKSTAT" record -o y.json -- sh -c 'touch began; exec sleep 55' > log 2>&1 &
pid=$!
for ((i = 0; i < 100; i++)); do [ ! -e began ] || break; sleep 0.1; done
kill -INT $pid
got=0
wait $pid || got=$?
out=$(cat log)
ok "interrupted in the first run: a failure in one line, no file" [ "$got $(ls y.json* 2> /dev/null)$out" = \
	"1 mmlockstat: run 1 of 1: interrupted (Interrupt): not kept: nothing is written" ]

# On a terminal.
fresh
ok "progress, with the time left" bash -c '
	script -qec "\"$MMLOCKSTAT\" record -r 2 -o p.json -- sleep 1.3" /dev/null < /dev/null > tty
	grep -q "run 1 of 2: 1 s" tty && grep -q "run 2 of 2: 0 s, about 1 s left" tty ||
		{ cat tty; exit 1; }'
ok "the command sees no terminal" bash -c '
	script -qec "\"$MMLOCKSTAT\" record -o p.json -- sh -c \"test -t 1 || echo metric tty 0 - higher\"" /dev/null < /dev/null > tty
	grep -q "metric tty 0" tty'

# The command has its three standard descriptors, and none of ours.
cat > fds <<'END'
#!/usr/bin/python3
import os
found = []
for fd in sorted(os.listdir("/proc/self/fd"), key=int):
    try:
        found.append(fd + "=" + os.readlink("/proc/self/fd/" + fd).split(":")[0])
    except OSError:
        pass        # of the list itself
open("seen", "w", encoding="utf-8").write(" ".join(found))
END
chmod +x fds
closing() { # FDS COMMAND...: with these closed, and none but the standard ones open
	python3 -c 'import os, sys
os.closerange(3, 1000)
for fd in sys.argv[1].split():
    os.close(int(fd))
os.execvp(sys.argv[2], sys.argv[2:])' "$@"
}
for which in '' 0 1 2 '0 1' '0 2' '1 2' '0 1 2'; do
	rm -f seen
	closing "$which" "$MMLOCKSTAT" record -o p.json -- ./fds < /dev/zero || true
	stdin=/dev/zero
	[[ "$which" != *0* ]] || stdin=/dev/null
	ok "descriptors of the command, started without '$which'" [ "$(cat seen)" = "0=$stdin 1=pipe 2=pipe" ]
done
rm -f seen
closing '' script -qec "'$MMLOCKSTAT' record -o p.json -- ./fds" /dev/null < /dev/null > screen || true
ok "descriptors of the command, on a terminal" [ "$(cat seen)" = "0=/dev/null 1=pipe 2=pipe" ]
