# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The engine of the command line's tests. A test is one call of `t`:
#
#	t NAME STATUS MATCH NOMATCH ARGUMENTS...
#
# runs mmlockstat with ARGUMENTS. It must end with STATUS; its output, both
# streams in one, must match the regular expression MATCH (empty: no output at
# all; - : any) and no line of it NOMATCH (empty: not asked). What it printed is
# in $out. `ok NAME COMMAND...` is a test of anything else. Each file of tests
# has a directory of its own to work in.

nr=0 bad=0
out=

report() { # WORD NAME
	nr=$((nr + 1))
	echo "$1 $nr - ${part:-cli}: $2"
	if [ "$1" != ok ]; then
		bad=$((bad + 1))
		echo "# printed:"
		head -n 25 <<< "$out" | cut -c 1-200 | sed 's/^/#   /'
	fi
}

t() {
	local name=$1 status=$2 match=$3 nomatch=$4 got=0
	shift 4
	out=$("$MMLOCKSTAT" "$@" 2>&1 < "${in:-/dev/null}") || got=$?
	if [ "$got" != "$status" ]; then
		echo "# status $got, not $status: mmlockstat $*"
		report "not ok" "$name"
	elif [ -z "$match" ] && [ -n "$out" ]; then
		echo "# printed something: mmlockstat $*"
		report "not ok" "$name"
	elif [ -n "$match" ] && [ "$match" != - ] &&
	     ! grep -Eq -- "$match" <<< "$out"; then
		echo "# no line with '$match': mmlockstat $*"
		report "not ok" "$name"
	elif [ -n "$nomatch" ] && grep -Eq -- "$nomatch" <<< "$out"; then
		echo "# a line with '$nomatch': mmlockstat $*"
		report "not ok" "$name"
	else
		report ok "$name"
	fi
}

# One clear line on standard error, nothing on standard output.
t1() { # NAME STATUS MATCH ARGUMENTS...
	local name=$1 status=$2 match=$3 stdout
	shift 3
	t "$name" "$status" "^mmlockstat: .*($match)" '' "$@"
	stdout=$("$MMLOCKSTAT" "$@" 2> /dev/null < /dev/null) || true
	ok "$name: one line, on standard error" \
		[ "$(wc -l <<< "$out")$stdout" = 1 ]
}

ok() { # NAME COMMAND...
	local name=$1
	shift
	if out=$("$@" 2>&1); then
		report ok "$name"
	else
		echo "# failed: $*"
		report "not ok" "$name"
	fi
}

# No line of what the last test printed is wider than 80 columns.
narrow() { # NAME
	local wide
	wide=$(LC_ALL=C.UTF-8 awk 'length($0) > 80' <<< "$out")
	ok "$1: no line wider than 80 columns" [ -z "$wide" ]
}

# A directory that looks like the module's.
fake_proc() { # SNAPSHOT
	rm -rf proc
	mkdir proc
	cp "$1" proc/snapshot
	printf 'version 0.1.0\nrecording on\n' > proc/status
	: > proc/control
	export MMLOCKSTAT_PROC=$PWD/proc
}
