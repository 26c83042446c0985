# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Runs a command in a chroot with what programs expect there. Sourced after
# lib.sh, used in a mount namespace of its own (own_mounts).

# chroot_mount DIR: /sys, a /dev of our own, /run and the host's names; /proc
# comes with the process namespace in chroot_run.
chroot_mount() {
	local dev=$1/dev d

	mkdir -p "$1"/{proc,sys,dev,run,tmp}
	mount -t sysfs -o ro sysfs "$1/sys"
	mount -t tmpfs -o mode=0755,size=1m tmpfs "$dev"
	mkdir "$dev/pts" "$dev/shm"
	mount -t devpts -o newinstance,gid=5,mode=620,ptmxmode=666 devpts "$dev/pts"
	mount -t tmpfs -o mode=1777 tmpfs "$dev/shm"
	mount -t tmpfs -o mode=0755 tmpfs "$1/run"
	mkdir -p "$1/run/lock"
	for d in null zero full random urandom tty kvm; do
		[ -c "/dev/$d" ] || continue
		: >"$dev/$d"
		mount --bind "/dev/$d" "$dev/$d"
	done
	ln -s pts/ptmx "$dev/ptmx"
	ln -s /proc/self/fd "$dev/fd"
	for d in 0:stdin 1:stdout 2:stderr; do
		ln -s "/proc/self/fd/${d%:*}" "$dev/${d#*:}"
	done
	if [ -e /etc/resolv.conf ]; then
		mkdir -p "$1/run/lab"
		cat /etc/resolv.conf >"$1/run/lab/resolv.conf"
		[ -e "$1/etc/resolv.conf" ] || [ -L "$1/etc/resolv.conf" ] ||
			: >"$1/etc/resolv.conf"
		mount --bind "$1/run/lab/resolv.conf" "$1/etc/resolv.conf" 2>/dev/null || :
	fi
}

# chroot_umount DIR: undoes chroot_mount
chroot_umount() {
	local d

	for d in etc/resolv.conf run sys dev; do
		! mountpoint -q "$1/$d" || umount -R "$1/$d" || umount -R -l "$1/$d"
	done
}

# chroot_run DIR NAME=VALUE... -- COMMAND...: in process and mount namespaces
# of its own, so that nothing the command started or mounted stays when it ends
# or is killed.
# The shell in between reaps what is left to PID 1.
chroot_run() {
	local dir=$1 env=()

	shift
	while [ "$1" != -- ]; do
		env+=("$1")
		shift
	done
	shift
	# shellcheck disable=SC2016 # the inner shell's
	setpriv --pdeathsig TERM unshare --mount --pid --fork --kill-child \
		--propagation "$LAB_PROPAGATION" -- sh -c '
		mount -t proc proc "$0/proc" && chroot "$0" "$@"
		exit $?' "$dir" env -i HOME=/root USER=root LOGNAME=root \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		LC_ALL=C.UTF-8 TERM="${TERM:-dumb}" DEBIAN_FRONTEND=noninteractive \
		"${env[@]}" "$@"
}
