#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 new
# vm: limit 600
# shellcheck disable=SC2016,SC2154 # for the inner shell; set by tap.bash
# A run under a compiled policy is a run under its source; a broken one starts nothing.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
folder=$bh/compiled
ok "the policy is compiled" "$BULKHEAD" compile -o $folder tests/lib/policies/run.yaml
run() {
	"$BULKHEAD" run --quiet --policy $folder/run.bhp "$@"
}

exits "the command's exit status is the run's" 7 run -- bash -c 'exit 7'
exits "what the policy lists may be read" 0 run -- bash -c 'read -r line <"$0" && [ "$line" = text ]' $bh/work/file
exits "what it does not list may not" 5 run -- bash -c 'read -r line <"$0" || exit 5' $bh/outside/secret
exits "a program that it names by a symbolic link starts" 3 run -- bash -c '/usr/bin/python3 -c "raise SystemExit(3)"; exit $?'
exits "another program does not start" 126 run -- bash -c '/usr/bin/cat "$0"' $bh/work/file

cp $folder/run.bhp $folder/broken.bhp
printf '\377' | dd of=$folder/broken.bhp bs=1 seek=4000 conv=notrunc status=none
exits "a broken one starts nothing" 3 "$BULKHEAD" run --policy $folder/broken.bhp -- bash -c 'echo STARTED'
matches "and says why" 'it is damaged' "$output"
fails "the command was not started" grep STARTED <<<"$output"
chmod 666 $folder/run.bhp
exits "one that others may write starts nothing" 3 run -- bash -c 'echo STARTED'
matches "and says why" 'may write it' "$output"
sandbox_none "nothing is left"
