#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: hybrid
# vm: only 6.1 6.12 new
# A host with cgroup version 2 beside version 1 enforces just as well.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
session_start run <<'END'
attempt allowed $TRY read /tmp/bh/work/file
attempt denied $TRY read /tmp/bh/outside/secret
attempt child $TRY fork-exec /usr/bin/id
await tried
$TRY connect 169.254.169.254 80
sleep 1000
END
session_wait tried
matches "the sandbox lies where version 2 is mounted" '^0::/bulkhead.slice/session.scope$' \
	"$(cat /proc/"$(head -n 1 "$slice/session.scope/cgroup.procs")"/cgroup)"
session_tell go
session_end
worked "an allowed file is read" allowed
refused "another is not" denied
refused "another program is not started" child
is "a violation of the floor ends the sandbox" 137 "$session_status"
event "that is an event" kind=kill reason=N0
sandbox_clean "nothing is left of the run"
