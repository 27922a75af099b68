#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# native.sh: outside every sandbox each trick works. Otherwise "refused" inside one would prove nothing.
# Runs as root, from the top of the tree; TRY_DIR holds the programs (default build/tests/attack).
set -u
. tests/lib/tap.bash

programs=$(realpath "${TRY_DIR:-build/tests/attack}")
try=$programs/try

# The network tricks need addresses that no machine may have: a network namespace of our own.
if [ "${1:-}" != inside ]; then
	export TRY_DIR=$programs
	exec unshare --net --ipc "$0" inside
fi

dir=$(mktemp -d)
servers=()
cleanup() {
	rm -rf "$dir"
	kill "${servers[@]}" 2>/dev/null # last: bash loses a command that ends together with them
}
trap cleanup EXIT

# won TRICK...: it works
won() {
	exits "$1 works" 0 "$try" "$@"
}

# can TRICK...: it works, or this kernel or machine has no such thing
can() {
	local status=0
	output=$("$try" "$@" 2>&1) || status=$?
	case $status in
	2) skip "$1 works" "$(tail -n 1 <<<"$output")" ;;
	*) is "$1 works" 0 "$status" ;;
	esac
}

serve() {
	local log=$dir/serve.${#servers[@]}
	"$programs/serve" "$@" >"$log" 2>&1 &
	servers+=($!)
	wait_for 10 grep -q ready "$log" || tap_result "not ok" "serve $1 listens" "$(cat "$log")"
}

fresh() {
	echo text >"$dir/file"
}

files() {
	local trick
	fresh
	for trick in read read-via-procfd read-openat2 read-procroot read-mmap write append write-via-procfd truncate chmod; do
		won "$trick" "$dir/file"
	done
	fresh
	can read-uring "$dir/file"
	won tmpfile-link "$dir" "$dir/was-unnamed"
	won link "$dir/file" "$dir/hard"
	won rename "$dir/hard" "$dir/moved"
	won exchange "$dir/moved" "$dir/file"
	won symlink "$dir/file" "$dir/soft"
	won unlink "$dir/soft"
	won mkdir "$dir/folder"
	won rmdir "$dir/folder"
	won mkfifo "$dir/fifo"
	won long-path "$dir"
	is "long-path leaves nothing behind" "" "$(find "$dir" -name 'ddd*')"
	exits "a file that is not there is an error, not a refusal" 2 "$try" read "$dir/none"
	matches "the errno is named" 'error: open .*/none: ENOENT' "$output"
	exits "another user's file is refused" 1 setpriv --reuid=65534 --clear-groups "$try" read /etc/shadow
	matches "the refusal is named" 'refused: open /etc/shadow: EACCES' "$output"
}

executing() {
	local trick
	for trick in exec exec-memfd exec-fd exec-ldso exec-procroot map-exec fork-exec thread-exec vfork-exec; do
		won "$trick" /usr/bin/true
	done
	won exec-tmpfile /usr/bin/true "$dir"
	won exec-deleted /usr/bin/true "$dir"
	won exec-copy /usr/bin/true "$dir/true"
	for trick in exec exec-fd fork-exec thread-exec vfork-exec; do
		exits "$trick of a file without the right to is refused" 1 "$try" "$trick" /etc/passwd
	done
	# shellcheck disable=SC2016 # the inner shell's own number
	for trick in exec fork-exec vfork-exec; do
		exits "$trick of a program that is killed at its start is refused" 1 "$try" "$trick" /bin/sh -c 'kill -9 $$'
	done
	exits "what the loader cannot load is refused" 1 "$try" exec-ldso /etc/passwd
	matches "a program gets its arguments" '^a b$' "$("$try" exec /bin/echo a b)"
}

network() {
	local trick
	ip link set lo up
	echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range
	for address in 64:ff9b::7f00:1 2002:7f00:1::1; do
		ip -6 address add "$address/128" dev lo nodad
	done
	ip -6 address add fe80::1/64 dev lo nodad
	serve tcp :: 7001
	serve udp :: 7001
	for trick in connect connect-mapped connect-nat64 connect-6to4 connect-udp sendto-udp sendto-mapped sendmmsg-udp \
		connect-unspec-family tfo; do
		won "$trick" 127.0.0.1 7001
	done
	for trick in connect connect-udp sendto-udp sendmmsg-udp tfo; do
		exits "$trick works with IPv6" 0 "$try" "$trick" ::1 7001
	done
	exits "connect works with a scope" 0 "$try" connect fe80::1%lo 7001
	won reconnect-udp 127.0.0.1 7001 127.0.0.2 7001
	exits "a port without a listener is an error, not a refusal" 2 "$try" connect 127.0.0.1 7002
	can connect-compatible 127.0.0.1 7001
	for trick in raw-socket raw6-socket packet-socket; do
		won "$trick"
	done
	won netlink-socket 0
	won family-socket 2
	can ping 127.0.0.1
	for trick in sctp mptcp vsock alg; do
		can "$trick"
	done
}

unix_sockets() {
	local kind
	for kind in stream seqpacket dgram; do
		serve "unix-$kind" "$dir/$kind"
		won "unix-$kind" "$dir/$kind"
	done
	won unix-via-procfd "$dir/stream"
	for kind in abstract abstract-dgram; do
		serve "unix-$kind" "bulkhead-$kind-$$"
		won "unix-$kind" "bulkhead-$kind-$$"
	done
}

# The mount point of cgroup version 2, which this machine may have beside version 1.
cgroups() {
	local mount group
	mount=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
	group=$mount/bulkhead-native-$$
	if [ -z "$mount" ] || ! mkdir "$group" 2>/dev/null; then
		skip "move-cgroup works" "no cgroup version 2 that we may change"
		skip "clone-into-cgroup works" "no cgroup version 2 that we may change"
		return
	fi
	won move-cgroup "$group"
	can clone-into-cgroup "$group"
	wait_for 10 rmdir "$group"
}

processes() {
	for trick in userns ptrace-parent; do
		can "$trick"
	done
	can chroot "$dir"
	won chroot-plain "$dir"
	fresh
	mkdir -p "$dir/a" "$dir/b"
	can mount-over "$dir/a" "$dir/b"
	won setns /proc/self/ns/uts
	won ptrace $$
	won read-memory $$
	won kill $$ 0
	sleep 60 &
	won kill $!
	wait $! 2>/dev/null
	is "kill ends a process" 143 $?
}

files
executing
network
unix_sockets
cgroups
processes
