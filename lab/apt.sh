# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Where the host's apt gets Debian from, and what a package list says. Sourced
# after lib.sh.

# shellcheck disable=SC2034 # lab/root and lab/bare use it
LAB_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# package_names FILE: the names in a list, without the comments
package_names() {
	sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$1"
}

# apt_targets: "URI CODENAME LABEL" of each package index of apt's sources;
# a mirror list on this machine is replaced by the first mirror in it
apt_targets() {
	local uri code label

	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format \
		'$(CREATED_BY) $(COMPONENT) $(REPO_URI) $(CODENAME) $(LABEL)' \
		2>/dev/null | sed -n 's/^Packages main //p' |
		while read -r uri code label; do
			case $uri in
			mirror+file:*)
				uri=${uri#mirror+file:}
				uri=$(awk '/^[a-z]+:/ { print $1; exit }' "${uri%/}")
				;;
			esac
			printf '%s %s %s\n' "${uri%/}" "$code" "$label"
		done
}

# apt_mirror: the mirror of Debian proper: MIRROR= or the host's own
apt_mirror() {
	local mirror=${MIRROR:-}

	[ -n "$mirror" ] ||
		mirror=$(apt_targets | awk '$3 == "Debian" && !m { m = $1 }
			END { print m }')
	[ -n "$mirror" ] || die "apt's sources name no mirror of Debian" \
		"(or apt-get update was never run): set MIRROR=URL"
	printf '%s\n' "${mirror%/}"
}

# apt_security: the mirror of Debian's security updates, nothing if the host
# uses none. With MIRROR= it is MIRROR_SECURITY=, or none.
apt_security() {
	if [ -n "${MIRROR:-}" ]; then
		printf '%s\n' "${MIRROR_SECURITY:-}"
	else
		apt_targets | awk '$3 == "Debian-Security" && !m { m = $1 }
			END { print m }'
	fi
}

# apt_sources SUITE: the lines of a sources.list. Of trixie-backports, trixie
# is the base.
apt_sources() {
	local mirror security base=${1%-backports}

	mirror=$(apt_mirror) || exit
	security=$(apt_security)
	echo "deb $mirror $base main"
	[ "$base" = "$1" ] || echo "deb $mirror $1 main"
	[ "$base" != sid ] || return 0
	[ -z "$security" ] || {
		echo "deb $mirror $base-updates main"
		echo "deb $security $base-security main"
	}
}
