# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# report and diff: what the tables say, and how wide.

rec() { "$here/make_recording" "$@"; }
rec a1.json; rec b1.json waits=5
rec a5.json runs=5 waits=10,11,12,13,14 metric=100,101,102,103,104
rec b5.json runs=5 waits=5,5.5,6,6.5,7 metric=200,201,202,203,204 label=patched kernel=7.3.4-patched
for n in 2 3 4; do
	rec "a$n.json" "runs=$n" waits=10,11,12,13
	rec "b$n.json" "runs=$n" waits=5,5.5,6,6.5
done
rec same.json runs=5 waits=14,10,13,11,12

# The seed's look.
t "a title, a head, a rule" 0 '^Metric +Before \(Avg\) +After \(Avg\) +Change$' '' diff a1.json b1.json
ok "ranges as in the mails" [ "$(grep -oE '^\[[0-9]+, [0-9+]+\)' <<< "$("$MMLOCKSTAT" diff a1.json b1.json)" |
	head -8 | tr '\n' ' ')" = '[0, 1) [1, 10) [10, 100) [100, 1000) [1000, 10000) [10000, 100000) [100000, 1000000) [1000000, +) ' ]
t "every table says runs, seconds, CPUs, kernel, scope" 0 \
	'^Before: 5 runs, 10.00 s, 2 CPUs, kernel 7.3.4-test, all tasks, 1,000 operations' '' diff a5.json b5.json
ok "as often as there are tables" [ "$(grep -c '^Before: 5 runs' <<< "$out")" = "$(grep -c '^== ' <<< "$out")" ]
t "and ends with the account" 0 '^Nothing was lost, nothing is unpaired' '' diff a5.json b5.json

# What recording cost: what was measured, and nothing else.
ok "costs are those of docs/overhead.md" python3 - "$tree/docs/overhead.md" "$here/make_recording" "$MMLOCKSTAT" << 'END'
import json
import re
import subprocess
import sys
doc, make, program = sys.argv[1:]
rows = [[c.strip() for c in line.strip().strip("|").split("|")]
        for line in open(doc, encoding="utf-8") if line.startswith("|")]
kernels = [cell.split()[0] for cell in rows[0][1:]]
ways = {"recording, `wait_start=slowpath`": ("tsc", "slowpath"), "the same, `clock=mono`": ("mono", "slowpath"),
        "recording, `wait_start=locking`": ("tsc", "locking")}
seen = 0
for row in rows:
    if row[0] not in ways:
        continue
    clock, start = ways[row[0]]
    for k in (0, 2):
        subprocess.run([make, "cost.json", f"kernel={kernels[k]}+deb13-amd64", f"clock={clock}",
                        f"start={start}", "count=1000"], check=True)
        out = subprocess.run([program, "report", "-f", "json", "cost.json"], check=True, capture_output=True)
        cost = json.loads(out.stdout)["accounts"][0]["cost"]
        read, write = int(row[1 + k]), int(row[2 + k])
        assert cost == {"source": "docs/overhead.md", "instructions": 1000 * (read + write), "per_read": read,
                        "per_write": write, "measured_on": kernels[k], "basis":
                        f"{read} a read and {write} a write, measured on {kernels[k]} (docs/overhead.md)"}, cost
        seen += 1
assert seen == 6, seen
END
rec tsc.json clock=tsc start=slowpath runs=2; rec mono.json clock=mono start=slowpath runs=2 kernel=6.1.0-44-amd64
t "every table says what recording cost" 0 \
	'^  recording cost: about 92,200 instructions, 23,050 a second, 228 a read and 233$' '' diff tsc.json mono.json
ok "as often as there are tables and sides" [ "$(grep -c '^  recording cost: about' <<< "$out")" = \
	"$(($(grep -c '^== ' <<< "$out") * 2))" ]
t "and where it was measured, the nearest too" 0 \
	'^  - recording cost: about 483,800 .* 1210 a read and 1209 a write, measured on 6.12.118, the nearest \(' '' \
	diff -f markdown tsc.json mono.json
t "in markdown" 0 '^  - recording cost: about 92,200 instructions, .*measured on 7.3.4 \(docs/overhead.md\)$' '' \
	diff -f markdown tsc.json mono.json
t "in csv" 0 '^summary,Read Lock Count,.*,92200,483800,"228 a read and 233 a write, measured on 7.3.4 .docs/overhead.md.",' '' \
	diff -f csv tsc.json mono.json
