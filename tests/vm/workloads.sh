#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# workloads.sh [--quick | CASE...]: does each workload of mmlockload do what
# its line says? Judged by the kernel's own counters and by the stock trace
# event of mmap_lock, not by what the workload prints. And is everything put
# back, however it ends? Runs as root in a guest; prints KTAP.
set -u
# shellcheck source=workloads-lib.sh
. "$(dirname "$0")/workloads-lib.sh"

LOAD=${MMLOCKLOAD:-$(command -v mmlockload || echo "$(dirname "$0")/../../build/mmlockload")}
# Locks that a run takes beside its loop: program start, threads, set-up.
OVERHEAD=1500

has_vma_lock() {
	grep -q ' lock_vma_under_rcu$' /proc/kallsyms
}

# --- what the loops do ---------------------------------------------------

case_brk() {
	run brk --threads 2 --rounds 5000
	need_metrics brks
	at_least "$(locks mmlockload 1)" 20000 "write locks of 10000 pairs"
	at_most "$(locks mmlockload 1)" $((20000 + OVERHEAD)) "write locks of 10000 pairs"
}

case_mmapchurn() {
	run mmapchurn --threads 2 --rounds 5000
	need_metrics maps
	at_least "$(locks mmlockload 1)" 20000 "write locks of 10000 pairs"
	at_most "$(locks mmlockload 1)" $((20000 + OVERHEAD)) "write locks of 10000 pairs"
	at_most "$(delta pgfault)" 10000 "faults, though nothing is touched"
}

case_processes() {
	run mmapchurn --processes --threads 3 --rounds 2000
	at_least "$(locks mmlockload 1)" 12000 "write locks of 6000 pairs"
	at_least "$(delta processes)" 5 "processes made"
}

case_ebizzy() {
	run ebizzy --threads 2 --rounds 100
	need_metrics records
	at_least "$(locks mmlockload 1)" 400 "write locks of 200 records"
	at_least "$(delta pgfault)" $((200 * 128)) "faults of 200 records of 128 pages"
	if has_vma_lock; then
		at_most "$(locks mmlockload 0)" 5000 "read locks, faults use the VMA lock"
	else
		at_least "$(locks mmlockload 0)" $((200 * 128)) "read locks, one a fault"
	fi
}

# faults_of KIND: 20000 pages are written
faults_of() {
	run faults --kind "$1" --threads 2 --rounds 10000 --size 4MiB
	need_metrics faults
	at_least "$(delta pgfault)" 20000 "faults of 20000 pages ($1)"
	at_most "$(delta pgfault)" 45000 "faults of 20000 pages ($1)"
	if has_vma_lock; then
		at_most "$(locks mmlockload 0)" 2000 "read locks for 20000 pages ($1)"
	else
		at_least "$(locks mmlockload 0)" 20000 "read locks for 20000 pages ($1)"
	fi
}

case_faults_anon() { faults_of anon; }
case_faults_private() { faults_of private; }
case_faults_shared() { faults_of shared; }

case_mapsread() {
	note_before
	start mapsread --seconds 3 --warmup 0.5 --size 32MiB
	await 20 worker_has_areas 8192 ||
		fail "no 8192 areas in the mapper"
	finish 0
	note_after
	need_metrics map_median map_min map_max maps file_reads file_bytes
	at_least "$(locks mmlockload 1)" $((4096 + $(metric maps) * 2)) "write locks"
	at_least "$(metric file_bytes)" $((8192 * 40)) "bytes read a second"
}

case_mapsread_rollup() {
	run mapsread --file smaps_rollup --rounds 3000 --size 4MiB --readers 2
	at_least "$(locks mmlockload 1)" 3000 "write locks of 3000 calls"
	at_least "$(locks mmlockload 0)" 2 "read locks of the readers"
}

case_bigunmap() {
	run bigunmap --rounds 3 --size 64MiB
	need_metrics munmap_mean munmap_max fault_max fault_p99 faults
	at_least "$(delta pgfree)" $((3 * 16384)) "pages given back"
	at_least "$(metric munmap_max)" "$(metric munmap_mean)" "longest call"
}

case_fork() {
	run fork --rounds 10 --size 32MiB --pause-ms 20
	need_metrics fork_mean fork_max fault_max fault_p99 faults
	at_least "$(delta processes)" 12 "processes made by 10 forks"
	# Each takes the parent's lock and the child's.
	at_least "$(locks mmlockload 1)" 20 "write locks of 10 forks"
}

case_khugepaged() {
	echo always >"$THP/enabled"
	note_before
	start khugepaged --vmas 70000 --seconds 4 --warmup 0.2
	await 30 grep -qx 72000 "$MAP_COUNT" || fail "max_map_count is not raised"
	await 30 grep -qx 10 "$SCAN_SLEEP" || fail "scan_sleep is not lowered"
	await 60 worker_has_areas 70000 ||
		fail "no 70000 areas"
	finish 0
	note_after
	need_metrics victim_max victim_p99 victim_ops
	at_least "$(delta full_scans)" 5 "passes of khugepaged"
	at_least "$(locks khugepaged 0)" 5 "read locks of khugepaged"
	at_least "$(locks mmlockload 1)" $((35000 + 4 * $(metric victim_ops))) \
		"write locks of set-up and victim"
	echo never >"$THP/enabled"
	run khugepaged --vmas 20000 --seconds 1 --warmup 0.2
	same "$(delta full_scans)" 0 "passes of khugepaged with huge pages off"
	same "$(locks khugepaged 0)" 0 "read locks of khugepaged with huge pages off"
	echo always >"$THP/enabled"
}

