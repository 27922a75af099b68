#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 600
# What a violation leads to: by class, by tool, by mode of a class, and in mode grace until its date.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

# policy NAME LINE...: tests/lib/policies/run.yaml with more keys of `spec`
policy() {
	local name=$1
	shift
	cat tests/lib/policies/run.yaml >"$bh/$name.yaml"
	printf '  %s\n' "$@" >>"$bh/$name.yaml"
}

# starts NAME: a session under it, with the script on standard input
starts() {
	session_start run --policy "$bh/$1.yaml"
}

sandbox_prepare
echo never >"$bh/outside/never"

# ---- a class of its own ----
policy deny "respond: {floor: deny, exec: deny, files: deny, privileges: deny}"
starts deny <<'END'
attempt floor $TRY read /proc/kcore
attempt exec $TRY exec /usr/bin/id
attempt files $TRY read /tmp/bh/outside/secret
attempt privileges $TRY userns
attempt after $TRY read /tmp/bh/work/file
END
session_end
is "a session under respond: deny ends by itself" 0 "$session_status"
for label in floor exec files privileges; do refused "$label: deny refuses, and that is all" $label; done
worked "the session goes on" after
no_event "nothing was killed" verdict=kill
sandbox_clean "nothing is left of it"

policy kill "respond: {exec: kill}"
starts kill <<'END'
attempt files $TRY read /tmp/bh/outside/secret
await tried
$TRY exec /usr/bin/id
sleep 1000
END
session_wait tried 150
session_tell go
session_end
is "under exec: kill the sandbox ends" 137 "$session_status"
refused "files are refused meanwhile" files
event "the violation is an event" kind=exec verdict=kill reason=X1 file.path=/usr/bin/id
event "the end, too" kind=kill reason=X1

# ---- one tool's own answer ----
policy tool "respond: {files: deny}"
sed -i 's/^    python:$/&\n      respond: {files: kill}/' "$bh/tool.yaml"
starts tool <<'END'
attempt shell $TRY read /tmp/bh/outside/secret
await tried
python3 -c 'open("/tmp/bh/outside/secret")'
sleep 1000
END
session_wait tried 150
session_tell go
session_end
is "what one tool's policy answers with kill ends the sandbox" 137 "$session_status"
refused "what another's answers with deny is refused" shell
event "the shell's violation" tool=shell verdict=deny kind=file_open reason=F2 file.path=$bh/outside/secret
event "python's violation" tool=python verdict=kill kind=file_open reason=F2 file.path=$bh/outside/secret

# ---- what is known too late to be refused ----
policy task
starts task <<'END'
export LD_PRELOAD=/tmp/bh/work/file
attempt task python3 -c 'print("started")'
unset LD_PRELOAD
attempt after $TRY read /tmp/bh/work/file
END
session_end
result_is "a wrong environment ends the process" task 137 '^$'
worked "and nothing else" after
event "that is an event" kind=exec_args reason=X5 verdict=deny
policy args "respond: {args: kill}"
starts args <<'END'
await tried
LD_PRELOAD=/tmp/bh/work/file python3 -c 'print("started")'
sleep 1000
END
session_wait tried 150
session_tell go
session_end
is "under args: kill it ends the sandbox" 137 "$session_status"
event "and that is an event" kind=exec_args reason=X5 verdict=kill

# ---- frozen ----
policy freeze "respond: {files: freeze}"
starts freeze <<'END'
for i in 1 2 3; do setsid sleep 1000 & done
await tried
$TRY read /tmp/bh/outside/secret
$TRY write /tmp/bh/work/survived
sleep 1000
END
session_wait tried 150
all_sleep() {
	[ "$(pgrep -cx sleep)" = 3 ]
}
wait_for 60 all_sleep # what starts while the sandbox is being stopped is refused
session_tell go
said() {
	grep -q 'stands frozen' "$bh/err"
}
ok "under files: freeze the run says that the sandbox is frozen" wait_for 150 said
matches "and how to end it" "sandbox 'session' stands frozen in $slice/session.scope; SIGINT or SIGTERM to process $session_pid ends it" "$(cat "$bh/err")"
is "the kernel says so, too" "frozen 1" "$(grep frozen "$slice/session.scope/cgroup.events")"
events_read
event "the violation is an event" kind=file_open verdict=freeze reason=F2 file.path=$bh/outside/secret
event "the freezing is one" kind=freeze verdict=freeze reason=F2 response.action=freeze severity=critical
events_with kind=freeze
tasks=$(grep -o 'response.tasks=[0-9]*' <<<"${found[0]}")
ok "it counts the processes that stand" test "${tasks#*=}" -ge 4
echo "# from the violation to a frozen sandbox: $(grep -o 'response.latency_us=[0-9]*' <<<"${found[0]}"), $tasks"
is "they are all still there" "${tasks#*=}" "$(wc -l <"$slice/session.scope/cgroup.procs")"
ok "the run waits" kill -0 "$session_pid"
ok "nothing was opened any more" test ! -e "$bh/work/survived"
kill -TERM "$session_pid"
session_end
is "a signal to the run ends it with 137" 137 "$session_status"
event "the end is an event" kind=kill response.action=kill response.tasks="${tasks#*=}"
matches "the last line says so" '^bulkhead: session  killed 137 ' "$(tail -n 1 "$bh/err")"
sandbox_clean "nothing is left of a frozen run"

