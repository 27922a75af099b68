#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: hybrid
# vm: lsm default
. tests/vm/lib/guest.sh

is "cgroup version 2 is mounted beside version 1" cgroup2fs "$(stat -fc %T /sys/fs/cgroup/unified)"
matches "version 1 hierarchies are mounted" '^[0-9]+:[a-z_]*pids:/' "$(cat /proc/self/cgroup)"
if kernel_at_least 6.1; then
	matches "Debian's own list of security modules has bpf" '(^|,)bpf(,|$)' "$(cat /sys/kernel/security/lsm)"
else
	fails "Debian's own list of security modules has no bpf" grep -qw bpf /sys/kernel/security/lsm
fi