# The device's own count of reads, before it is gone.
disk_reads() {
	cat /sys/block/mmlockload/stat /sys/block/nullb*/stat 2>/dev/null |
		awk '{ n += $1 } END { print n + 0 }'
}

case_swap() {
	local reads=0 now

	note_before
	start swap --swap-on null_blk --size 24MiB --readers 2 --pageouts 1 \
		--writers 2 --seconds 3
	while kill -0 "$supervisor" 2>/dev/null; do
		now=$(disk_reads)
		[ "$now" -le "$reads" ] || reads=$now
		sleep 0.1
	done
	finish 0
	note_after
	need_metrics swap_ins page_reads read_p99 read_max writes
	at_least "$reads" 100 "reads of the swap device"
	at_least "$(delta pswpin)" $(($(metric swap_ins) * 3 - 100)) "pages swapped in"
	at_least "$(delta pswpout)" $((24 * 256 * 9 / 10)) "pages swapped out"
	at_least "$(locks mmlockload 1)" $(($(metric writes) * 6 - 100)) \
		"write locks, two a round of a writer"
}

case_filefault() {
	local group=/sys/fs/cgroup/mmlockload-filefault limit='' peak=0 now

	note_before
	start filefault --dir null_blk --threads 64 --seconds 3
	while kill -0 "$supervisor" 2>/dev/null; do
		limit=$(cat $group/memory.max 2>/dev/null || echo "$limit")
		now=$(cat $group/memory.current 2>/dev/null || echo 0)
		[ "$now" -le "$peak" ] || peak=$now
		sleep 0.1
	done
	finish 0
	note_after
	need_metrics rounds retries gone_again
	same "$limit" $((8 << 20)) "limit, an eighth of 64 MiB"
	at_least "$peak" $((1 << 20)) "memory used below the limit"
	at_most "$peak" $((8 << 20)) "memory used below the limit"
	at_least "$(delta pgmajfault)" $(($(metric retries) * 3)) "major faults"
	at_least "$(delta pgpgin)" $((64 << 10)) "KiB read: every file once at least"
}

# around BYTES: the apps with that much fault-around
around() {
	local most=0 now seen=''

	note_before
	start faultaround --dir null_blk --fault-around "$1" --own 2MiB \
		--shared 4MiB --anon 512KiB --limit 16MiB
	while kill -0 "$supervisor" 2>/dev/null; do
		# The group may go while it is read.
		now=$(grep -c . 2>/dev/null \
			/sys/fs/cgroup/mmlockload-faultaround/cgroup.procs)
		[ "${now:-0}" -le "$most" ] || most=$now
		[ "$(cat "$AROUND")" != "$1" ] || seen=yes
		sleep 0.1
	done
	finish 0
	note_after
	need_metrics launch_first launch_again faults major_faults
	same "$most" 11 "processes in the group: ten apps and who launches them"
	same "$seen" yes "fault_around_bytes set to $1"
	at_least "$(delta pgmajfault)" 100 "major faults"
}

case_faultaround() {
	local few

	around 65536
	few=$(metric faults)
	around 4096
	at_least "$(metric faults)" $((few * 5 / 4)) "faults without fault-around"
}