t "in csv of one" 0 '^summary,Read Lock Count,.*,92200,"228 a read' '' report -f csv tsc.json
absent() { # NAME WHY KEY=VALUE...
	rec absent.json clock=tsc start=slowpath runs=2 "${@:3}"
	t "no cost: $1" 0 "^  recording cost: absent: $2" 'about' report absent.json
	t "no cost, in csv: $1" 0 "^summary,Read Lock Count,.*,,\"?absent: $2" '' report -f csv absent.json
	t "no cost, in json: $1" 0 "\"instructions\": null, \"per_read\": null, .*absent: $2" '' report -f json absent.json
}
absent "another machine" 'never measured on aarch64' arch=aarch64
absent "another clock" 'never measured with clock=tsc-unstable and' clock=tsc-unstable
absent "the general way by another clock" 'never measured with clock=mono and wait_start=locking' clock=mono start=locking
absent "a filter" 'never measured with a pid filter' 'scope=pids 1'
absent "another mode" 'never measured in mode contended' mode=contended
absent "another hook" 'never measured with slow by a kprobe' hook=kprobe
absent "no kernel" 'the recording does not tell its kernel' kernel=
absent "runs that differ" 'its runs were recorded in different ways' clock=tsc,mono
for k in 5.10.0:6.12.118 6.13.1:6.12.118 6.14.0:7.3.4 6.18.1:7.3.4 7.0.1:7.3.4 8.1.0:7.3.4; do
	rec near.json clock=tsc start=slowpath "kernel=${k%:*}"
	t "the nearest to ${k%:*}" 0 "measured on ${k#*:}, the nearest" '' report -f markdown near.json
done

# What can be said of so many runs.
t "one run a side: nothing" 0 'One run a side: n too small' '95% interval' diff a1.json b1.json
t "two a side: too few" 0 'Read Avg Wait .us. +2\+2 +0.333 +-50.00% +n too small' '' diff a2.json b2.json
t "three a side: too few" 0 'Read Avg Wait .us. +3\+3 +0.100 +-50.00% +n too small' '' diff a3.json b3.json
t "four a side" 0 'Read Avg Wait .us. +4\+4 +0.029 +-50.00% +-61.54% .. -35.00%' 'too small' diff a4.json b4.json
t "five a side" 0 'Read Avg Wait .us. +5\+5 +0.008 +-50.00% +-60.71% .. -36.36%' 'too small' diff a5.json b5.json
t "one against five" 0 'Read Avg Wait .us. +1\+5 +0.667 ' '' diff a1.json a5.json
t "a change that chance makes" 0 'Read Avg Wait .us. +12.00 +12.00 +~ 0.00%' '' diff a5.json same.json
t "a change that it does not" 0 'Read Avg Wait .us. +12.00 +6.00 +-50.00%' '~ -50' diff a5.json b5.json
rec zero.json runs=5 waits=0,1,2,3,4
t "a zero: difference of medians, no percentage" 0 'Read Avg Wait .us. +5\+5 +0.008 +-10.00 +zeros: difference' '' \
	diff a5.json zero.json
t "from zero: the raw difference" 0 'Read Avg Wait .us. +0.00 +10.00 +N/A \(\+10.00\)' '' \
	diff <(rec /dev/stdout waits=0) a1.json
rec a25.json runs=25 waits=10,11,12,13,14; rec b25.json runs=25 waits=11,12,13,14,15
t "above 20 a side it is approximated, and said" 0 'by the normal approximation: more than 20' '' diff a25.json b25.json
t "csv has p and the interval" 0 \
	'^summary,Read Avg Wait \(us\),12,6,-50,0.007937,-60.714286,-36.363636,5,5,-50,,exact' '' diff -f csv a5.json b5.json
t "json has them too" 0 '"p": 0.007937, "low": -60.714286, "high": -36.363636, "n_before": 5, "n_after": 5' '' \
	diff -f json a5.json b5.json
ok "json is JSON" python3 -c 'import json,sys; json.loads(sys.argv[1])' "$out"
t "markdown has them too" 0 '\| Read Avg Wait \(us\) \| 12.00 \| 6.00 \| -50.00% \| 5\+5 \| 0.008 \| -50.00% \| -60.71% .. -36.36% \|' '' \
	diff -f markdown a5.json b5.json
