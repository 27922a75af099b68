#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# The detectors over records that the kernel sent: what is refused, or would be, is told as what it is.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
session_start run --mode observe <<'END'
attempt honey $TRY read /tmp/bh/outside/secret
attempt shadow bash -c 'read -r line </etc/shadow'
attempt startup bash -c ': >>/etc/profile.d/bulkhead-test.sh'
attempt userns $TRY userns
for port in {1..17}; do
	(: <>/dev/tcp/127.0.0.1/$port)
done 2>/dev/null
await tried
$TRY read /proc/kcore
sleep 1000
END
session_wait tried
session_tell go
session_end
is "the floor ends it" 137 "$session_status"

exits "the record is read" 0 "$BULKHEAD" replay --json --honey "$bh/outside/secret" "$bh/events"
grep -v '^bulkhead: ' <<<"$output" >"$bh/alerts"
tests/lib/events "$bh/alerts" >"$bh/flat"
mapfile -t events <"$bh/flat"
event "a honey file" kind=detection signal.name=honey_credential file.path=$bh/outside/secret tool=shell
event "a file of passwords" kind=detection signal.name=credential_touch file.path=/etc/shadow
event "what every shell runs" kind=detection signal.name=shell_startup file.path=/etc/profile.d/bulkhead-test.sh
event "a namespace" kind=detection signal.name=namespace_change severity=high
event "a shell that speaks to the network" kind=detection signal.name=reverse_shell process.exe=/usr/bin/bash
events_with signal.name=reverse_shell
is "once, however many ports it tries" 1 ${#found[@]}
event "a scan" kind=detection signal.name=port_scan signal.value=16 signal.limit=15
event "the kernel's memory" kind=detection signal.name=kernel_interface file.path=/proc/kcore
is "and the same again" "$(cat "$bh/alerts")" \
	"$("$BULKHEAD" replay --json --honey "$bh/outside/secret" "$bh/events" 2>/dev/null)"
sandbox_clean "nothing is left of the run"
