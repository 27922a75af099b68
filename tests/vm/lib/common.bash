# SPDX-License-Identifier: GPL-2.0-only
# What all scripts of this folder share. Sourced.
# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the scripts that source this

vm_lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(cd "$vm_lib/../../.." && pwd)
cache=${BULKHEAD_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/bulkhead}

die() {
	echo "vm: $*" >&2
	exit 1
}

# make_image FOLDER FILE: an ext4 image of the folder, just large enough
make_image() {
	local inodes megabytes
	inodes=$(($(find "$1" | wc -l) * 5 / 4 + 2000))
	megabytes=$(($(du -sm "$1" | cut -f1) * 6 / 5 + 16))
	rm -f "$2"
	mkfs.ext4 -q -F -O ^has_journal -m0 -N "$inodes" -d "$1" "$2" "${megabytes}M" >/dev/null 2>"$2.log" || {
		cat "$2.log" >&2
		return 1
	}
	rm -f "$2.log"
}

# lock NAME: held until this shell ends; two runs on one machine prepare a thing once
lock() {
	mkdir -p "$cache"
	exec {lock_fd}>"$cache/$1.lock"
	flock "$lock_fd"
}
