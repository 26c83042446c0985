# shellcheck shell=bash disable=SC2016,SC2034,SC2094,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# lab/compare: what it refuses, and its two parts that need no guest: runs of many
# boots as one recording, and tables that survive mail.

rec() { "$here/make_recording" "$@"; }

judge() { # NAME STATUS MATCH
	if [ "$got" = "$2" ] && grep -Eq -- "$3" <<< "$out" && [ ! -e out ] &&
	   [ "$(wc -l <<< "$out")" = 1 ]; then
		report ok "$1"
	else
		echo "# status $got, not $2, or not one line with '$3'"
		report "not ok" "$1"
	fi
}

refused() { # NAME MATCH ARGUMENTS...
	local name=$1 match=$2 got=0
	shift 2
	out=$("$tree/lab/compare" -o out/here "$@" 2>&1 < /dev/null) || got=$?
	judge "compare: $name" 125 "$match"
}

: > empty.patch
printf -- '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' > good.patch
load=(--workload 'brk --seconds 1')
refused "nothing" "nothing to compare"
refused "an unknown option" "--sauce: no such option" --sauce x
refused "an option without its argument" "lacks its argument" --source
refused "a source without a patch" "--patch, or --before and --after, is missing" --source s "${load[@]}"
refused "a patch that is not there" "none.patch: cannot read it" --source s --patch none.patch "${load[@]}"
refused "a patch without a hunk" "not a patch, it has no hunk" --source s --patch empty.patch "${load[@]}"
refused "one setting" "give both" --kernels trixie --before true "${load[@]}"
refused "twice the same setting" "are the same" --kernels trixie --before true --after true "${load[@]}"
refused "settings of two kernels" "settings of one kernel" \
	--kernels trixie,bookworm --before true --after false "${load[@]}"
refused "one kernel" "must be two" --kernels trixie "${load[@]}"
refused "a kernel twice" "twice the same" --kernels trixie,trixie "${load[@]}"
refused "an unknown suite" "'woody' is none of" --kernels woody,trixie "${load[@]}"
refused "a patch for packaged kernels" "goes with --source" \
	--kernels trixie,bookworm --patch good.patch "${load[@]}"
refused "no workload" "no workload" --kernels bookworm,trixie
refused "a workload and a command" "one of them" --kernels bookworm,trixie "${load[@]}" -- true
refused "a quote that does not end" "cannot be split" --kernels bookworm,trixie --workload "brk '"
for r in 0 101 x 1.5 ''; do
	refused "-r $r" "must be 1 to 100" --kernels bookworm,trixie "${load[@]}" -r "$r"
done
refused "an unknown table" "there is no table chairs" \
	--kernels bookworm,trixie "${load[@]}" --tables summary,chairs
refused "one label" "must be two" --kernels bookworm,trixie "${load[@]}" --labels a

# Runs of five boots are one recording of five runs, to the digit.
merge() { python3 "$tree/lab/compare.d/merge.py" "$@"; }
waits=(0.10 0.11 0.12 0.13 0.14)
for i in 0 1 2 3 4; do
	rec "run$i.json" "waits=${waits[i]}" metric="10$i" count=9007199254740993
done
rec whole.json runs=5 waits=0.10,0.11,0.12,0.13,0.14 metric=100,101,102,103,104 count=9007199254740993
ok "merge: five boots" merge merged.json run[0-4].json
ok "merge: read as if recorded at once" \
	diff <("$MMLOCKSTAT" report -f json - < whole.json) <("$MMLOCKSTAT" report -f json - < merged.json)
ok "merge: a count above 2^53 keeps its last digit" grep -q 9007199254740993 merged.json
rec other.json thp=never
refused_merge() { # NAME MATCH FILE...
	local name=$1 match=$2 got=0
	shift 2
	out=$(merge out/none.json "$@" 2>&1) || got=$?
	judge "merge: $name" 1 "$match"
}
refused_merge "another setting is named" 'other.json: host.* is "never", and was' run0.json other.json
rec other.json waits=11 kernel=6.1.0
refused_merge "another kernel" 'other.json: host.kernel is "6.1.0"' run0.json other.json
rec other.json mode=contended
refused_merge "another mode" 'other.json: recorder.mode is "contended"' run0.json other.json

# letter BEFORE AFTER TABLES [PARAGRAPH...]: into $out
letter() {
	local before=$1 after=$2 tables=$3
	shift 3
	"$MMLOCKSTAT" diff "$before" "$after" > text
	"$MMLOCKSTAT" diff -f json "$before" "$after" > json
	out=$(python3 "$tree/lab/compare.d/letter.py" text json "$tables" "$@" 2>&1)
}
mails() { # NAME: $out survives mail
	local bad
	bad=$(LC_ALL=C.UTF-8 awk 'length($0) > 72 || /\t/ || /[[:space:]]$/' <<< "$out")
	ok "letter: $1: 72 columns, no tab, no blank at an end" [ -z "$bad" ]
}
rec a.json runs=5 waits=10,11,12,13,14 metric=100,101,102,103,104
rec b.json runs=5 waits=1,2,3,4,5 metric=200,201,202,203,204 label=patched
letter a.json b.json all "Machine: $(printf 'word %.0s' {1..60})"
letter=$out
mails "all tables"
ok "letter: a paragraph is wrapped" [ "$(grep -c '^ *word word' <<< "$letter")" -ge 3 ]
letter a.json b.json read_wait
ok "letter: one table" [ "$(grep -c '^== ' <<< "$out")" = 1 ]
# Each row of a table of the diff is in the letter, in its order.
ok "letter: the numbers are those of the diff" python3 - text <(printf '%s\n' "$letter") << 'END'
import sys


def rows(path):
    """Words of the lines of tables that have a number of each side."""
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file if line.startswith(("[", "Read ", "Write "))]


want, got = (rows(path) for path in sys.argv[1:])
assert len(want) > 40 and want == got, (len(want), len(got))
END
rec wide.json runs=5 waits=10,11,12,13,14 names=3 waits=0.1 count=9007199254740993 "label=$(printf 'l%.0s' {1..90})"
letter wide.json wide.json all
mails "wide labels, wide numbers"
rec none.json runs=1 waits=0 bare=1
letter none.json none.json all
mails "without an account"
letter a.json b.json vmstat_of_mars
ok "letter: no such table is said" grep -q '^None of the tables' <<< "$out"
