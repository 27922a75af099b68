#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: lsm landlock,lockdown,yama
# vm: only 6.1 6.12 new
# A kernel that could but was not told to: nothing starts, and the message says what to change.
. tests/vm/lib/guest.sh

policy=tests/lib/policies/run.yaml
fails "bpf is not among the active security modules" grep -w bpf /sys/kernel/security/lsm
exits "nothing starts" 4 "$BULKHEAD" run --policy $policy -- bash -c 'echo STARTED'
matches "the message names the boot argument" "lsm=$(cat /sys/kernel/security/lsm),bpf" "$output"
fails "nothing was started" grep STARTED <<<"$output"
exits "probe says that this host cannot enforce" 4 "$BULKHEAD" probe
matches "probe names the boot argument" "lsm=$(cat /sys/kernel/security/lsm),bpf" "$output"
exits "probe says so in JSON" 4 "$BULKHEAD" probe --json
matches "as one object" '"can_enforce": ?false' "$output"
ok "compile works here" "$BULKHEAD" compile $policy
ok "explain works here" "$BULKHEAD" explain $policy --tool shell --run /usr/bin/sleep
ok "nothing is left behind" test ! -e /sys/fs/cgroup/bulkhead.slice