t "distributions are not tested" 0 '^read_wait,"\[10, 100\)",100,0,-100,,,,5,5,' '' diff -f csv a5.json b5.json
t "the worst maximum beside the mean one" 0 'Read Wait worst max +14.00 +7.00' '' diff a5.json b5.json
t "rates, also per unit of work" 0 'Read Locks per work +0.49 +0.25' '' diff a5.json b5.json
t "the workload's own" 0 'work \(/s\) +102.00 +202.00 +\+98.04%' '' diff a5.json b5.json
t "on request the spread" 0 '^Read Avg Wait .us. +Before +12.00 +10.00 +14.00' '' diff --spread a5.json b5.json
narrow "spread"
t "report shows it of itself" 0 'Read Avg Wait .us. +12.00 +12.00 +10.00 +14.00' '' report a5.json
t "report of one run has one value" 0 'Read Avg Wait .us. +10.00$' 'Median' report a1.json
t "report as csv" 0 '^summary,Read Avg Wait \(us\),12,12,10,14,5,' '' report -f csv a5.json
t "report as markdown" 0 '^\| Read Avg Wait \(us\) \| 12.00 \| 12.00 \| 10.00 \| 14.00 \|' '' report -f markdown a5.json

# Bounds.
rec bound.json bound=1
t "an upper bound is marked" 0 'Read Wait max +10.00 +<= 10.00 +0.00%' '' diff a1.json bound.json
t "in csv too" 0 '^percentiles,Read Wait max,10,10,0,.*,upper,' '' diff -f csv a1.json bound.json

# What differs besides.
rec never.json thp=never mode=contended cpus=4
t "a setting that differs is said" 0 '^  transparent_hugepage: always -> never' '' diff a1.json never.json
t "the recorder's too" 0 '^  recorder mode: full -> contended' '' diff a1.json never.json
t "and the machine's" 0 '^  CPUs: 2 -> 4' '' diff a1.json never.json
t "the kernel is not among them" 0 'kernel 7.3.4-patched' 'kernel: ' diff a5.json b5.json
t "the recording's own label is told" 0 '^After is patched' '' diff a5.json b5.json
t "or its file" 0 '^Before is a5.json' '' diff a5.json b5.json
rec pids.json 'scope=pids 12 13'
t "the scope is told" 0 'only pids 12 13' '' report pids.json
rec failed.json runs=3 exit=0,7,0
t "a failed run is told" 0 'in 1 of 3 runs the command FAILED \(exit status 7\)' '' report failed.json
t "and stays" 0 ': 3 runs \(1 FAILED\)' '' report failed.json
rec ended.json flight=-3
t "an end without its beginning, of a live reading, is no number below 0" 0 \
	'Ended while the end was read: 3\.' 'In flight' report ended.json
rec lost.json lost=12 orphan=3 flight=2
t "what was lost is in capitals" 0 'After: LOST 12 events \(table_full 12\). UNPAIRED orphan_release 3. In flight at' \
	'Nothing was lost' diff a1.json lost.json
t "in markdown in bold" 0 '^\*\*After: LOST 12 events' '' diff -f markdown a1.json lost.json
ok "on a terminal in bold" bash -c "script -qec \"'$MMLOCKSTAT' report lost.json\" /dev/null < /dev/null | grep -F \$'\\033[1m'"
rec bare.json bare=1
t "no account is no clean account" 0 'this recording has no account of losses' 'Nothing was lost' report bare.json

# vmstat.
rec v1.json 'vmstat=pgalloc_dma:5;pgalloc_normal:7;pgfault:100;same:1;old:3'
rec v2.json 'vmstat=pgalloc_dma:5;pgalloc_dma32:1;pgalloc_normal:7;pgfault:150;same:1;new:-4'
t "the rows that changed" 0 '^pgfault +100 +150 +\+50.00%' '^same' diff v1.json v2.json
t "zones are summed where they differ" 0 '^pgalloc +12 +13 +\+8.33%' 'pgalloc_' diff v1.json v2.json
t "zones are not summed where they agree" 0 '^pgalloc_normal +7 +7 ' '' diff --rows 'pgalloc*' v1.json v1.json
t "a key of one side is absent on the other" 0 '^old +3 +absent +N/A' '' diff v1.json v2.json
t "also of the other" 0 '^new +absent +-4 +N/A' '' diff v1.json v2.json
t "rows on request" 0 '^same +1 +1 +0.00%' '^pgfault' diff --rows 'sa*,nothing' v1.json v2.json

