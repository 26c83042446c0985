# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Shared by the style gates: sourced, never run. A gate is a script in gates/
# that prints what is wrong, a line each, and then ends with 1; what it is
# about stands in its line "# gate: ...".

STYLE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../../lab/lib.sh
. "$STYLE_DIR/../../lab/lib.sh"

# Another tree may be examined: prove does, with faults planted in it.
LAB_TREE=${STYLE_TREE:-$LAB_TREE}
cd "$LAB_TREE" || exit 2

found=0

# wrong TEXT: one finding
wrong() {
	printf '%s\n' "$*"
	found=1
}

# files PATTERN...: the tree's own files whose path matches any of the shell
# patterns, one a line (the length gate sees to it that no name needs more).
files() {
	local path pattern

	tree_files | tr '\0' '\n' | while read -r path; do
		path=${path#./}
		for pattern; do
			# shellcheck disable=SC2053 # a pattern
			if [[ $path == $pattern ]]; then
				printf '%s\n' "$path"
				break
			fi
		done
	done
}

# scripts: shell scripts, found by their first line; and what they source
scripts() {
	local path first

	files '*' | while read -r path; do
		IFS= read -r first <"$path" 2>/dev/null || continue
		if [[ $first =~ ^'#!'.*[/\ ](ba|da|)sh($|\ ) ]] ||
			head -n 3 "$path" | grep -aq '^# shellcheck shell='; then
			printf '%s\n' "$path"
		fi
	done
}
