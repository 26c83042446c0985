# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# How QEMU is called: the machine, the accelerator, the initramfs. Sourced
# after lib.sh.

LAB_QEMU=${MMLOCKSTAT_QEMU:-qemu-system-x86_64}

# qemu_path PATH, overlay_path PATH: PATH made absolute, and quoted for an
# option of QEMU (commas) or of an overlay mount (backslash, colon, comma).
qemu_path() {
	realpath -s -- "$1" | sed 's/,/,,/g'
}

overlay_path() {
	realpath -- "$1" | sed 's/[\\:,]/\\&/g'
}

# kernel_args: tsc=reliable because 6.1 marks an emulated TSC unstable;
# no_timer_check because the check of the timer's wiring fails at random on a
# busy host. A warning is a panic, and a panic ends the guest at once.
kernel_args() {
	echo 'console=ttyS0,115200 panic=-1 panic_on_warn=1 oops=panic' \
		'softlockup_panic=1 tsc=reliable no_timer_check'
}

# qemu_major: 7, 10, ...
qemu_major() {
	"$LAB_QEMU" --version | sed -n '1s/.*version \([0-9]*\).*/\1/p'
}

# make_initramfs ROOT KVER DIR FILE: busybox, the modules that the way to the
# root takes, guest-boot as /init and the files of DIR in /lab
make_initramfs() {
	local root=$1 kver=$2 dir=$3 file=$4 stage=$4.d m name

	mkdir -p "$stage"/{bin,dev,proc,sys,ro,rw,newroot,modules,lab}
	cp "$(command -v busybox)" "$stage/bin/busybox"
	cp "$LAB_DIR/guest-boot" "$stage/init"
	cp -a "$dir/." "$stage/lab/"
	: >"$stage/modules/order"
	# "insmod PATH" or "builtin NAME", what a module needs before it
	for m in virtio_pci 9pnet_virtio 9p overlay virtio_console; do
		modprobe -d "$root" -S "$kver" --show-depends "$m" ||
			die "$root: kernel $kver lacks the module $m"
	done >"$stage/depends"
	while read -r kind m; do
		[ "$kind" = insmod ] || continue
		name=${m##*/}
		name=${name%%.ko*}.ko
		[ ! -e "$stage/modules/$name" ] || continue
		case $m in
		*.xz) xz -dc "$m" ;;
		*.zst) zstd -qdc "$m" ;;
		*) cat "$m" ;;
		esac >"$stage/modules/$name"
		echo "$name" >>"$stage/modules/order"
	done <"$stage/depends"
	rm "$stage/depends"
	(cd "$stage" && find . | cpio -o -H newc -R 0:0 --quiet) >"$file"
	rm -r "$stage"
}

# kvm_works ROOT KVER: whether a guest boots under KVM within seconds. A
# /dev/kvm may exist and yet not run a stock kernel, so it is tried, once a
# boot of the host.
kvm_works() {
	local answer t

	[ -c /dev/kvm ] && [ -w /dev/kvm ] || return 1
	mkdir -p "$LAB_CACHE"
	answer=$LAB_CACHE/kvm-$(cat /proc/sys/kernel/random/boot_id)
	(
		flock 9
		if [ ! -s "$answer" ]; then
			say "trying KVM (at most 10 seconds, once a boot of this machine)"
			t=$(mktemp -d "${TMPDIR:-/tmp}/mmlockstat-kvm.XXXXXX")
			trap 'rm -rf "$t"' EXIT
			mkdir "$t/lab"
			: >"$t/lab/probe"
			: >"$t/console"
			make_initramfs "$1" "$2" "$t/lab" "$t/initramfs"
			timeout -k 1 10 "$LAB_QEMU" -accel kvm -cpu host -smp 2 -m 512 \
				"${QEMU_PLAIN[@]}" -append "$(kernel_args)" \
				-kernel "$1/boot/vmlinuz-$2" -initrd "$t/initramfs" \
				-chardev "file,id=console,path=$t/console" \
				-serial chardev:console </dev/null >/dev/null 2>&1 || :
			rm -f "$LAB_CACHE"/kvm-*
			if grep -aq 'probe ok' "$t/console"; then
				echo yes
			else
				echo no
			fi >"$answer"
			say "KVM: $(cat "$answer")"
		fi
	) 9>>"$LAB_CACHE/kvm.lock"
	[ "$(cat "$answer")" = yes ]
}

QEMU_PLAIN=(-nodefaults -no-user-config -display none -nic none -no-reboot)

# qemu_machine ROOT KVER ICOUNT CPUS: sets QEMU_MACHINE, the arguments for
# accelerator and CPUs. MMLOCKSTAT_ACCEL=kvm or tcg overrides the choice.
#
# Below QEMU 10, thread=multi lets one CPU run code while another patches it:
# guests panic with no module of ours when trace points are toggled.
# shellcheck disable=SC2034 # its caller uses it
qemu_machine() {
	local accel=${MMLOCKSTAT_ACCEL:-} threads=multi

	[ "$(qemu_major)" -ge 10 ] || threads=single
	if [ "$3" = 1 ]; then
		QEMU_MACHINE=("${QEMU_PLAIN[@]}" -accel tcg -cpu max -smp 1
			-icount "shift=0,sleep=off")
		return
	fi
	if [ -z "$accel" ]; then
		accel=tcg
		! kvm_works "$1" "$2" || accel=kvm
	fi
	case $accel in
	kvm) QEMU_MACHINE=("${QEMU_PLAIN[@]}" -accel kvm -cpu host -smp "$4") ;;
	tcg) QEMU_MACHINE=("${QEMU_PLAIN[@]}" -accel "tcg,thread=$threads" -cpu max -smp "$4") ;;
	*) die "MMLOCKSTAT_ACCEL=$accel: neither kvm nor tcg" ;;
	esac
}
