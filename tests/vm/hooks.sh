#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Every hook: what it allows, what it denies, the event of the denial, and that the same works outside meanwhile.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

servers=()
serve() {
	local log=$bh/serve.${#servers[@]}
	"$bh/bin/serve" "$@" >"$log" 2>&1 &
	servers+=($!)
	wait_for 60 grep -q ready "$log" || tap_result "not ok" "serve $1 listens" "$(cat "$log")"
}

sandbox_prepare
mkdir -p "$bh/python"
for port in 7001 7002; do
	serve tcp :: $port
	serve udp :: $port
done
serve unix-stream "$bh/outside/stream"
serve unix-dgram "$bh/outside/dgram"
serve unix-abstract outside-stream
serve unix-abstract-dgram outside-dgram
sleep 1000 &
export OUTSIDE=$!
servers+=("$OUTSIDE")

# label, then the trick: denied inside, works outside.
denied_tricks=(
	"exec-open exec /usr/bin/id"
	"exec-check exec /usr/lib64/ld-linux-x86-64.so.2 --version"
	"child fork-exec /usr/bin/id"
	"thread thread-exec /usr/bin/id"
	"read read $bh/outside/secret"
	"write write $bh/outside/new"
	"connect4 connect 127.0.0.1 7002"
	"connect6 connect ::1 7002"
	"mapped connect-mapped 127.0.0.1 7002"
	"udp4 connect-udp 127.0.0.1 7002"
	"sendto4 sendto-udp 127.0.0.1 7002"
	"sendto6 sendto-udp ::1 7002"
	"sendto-mapped sendto-mapped 127.0.0.1 7002"
	"sendmmsg sendmmsg-udp 127.0.0.1 7002"
	"unspec connect-unspec-family 127.0.0.1 7002"
	"tfo tfo 127.0.0.1 7002"
	"packet packet-socket"
	"raw raw-socket"
	"raw6 raw6-socket"
	"netlink netlink-socket 15"
	"unix-stream unix-stream $bh/outside/stream"
	"unix-dgram unix-dgram $bh/outside/dgram"
	"unix-procfd unix-via-procfd $bh/outside/stream"
	"abstract unix-abstract outside-stream"
	"abstract-dgram unix-abstract-dgram outside-dgram"
	"userns userns"
	"ptrace ptrace $OUTSIDE"
	"memory read-memory $OUTSIDE"
	"kill kill $OUTSIDE 0"
)
allowed_tricks=(
	"exec exec /usr/bin/true"
	"child fork-exec /usr/bin/true"
	"thread thread-exec /usr/bin/true"
	"read read $bh/work/file"
	"write write $bh/work/new"
	"connect4 connect 127.0.0.1 7001"
	"connect6 connect ::1 7001"
	"mapped connect-mapped 127.0.0.1 7001"
	"tfo tfo 127.0.0.1 7001"
	"netlink netlink-socket 0"
)

{
	for trick in "${denied_tricks[@]}"; do echo "attempt no-${trick%% *} \$TRY ${trick#* }"; done
	for trick in "${allowed_tricks[@]}"; do echo "attempt yes-${trick%% *} \$TRY ${trick#* }"; done
	cat <<'END'
exec {stream}< <(exec /tmp/bh/bin/serve unix-stream /tmp/bh/work/stream)
exec {dgram}< <(exec /tmp/bh/bin/serve unix-dgram /tmp/bh/work/dgram)
exec {abstract}< <(exec /tmp/bh/bin/serve unix-abstract inside)
read -r _ <&$stream; read -r _ <&$dgram; read -r _ <&$abstract # which ends at once
attempt yes-unix-stream $TRY unix-stream /tmp/bh/work/stream
attempt yes-unix-procfd $TRY unix-via-procfd /tmp/bh/work/stream
attempt yes-unix-dgram $TRY unix-dgram /tmp/bh/work/dgram
attempt yes-abstract $TRY unix-abstract inside
attempt yes-kill $TRY kill $$ 0
attempt no-own-memory $TRY read-memory $$
attempt no-trace-parent $TRY ptrace-parent
attempt tool-change python3 -c 'open("/tmp/bh/work/file")'
attempt traceme python3 -c '
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(0 if libc.ptrace(0, 0, 0, 0) == 0 else "refused: " + os.strerror(ctypes.get_errno()))'
await tried
END
} >"$bh/script"
session_start hooks <"$bh/script"
session_wait tried

# The sandbox stands and refuses; outside everything goes on.
for trick in "${denied_tricks[@]}"; do
	# shellcheck disable=SC2086 # words
	exits "outside, ${trick%% *} works while the sandbox stands" 0 "$try" ${trick#* }
done
ok "outside, a process may be traced by its child while the sandbox stands" python3 -c '
import ctypes, sys
sys.exit(ctypes.CDLL(None).ptrace(0, 0, 0, 0))'
session_end

is "the session ends by itself" 0 "$session_status"
for trick in "${denied_tricks[@]}"; do refused "inside, ${trick%% *} is refused" "no-${trick%% *}"; done
for trick in "${allowed_tricks[@]}"; do worked "inside, ${trick%% *} works where the policy lists it" "yes-${trick%% *}"; done
for trick in unix-stream unix-procfd unix-dgram; do
	worked "inside, $trick reaches a socket of the sandbox's own" "yes-$trick"
done
result_is "inside, no socket gets a name that the whole host could connect to" yes-abstract 2 ECONNREFUSED
worked "a signal to the sandbox's own process is delivered" yes-kill
refused "a process of the sandbox cannot read another's memory" no-own-memory
refused "a process of the sandbox cannot trace its parent" no-trace-parent
result_is "a process of the sandbox cannot ask to be traced" traceme 1 'not permitted'
result_is "a file of the first tool is refused to the next" tool-change 1 'PermissionError'

by_shell=(tool=shell verdict=deny mode=enforce sandbox.id=session policy.name=hooks)
event "exec-open is an event" kind=exec reason=X1 file.path=/usr/bin/id file.access=exec "${by_shell[@]}"
event "exec-check is an event" kind=exec reason=X1 file.path=/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "${by_shell[@]}"
event "read is an event" kind=file_open reason=F2 file.path=$bh/outside/secret file.access=read "${by_shell[@]}"
event "write is an event" kind=file_write reason=F2 file.path=$bh/outside/new file.access=write "${by_shell[@]}"
event "the event names the process" kind=file_open file.path=$bh/outside/secret process.comm=try process.exe=$bh/bin/try \
	process.ancestors=bash process.uid=0
event "a denial after a tool change names the new tool" kind=file_open reason=F2 file.path=$bh/work/file tool=python \
	process.exe=/usr/bin/python3.11
event "connect4 is an event" kind=connect reason=N2 network.family=inet network.protocol=tcp network.address=127.0.0.1 \
	network.port=7002 "${by_shell[@]}"
event "connect6 is an event" kind=connect reason=N2 network.family=inet6 network.protocol=tcp network.address=::1 \
	network.port=7002 "${by_shell[@]}"
event "mapped is an event" kind=connect reason=N2 network.address=::ffff:127.0.0.1 network.port=7002 "${by_shell[@]}"
event "udp4 is an event" kind=connect reason=N2 network.protocol=udp network.address=127.0.0.1 "${by_shell[@]}"
event "sendto4 is an event" kind=sendmsg reason=N2 network.protocol=udp network.address=127.0.0.1 network.port=7002 "${by_shell[@]}"
event "sendto6 is an event" kind=sendmsg reason=N2 network.protocol=udp network.address=::1 network.port=7002 "${by_shell[@]}"
event "tfo is an event" kind=sendmsg reason=N2 network.protocol=tcp network.port=7002 "${by_shell[@]}"
event "a refused packet socket is an event" kind=socket reason=N6 network.family=17 "${by_shell[@]}"
event "a refused raw socket is an event" kind=socket reason=N6 network.family=inet network.protocol=icmp "${by_shell[@]}"
event "a refused netlink socket is an event" kind=socket reason=N6 network.family=16 network.protocol=15 "${by_shell[@]}"
event "unix-stream is an event" kind=unix_connect reason=U2 network.family=unix process.comm=try "${by_shell[@]}"
event "userns is an event" kind=namespace reason=C2 "${by_shell[@]}"
event "ptrace is an event" kind=ptrace reason=C2 "${by_shell[@]}"
event "kill is an event" kind=signal reason=C2 "${by_shell[@]}"
events_with kind=unix_connect
is "unix denials are as many as the tricks" 5 ${#found[@]}
no_event "nothing was killed" verdict=kill
no_event "allowed programs are no events" file.path=/usr/bin/true
no_event "allowed files are no events" file.path=$bh/work/new
sandbox_clean "nothing is left of the run"
kill "${servers[@]}"
