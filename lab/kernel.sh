# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
# Where lab/kernel's source comes from and what its config says: sourced by it
# after lib.sh, uses its variables source, suites, kernels and child.

# in_chroot COMMAND...: kernel-inside COMMAND, with what compiles a kernel, in
# a layer over the root of $suite; the lab's kernels at /kernels there
in_chroot() {
	local rc=0 bind=(--bind "$kernels" /kernels)

	[ "${source_kind:-package}" = package ] || bind+=(--bind "$source_tree" /source)
	setpriv --pdeathsig TERM "$LAB_DIR/layer" "$root" "$tools" "${bind[@]}" -- \
		/mmlockstat/lab/kernel-inside "$@" >&2 9>&- </dev/null &
	child=$!
	wait "$child" || rc=$?
	child=
	return "$rc"
}

# use_suite SUITE: sets root and tools, the layer of SUITE with packages.kernel
use_suite() {
	local stamp

	suite=$1
	root=$("$LAB_DIR/root" "$suite" 9>&-)
	tools=$LAB_CACHE/layers/kernel-$suite
	stamp="$(root_id "$root") $(package_names "$LAB_DIR/packages.kernel" | paste -s -d ' ')"
	[ "$(cat "$tools.installed" 2>/dev/null)" = "$stamp" ] && return
	say "$suite: installing what compiles a kernel"
	rm -rf --one-file-system "$tools"
	rm -f "$tools.installed" "$tools.of"
	# shellcheck disable=SC2046 # a list of names
	in_chroot packages $(package_names "$LAB_DIR/packages.kernel") ||
		die "$suite: cannot install what compiles a kernel"
	printf '%s\n' "$stamp" >"$tools.installed"
}

# find_source: sets source_kind (package or dir), source_tree, source_manifest (a
# file: the sum of each file of it), source_version, suite, root, tools
find_source() {
	local dir s rc

	source_kind=package
	if [[ $source == */* ]]; then
		use_suite "${suites:-trixie-backports}"
		source_kind=dir
		source_tree=$(realpath -- "$source")
		[ -e "$source_tree/Kconfig" ] && [ -d "$source_tree/mm" ] ||
			die "--source $source: not a kernel's source tree"
		[ ! -e "$source_tree/.config" ] && [ ! -d "$source_tree/include/config" ] ||
			die "--source $source: was built in; run make mrproper there first"
		source=$source_tree
		source_manifest=$in/manifest
		manifest "$source_tree" >"$source_manifest"
		source_version=$(sha256sum <"$source_manifest" | cut -c 1-12)
		return
	fi
	[[ $source =~ ^linux-source-[0-9.]+$ ]] ||
		die "--source $source: neither linux-source-X.Y nor a directory (with a /)"
	for s in ${suites:-trixie-backports bookworm sid}; do
		dir=$kernels/sources/$source-$s
		if fresh_source "$dir"; then
			use_suite "$s"
			take_source "$dir"
			return
		fi
	done
	for s in ${suites:-trixie-backports bookworm sid}; do
		use_suite "$s"
		dir=$kernels/sources/$source-$s
		rc=0
		in_chroot fetch "$source" "/kernels/sources/${dir##*/}" || rc=$?
		case $rc in
		0)
			[ -e "$dir/manifest" ] || manifest "$dir/tree" >"$in/manifest"
			[ -e "$dir/manifest" ] || mv "$in/manifest" "$dir/manifest"
			take_source "$dir"
			return
			;;
		3) say "$s has no $source" ;;
		*)
			# An old source is better than none without a network.
			[ -e "$dir/manifest" ] || die "$s: cannot fetch $source"
			say "$s: cannot look for a newer $source, taking the one that is there"
			take_source "$dir"
			return
			;;
		esac
	done
	die "no suite has $source (looked in: ${suites:-trixie-backports bookworm sid})"
}

# fresh_source DIR: fetched, or looked for, within the days that a root is kept
fresh_source() {
	[ -e "$1/manifest" ] &&
		[ -n "$(find "$1/checked" -mmin "-$((${MMLOCKSTAT_ROOT_DAYS:-7} * 1440))" 2>/dev/null)" ]
}

take_source() {
	source_tree=$1/tree
	source_manifest=$1/manifest
	source_version=$(cat "$1/version")
}

# manifest TREE: "SUM  ./PATH" of each file, sorted; links by what they say
manifest() {
	(
		cd "$1" || exit
		find . -name .git -prune -o -type f -print0 | xargs -0 sha256sum
		find . -name .git -prune -o -type l -printf 'link-%l  %p\n'
	) | LC_ALL=C sort
}

# merge_fragments FILE...: of each option the last line that sets it
merge_fragments() {
	awk '
		/^CONFIG_[A-Za-z0-9_]+=/ { name = $0; sub(/=.*/, "", name) }
		/^# CONFIG_[A-Za-z0-9_]+ is not set/ { name = $2 }
		!/^CONFIG_[A-Za-z0-9_]+=|^# CONFIG_[A-Za-z0-9_]+ is not set/ { next }
		{
			optional = sub(/[ \t]*# optional$/, "") ? "\t# optional" : ""
			sub(/[ \t]+$/, "")
			if (!(name in line)) order[++nr] = name
			line[name] = $0 optional
		}
		END { for (i = 1; i <= nr; i++) print line[order[i]] }' "$@"
}
