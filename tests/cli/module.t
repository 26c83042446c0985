# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# With the module's files: status and show; without them, and with wrong ones.

snapshot() { "$here/make_snapshot" "$@"; }

if [ ! -e /proc/mmlockstat ]; then
	for c in status show "record -- true"; do
		# shellcheck disable=SC2086
		t1 "$c without the module" 1 \
			"module is not loaded: run 'modprobe mmlockstat' as root" $c
	done
fi
snapshot s0
fake_proc s0
t "status is the module's own" 0 '^recording on$' '' status
t "show" 0 '^Read Lock Count +1,000' '' show
narrow "show"
t "show has the distributions" 0 '^\[1, 10\) +1,000$' '' show
t "show says since when" 0 'since the load or the last reset' '1 run' show
t "show again and again" 0 '^Read Lock Count +1,000 +0$' '' show -i 0.1 -c 2
ok "with a title a time" [ "$(grep -c 'acquisitions, waits and holds' <<< "$out")" = 2 ]
t "into a full disk" 0 - '' --version
ok "show into a full disk fails" bash -c '
	"$MMLOCKSTAT" show -i 0.1 2> said > /dev/full
	[ $? = 1 ] && grep "standard output: No space" said'
snapshot s1 load=bb reads=7
"$MMLOCKSTAT" show -i 0.1 > shown 2> said &
pid=$!
waitfor() { # COMMAND...: at most 20 s
	local i
	for ((i = 0; i < 200; i++)); do
		if "$@"; then return 0; fi
		sleep 0.1
	done
	return 1
}
waitfor grep -q Lately shown || true
mv s1 proc/snapshot
ok "show over a reload counts anew" waitfor grep -q 'the module was loaded anew: counting anew' said
ok "and goes on" waitfor grep -q 'Read Lock Count  *7  *0' shown
kill "$pid"
wait "$pid" || true
snapshot s0
fake_proc s0
rm proc/snapshot proc/status
ln -s /proc/self/mem proc/snapshot	# reading that is EIO, as of a removed file
ln -s /proc/self/mem proc/status
t1 "removed while it was read" 1 "the module is not loaded" show
t1 "status likewise" 1 "the module is not loaded" status
fake_proc s0
rm -f shown said	# what is waited for must not be there from before
"$MMLOCKSTAT" show -i 0.2 -c 25 > shown 2> said &
pid=$!
waitfor grep -q Lately shown || true
rm proc/snapshot
ok "show without the module says so" waitfor grep -q 'the module is not loaded' said
snapshot s1 load=cc reads=9
mv s1 proc/snapshot
ok "and goes on when it is there again" waitfor grep -q 'Read Lock Count  *9  *0' shown
got=0
wait "$pid" || got=$?
ok "and ends with status 3, having said it once" \
	[ "$got $(grep -c 'not loaded' said)" = "3 1" ]
snapshot s0 recording=0
fake_proc s0
t "show says that recording is off" 0 '^Recording is off' '' show
snapshot s0 orphan=3
fake_proc s0
t "show since the load: what was held then is not unpaired" 0 \
	'^Total: Nothing was lost. In flight when recording started, or begun unseen: 3.$' 'UNPAIRED' show
snapshot s0 orphan=3 reset=1
fake_proc s0
t "show since a reset: recording was on" 0 '^Total: UNPAIRED orphan_release 3.$' 'In flight when' show

# Wrong ones.
: > proc/snapshot
t1 "an empty snapshot" 1 "proc/snapshot: empty" show
echo hello > proc/snapshot
t1 "a foreign one" 1 "proc/snapshot: not a snapshot" show
sed '1s/1/2/' s0 > proc/snapshot
t1 "one of another version" 1 \
	"the module writes version 2, this program reads version 1: install" show
t1 "record says the same" 1 "the module writes version 2" record -o x.json -- true
head -c 500 s0 > proc/snapshot
t1 "a truncated one" 1 "truncated: ends within line" show
head -n 20 s0 > proc/snapshot
t1 "one that ends early" 1 "truncated: series mmap_read_wait missing" show
ok "none of it left a file" [ ! -e x.json ]
if [ "$(id -u)" = 0 ]; then
	snapshot s0
	fake_proc s0
	chmod 0 proc/*
	for c in status show "record -o /tmp/no.json -- true"; do
		# shellcheck disable=SC2086
		ok "$c without rights: one line" bash -c '
			said=$(setpriv --reuid 65534 --regid 65534 --clear-groups \
				"$MMLOCKSTAT" '"$c"' 2>&1)
			[ $? = 1 ] || exit 1
			[[ "$said" =~ ^mmlockstat:\ .*no\ permission:\ run\ as\ root$ ]] ||
				{ echo "$said"; exit 1; }'
	done
fi
