# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# For workloads.sh: cases, counters, and the settings that must come back.

TRACING=/sys/kernel/tracing
EVENTS=$TRACING/instances/workloads
ACQUIRED=$EVENTS/events/mmap_lock/mmap_lock_acquire_returned
THP=/sys/kernel/mm/transparent_hugepage
MAP_COUNT=/proc/sys/vm/max_map_count
SCAN_SLEEP=$THP/khugepaged/scan_sleep_millisecs
AROUND=/sys/kernel/debug/fault_around_bytes

tmp=
supervisor=
cases=()
reasons=()

# --- cases ---------------------------------------------------------------

# fail TEXT: the current case fails, and says why
fail() {
	reasons+=("$*")
}

# run_cases: runs the functions named in $cases, prints KTAP
run_cases() {
	local number=0 failed=0 name reason began

	echo "KTAP version 1"
	echo "1..${#cases[@]}"
	for name in "${cases[@]}"; do
		number=$((number + 1))
		reasons=()
		began=$SECONDS
		"$name"
		if [ ${#reasons[@]} -eq 0 ]; then
			echo "ok $number ${name#case_} # $((SECONDS - began)) s"
			continue
		fi
		failed=$((failed + 1))
		for reason in "${reasons[@]}"; do
			echo "# $reason"
		done
		sed 's/^/# | /' "$tmp/out" "$tmp/err" 2>/dev/null
		echo "not ok $number ${name#case_}"
	done
	[ "$failed" -eq 0 ]
}

# at_least VALUE LEAST WHAT
at_least() {
	[ "${1:-0}" -ge "$2" ] || fail "$3: $1, expected at least $2"
}

# at_most VALUE MOST WHAT
at_most() {
	[ "${1:-0}" -le "$2" ] || fail "$3: $1, expected at most $2"
}

# same GOT WANT WHAT
same() {
	[ "$1" = "$2" ] || fail "$3: '$1', expected '$2'"
}

# await SECONDS COMMAND...: until it succeeds
await() {
	local end=$((SECONDS + $1))

	shift
	while ! "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# --- counters ------------------------------------------------------------

# stat_of NAME: a counter now
stat_of() {
	case $1 in
	processes) awk '$1 == "processes" { print $2 }' /proc/stat ;;
	full_scans) cat "$THP/khugepaged/full_scans" ;;
	*) awk -v n="$1" '$1 == n { print $2 }' /proc/vmstat ;;
	esac
}

COUNTERS="pgfault pgmajfault pgpgin pgfree pswpin pswpout processes full_scans"
declare -A before after

note_before() {
	local n

	for n in $COUNTERS; do before[$n]=$(stat_of "$n"); done
	echo 'hist:keys=common_pid.execname,write if success == 1' \
		>"$ACQUIRED/trigger"
}

note_after() {
	local n

	cp "$ACQUIRED/hist" "$tmp/hist"
	echo '!hist:keys=common_pid.execname,write if success == 1' \
		>"$ACQUIRED/trigger"
	for n in $COUNTERS; do after[$n]=$(stat_of "$n"); done
}

# delta NAME: what a counter grew by in the last run
delta() {
	echo $((after[$1] - before[$1]))
}

# locks COMM WRITE: acquisitions in the last run, from the stock trace event
locks() {
	awk -v comm="$1" -v write="$2" '
		index($0, "common_pid: " comm) && match($0, /write: +[01]/) {
			w = substr($0, RSTART + RLENGTH - 1, 1)
			if (w == write && match($0, /hitcount: +[0-9]+/)) {
				split(substr($0, RSTART, RLENGTH), f, / +/)
				sum += f[2]
			}
		}
		END { print sum + 0 }' "$tmp/hist"
}

# metric NAME: its value in the last run's output, without the fraction
metric() {
	awk -v n="$1" '$1 == "metric" && $2 == n { v = $3 } END { printf "%d\n", v }' \
		"$tmp/out"
}

# need_metrics NAME...: exactly these, each well formed
need_metrics() {
	same "$(awk '$1 == "metric" { printf "%s ", $2 }' "$tmp/out")" "$* " "metrics"
	if grep '^metric' "$tmp/out" |
		grep -qvE '^metric [a-z_0-9]+ [0-9]+\.[0-9]+ [^ ]+ (higher|lower)$'; then
		fail "a metric line is malformed"
	fi
}

# --- running -------------------------------------------------------------

# settings: all that a workload might leave changed
settings() {
	grep -H . "$MAP_COUNT" "$SCAN_SLEEP" "$AROUND" \
		/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null
	cat /proc/swaps /proc/mounts
	ls -d /sys/fs/cgroup/*/ /tmp/mmlockload* /sys/module/null_blk \
		/sys/kernel/config/nullb/* 2>/dev/null
	:
}

# is_unchanged, is_changed: against the settings kept in $tmp/settings
is_unchanged() {
	settings | diff "$tmp/settings" - >"$tmp/diff"
}

is_changed() {
	! is_unchanged
}

# unchanged: fail if they are not
unchanged() {
	is_unchanged ||
		fail "left changed: $(tr '\n' ' ' <"$tmp/diff")"
}

# start WORKLOAD...: in the background, as $supervisor
start() {
	"$LOAD" "$@" --quiet >"$tmp/out" 2>"$tmp/err" &
	supervisor=$!
}

# worker: the process that runs the workload
worker() {
	pgrep -n -P "$supervisor"
}

# worker_has_areas N: it has so many mappings
worker_has_areas() {
	[ "$(wc -l <"/proc/$(worker)/maps")" -ge "$1" ]
}

# finish STATUS: the workload ends so, and leaves nothing
finish() {
	local status=0

	wait "$supervisor" || status=$?
	same "$status" "$1" "exit status"
	unchanged
}

# run WORKLOAD...: to a good end, counted
run() {
	note_before
	start "$@"
	finish 0
	note_after
	[ ! -s "$tmp/err" ] || fail "errors: $(cat "$tmp/err")"
}

# refuse STATUS TEXT COMMAND...: ends so, saying TEXT in one line, no metrics
refuse() {
	local want=$1 text=$2 status=0

	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	same "$status" "$want" "exit status of $*"
	grep -qF -- "$text" "$tmp/err" || fail "$*: does not say '$text'"
	same "$(wc -l <"$tmp/err")" 1 "lines of error of $*"
	! grep -q '^metric' "$tmp/out" || fail "$*: metrics in spite of it"
}

setup() {
	tmp=$(mktemp -d)
	trap 'teardown' EXIT
	mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
	mountpoint -q "$TRACING" || mount -t tracefs none "$TRACING"
	mkdir -p "$EVENTS"
	modprobe ext4 2>/dev/null || :
	settings >"$tmp/settings"
}

teardown() {
	rmdir "$EVENTS" 2>/dev/null || :
	rm -rf "$tmp"
}
