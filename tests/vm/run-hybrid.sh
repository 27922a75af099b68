#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: hybrid
# vm: only 6.1 6.12 new
# A host with cgroup version 2 beside version 1 enforces just as well.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
unified=/sys/fs/cgroup/unified
listed() {
	grep -qw "$1" "$unified/cgroup.controllers"
}
# Newer kernels may come without version 1 of these.
if ! listed memory; then
	exits "a limit whose controller version 1 has starts nothing" 4 \
		"$BULKHEAD" run --policy tests/lib/policies/run.yaml -- bash -c 'echo STARTED'
	matches "the controller is named" "need the cgroup controller 'memory', which version 2 does not have here" "$output"
	matches "and the way out" 'version 1 has it: boot with systemd.unified_cgroup_hierarchy=1' "$output"
	fails "the command was not started" grep STARTED <<<"$output"
	sandbox_none "nothing was made for it"
fi
for controller in memory pids; do
	! mountpoint -q /sys/fs/cgroup/$controller || umount /sys/fs/cgroup/$controller
	ok "version 2 has $controller once version 1 has let go" wait_for 60 listed $controller
done
matches "version 1 is there all the same" '^[0-9]+:[a-z_,]+:/' "$(cat /proc/self/cgroup)"

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
