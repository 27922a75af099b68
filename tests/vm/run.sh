#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 240
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
exits "the command's exit status is the run's" 7 run -- bash -c 'exit 7'
matches "the last line sums it up" '^bulkhead: run-[0-9a-f]{8}  exit 7  [0-9.]+ s.*  0 denials$' "$output"
# shellcheck disable=SC2016
exits "a command that dies of a signal ends the run with 128 and its number" 138 run -- bash -c 'kill -USR1 $$'

wait_run() {
	# a shell's background commands ignore SIGINT
	env --default-signal=INT "$BULKHEAD" run --quiet --policy $policy --name "$1" -- bash -c "$2" >"$bh/out" 2>"$bh/err" &
	run_pid=$!
	wait_for 60 grep -q ready "$bh/out"
}
ended() {
	run_status=0
	wait "$run_pid" || run_status=$?
}
for signal in TERM INT; do
	wait_run "gets-$signal" "trap 'echo got; exit 5' $signal; echo ready; while :; do sleep 0.1; done"
	kill -$signal $run_pid
	ended
	is "SIG$signal is passed on, and the command may answer it" "got 5" "$(grep got "$bh/out") $run_status"
done
wait_run gets-HUP "trap '' HUP; echo ready; setsid sleep 1000 & sleep 1000"
kill -HUP $run_pid
ended
is "SIGHUP ends the sandbox with all that is in it" "137 " "$run_status $(pgrep -x sleep)"
wait_run gets-two "trap '' TERM; echo ready; while :; do sleep 1; done"
kill -TERM $run_pid
wait_for 1 false
kill -TERM $run_pid
ended
is "a second signal ends a command that does not listen" 137 "$run_status"
wait_run orphans 'for i in {1..10}; do setsid sleep 1000 & done; echo ready'
ended
is "processes that the command leaves behind end with it" "0 " "$run_status $(pgrep -x sleep)"

# ---- names, and two at once ----
echo text >"$bh/work/file"
mkdir -p "$bh/other"
echo text >"$bh/other/file"
loop='echo ready; while [ ! -e '$bh'/work/stop ] && [ ! -e '$bh'/other/stop ]; do '
loop+=$try' read '$bh'/work/file; '$try' read '$bh'/other/file; sleep 0.2; done'
wait_run first "$loop"
first=$run_pid
"$BULKHEAD" run --quiet --policy tests/lib/policies/other.yaml --name second -- bash -c "$loop" >"$bh/out2" 2>"$bh/err2" &
second=$!
fails "a name that is in use is refused" run --name first -- bash -c 'echo STARTED'
matches "the refusal says so" "a sandbox named 'first' is running" "$output"
wait_for 60 grep -q ready "$bh/out2"
is "two runs have a sandbox each" "first.scope second.scope " "$(find "$slice" -name '*.scope' -printf '%f\n' | sort | tr '\n' ' ')"
marks=$(wc -l <"$bh/out2")
more_lines() {
	[ "$(wc -l <"$1")" -gt "$2" ]
}
wait_for 30 more_lines "$bh/out2" $((marks + 4))
touch "$bh/work/stop"
run_pid=$first
ended
is "the first ends by itself" 0 "$run_status"
marks=$(wc -l <"$bh/out2")
wait_for 30 more_lines "$bh/out2" $((marks + 8))
touch "$bh/other/stop"
run_pid=$second
ended
is "the second ends by itself" 0 "$run_status"
is "the first read its own file, and never the second's" "won: read $bh/work/file refused: open $bh/other/file: EPERM " \
	"$(grep -v ready "$bh/out" | sort -u | sort -r | tr '\n' ' ')"
is "the second read its own file, and never the first's" "won: read $bh/other/file refused: open $bh/work/file: EPERM " \
	"$(grep -v ready "$bh/out2" | sort -u | sort -r | tr '\n' ' ')"
sandbox_clean "nothing is left of all these runs"
