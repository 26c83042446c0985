# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Shared by the scripts of this folder: sourced, never run.

LAB_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB_TREE=$(dirname "$LAB_DIR")
LAB_CACHE=${MMLOCKSTAT_CACHE:-/var/cache/mmlockstat}
LAB_VERSION=$(cat "$LAB_TREE/VERSION")
LAB_NAME=lab/$(basename "$0")
export LAB_TREE LAB_CACHE LAB_VERSION

# What a script of the lab ends with when it is the lab that failed, so that
# the exit status of a command that ran is never mistaken for it.
LAB_FAIL=125

# Makes no promise about what runs the lab: a bare chroot may have a PATH
# without sbin, and a locale that apt or perl complain about.
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
export LC_ALL=C.UTF-8

say() {
	printf '%s: %s\n' "$LAB_NAME" "$*" >&2
}

die() {
	say "$*"
	exit "$LAB_FAIL"
}

need_root() {
	[ "$(id -u)" -eq 0 ] || die "must run as root (mounts, chroots): use sudo"
}

# need_programs PROGRAM...
need_programs() {
	local p

	for p; do
		command -v "$p" >/dev/null ||
			die "$p is missing: run lab/deps, which installs what the lab needs"
	done
}

# In a chroot whose / is no mount point its propagation cannot be changed; the
# mounts are undone by hand there too.
LAB_PROPAGATION=private
mountpoint -q / || LAB_PROPAGATION=unchanged

# Everything that mounts does so in a mount namespace of its own: whatever way
# the script ends, the kernel undoes the mounts with the last process in it.
own_mounts() {
	if [ "${LAB_OWN_MOUNTS:-}" = "$$" ]; then
		return
	fi
	LAB_OWN_MOUNTS=$$ exec unshare --mount --propagation "$LAB_PROPAGATION" -- \
		bash "$0" "$@"
}

# temp_dir KIND: sets LAB_TMP to a new directory of our own, locked while this
# script and what it starts live; takes away what killed ones left behind
temp_dir() {
	local d fd base=${TMPDIR:-/tmp}

	for d in "$base"/mmlockstat-run-*; do
		[ -d "$d" ] && [ -n "$(find "$d" -maxdepth 0 -mmin +1)" ] || continue
		exec {fd}<"$d"
		! flock -n "$fd" || rm -rf --one-file-system "$d"
		exec {fd}<&-
	done
	LAB_TMP=$(mktemp -d "$base/mmlockstat-run-$1.XXXXXX")
	exec {fd}<"$LAB_TMP"
	flock "$fd"
}

# root_kver ROOT: the newest kernel of a root that has modules as well
root_kver() {
	local f v best=

	for f in "$1"/boot/vmlinuz-*; do
		v=${f##*/vmlinuz-}
		[ -e "$1/lib/modules/$v/modules.dep" ] || continue
		best=$(printf '%s\n' "$best" "$v" | sort -V | tail -n 1)
	done
	[ -n "$best" ] || return 1
	printf '%s\n' "$best"
}

# root_id ROOT [KERNEL]: tells a root from every other, also from an earlier one
# of the same suite; for a root that lab/root did not make, its path. With a
# kernel that lab/kernel made: tells the pair of both.
root_id() {
	local id

	id=$(sed -n 's/^id //p' "$1/etc/mmlockstat-root" 2>/dev/null || :)
	id=${id:-$(realpath "$1")}
	[ -z "${2:-}" ] || id="$id $(kernel_id "$2")"
	printf '%s\n' "$id"
}

# kernel_key KERNEL KEY: what lab/kernel noted of a kernel that it made
kernel_key() {
	sed -n "s/^$2 //p" "$1/etc/mmlockstat-kernel" 2>/dev/null || :
}

# kernel_id KERNEL: tells a built kernel from every other
kernel_id() {
	local id

	id=$(kernel_key "$1" id)
	[ -n "$id" ] || die "$1: not a kernel that lab/kernel made"
	printf '%s\n' "$id"
}

# tree_files: the tree's own files, NUL separated: what is neither built nor
# git's. Asks git nothing, so it works in an unpacked tarball and under sudo.
tree_files() {
	(cd "$LAB_TREE" && find . \
		\( -path ./.git -o -path ./build \) -prune -o \
		\( -type f -o -type l \) ! -name '*.o' ! -name '*.ko' \
		! -name '*.mod' ! -name '*.mod.c' ! -name '.*.cmd' \
		! -name Module.symvers ! -name modules.order \
		! -name '*.sw?' -print0 | sort -z)
}

# tree_hash: one word that changes with any file of the tree, or its mode
tree_hash() {
	(cd "$LAB_TREE" && tree_files | xargs -0 stat -c '%a %n' &&
		tree_files | xargs -0 sha256sum) | sha256sum | cut -c 1-16
}

# Seconds since this shell began, for the progress lines.
elapsed() {
	printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60))
}
