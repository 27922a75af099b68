#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# What ends a sandbox ends all of it; what ends the run alone leaves the sandbox enforced.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare

# ---- a violation of the floor ends the sandbox ----
session_start run <<'END'
for i in {1..25}; do
	setsid sleep 1000 &
	(setsid sleep 1000 &)
done
await started
$TRY connect 169.254.169.254 80
$TRY write /tmp/bh/work/survived
sleep 1000
END
session_wait started
sleeping() {
	pgrep -cx sleep
}
all_sleep() {
	[ "$(sleeping)" = 50 ]
}
wait_for 60 all_sleep
is "fifty processes run in the sandbox, all behind two forks or in sessions of their own" 50 "$(sleeping)"
session_tell go
session_end
is "asking for the cloud's metadata ends the run with 137" 137 "$session_status"
is "no process is left" 0 "$(sleeping)"
ok "nothing was opened any more" test ! -e "$bh/work/survived"
event "the violation is an event" kind=connect verdict=kill reason=N0 network.address=169.254.169.254 network.port=80 \
	severity=critical
event "the end is an event" kind=kill verdict=kill reason=N0 response.action=kill
matches "the last line says so" '^bulkhead: session  killed 137 ' "$(cat "$bh/err")"
events_with kind=kill
latency=$(grep -o 'response.latency_us=[0-9]*' <<<"${found[0]}")
tasks=$(grep -o 'response.tasks=[0-9]*' <<<"${found[0]}")
matches "the end says how long it took" '^[0-9]+$' "${latency#*=}"
matches "the end counts the processes" '^5[0-9]$' "${tasks#*=}"
echo "# from the violation to an empty sandbox: ${latency#*=} us, ${tasks#*=} processes"
sandbox_clean "nothing is left of a killed run"

# ---- the run is killed, the sandbox is not free ----
# The probe writes through a descriptor that it was given: what it says outlives the run.
session_start run <<'END'
echo "PID $$"
while [ ! -e /tmp/bh/work/stop ]; do
	$TRY read /tmp/bh/outside/secret
	$TRY read /tmp/bh/work/file
	sleep 0.2
done
END
session_wait 'won: read /tmp/bh/work/file'
probe=$(sed -n 's/^PID //p' "$bh/out")
lines() {
	[ "$(wc -l <"$bh/out")" -ge "$1" ]
}
grow() {
	wait_for 30 lines $(($(wc -l <"$bh/out") + $1))
}
kill -KILL $session_pid
wait $session_pid 2>/dev/null
ok "the probe goes on without its run" grow 10
is "the probe lives on in its sandbox" "0::/bulkhead.slice/session.scope" "$(grep ^0: "/proc/$probe/cgroup")"
ok "another run starts meanwhile" "$BULKHEAD" run --policy tests/lib/policies/run.yaml --name another -- bash -c :
matches "it reports the sandbox that lost its run" "sandbox 'session' lost its run and lives on \([0-9]+ processes\), enforced" "$output"
ok "the probe goes on after that" grow 10
ok "a run of the same name takes over" "$BULKHEAD" run --policy tests/lib/policies/run.yaml --name session -- bash -c :
matches "it says what it ended" "ended sandbox 'session' \([0-9]+ processes\), left by a run that died" "$output"
fails "the probe is gone" kill -0 "$probe"
exec {session_hold}>&-
is "never once was the forbidden file opened" "" "$(grep 'won: read /tmp/bh/outside' "$bh/out")"
echo "# probes: $(grep -c 'refused' "$bh/out") refused, $(grep -c won "$bh/out") allowed"
is "never once was the allowed file refused" "" "$(grep 'refused: .*/work/file' "$bh/out")"
is "the events say nothing else" "" "$(grep '"verdict":"allow"' "$bh/events" | grep outside)"
sandbox_clean "nothing is left of a run that died"

# ---- empty sandboxes of runs that died are removed unasked ----
session_start run <<'END'
await started
END
session_wait started
kill -KILL $session_pid
wait $session_pid 2>/dev/null
exec {session_hold}>&-
empty() {
	grep -q 'populated 0' "$slice/session.scope/cgroup.events"
}
wait_for 60 empty
ok "another run starts" "$BULKHEAD" run --policy tests/lib/policies/run.yaml --name another -- bash -c :
sandbox_clean "it removes the empty sandbox of the run that died"