case_frames() {
	local nice=''

	note_before
	start frames --dir null_blk --seconds 4 --memory 32MiB --file-size 2MiB \
		--fork-ms 500
	while kill -0 "$supervisor" 2>/dev/null; do
		nice+=$(cat /proc/"$(worker)"/task/*/stat 2>/dev/null |
			awk '$19 == -10 { printf "x" }')
		sleep 0.2
	done
	finish 0
	note_after
	need_metrics missed missed_share interval_p99 interval_max
	[ -n "$nice" ] || fail "no thread of higher priority"
	at_least "$(delta processes)" 8 "processes: six forks beside our own"
	at_least "$(delta pgmajfault)" 10 "major faults on cold files"
	at_least "$(delta pgpgin)" 4096 "KiB read: each file at least once"
	# Map, protect and unmap of each frame.
	at_least "$(locks mmlockload 1)" 300 "write locks of the frames"
}

# --- how they end --------------------------------------------------------

# The keeper is not needed while the supervisor lives.
case_end_without_keeper() {
	start brk --seconds 2 --warmup 0
	sleep 0.5
	kill -KILL "$(pgrep -o -P "$supervisor")"
	finish 0
	need_metrics brks
}

# ended HOW WORKLOAD...: HOW is int, kill-worker or kill-supervisor
ended() {
	local how=$1 want pid

	shift
	start "$@" --seconds 60
	await 30 is_changed || fail "$1: nothing changed, so nothing to put back"
	sleep 1
	pid=$(worker)
	case $how in
	int) kill -INT "$supervisor"; want=130 ;;
	kill-worker) kill -KILL "$pid"; want=1 ;;
	kill-supervisor) kill -KILL "$supervisor"; want=137 ;;
	esac
	wait "$supervisor" 2>/dev/null
	same "$?" "$want" "exit status of $1 after $how"
	# The keeper works on when the supervisor is no more.
	[ "$how" != kill-supervisor ] || await 30 is_unchanged || :
	unchanged
	[ ! -e "/proc/$pid" ] || fail "$1: the worker lives on after $how"
	! grep -q '^metric' "$tmp/out" || fail "$1: metrics in spite of $how"
	[ "$how" != kill-worker ] || grep -q 'ended by signal 9' "$tmp/err" ||
		fail "$1: does not say that the worker was killed"
}

case_end_by_sigint() {
	ended int khugepaged --vmas 70000
	ended int swap --swap-on null_blk --size 16MiB
	same "$(pgrep -c mmlockload)" 0 "processes left"
}

case_end_by_death_of_worker() {
	ended kill-worker khugepaged --vmas 70000
	ended kill-worker filefault --dir null_blk --threads 64
	same "$(pgrep -c mmlockload)" 0 "processes left"
}

case_end_by_death_of_supervisor() {
	ended kill-supervisor swap --swap-on null_blk --size 16MiB
	ended kill-supervisor filefault --dir null_blk --threads 64
}

case_end_by_any_way() {
	local how

	for how in int kill-worker kill-supervisor; do
		ended $how khugepaged --vmas 70000
		ended $how swap --swap-on null_blk --size 16MiB
		ended $how filefault --dir null_blk --threads 64
		ended $how frames --dir null_blk --memory 8MiB
		ended $how mapsread --size 300MiB
	done
}

# --- what they refuse ----------------------------------------------------

case_refuse_without_rights() {
	local user=(setpriv --reuid 65534 --regid 65534 --clear-groups)

	refuse 3 "run as root or set it beforehand" "${user[@]}" "$LOAD" khugepaged
	refuse 3 "needs root" "${user[@]}" "$LOAD" swap --swap-on null_blk
	refuse 3 "needs root" "${user[@]}" "$LOAD" filefault
	refuse 3 "run as root or use --priority 0" "${user[@]}" "$LOAD" frames
	unchanged
}

case_refuse_without_means() {
	refuse 3 "use --swap-on null_blk or a device" "$LOAD" swap
	refuse 3 "choose smaller sizes" "$LOAD" bigunmap --size 1024GiB
	refuse 3 "choose smaller sizes" "$LOAD" khugepaged --vmas 99999999
	refuse 3 "stay in memory" "$LOAD" frames --dir /dev/shm
	refuse 3 "cannot write to /nowhere" "$LOAD" faults --kind shared --dir /nowhere
	refuse 3 "not a block device" "$LOAD" swap --swap-on /etc/passwd
	unchanged
}

case_refuse_wrong_usage() {
	refuse 2 "no workload given" "$LOAD"
	refuse 2 "no workload 'nothing'" "$LOAD" nothing
	refuse 2 "no option --nothing" "$LOAD" brk --nothing 1
	refuse 2 "not a number" "$LOAD" brk --threads -1
	refuse 2 "not a number" "$LOAD" brk --threads 2x
	refuse 2 "not within" "$LOAD" brk --threads 5000
	refuse 2 "needs a value" "$LOAD" brk --threads
	refuse 2 "not one of" "$LOAD" faults --kind none
	refuse 2 "not a size" "$LOAD" faults --size 4MB
	refuse 2 "no option --seconds" "$LOAD" faultaround --seconds 3
	unchanged
}

case_refuse_a_second_one() {
	local first

	start khugepaged --vmas 70000 --seconds 30
	first=$supervisor
	await 30 is_changed
	"$LOAD" khugepaged >"$tmp/out2" 2>"$tmp/err2"
	same "$?" 3 "exit status of the second"
	grep -q "another mmlockload" "$tmp/err2" || fail "does not say why"
	kill -TERM "$first"
	finish 143
}

# -------------------------------------------------------------------------

quick=(brk mmapchurn ebizzy faults_anon mapsread bigunmap fork khugepaged swap
	filefault faultaround frames end_by_sigint end_by_death_of_worker
	end_by_death_of_supervisor refuse_without_rights refuse_without_means
	refuse_wrong_usage refuse_a_second_one)
long=(end_without_keeper processes faults_private faults_shared mapsread_rollup end_by_any_way)

case ${1:-} in
--quick) names=("${quick[@]}") ;;
'') names=("${quick[@]}" "${long[@]}") ;;
*) names=("$@") ;;
esac
for name in "${names[@]}"; do
	declare -F "case_$name" >/dev/null || {
		echo "workloads.sh: no case $name" >&2
		exit 2
	}
	cases+=("case_$name")
done
setup
run_cases
