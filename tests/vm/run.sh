#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 600
# The life of a run: its exit status, signals, names, two at once, and that it leaves nothing.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

policy=tests/lib/policies/run.yaml
run() {
	"$BULKHEAD" run --quiet --policy $policy "$@"
}
nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

sandbox_prepare

# ---- nothing starts ----
exits "a policy with an error starts nothing" 3 "$BULKHEAD" run --policy tests/golden/messages/E100.yaml -- bash -c 'echo STARTED'
matches "it says where the error is" 'E100.yaml:[0-9]+:[0-9]+: error' "$output"
fails "the command was not started" grep STARTED <<<"$output"
exits "a policy that is not there starts nothing" 3 "$BULKHEAD" run --policy /nowhere.yaml -- bash -c 'echo STARTED'
exits "a command that is not there" 127 run -- no-such-command
matches "is named" 'no-such-command: command not found' "$output"
exits "a command that is not the entry tool's" 1 run -- cat /etc/hosts
matches "is named with what would be" "does not start with /usr/bin/cat: its entry tool is 'shell'" "$output"
exits "no command is wrong usage" 2 run
exits "no policy is wrong usage" 2 "$BULKHEAD" run -- bash
exits "an unknown mode is wrong usage" 2 run --mode lenient -- bash
exits "a name with a slash is wrong usage" 2 run --name a/b -- bash
exits "without root nothing starts" 4 nobody "$BULKHEAD" run --policy $policy -- bash -c 'echo STARTED'
matches "it asks for root" 'needs root' "$output"
# shellcheck disable=SC2016 # for the inner shell
exits "without cgroup version 2 nothing starts" 4 unshare -m bash -c \
	'umount -l /sys/fs/cgroup && exec "$0" run --policy "$1" -- bash -c "echo STARTED"' "$BULKHEAD" $policy
matches "it names the boot argument" 'systemd.unified_cgroup_hierarchy=1' "$output"
sandbox_none "nothing was made for them"

# ---- how a run ends ----
exits "the command's exit status is the run's" 7 run -- bash -c 'for i in {1..10}; do setsid sleep 1000 & done; exit 7'
matches "the last line sums it up" '^bulkhead: run-[0-9a-f]{8}  exit 7  [0-9.]+ s.*  0 denials$' "$output"
is "processes that the command leaves behind end with it" "" "$(pgrep -x sleep)"
# shellcheck disable=SC2016 # for the inner shell
exits "a command that dies of a signal ends the run with 128 and its number" 138 run -- bash -c 'kill -USR1 $$'

# begin POLICY NAME SCRIPT OUT: in the background, until the script has said "ready"
begin() {
	: >"$4"
	# a shell's background commands ignore SIGINT
	env --default-signal=INT "$BULKHEAD" run --quiet --policy "tests/lib/policies/$1.yaml" --name "$2" -- bash -c "$3" \
		>"$4" 2>"$bh/err" &
	run_pid=$!
	said ready "$4"
}
# said WORD FILE
said() {
	local lines end=$((SECONDS + 60))
	while [ $SECONDS -lt $end ]; do
		mapfile -t lines <"$2"
		[[ "${lines[*]}" != *"$1"* ]] || return 0
		read -rt 0.1 -u "$never" || :
	done
	return 1
}
ended() {
	run_status=0
	wait "$run_pid" || run_status=$?
}
begin run gets-INT 'trap "echo got; exit 5" INT; echo ready; while :; do sleep 0.5; done' "$bh/out"
kill -INT $run_pid
ended
is "SIGINT is passed on, and the command may answer it" "got 5" "$(grep got "$bh/out") $run_status"
begin run gets-TERM 'trap "echo got" TERM; echo ready; while :; do sleep 0.5; done' "$bh/out"
kill -TERM $run_pid
ok "SIGTERM is passed on, and the command may go on" said got "$bh/out"
kill -TERM $run_pid
ended
is "a second signal ends a command that does not listen" 137 "$run_status"
begin run gets-HUP 'trap "" HUP; setsid sleep 1000 & echo ready; sleep 1000' "$bh/out"
kill -HUP $run_pid
ended
is "SIGHUP ends the sandbox with all that is in it" "137 " "$run_status $(pgrep -x sleep)"

# ---- names, and two at once ----
echo text >"$bh/work/file"
mkdir -p "$bh/other"
echo text >"$bh/other/file"
# reads DIRECTORY: until there is a file `stop`
reads() {
	echo "echo ready; while [ ! -e $bh/$1/stop ]; do $try read $bh/work/file; $try read $bh/other/file; sleep 1; done"
}
begin run first "$(reads work)" "$bh/out"
first=$run_pid
begin other second "$(reads other)" "$bh/out2"
second=$run_pid
fails "a name that is in use is refused" run --name first -- bash -c 'echo STARTED'
matches "the refusal says so" "a sandbox named 'first' is running" "$output"
is "two runs have a sandbox each" "first.scope second.scope " "$(find "$slice" -name '*.scope' -printf '%f\n' | sort | tr '\n' ' ')"
# lines_more FILE COUNT: so many more are written
lines_more() {
	local lines want end=$((SECONDS + 60))
	mapfile -t lines <"$1"
	want=$((${#lines[@]} + $2))
	while [ ${#lines[@]} -lt $want ] && [ $SECONDS -lt $end ]; do
		read -rt 0.1 -u "$never" || :
		mapfile -t lines <"$1"
	done
	[ ${#lines[@]} -ge $want ]
}
ok "both work side by side" lines_more "$bh/out2" 4
touch "$bh/work/stop"
run_pid=$first
ended
is "the first ends by itself" 0 "$run_status"
ok "the second goes on when the first has ended" lines_more "$bh/out2" 6
touch "$bh/other/stop"
run_pid=$second
ended
is "the second ends by itself" 0 "$run_status"
is "the first read its own file, and never the second's" "won: read $bh/work/file refused: open $bh/other/file: EPERM " \
	"$(grep -v ready "$bh/out" | sort -u | sort -r | tr '\n' ' ')"
is "the second read its own file, and never the first's" "won: read $bh/other/file refused: open $bh/work/file: EPERM " \
	"$(grep -v ready "$bh/out2" | sort -u | sort -r | tr '\n' ' ')"
sandbox_clean "nothing is left of all these runs"

# ---- the kernel's programs are checked once, and hooked in while somebody needs them ----
opens=$(bpftool -j prog show pinned "$(echo /sys/fs/bpf/bulkhead/*/hooks/bh_file_open)" | grep -o '"id":[0-9]*')
exits "another run starts" 0 run -- bash -c :
is "it takes the programs that are there" "$opens" \
	"$(bpftool -j prog show pinned "$(echo /sys/fs/bpf/bulkhead/*/hooks/bh_file_open)" | grep -o '"id":[0-9]*')"
unhooked() {
	! ls -d /sys/fs/bpf/bulkhead/*/links
}
ok "when nobody runs for a while, the hooks are off" wait_for 120 unhooked
exits "the next run puts them on again" 0 run -- bash -c :
