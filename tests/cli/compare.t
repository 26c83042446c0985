# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# lab/compare without its guests: arguments, the merging of runs, the letter, and the
# whole with programs in place of the lab's that boot and build nothing.

compare=$tree/lab/compare
merge=$tree/lab/compare.d/merge.py
letter=$tree/lab/compare.d/letter.py

# c NAME STATUS MATCH ARGUMENTS...: lab/compare says one line, and ends so
c() {
	local name=$1 status=$2 match=$3 got=0
	shift 3
	out=$("$compare" "$@" 2>&1 < /dev/null) || got=$?
	if [ "$got" = "$status" ] && [ "$(wc -l <<< "$out")" = 1 ] &&
	   grep -Eq -- "^lab/compare: .*($match)" <<< "$out"; then
		report ok "$name"
	else
		echo "# status $got: lab/compare $*"
		report "not ok" "$name"
	fi
}

: > notapatch
printf -- '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' > p.patch
w=(--workload 'khugepaged --vmas 9')
c "nothing" 125 "nothing to compare"
c "an unknown option" 125 "no such option" --bogus
c "an unknown option with a word behind it" 125 "--bogus: no such option" --bogus x
c "an option without its argument" 125 "lacks its argument" --source
c "a source alone" 125 "--patch, or --before and --after, is missing" --source s "${w[@]}"
c "a patch that is not there" 125 "cannot read it" --source s --patch none "${w[@]}"
c "a patch that is none" 125 "has no hunk" --source s --patch notapatch "${w[@]}"
c "a patch for packaged kernels" 125 "goes with --source" \
	--kernels trixie,sid --patch p.patch "${w[@]}"
c "a fragment for packaged kernels" 125 "goes with --source" \
	--kernels trixie,sid --fragment debug "${w[@]}"
c "kernels and a source" 125 "one of them" --kernels trixie,sid --source s "${w[@]}"
c "an unknown suite" 125 "'woody' is none of" --kernels trixie,woody "${w[@]}"
c "one kernel" 125 "must be two" --kernels trixie "${w[@]}"
c "three kernels" 125 "must be two" --kernels trixie,sid,bookworm "${w[@]}"
c "one kernel twice" 125 "twice the same" --kernels trixie,trixie "${w[@]}"
c "settings of two kernels" 125 "of one kernel" \
	--kernels trixie,sid --before a --after b "${w[@]}"
c "a setting before only" 125 "give both" --kernels trixie --before a "${w[@]}"
c "the same setting" 125 "are the same" --kernels trixie --before a --after a "${w[@]}"
c "settings of nothing" 125 "nothing to compare" --before a --after b "${w[@]}"
for i in 0 -1 x 1x 101 99999999999999999999 ''; do
	c "-r '$i'" 125 "-r $i: must be 1 to 100" --kernels trixie,sid "${w[@]}" -r "$i"
done
c "no CPU" 125 "--cpus 0" --kernels trixie,sid "${w[@]}" --cpus 0
c "no size" 125 "--memory 4T" --kernels trixie,sid "${w[@]}" --memory 4T
c "no time" 125 "--timeout 1m" --kernels trixie,sid "${w[@]}" --timeout 1m
c "no such table" 125 "no table bogus" --kernels trixie,sid "${w[@]}" --tables summary,bogus
c "no table" 125 "names no table" --kernels trixie,sid "${w[@]}" --tables ,
c "a file as directory" 125 "no directory" --kernels trixie,sid "${w[@]}" -o p.patch
c "labels" 125 "must be two" --kernels trixie,sid "${w[@]}" --labels a
c "no workload" 125 "no workload" --kernels trixie,sid
c "an empty workload" 125 "no workload" --kernels trixie,sid --workload ''
c "a blank workload" 125 "cannot be split" --kernels trixie,sid --workload ' '
c "a workload that is open" 125 "cannot be split" --kernels trixie,sid --workload "a 'b"
c "no command" 125 "without a command" --kernels trixie,sid --
c "a workload and a command" 125 "one of them" --kernels trixie,sid "${w[@]}" -- true
ok "--help" "$compare" --help
narrow "--help"
ok "none of these left a file" [ "$(find . -type f | wc -l)" = 2 ]

# Merging.
big=9007199254740993			# 2^53 + 1: a double has no such number
for i in 1 2 3; do
	"$here/make_recording" "r$i.json" runs=1 waits="$((i * 10))" metric="$i" label=v \
		vmstat="pgfault:$big"