# More than two, labels, width.
t "three side by side" 0 '^Metric +a5.json \(Avg\) +same.json \(Avg\) +Change +b1.json \(Avg\) +Change' '' diff a5.json same.json b1.json
narrow "three"
t "labels" 0 '^Metric +Vanilla \(Avg\) +Patched \(Avg\) +Change' '' diff --labels Vanilla,Patched a5.json b5.json
long=$(printf 'x%.0s' {1..100})
rec long.json "label=$long" "kernel=$long" "thp=$long $long" "vmstat=$long:123;y:1" count=9223372036854775 waits=1
rec long2.json "label=$long" kernel=1 "vmstat=$long:456;y:123456789012345678" count=9223372036854775 waits=1
t "long words, large numbers" 0 - '' diff --labels "$long,$long" long.json long2.json
narrow "long words"
t "and four of them" 0 - '' diff long.json long2.json long.json long2.json
narrow "four long ones"
t "and alone" 0 - '' report long.json
narrow "one long one"
# Wide characters, accents that are characters of their own, and what is cut.
for word in 压力测试 한국어 'ｗｉｄｅ' 😀 $'e\u0301a\u0300' é; do
	long=$(printf "$word%.0s" {1..60})
	for n in 1 2 3; do
		rec "w$n.json" runs=4 "label=$word$n" "kernel=$word" "thp=$long$n" \
			"vmstat=$word:12$n;y:1$n;$long:7$n" waits=1,2,3,4
		rec "l$n.json" runs=4 "label=${long:n}" "kernel=${long:n}" "thp=$long$n" \
			"scope=pids $long" "vmstat=$word:12$n;y:1$n" waits=1,2,3,4
	done
	for files in 'w1.json w2.json' 'w1.json w2.json w3.json' 'l1.json l2.json' \
			'l1.json l2.json l3.json'; do
		# shellcheck disable=SC2086
		for locale in C C.UTF-8; do
			LC_ALL=$locale t "$word as $locale in $files" 0 - '' diff --spread $files
			printf '%s\n' "$out" > wide
			ok "$word as $locale in $files: as wide as it is" "$here/width_check" wide
		done
		# shellcheck disable=SC2086
		t "$word in $files as markdown" 0 - '\?' diff -f markdown $files
	done
	t "$word in one" 0 - '' report --spread l1.json
	printf '%s\n' "$out" > wide
	ok "$word in one: as wide as it is" "$here/width_check" wide
	for n in 1 2; do
		t "$word as a label of the command line" 0 - '' diff --labels "${long:n},$word" w1.json w2.json
		printf '%s\n' "$out" > wide
		ok "$word as a label of the command line: as wide as it is" "$here/width_check" wide
	done
done
ok "csv of three has a line for each pair" [ "$("$MMLOCKSTAT" diff -f csv a5.json b5.json same.json |
	grep -c '^summary,Read Lock Count,')" = 2 ]
# Numbers that are very large, very small, or below zero.
odd() { # FILE EXTRA-RUNS NAME VALUE ...: a recording of two runs with these metrics
	python3 - "$@" << 'END'
import json
import sys
values = {n: {"value": float(v)} for n, v in zip(sys.argv[2::2], sys.argv[3::2])}
runs = [{"seconds": 1e308, "metrics": values,
         "series": {"mmap_read_wait": {"count": 1, "sum_ns": 5, "buckets": [[5, 6, 1]]}}}] * 2
json.dump({"format": "mmlockstat-recording", "version": 1, "groups": [{"set": {}, "runs": runs}]},
          open(sys.argv[1], "w", encoding="utf-8"))
END
}
odd odd1.json huge 1e300 low -10 rise 1e-300 sink 10 up 0 zero -0.0 same -3
odd odd2.json huge 2e300 low -5 rise 1e300 sink -5 up 1e300 zero 0 same -3
t "1e300 has an exponent" 0 '^huge +1e\+300 +2e\+300 +~ \+100.00%$' '00000000' diff odd1.json odd2.json
narrow "1e300"
t "a negative value, and no per cent of it" 0 '^low +-10.00 +-5.00 +~ N/A \(\+5.00\)$' '' diff odd1.json odd2.json
t "what it was tested by" 0 '^low +2\+2 +0.333 +\+5.00 ' 'zeros' diff odd1.json odd2.json
t "from above to below zero" 0 '^sink +10.00 +-5.00 +~ -150.00%$' '' diff odd1.json odd2.json
t "a change that no number holds" 0 '^rise +1e-300 +1e\+300 +~ N/A \(\+1e\+300\)$' '' diff odd1.json odd2.json
t "nor its ratio" 0 '^rise +2\+2 +0.333 +>x1e\+306 ' 'inf' diff odd1.json odd2.json
t "from zero, far" 0 '^up +0.00 +1e\+300 +~ N/A \(\+1e\+300\)$' '' diff odd1.json odd2.json
t "no sign on a zero" 0 '^zero +0.00 +0.00 +N/A$' '' diff odd1.json odd2.json
t "nor a change from equal ones" 0 '^same +-3.00 +-3.00 +N/A$' '' diff odd1.json odd2.json
t "one alone" 0 '^huge +1e\+300 +1e\+300 +1e\+300 +1e\+300$' '00000000' report odd1.json
narrow "one alone"
t "csv: short, and the same number" 0 '^metrics,huge,1e\+300,2e\+300,100,' '' diff -f csv odd1.json odd2.json
t "csv: the negative one" 0 '^metrics,low,-10,-5,,' '' diff -f csv odd1.json odd2.json
t "markdown" 0 '\| low \| -10.00 \| -5.00 \| ~ N/A \(\+5.00\) \|' '' diff -f markdown odd1.json odd2.json
t "json" 0 '"row": "huge", "before": 1e\+300, "after": 2e\+300, "change": 100,' 'inf|nan' diff -f json odd1.json odd2.json
ok "is JSON, though no number holds the seconds" python3 -c \
	'import json,sys; assert json.loads(sys.argv[1])["recordings"][0]["seconds"] is None' "$out"
