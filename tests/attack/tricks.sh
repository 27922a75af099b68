#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Every trick of `try`, inside a sandbox and, meanwhile, outside of it. A trick that is refused outside too proves
# nothing, so it has to work there or be unknown to this kernel.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

out=$bh/outside
elsewhere=${slice%/*}/elsewhere
metadata=169.254.169.254

# INSIDE|TRICK|ARGUMENTS: refused, allowed (the policy lists it: the sandbox must not be deaf), or open: not judged yet,
# with the reason in a fourth field.
tricks() {
	cat <<END
allowed|read|$bh/work/file
refused|read|$out/secret
refused|read-via-procfd|$out/secret
refused|read-openat2|$out/secret
refused|read-procroot|$out/secret
refused|read-uring|$out/secret
refused|read-mmap|$out/secret
refused|read|/etc/shadow
allowed|write|$bh/work/new
refused|write|$out/new
refused|append|$out/secret
refused|write-via-procfd|$out/secret
refused|truncate|$out/precious
allowed|tmpfile-link|$bh/ram $bh/ram/named
refused|tmpfile-link|$bh/ram/outside $bh/ram/outside/named
allowed|rename|$bh/work/old $bh/work/renamed
refused|rename|$bh/work/file $out/moved-out
refused|rename|$out/moved-in $bh/work/moved-in
refused|exchange|$out/exchanged $bh/work/other
refused|link|$out/secret $bh/work/hard-in
refused|link|$bh/work/renamed $out/hard-out
refused|unlink|$out/victim
refused|mkdir|$out/made
refused|rmdir|$out/empty
refused|symlink|/etc/shadow $out/soft
refused|mkfifo|$out/fifo
refused|chmod|$out/secret
refused|long-path|$bh/work
allowed|exec|/usr/bin/true
refused|exec|/usr/bin/id
refused|exec-fd|/usr/bin/id
refused|exec-procroot|/usr/bin/id
refused|exec-ldso|/usr/bin/true
refused|exec-memfd|$bh/work/true
refused|exec-tmpfile|$bh/work/true $bh/ram
refused|exec-deleted|$bh/work/true $bh/ram
refused|exec-copy|$bh/work/true $bh/work/copy
refused|map-exec|$bh/work/true
refused|map-exec|/usr/bin/id
refused|fork-exec|/usr/bin/id
refused|thread-exec|/usr/bin/id
refused|vfork-exec|/usr/bin/id
allowed|connect|127.0.0.1 7001
refused|connect|127.0.0.1 7002
refused|connect|$metadata 80
refused|connect|::1 7001
refused|connect-mapped|$metadata 80
refused|connect-compatible|$metadata 80
refused|connect-nat64|$metadata 80
refused|connect-6to4|$metadata 80
refused|connect-udp|$metadata 80
refused|reconnect-udp|127.0.0.1 7001 $metadata 80
refused|sendto-udp|$metadata 80
refused|sendto-mapped|$metadata 80
refused|connect-unspec-family|$metadata 80
refused|sendmmsg-udp|$metadata 80
refused|tfo|$metadata 80
refused|raw-socket|
refused|raw6-socket|
refused|ping|127.0.0.1
refused|ping|$metadata
refused|packet-socket|
allowed|netlink-socket|0
refused|netlink-socket|15
allowed|family-socket|2
refused|family-socket|21
refused|sctp|
allowed|mptcp|
refused|vsock|
refused|alg|
refused|unix-stream|$out/stream
refused|unix-seqpacket|$out/seqpacket
refused|unix-dgram|$out/dgram
refused|unix-abstract|outside-stream
refused|unix-abstract-dgram|outside-dgram
refused|unix-via-procfd|$out/stream
refused|userns|
refused|chroot|$out
refused|chroot-plain|$out
refused|mount-over|$out $bh/work
refused|setns|/proc/self/ns/uts
refused|move-cgroup|$elsewhere
refused|clone-into-cgroup|$elsewhere
refused|ptrace-parent|
refused|ptrace|$outsider
refused|read-memory|$outsider
refused|kill|$outsider 0
END
}

serve() {
	local log=$bh/serve.${#servers[@]}
	"$bh/bin/serve" "$@" >"$log" 2>&1 &
	servers+=($!)
	wait_for 60 grep -q ready "$log" || tap_result "not ok" "serve $1 listens" "$(cat "$log")"
}

prepare() {
	local name address
	sandbox_prepare
	mkdir -p "$out/empty" "$bh/ram/outside" "$elsewhere"
	for name in precious moved-in exchanged victim; do echo text >"$out/$name"; done
	cp /usr/bin/true "$bh/work/true"
	echo text >"$bh/work/old"
	echo text >"$bh/work/other"
	echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range
	ip address add $metadata/32 dev lo
	for address in ::$metadata 64:ff9b::$metadata 2002:a9fe:a9fe::1; do ip -6 address add "$address/128" dev lo nodad; done
	for address in "tcp :: 7001" "tcp :: 7002" "tcp :: 80" "udp :: 80" "udp :: 7001" "unix-stream $out/stream" \
		"unix-seqpacket $out/seqpacket" "unix-dgram $out/dgram" "unix-abstract outside-stream" \
		"unix-abstract-dgram outside-dgram"; do
		# shellcheck disable=SC2086 # words
		serve $address
	done
	sleep 1000 &
	outsider=$!
	servers+=("$outsider")
}

# judge INSIDE TRICK ARGUMENTS NOTE
judge() {
	local what="$2${3:+ $3}"
	case $1 in
	refused) refused "refused inside: $what" "$what" ;;
	allowed)
		if [ "${got_status[$what]:-}" = 2 ]; then
			skip "allowed inside: $what" "${got_text[$what]}"
		else
			worked "allowed inside: $what" "$what"
		fi
		;;
	open)
		if [ "${got_status[$what]:-}" = 1 ]; then
			refused "refused inside: $what" "$what"
		else
			skip "refused inside: $what" "not yet judged: $4"
			not_yet+=("$what: $4")
		fi
		;;
	esac
}

# Works there, or this kernel has no such thing.
outside() {
	local status=0 what="$1${2:+ $2}"
	# shellcheck disable=SC2086 # words
	output=$("$try" "$1" $2 2>&1) || status=$?
	if [ $status = 0 ]; then
		tap_result ok "works outside: $what"
	elif [[ $output =~ (EAFNOSUPPORT|EPROTONOSUPPORT|ESOCKTNOSUPPORT|ENOSYS)$ ]]; then
		skip "works outside: $what" "$output"
	else
		tap_result "not ok" "works outside: $what" "$output"
	fi
}

servers=() not_yet=()
prepare
tricks >"$bh/tricks"
untried=$("$try" 2>&1 | sed -n 's/^  \([a-z0-9-]*\).*/\1/p' | sort -u | comm -23 - <(cut -d '|' -f 2 "$bh/tricks" | sort -u))
is "every trick is in the table" "" "$untried"

{
	while IFS='|' read -r _ trick arguments _; do
		echo "attempt '$trick${arguments:+ $arguments}' \$TRY $trick $arguments"
	done <"$bh/tricks"
	echo "await tried"
} >"$bh/script"
session_start attack <"$bh/script"
session_wait tried
# While the sandbox stands. What it was allowed is done by now.
while IFS='|' read -r inside trick arguments _; do
	[ "$inside" = allowed ] || outside "$trick" "$arguments"
done <"$bh/tricks"
session_end
while IFS='|' read -r inside trick arguments note; do
	judge "$inside" "$trick" "$arguments" "$note"
done <"$bh/tricks"
kill "${servers[@]}"
rmdir "$elsewhere"
sandbox_clean "nothing is left of the run"
for note in "${not_yet[@]}"; do echo "# not yet judged: $note"; done