done
ok "three runs are merged" python3 "$merge" all.json r1.json r2.json r3.json
ok "a number above 2^53 is what it was, three times" \
	[ "$(grep -o "\"pgfault\": ${big}[,}]" all.json | wc -l)" = 3 ]
ok "the merged one has all of each, in that order" python3 -c '
import json, sys
whole, *parts = [json.load(open(n)) for n in sys.argv[1:]]
runs = [r for p in parts for r in p["groups"][0]["runs"]]
assert whole["groups"][0]["runs"] == runs and len(runs) == 3
assert len(whole["groups"]) == 1
assert {k: v for k, v in whole.items() if k != "groups"} == \
       {k: v for k, v in parts[0].items() if k != "groups"}' all.json r1.json r2.json r3.json
t "the reader takes it" 0 "3 runs" "" report all.json
# differs NAME MATCH KEY=VALUE...: such a boot does not belong to the others
differs() {
	local name=$1 match=$2
	shift 2
	"$here/make_recording" other.json runs=1 label=v "$@"
	rm -f bad.json
	out=$(! python3 "$merge" bad.json r1.json r2.json other.json 2>&1) ||
		out="status 0: $out"
	ok "$name is seen" grep -Eq "^other.json: $match" <<< "$out"
	ok "$name: nothing is written" [ ! -e bad.json ]
}
differs "another setting" 'host.settings.transparent_hugepage is "never", and was' thp=never
differs "another kernel" 'host.kernel is "9"' kernel=9
differs "another mode" 'recorder.mode is "contended", and was "full"' mode=contended
differs "another hook" 'recorder.hooks' hook=kprobe
differs "another label" 'label is "w"' label=w
sed 's/"memory_kib": *[0-9]*/"memory_kib": 7/' r2.json > other.json
ok "the recordings tell their memory" grep -q '"memory_kib": 7' other.json
out=$(! python3 "$merge" bad.json r1.json other.json 2>&1)
ok "another size of memory is seen" grep -q 'host.memory_kib is 7' <<< "$out"
for i in 1 2; do
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
g = r["groups"][0]
r["groups"] = [dict(g, set={"writers": w}) for w in ("0", "8")]
json.dump(r, open(sys.argv[2], "w"))' "r$i.json" "g$i.json"
done
ok "runs of two values of a set are merged" python3 "$merge" g.json g1.json g2.json
ok "a value's runs come together" python3 -c '
import json
g = json.load(open("g.json"))["groups"]
assert [(x["set"], len(x["runs"])) for x in g] == \
       [({"writers": "0"}, 2), ({"writers": "8"}, 2)], g'

# The letter.
# mailable NAME FILE: 72 columns, no tab, no blank at an end
mailable() {
	out=$(LC_ALL=C.UTF-8 awk 'length($0) > 72 || /\t/ || / $/' "$2")
	ok "$1: 72 columns, no tab, no blank at an end" [ -z "$out" ]
}
# words FILE: those of its tables, a line a row; what stands between them is not asked
words() {
	awk '
		/^== / || !NF { table = 0 }
		# A rule: what is above it is the head.
		/^-+$/ { table = 1; print head; next }
		{ head = $0; gsub(/ +/, " ", head); sub(/^ /, "", head) }
		table { print head }' "$1"
}
# written NAME A B: the letter of two recordings has every cell of every table
written() {
	"$MMLOCKSTAT" diff "$2" "$3" > d.txt
	"$MMLOCKSTAT" diff -f json "$2" "$3" > d.json
	ok "$1: written" python3 "$letter" d.txt d.json all "Method: $1"
	printf '%s\n' "$out" > l.txt
	mailable "$1" l.txt
	# One head is shorter where its table is too wide.
	words d.txt | sed 's/Median change/Median/' > d.words
	words l.txt | sed 's/Median change/Median/' > l.words
	ok "$1: there are tables" [ "$(wc -l < d.words)" -gt 20 ]
	ok "$1: all rows of all tables are there, word for word" diff d.words l.words
}
"$here/make_recording" a.json runs=5 waits=11,12,13,14,15 metric=100,101,102,103,104 \
	label=vanilla vmstat='pgfault:5;pgmajfault:0'
