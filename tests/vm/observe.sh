#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Observe mode: nothing is denied but the floor, and the events say what would have been.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
"$bh/bin/serve" tcp 127.0.0.1 7002 >"$bh/serve" &
server=$!
wait_for 60 grep -q ready "$bh/serve"
session_start run --mode observe <<'END'
attempt read $TRY read /tmp/bh/outside/secret
attempt write $TRY write /tmp/bh/outside/new
attempt exec $TRY exec /usr/bin/id
attempt connect $TRY connect 127.0.0.1 7002
attempt socket $TRY raw-socket
attempt userns $TRY userns
attempt child bash -c 'read -r line </tmp/bh/outside/secret'
await tried
$TRY read /proc/kcore
$TRY write /tmp/bh/work/survived
sleep 1000
END
session_wait tried
session_tell go
session_end
kill $server

for label in read write exec connect userns child; do worked "$label is not denied" $label; done
observed=(verdict=allow would=deny mode=observe tool=shell)
event "read would be denied" kind=file_open reason=F2 file.path=$bh/outside/secret "${observed[@]}"
event "write would be denied" kind=file_write reason=F2 file.path=$bh/outside/new "${observed[@]}"
event "exec would be denied" kind=exec reason=X1 file.path=/usr/bin/id "${observed[@]}"
event "connect would be denied" kind=connect reason=N2 network.port=7002 "${observed[@]}"
event "a raw socket would be denied" kind=socket reason=N6 "${observed[@]}"
event "a user namespace would end the sandbox" kind=namespace reason=C2 verdict=allow would=kill
is "the floor holds all the same" 137 "$session_status"
event "the floor's event" kind=file_open reason=F0 verdict=kill file.path=/proc/kcore mode=observe
event "the end's event" kind=kill reason=F0
ok "nothing was opened any more" test ! -e "$bh/work/survived"
no_event "nothing but the floor was denied" verdict=deny
sandbox_clean "nothing is left of the run"
