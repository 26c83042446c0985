# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# Time is that of one CPU, not the clock's: others may use the machine at the
# same time.

# best COMMAND...: the least of three times, ms, in $best; it prints to `tables`
best() {
	local took i
	best=999999
	for i in 1 2 3; do
		# user and system time
		took=$(TIMEFORMAT='%U %S'; { time "$@" > tables; } 2>&1 |
			awk '{ printf "%d", ($1 + $2) * 1000 }')
		[ "$took" -ge "$best" ] || best=$took
	done
}

# diff of two recordings of 1,000 runs each, four histograms of 120 buckets and
# 100 rows of vmstat a run: under a second; on a machine so slow that Python
# takes longer only to parse them, no longer than that.
rows=$(for i in {1..100}; do printf 'row_%d:%d;' "$i" "$i"; done)
for f in before:10 after:9; do
	"$here/make_recording" "${f%:*}.json" runs=1000 buckets=120 "vmstat=${rows%;}" \
		"waits=${f#*:},11,12,13,14,15.5" metric=100,101,102
done
best python3 -c 'import json, sys; [json.load(open(f)) for f in sys.argv[1:]]' before.json after.json
bound=$((best > 1000 ? best : 1000))
best "$QUICK" diff before.json after.json
out=$(ls -l before.json; tail -n 30 tables)
ok "1,000 + 1,000 runs in $best ms, not $bound" [ "$best" -lt $bound ]
ok "of a file of $(($(stat -c %s before.json) / 1000000)) MB, all of it" \
	grep -q '^Before: 1,\?000 runs' tables

# Many names, in two orders: their number may not count twice.
for n in 7500 30000; do
	"$here/make_recording" "names$n.json" runs=2 "names=$n"
	best "$QUICK" report names$n.json
	eval "ms$n=$best"
done
# A clock of ticks: below a few of them a ratio says nothing.
[ "$ms7500" -gt 10 ] || ms7500=10
out="$ms7500 ms, then $ms30000 ms"
ok "four times the metrics and rows take $ms30000 ms, not $((8 * ms7500))" \
	[ "$ms30000" -lt $((8 * ms7500)) ]
ok "all of them are there" [ "$(grep -c '^m[0-9]* .*[0-9]$' tables)" = 30000 ]