"$here/make_recording" b.json runs=5 waits=1,2,3,4,5 metric=2000,2100,2200,2300,2400 \
	label=patched vmstat='pgfault:50;pgmajfault:7' buckets=90
written "five runs a side" a.json b.json
ok "what recorded it is told once" [ "$(grep -c '^Before: 5 runs' l.txt)" = 1 ]
ok "that nothing was lost is told once, at the end" \
	[ "$(grep -n '^Nothing was lost' l.txt)" = "$(wc -l < l.txt):Nothing was lost, nothing is unpaired." ]
ok "the method comes first" [ "$(head -n 1 l.txt)" = "Method: five runs a side" ]
"$here/make_recording" lost.json runs=5 waits=1,2,3,4,5 metric=1 lost=3 label=patched
written "a lossy side" a.json lost.json
ok "what was lost is told in capitals" grep -q LOST l.txt
written "one run a side" r1.json r2.json
ok "that this tells nothing is told" grep -q "n too small" l.txt
written "two values of a set" g1.json g2.json
ok "each value has its tables" \
	[ "$(grep -c '^== .* waited \[writers=[08]\] ==$' l.txt)" = 4 ]
"$MMLOCKSTAT" diff a.json b.json > d.txt
"$MMLOCKSTAT" diff -f json a.json b.json > d.json
out=$(python3 "$letter" d.txt d.json summary,read_hold x)
ok "tables that are asked for, no others" [ "$(grep '^== ' <<< "$out")" = \
	"$(printf '== %s ==\n' 'mmap_lock: acquisitions, waits and holds' \
		'mmap_lock: how long it was held for read')" ]
# A name that leaves no room for the numbers beside it.
sed 's/"work":/"work_of_all_the_many_threads_in_this_process_together":/g' a.json > la.json
sed 's/"work":/"work_of_all_the_many_threads_in_this_process_together":/g' b.json > lb.json
"$MMLOCKSTAT" diff la.json lb.json > d.txt
"$MMLOCKSTAT" diff -f json la.json lb.json > d.json
ok "a very long name" python3 "$letter" d.txt d.json metrics "$(printf 'x%.0s' {1..100})"
printf '%s\n' "$out" > l.txt
mailable "a very long name" l.txt
ok "a very long name: its numbers are there" grep -Eq '^ +102\.00 +2,200\.00 ' l.txt

# The whole, in a tree whose lab boots and builds nothing. What is called is noted.
mkdir -p tree/lab/compare.d bin tree/build out cache/L-vanilla cache/L-patched
cp "$tree/lab"/{compare,lib.sh,qemu.sh} tree/lab/
cp "$tree"/lab/compare.d/* tree/lab/compare.d/
cp "$tree/VERSION" tree/
ln -s "$MMLOCKSTAT" tree/build/mmlockstat
printf '#!/bin/sh\n[ "$1" = khugepaged ] || { echo "mmlockload: no workload $1"; exit 2; } >&2\n' \
	> tree/build/mmlockload
printf 'tools:\n\t@:\n' > tree/Makefile
printf '#!/bin/sh\necho 0\n' > bin/id
printf '#!/bin/sh\necho "QEMU emulator version 9.9.1 (Debian)"\n' > bin/qemu
printf '#!/bin/sh\n' > tree/lab/deps
for k in vanilla patched; do
	mkdir -p "cache/$k/etc" "cache/$k/boot"
	printf 'id %s\nsource linux-source-7.3\nversion 7.3.4-1\nsuite trixie\nfragment base\nrelease 7.3.4-%s\n' \
		"$k" "$k" > "cache/$k/etc/mmlockstat-kernel"
	printf 'CONFIG_HZ=250\nCONFIG_CC_VERSION_TEXT="gcc 14"\n' > "cache/$k/boot/config-7.3.4-$k"
	echo "thetree 7.3.4-$k" > "cache/L-$k.installed"
done
echo 'patch 0123456789ab p.patch' >> cache/patched/etc/mmlockstat-kernel
mkdir -p cache/root/boot cache/root/lib/modules/7.3.4
touch cache/root/boot/vmlinuz-7.3.4 cache/root/lib/modules/7.3.4/modules.dep
cat > tree/lab/kernel <<'END'
#!/bin/bash
echo "kernel $*" >> "$CALLS"
echo "lab/kernel: 7.3.4-1: compiling" >&2
case $* in
*--patch*fuzzy*) echo 'Hunk #1 succeeded at 9 with fuzz 2.' >&2; echo "$CACHE/patched" ;;
*--patch*reject*) echo 'lab/kernel: reject.patch does not apply:' >&2
	printf -- '--- x\n@@ -1 +1 @@\n-a\n+b\n' >&2; exit 1 ;;
*--patch*broken*) echo 'lab/kernel: 7.3.4-1 does not compile:' >&2
	echo 'mm/x.c:1:2: error: no' >&2; exit 1 ;;
*--patch*) echo "$CACHE/patched" ;;
*) [ -z "${NO_SOURCE:-}" ] || { echo "lab/kernel: no suite has it" >&2; exit 125; }
	echo "$CACHE/vanilla" ;;
esac
END
cat > tree/lab/ready <<'END'
#!/bin/bash
echo "ready $*" >> "$CALLS"
k=${3:-$CACHE/vanilla}
printf '%s\n' "$CACHE/root" "$CACHE/L-${k##*/}"
END
# A guest: hands the next recording out, with the label that it was told.
cat > tree/lab/guest <<'END'
#!/bin/bash
printf '%q ' guest "$@" >> "$CALLS"; echo >> "$CALLS"
nr=$(grep -c '^guest' "$CALLS")
[ "$nr" != "${FAIL_AT:-0}" ] || { echo "the guest says why"; exit 125; }
while [ "$1" != --out ]; do shift; done
dir=$2
while [ "$1" != --label ]; do shift; done
cat "$dir/settings" >> "$CALLS.settings"
"$HERE/make_recording" "$dir/run.json" runs=1 waits="$nr" metric="$nr" label="$2" \
	thp="$([ "$nr" = "${ODD_AT:-0}" ] && echo never || echo always)"
