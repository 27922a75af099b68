#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each kernel ends a cgroup full of processes; 5.10 without cgroup.kill.
. tests/vm/lib/guest.sh

[[ $kernel != 5.10.* ]] || fails "this kernel has no cgroup.kill" test -e /sys/fs/cgroup/system.slice/cgroup.kill
exec build/tests/bpf/kill
