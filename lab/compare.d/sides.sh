# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# What lab/compare compares: sourced by it, uses its variables.
#
# A side is 0 or 1; of each there are name (before, after), label, root, layer,
# kernel (a directory of lab/kernel, or empty) and shell (its setting).

name=(before after) label=('' '') root=('' '') layer=('' '') kernel=('' '') shell=('' '')

# check_arguments: sets mode (patch, setting, kernels), suite, label and command
check_arguments() {
	local p s t

	mode='patch'
	[ "$has_before$has_after" = 00 ] || mode='setting'
	if [ -n "$kernels" ]; then
		[ -z "$source" ] || wrong "--kernels and --source: one of them"
		[ ${#patches[@]} -eq 0 ] || wrong "--patch: goes with --source, not with --kernels"
		[ ${#fragments[@]} -eq 0 ] || wrong "--fragment: goes with --source, not with --kernels"
		IFS=, read -r -a suite <<<"$kernels"
		for s in "${suite[@]}"; do
			case $s in
			bookworm | trixie | trixie-backports | sid) ;;
			*) wrong "--kernels $kernels: '$s' is none of bookworm, trixie, trixie-backports, sid" ;;
			esac
		done
		[ "$mode" = setting ] || mode='kernels'
		if [ "$mode" = setting ] && [ ${#suite[@]} -ne 1 ]; then
			wrong "--kernels $kernels: --before and --after compare settings of one kernel"
		elif [ "$mode" = kernels ]; then
			[ ${#suite[@]} -eq 2 ] || wrong "--kernels $kernels: must be two, as A,B"
			[ "${suite[0]}" != "${suite[1]}" ] || wrong "--kernels $kernels: twice the same"
		fi
	elif [ -z "$source" ]; then
		wrong "nothing to compare: give --source and --patch, --before and --after, or --kernels"
	fi
	if [ "$mode" = setting ]; then
		[ "$has_before$has_after" = 11 ] || wrong "--before and --after: give both"
		[ "$before" != "$after" ] || wrong "--before and --after are the same"
	elif [ "$mode" = patch ]; then
		[ ${#patches[@]} -gt 0 ] || wrong "--source $source: --patch, or --before and --after, is missing"
	fi
	for p in ${patches[@]+"${patches[@]}"}; do
		[ -f "$p" ] && [ -r "$p" ] || wrong "--patch $p: cannot read it"
		grep -q '^@@ ' "$p" || wrong "--patch $p: not a patch, it has no hunk"
	done

	[[ $runs =~ ^[0-9]{1,3}$ ]] && [ "$((10#$runs))" -ge 1 ] && [ "$((10#$runs))" -le 100 ] ||
		wrong "-r $runs: must be 1 to 100"
	runs=$((10#$runs))
	[[ $cpus =~ ^[1-9][0-9]?$ ]] || wrong "--cpus $cpus: not a number from 1 to 99"
	[ "$icount" = 0 ] || cpus=1
	[[ $memory =~ ^[1-9][0-9]*[MG]?$ ]] || wrong "--memory $memory: not a size like 4096 or 4G"
	[[ $timeout =~ ^[1-9][0-9]*$ ]] || wrong "--timeout $timeout: not a number of seconds"
	for t in ${tables//,/ }; do
		case $t in
		metrics | summary | read_wait | write_wait | read_hold | write_hold | \
			percentiles | rates | counters | vmstat | all) ;;
		*) wrong "--tables $tables: there is no table $t" ;;
		esac
	done
	[ -n "${tables//,/}" ] || wrong "--tables: names no table"
	[ ! -e "$out" ] || [ -d "$out" ] || wrong "-o $out: is there and no directory"

	if [ -n "$workload" ]; then
		[ ${#command[@]} -eq 0 ] || wrong "--workload and a command: one of them"
		split_workload
	elif [ ${#command[@]} -eq 0 ]; then
		wrong "no workload: give --workload 'NAME OPTIONS', or -- COMMAND"
	fi

	if [ -n "$labels" ]; then
		IFS=, read -r -a label <<<"$labels"
		[ ${#label[@]} -eq 2 ] && [ -n "${label[0]}" ] && [ -n "${label[1]}" ] ||
			wrong "--labels $labels: must be two, as A,B"
		return
	fi
	case $mode in
	patch) label=(vanilla "$(basename "${patches[-1]}" .patch)") ;;
	setting) label=("$before" "$after") ;;
	kernels) label=("${suite[@]}") ;;
	esac
}

# split_workload: the words of $workload as a shell's, without anything expanded
split_workload() {
	local words

	words=$(printf '%s\n' "$workload" | xargs -n 1 printf '%s\n' 2>/dev/null) && [ -n "$words" ] ||
		wrong "--workload $workload: cannot be split into words"
	mapfile -t command <<<"$words"
	command=(mmlockload "${command[@]}")
}

# part NAME COMMAND...: what it says is heard on a terminal, else only if it fails
part() {
	local what=$1 rc=0

	shift
	if [ -t 2 ]; then
		"$@" >&2 </dev/null &
	else
		"$@" >"$tmp/part" 2>&1 </dev/null &
	fi
	child=$!
	wait "$child" || rc=$?
	child=''
	[ "$rc" -ne 0 ] || return 0
	[ -t 2 ] || tail -n 40 "$tmp/part" >&2
	die "$what: failed ($rc)"
}

# build_kernel PATCH...: sets built; a patch's fault ends it all with 1, and with
# the failing hunk or the compiler's lines alone
build_kernel() {
	local args=(--source "$source") f rc=0 fault

	for f in ${fragments[@]+"${fragments[@]}"}; do
		args+=(--fragment "$f")
	done
	for f; do
		args+=(--patch "$f")
	done
	"$LAB_DIR/kernel" "${args[@]}" >"$tmp/built" 2>"$tmp/kernel.log" </dev/null &
	child=$!
	wait "$child" || rc=$?
	child=''
	if [ "$rc" -eq 0 ]; then
		built=$(cat "$tmp/built")
		grep 'with fuzz' "$tmp/kernel.log" >&2 || :
		return
	fi
	fault='^lab/kernel: .* does not (apply|compile):$|^lab/kernel: a patch names '
	if [ "$rc" -eq 1 ] && grep -qE "$fault" "$tmp/kernel.log"; then
		sed -n -E "\\#$fault#,\$p" "$tmp/kernel.log" >&2
		exit 1
	fi
	cat "$tmp/kernel.log" >&2
	die "$source: no kernel ($rc)"
}

# ready SIDE SUITE: root and layer of the side
ready() {
	local rc=0

	"$LAB_DIR/ready" "$2" ${kernel[$1]:+--kernel "${kernel[$1]}"} \
		>"$tmp/ready" 2>"$tmp/ready.log" </dev/null &
	child=$!
	wait "$child" || rc=$?
	child=''
	if [ "$rc" -ne 0 ]; then
		cat "$tmp/ready.log" >&2
		die "$2: cannot install the module ($rc)"
	fi
	root[$1]=$(sed -n 1p "$tmp/ready")
	layer[$1]=$(sed -n 2p "$tmp/ready")
}

# make_sides: kernels, roots, layers and settings of both sides
make_sides() {
	local side tree

	if [ -n "$source" ]; then
		# The patched one first: what is wrong with a patch is then known first,
		# and the other is its incremental neighbour in any case.
		if [ ${#patches[@]} -gt 0 ]; then
			tell "the patched kernel (some minutes, if its source was not compiled before)"
			build_kernel "${patches[@]}"
			kernel=("$built" "$built")
		fi
		if [ "$mode" = patch ] || [ ${#patches[@]} -eq 0 ]; then
			tell "the kernel without a patch"
			build_kernel
			kernel[0]=$built
			[ "$mode" = patch ] || kernel[1]=$built
		fi
		suite=("$(kernel_key "${kernel[0]}" suite)" "$(kernel_key "${kernel[1]}" suite)")
	elif [ "$mode" = setting ]; then
		suite+=("${suite[0]}")
	fi
	[ "$mode" != setting ] || shell=("$before" "$after")
	for side in 0 1; do
		tell "the module for ${label[$side]}"
		ready "$side" "${suite[$side]}"
	done
	# Its first word is the tree's hash.
	tree=$(cut -d ' ' -f 1 "${layer[0]}.installed")
	[ "$tree" = "$(cut -d ' ' -f 1 "${layer[1]}.installed")" ] ||
		die "the tree changed while the module was installed for one side: once more"
}

# key FILE OPTION: what a kernel's config says
key() {
	sed -n "s/^CONFIG_$2=//p" "$1" | tr -d '"'
}

# config_text SIDE CONFIG: how its kernel was configured, in words
config_text() {
	local of text

	if [ -n "${kernel[$1]}" ]; then
		of=$(sed -n 's/^fragment //p' "${kernel[$1]}/etc/mmlockstat-kernel" | paste -s -d , | sed 's/,/, /g')
		text="lab/kernel.d's $of"
	else
		text="Debian's"
	fi
	printf '%s, %s Hz, %s, sum %s' "$text" "$(key "$2" HZ)" \
		"$(key "$2" CC_VERSION_TEXT)" "$(sha256sum <"$2" | cut -c 1-12)"
}

# kernel_text SIDE: which kernel, in words
kernel_text() {
	local k=${kernel[$1]} patched

	if [ -z "$k" ]; then
		printf '%s, packaged, of %s' "$(root_kver "${root[$1]}")" "${suite[$1]}"
		return
	fi
	patched=$(sed -n 's/^patch \([0-9a-f]*\) \(.*\)/\2 (\1)/p' "$k/etc/mmlockstat-kernel" |
		paste -s -d , | sed 's/,/, /g')
	printf '%s, %s %s%s' "$(kernel_key "$k" release)" \
		"$(basename "$(kernel_key "$k" source)")" "$(kernel_key "$k" version)" \
		"${patched:+ with $patched}"
}

# letter BEFORE AFTER: the text, tables and all
letter() {
	local machine how texts=() side config c kver size reader=$build/mmlockstat

	size=$memory
	[[ $size == *[MG] ]] || size+=M
	size="${size%?} ${size: -1}iB"
	kver=$(root_kver "${root[0]}")
	qemu_machine "${root[0]}" "$kver" "$icount" "$cpus"
	case " ${QEMU_MACHINE[*]} " in
	*' -icount '*) how="emulated, a nanosecond being an instruction" ;;
	*' kvm '*) how="under KVM" ;;
	*thread=single*) how="emulated, all CPUs by one thread" ;;
	*) how="emulated" ;;
	esac
	machine=$(sed -n '/^model name/ { s/^[^:]*: *//p; q }' /proc/cpuinfo)
	texts+=("Machine: a guest of QEMU $("$LAB_QEMU" --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p') with $cpus CPU$([ "$cpus" -eq 1 ] || echo s) and $size of memory, $how, on $machine ($(nproc) CPUs). Its times are to be compared with each other, not with those of real machines.")
	for side in 0 1; do
		if [ -n "${kernel[$side]}" ]; then
			c=("${kernel[$side]}"/boot/config-*)
			config[side]=${c[0]}
		else
			config[side]=${root[$side]}/boot/config-$(root_kver "${root[$side]}")
		fi
	done
	if [ "$mode" = setting ]; then
		texts+=("Kernel: $(kernel_text 0).")
		texts+=("Config: $(config_text 0 "${config[0]}").")
		texts+=("Before: ${shell[0]}" "After: ${shell[1]}")
	else
		texts+=("Before: $(kernel_text 0)." "After: $(kernel_text 1).")
		if [ "$(config_text 0 "${config[0]}")" = "$(config_text 1 "${config[1]}")" ]; then
			texts+=("Config of both: $(config_text 0 "${config[0]}").")
		else
			texts+=("Config before: $(config_text 0 "${config[0]}")."
				"Config after: $(config_text 1 "${config[1]}").")
		fi
	fi
	[ -z "$setup" ] || texts+=("Before every run: $setup")
	texts+=("Method: ${command[*]}; $runs run$([ "$runs" -eq 1 ] || echo s) a side in turn, each in a fresh boot, recorded by mmlockstat $LAB_VERSION. Avg is the mean of the runs; p is of the exact two-sided Mann-Whitney test, a run being the unit.")

	"$reader" diff "$1" "$2" >"$tmp/diff.txt" 2>"$tmp/diff.err" &&
		"$reader" diff -f json "$1" "$2" >"$tmp/diff.json" 2>>"$tmp/diff.err" || {
		cat "$tmp/diff.err" >&2
		die "the recordings cannot be compared"
	}
	python3 "$LAB_DIR/compare.d/letter.py" "$tmp/diff.txt" "$tmp/diff.json" "$tables" "${texts[@]}"
}