END
chmod +x tree/lab/{deps,kernel,ready,guest} tree/build/mmlockload bin/*
# whole STATUS ARGUMENTS...: sets out, err and got
whole() {
	local want=$1
	shift
	rm -rf out/* calls calls.settings
	: > calls
	got=0
	out=$(PATH=$PWD/bin:$PATH CALLS=$PWD/calls CACHE=$PWD/cache HERE=$here BUILD=$PWD/tree/build \
		MMLOCKSTAT_CACHE=$PWD/cache MMLOCKSTAT_ACCEL=tcg MMLOCKSTAT_QEMU=$PWD/bin/qemu \
		tree/lab/compare -o "$PWD/out/here" "$@" 2> err < /dev/null) || got=$?
	cat err >> all.err
	[ "$got" = "$want" ]
}
src=(--source linux-source-7.3)
ok "a patch, three runs a side" whole 0 "${src[@]}" --patch p.patch "${w[@]}" -r 3 --setup 'echo hello'
whole 0 "${src[@]}" --patch p.patch "${w[@]}" -r 3 --setup 'echo hello' || :
printf '%s\n' "$out" > l.txt
mailable "the whole" l.txt
ok "the file is what was printed" diff l.txt out/here/tables.txt
ok "two recordings and the tables, nothing else" \
	[ "$(find out -type f -printf '%P\n' | sort | paste -s -d ' ')" = \
	  "here/after.json here/before.json here/tables.txt" ]
ok "the patched kernel is built first" [ "$(grep '^kernel' calls | paste -s -d ' ')" = \
	"kernel --source linux-source-7.3 --patch p.patch kernel --source linux-source-7.3" ]
ok "in turn, vanilla first" [ "$(grep -o -- '--kernel [^ ]*' calls | sed 's,.*/,,' | tail -n 6 |
	paste -s -d ' ')" = "vanilla patched vanilla patched vanilla patched" ]
ok "each boot runs the workload once" \
	[ "$(grep -c -- '-- mmlockload khugepaged --vmas 9 $' calls)" = 6 ]
ok "the setup is run in each" [ "$(grep -c '^echo hello$' calls.settings)" = 6 ]
ok "before has the runs of vanilla" python3 -c '
import json
for name, label, works in (("before", "vanilla", [1, 3, 5]), ("after", "p", [2, 4, 6])):
    r = json.load(open(f"out/here/{name}.json"))
    got = [x["metrics"]["work"]["value"] for x in r["groups"][0]["runs"]]
    assert r["label"] == label and got == works, (r["label"], got)'