for n in 2 4; do
	rec "m$n.json" "runs=$n" metric=-1,-2,-3,-4
done
t "why there is no interval" 0 '^work \(/s\) +4\+4 +1.000 +0.00 +below 0: difference$' 'zeros' diff m4.json m4.json

# What a file or a label holds moves no cursor and marks nothing up, in any format.
python3 - << 'END'
import json
bad = "\x1b[31m\x07\x9b1m\r\n\u202e\u2028|`<b>*x*"
run = {"seconds": 1, "metrics": {"x" + bad: {"value": 1, "unit": "u" + bad}}, "vmstat": {"v" + bad: 1},
       "recorder": {"scope": "s" + bad, "mode" + bad: bad}, "health": {"lost": 1, "lost_c" + bad: 1}, "exit": 1}
for label in "a", "b":
    with open(label + "-raw.json", "w", encoding="utf-8") as out:
        json.dump({"format": "mmlockstat-recording", "version": 1, "label": "# " + label + bad,
                   "host": {"kernel": "k" + bad, "settings": {"t" + bad: label + bad}}, "command": [label + bad],
                   "groups": [{"set": s, "runs": [run]} for s in ({}, {"n" + bad: "v" + bad})]}, out)
END
for style in text markdown csv json; do
	t "hostile words as $style" 0 - "$(printf '\033|\a|\r')|$(printf '\xc2\x9b|\xe2\x80\xae|\xe2\x80\xa8|\xff')" \
		diff -f $style a-raw.json b-raw.json --labels $'a\033\233\377b',$'c\n|d'
	printf '%s\n' "$out" > "raw.$style"
	t "and of one recording as $style" 0 - "$(printf '\033|\a|\r|\xc2\x9b')" report -f $style a-raw.json
done
ok "csv has its columns all the same" python3 - raw.csv << 'END'
import csv
import sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8")))
assert len(rows) > 3 and len({len(r) for r in rows}) == 1, rows
END
ok "json tells the words as they are" python3 - raw.json << 'END'
import json
import sys
made = json.load(open(sys.argv[1], encoding="utf-8"))
assert made["recordings"][0]["name"] == "# a\x1b[31m\x07\x9b1m\r\n\u202e\u2028|`<b>*x*", made
END
ok "markdown has as many cells in each row of a table" "$here/cell_check" raw.markdown
awk '/^[|]/ && ++n == 3 { $0 = "| one more " $0 } 1' raw.markdown > wrong.markdown
ok "one cell more is found" eval "! '$here/cell_check' wrong.markdown"
ok "markdown has no HTML, no mark and no heading of theirs" python3 - raw.markdown << 'END'
import re
import sys
for line in open(sys.argv[1], encoding="utf-8"):
    assert not re.search(r"(?<!\\)(<|`|\*x|\]\()", line), line
    assert not re.match(r"(- )?# ", line), line
END

# --set: groups.
python3 - << 'END'
import json
r = json.load(open("a5.json", encoding="utf-8"))
for side, values in (("x", ("0", "8")), ("y", ("8", "16"))):
    r["groups"] = [{"set": {"writers": v}, "runs": r["groups"][0]["runs"]} for v in values]
    json.dump(r, open(side + ".json", "w", encoding="utf-8"))
END
t "a table by the values of a set" 0 '^== Workload: work \(/s\) by writers, higher is better ==' '' diff x.json y.json
t "its rows are the values" 0 '^8 +102.00 +102.00 +~ 0.00%' '' diff x.json y.json
t "a value that one side lacks" 0 '^16 +absent +102.00 +N/A' '' diff x.json y.json
t "tables of each value" 0 '^== mmap_lock: acquisitions, waits and holds \[writers=8\] ==' '' diff x.json y.json
t "csv names the set" 0 '^summary,Read Lock Count,100,100,0,.*,writers=8,' '' diff -f csv x.json y.json
