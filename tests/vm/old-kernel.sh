#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 5.10
# A kernel that is too old: what needs no enforcement works, the rest says truly what is missing.
. tests/vm/lib/guest.sh

policy=tests/lib/policies/run.yaml
ok "compile works" "$BULKHEAD" compile $policy
ok "explain works" "$BULKHEAD" explain $policy --tool shell --run /usr/bin/sleep
exits "explain knows a denial" 1 "$BULKHEAD" explain $policy --tool shell --run /usr/bin/id
exits "probe says that this host cannot enforce" 4 "$BULKHEAD" probe
probe=$output
echo "# $(tail -n 2 <<<"$probe" | head -n 1)"
matches "probe finds BPF among the security modules" '^BPF LSM active +yes' "$probe"
matches "probe names a hook that does not load" '^lsm/(file_open|task_alloc|bprm_check_security) .* NO: ' "$probe"
matches "probe names the hook that this kernel does not have" '^lsm/userns_create .* NO: ' "$probe"
matches "probe names the release that is needed" 'Linux 6.1 or later is needed' "$probe"
exits "probe says so in JSON" 4 "$BULKHEAD" probe --json
ok "as one object" python3 -c 'import json, sys; assert json.loads(sys.argv[1])["can_enforce"] is False' "$output"
exits "nothing starts" 4 "$BULKHEAD" run --policy $policy -- bash -c 'echo STARTED'
matches "the message says why" '6\.1|kernel' "$output"
fails "nothing was started" grep STARTED <<<"$output"
# a slice that stood there before has the kernel's own files in it
is "nothing is left behind" "" "$(find /sys/fs/cgroup/bulkhead.slice /sys/fs/bpf/bulkhead -mindepth 1 -type d 2>/dev/null)"
