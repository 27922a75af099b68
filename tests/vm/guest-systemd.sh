#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: systemd
. tests/vm/lib/guest.sh

is "systemd is process 1" systemd "$(cat /proc/1/comm)"
is "cgroup version 2 is mounted alone" cgroup2fs "$(stat -fc %T /sys/fs/cgroup)"
ok "a scope can be started" systemd-run --quiet --scope --unit=probe -p DefaultDependencies=no true
matches "bpf is an active security module" '(^|,)bpf(,|$)' "$(cat /sys/kernel/security/lsm)"