# ---- the mode of one class ----
policy modes "modes: {files: observe}" "respond: {exec: deny}"
starts modes <<'END'
attempt files $TRY read /tmp/bh/outside/secret
attempt exec $TRY exec /usr/bin/id
attempt floor-is-floor true
END
session_end
is "a session whose files are only watched ends by itself" 0 "$session_status"
worked "the file is not refused" files
refused "the program is" exec
event "the file would have been" kind=file_open reason=F2 verdict=allow would=deny mode=observe file.path=$bh/outside/secret
event "the program's event has the other mode" kind=exec reason=X1 verdict=deny mode=enforce
session_start run --policy "$bh/modes.yaml" --mode enforce <<'END'
attempt files $TRY read /tmp/bh/outside/secret
END
session_end
refused "--mode enforce holds for each class" files

# ---- until a date ----
until=$(($(date +%s) + 13 * 24 * 3600))
policy grace "mode: grace" "grace: {until: \"$(date -u -d "@$until" +%Y-%m-%dT%H:%M:%SZ)\"}" \
	"never: {read: [/tmp/bh/outside/never]}" "respond: {files: deny, exec: deny}"
starts grace <<'END'
attempt files $TRY read /tmp/bh/outside/secret
attempt never $TRY read /tmp/bh/outside/never
attempt exec $TRY exec /usr/bin/id
END
session_end
matches "the run says its mode" 'policy run [0-9a-f]{8}  grace$' "$(cat "$bh/err")"
worked "in mode grace a file that no rule lists is not refused" files
worked "nor a program" exec
refused "what the policy forbids is" never
event "the file would be" kind=file_open reason=F2 verdict=allow would=deny mode=grace
event "the program would be" kind=exec reason=X1 verdict=allow would=deny mode=grace
event "what is forbidden was refused" kind=file_open reason=F1 verdict=deny mode=grace
sed -i 's/until: "[^"]*"/until: "2026-01-01T00:00:00Z"/' "$bh/grace.yaml"
starts grace <<'END'
attempt files $TRY read /tmp/bh/outside/secret
END
session_end
refused "after the date it is refused" files
matches "and the run says that" 'grace ended 2026-01-01T00:00:00Z: the policy is enforced' "$(cat "$bh/err")"
event "under mode enforce" kind=file_open reason=F2 verdict=deny mode=enforce
sed -i "s/until: \"[^\"]*\"/until: \"$(date -u -d '+15 days' +%Y-%m-%dT%H:%M:%SZ)\"/" "$bh/grace.yaml"
exits "a date too far away is an error of the policy" 3 "$BULKHEAD" run --policy "$bh/grace.yaml" -- bash -c :
matches "and said" 'is more than 14 days away' "$output"
until=$(($(date +%s) + 20))
sed -i "s/until: \"[^\"]*\"/until: \"$(date -u -d "@$until" +%Y-%m-%dT%H:%M:%SZ)\"/" "$bh/grace.yaml"
starts grace <<'END'
while $TRY read /tmp/bh/outside/secret; do read -rt 0.2; done
printf 'LATE %(%s)T\n' -1
attempt files $TRY read /tmp/bh/outside/secret
END
session_end
late=$(sed -n 's/^LATE //p' "$bh/out")
ok "when the date comes, files are refused, and not before ($until, $late)" test "$late" -ge "$until"
refused "from then on" files
event "in mode enforce" kind=file_open reason=F2 verdict=deny
event "the change is an event" kind=bind_policy mode=enforce 'message=grace has ended: the policy is enforced'
sandbox_clean "nothing is left of the runs"