for i in 'Machine: a guest of QEMU 9.9.1 with 2 CPUs and 4096 MiB' \
	'Before: 7.3.4-vanilla, linux-source-7.3 7.3.4-1.' \
	'with p.patch (0123456789ab)' "Config of both: lab/kernel.d's base, 250 Hz, gcc 14" \
	'Before every run: echo hello' 'Method: mmlockload khugepaged --vmas 9; 3 runs a side in turn'; do
	out=$(tr -s '\n ' ' ' < l.txt)
	ok "the letter says: $i" grep -qF -- "$i" <<< "$out"
done
# nothing NAME: neither files nor anything on standard output
nothing() {
	ok "$1: nothing is left or printed" \
		[ -z "$out$(find out tree/build -mindepth 1 ! -name 'mmlock*')" ]
}
whole 1 "${src[@]}" --patch p.patch --patch reject.patch "${w[@]}" || :
ok "a patch that is not there is not the lab's to find" [ "$got" = 125 ]
cp p.patch reject.patch
cp p.patch broken.patch
cp p.patch fuzzy.patch
ok "a patch that does not apply: 1" whole 1 "${src[@]}" --patch reject.patch "${w[@]}"
whole 1 "${src[@]}" --patch reject.patch "${w[@]}" || :
ok "its hunk and nothing else" diff err <(printf -- \
	'lab/kernel: reject.patch does not apply:\n--- x\n@@ -1 +1 @@\n-a\n+b\n')
whole 1 "${src[@]}" --patch reject.patch "${w[@]}" || :
nothing "a patch that does not apply"
whole 1 "${src[@]}" --patch broken.patch "${w[@]}" || :
nothing "a patch that does not compile"
ok "a patch that does not compile: 1, the compiler's lines and nothing else" \
	diff <(echo "$got"; cat err) <(printf '1\nlab/kernel: 7.3.4-1 does not compile:\nmm/x.c:1:2: error: no\n')
ok "neither made a guest or a layer" [ -z "$(grep -v '^kernel' calls)" ]
whole 0 "${src[@]}" --patch fuzzy.patch "${w[@]}" -r 1 || :
ok "a patch that applies with fuzz: it is told" grep -q 'with fuzz 2' err
NO_SOURCE=1 whole 125 "${src[@]}" --before a --after b "${w[@]}" || :
ok "a source that is not there: 125, and why" grep -q "no suite has it" err
whole 125 "${src[@]}" --patch p.patch --workload 'nosuch --x 1' || :
nothing "an unknown workload"
ok "an unknown workload is told before anything is built" \
	[ "$got$(cat calls)" = 125 ] && grep -q 'no workload nosuch' err
FAIL_AT=4 whole 125 "${src[@]}" --patch p.patch "${w[@]}" -r 3 || :
nothing "a guest that fails"
ok "a guest that fails: 125, which it was, and what it said" [ "$got" = 125 ] &&
	grep -q 'run 2, after: failed' err && grep -q 'the guest says why' err
ODD_AT=3 whole 125 "${src[@]}" --patch p.patch "${w[@]}" -r 3 || :
nothing "a boot with another setting"
ok "a boot with another setting: 125, and which" [ "$got" = 125 ] &&
	grep -q 'before.2.json: host.settings.transparent_hugepage is "never", and was "always"' err
whole 0 "${src[@]}" --before 'echo never > x' --after 'echo always > x' "${w[@]}" -r 2 || :
ok "settings of one kernel" [ "$got" = 0 ]
ok "each side's setting, in turn" [ "$(grep echo calls.settings | paste -s -d ,)" = \
	"echo never > x,echo always > x,echo never > x,echo always > x" ]
ok "one kernel is built" [ "$(grep -c '^kernel' calls)" = 1 ]
ok "the letter tells the settings" grep -qx 'After: echo always > x' out/here/tables.txt
whole 0 "${src[@]}" --icount --patch p.patch "${w[@]}" -r 1 || :
ok "--icount: every guest counts instructions, on one CPU" \
	[ "$(grep -c '^guest .* --icount --cpus 1 ' calls)" = 2 ]
ok "--icount: the letter tells" grep -q 'with 1 CPU and 4096 MiB of memory,$' out/here/tables.txt
echo "othertree 7.3.4" > cache/L-patched.installed
whole 125 "${src[@]}" --patch p.patch "${w[@]}" || :
ok "a tree that changed between the sides" [ "$got" = 125 ] && grep -q 'the tree changed' err
