# shellcheck shell=bash disable=SC2013,SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# The command line itself.

t1 "no command" 2 "no command"
t1 "an unknown command" 2 "no command frobnicate" frobnicate
t "help" 0 "^usage: mmlockstat COMMAND" "" --help
narrow "help"
t "version" 0 "^mmlockstat $(cat "$tree/VERSION")\$" "" --version
for c in status show record report diff trace; do
	t "help lists $c" 0 "^  $c " "" --help
	t "$c --help" 0 "^usage: mmlockstat $c" "" "$c" --help
	narrow "$c --help"
	t1 "$c with an unknown option" 2 "$c: unknown option --bogus" "$c" --bogus
	t1 "$c with an unknown letter" 2 "$c: unknown option -Z" "$c" -Z
done
t1 "an option without its argument" 2 "needs an argument" record -o
t1 "status takes nothing" 2 "takes no argument" status x
t1 "show takes nothing" 2 "takes no argument" show x
t1 "report of none" 2 "needs one recording" report
t1 "report of two" 2 "needs one recording" report a b
t1 "diff of one" 2 "needs two recordings" diff a
t1 "an unknown format" 2 "no format xml: there are text, markdown, csv, json" \
	diff --format xml a b
t1 "labels that do not fit" 2 "3 labels for 2 recordings" \
	diff --labels A,B,C a b
for i in 0 -1 x 1x nan inf 1e9; do
	t1 "show -i $i" 2 "must be 0.1 to 86400" show -i "$i"
done
t1 "show -c 0" 2 "must be a number" show -c 0
t1 "record of nothing" 2 "COMMAND is missing" record -o x.json --
for i in 0 -1 x 1x 100001 99999999999999999999; do
	t1 "record -r $i" 2 "-r $i: must be 1 to 100000" record -r "$i" -- true
done
t1 "record --warmup -1" 2 "warmup" record --warmup -1 -- true
for i in x =1 x= 'a b=1' 'a{=1'; do
	t1 "record --set '$i'" 2 "set $i" record --set "$i" -- true
done
t1 "a set that is not used" 2 "\{n\} is not in COMMAND" \
	record --set n=1,2 -- true
t1 "a set twice" 2 "given twice" record --set n=1 --set n=2 -- echo '{n}'
t1 "a value twice" 2 "1 twice" record --set n=1,2,1 -- echo '{n}'
t1 "an empty value" 2 "an empty value" record --set n=1,,2 -- echo '{n}'
for i in x =x x= 'a b=(x)' 'a:u:up=(x)' 'a=(' 'a=x'; do
	t1 "record --metric '$i'" 2 "metric" record --metric "$i" -- true
done
for i in x 1,,2 ,1 '1,' -1 ''; do
	t1 "record -p '$i'" 2 "not PID" record -p "$i" -- true
done
t1 "interleave with one command" 2 "needs two commands" record --interleave a
t1 "interleave with one output" 2 "give -o twice" \
	record --interleave a b -o x.json -- true
t1 "interleave with one output twice" 2 "one file for two recordings" \
	record --interleave a b -o x.json -o x.json -- true
t1 "two outputs without interleave" 2 "given twice" \
	record -o x.json -o y.json -- true
ok "none of these left a file" [ -z "$(ls -A)" ]

# Code and page agree: every option of --help is on the man page.
page=$tree/docs/mmlockstat.1.rst
missing=
for c in status show record report diff trace; do
	for o in $("$MMLOCKSTAT" "$c" --help | grep -oE -- '--[a-z]+' | sort -u); do
		grep -q -- "$o" "$page" || missing+=" $c:$o"
	done
	grep -q "^mmlockstat .*$c" "$page" || missing+=" $c"
done
out=$missing
ok "the man page has every command and option" [ -z "$missing" ]
# ... and every long option of the page is in some --help.
unknown=
for o in $(grep -oE -- '^(-[a-z], )?--[a-z]+' "$page" | grep -oE -- '--[a-z]+' | sort -u); do
	found=
	for c in '' status show record report diff trace; do
		# shellcheck disable=SC2086
		"$MMLOCKSTAT" $c --help | grep -q -- "$o" && found=1
	done
	[ -n "$found" ] || unknown+=" $o"
done
ok "the man page has no option that the program lacks:$unknown" [ -z "$unknown" ]

rst2man=$(command -v rst2man rst2man.py | head -n 1)
ok "the man page is valid reST" "${rst2man:-rst2man}" --halt=2 "$page" page.1
