#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: pristine
# vm: limit 900
# A session uses up all it can: it meets its limits, its run lives and tells, its neighbour works on.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
cp tests/lib/exhaust.py "$bh/exhaust.py"
exhaust() {
	python3 -I -B "$bh/exhaust.py" "$@"
}
mkdir -p "$bh/disk" "$bh/other"
echo text >"$bh/other/file"

# ---- where disk space cannot be limited nothing starts ----
exits "without project quotas a limit on disk space starts nothing" 4 \
	"$BULKHEAD" run --policy tests/lib/policies/exhaust.yaml -- bash -c 'echo STARTED'
matches "it says why" "cannot limit the disk space of $bh/disk: .*no project quotas" "$output"
matches "and what helps" "prjquota" "$output"
fails "the command was not started" grep STARTED <<<"$output"
sandbox_none "nothing was made for it"

modprobe -a loop quota_v2 # nothing loads them by itself here
cp build/tests/vm/programs/quota.img "$bh/image"
mount -o loop,prjquota "$bh/image" "$bh/disk"
mkdir "$bh/disk/before"
echo text >"$bh/disk/before/file"
sed "s#path: $bh/disk#path: $bh/disk/before/none#" tests/lib/policies/exhaust.yaml >"$bh/none.yaml"
exits "nor where the directory is missing" 4 "$BULKHEAD" run --policy "$bh/none.yaml" -- bash -c :
matches "which it says" "cannot limit the disk space of $bh/disk/before/none: No such file" "$output"

# ---- the neighbour ----
cat >"$bh/neighbour.sh" <<END
while [ ! -e $bh/other/stop ]; do
	$try read $bh/other/file
	read -rt 0.2 || :
done
END
"$BULKHEAD" run --policy tests/lib/policies/other.yaml --name neighbour -- bash "$bh/neighbour.sh" \
	<"$bh/never" >"$bh/neighbour.out" 2>"$bh/neighbour.err" &
neighbour=$!
neighbour_said() {
	[ "$(wc -l <"$bh/neighbour.out")" -ge "$1" ]
}
neighbour_works() {
	ok "the neighbour works on $1" wait_for 120 neighbour_said $(($(wc -l <"$bh/neighbour.out") + 2))
}
neighbour_works "beside nobody"
scope=$slice/neighbour.scope
is "what a policy does not limit has the default limits" "2147483648 0 1 512 max" \
	"$(cat "$scope"/{memory.max,memory.swap.max,memory.oom.group,pids.max} | tr '\n' ' ')$(cut -d' ' -f1 "$scope/cpu.max" 2>/dev/null || echo max)"
is "of descriptors too" 4096 "$(awk '/Max open files/ { print $5 }' "/proc/$(head -n 1 "$scope/cgroup.procs")/limits")"

# ---- the session ----
# shellcheck disable=SC2016 # for the session's shell
session_start exhaust <<'END'
use() { python3 -I -B /tmp/bh/exhaust.py "$@"; }
await ready
attempt descriptors use descriptors
attempt before $TRY read /tmp/bh/disk/before/file
attempt leave-ioctl use leave_by_ioctl /tmp/bh/disk/before/file
attempt leave-path use leave_by_path /tmp/bh/disk/before/file
attempt disk use disk
attempt inodes use inodes
await disk-full
attempt processes use processes
attempt processes-again use processes
await forked
attempt denials use denials 5000
await denied
attempt memory use memory
attempt after-memory $TRY read /tmp/bh/disk/before/file
END
session_wait ready 120
scope=$slice/session.scope
first=$(head -n 1 "$scope/cgroup.procs")
is "the policy's limits are the cgroup's" "67108864 0 1 40 150000 100000" \
	"$(cat "$scope"/{memory.max,memory.swap.max,memory.oom.group,pids.max,cpu.max} | tr '\n' ' ' | sed 's/ $//')"
matches "the disk's rate is limited" "^$(cat /sys/block/vda/dev) rbps=max wbps=8388608 " "$(cat "$scope/io.max")"
is "descriptors are limited, for good" "64 64" "$(awk '/Max open files/ { print $4, $5 }' "/proc/$first/limits")"
is "disk space is limited" 4194304 "$(exhaust limit)"
is "memory is taken from the session first" 0 "$(cat "/proc/$first/oom_score_adj")"
is "and from the run nearly last" -900 "$(cat "/proc/$session_pid/oom_score_adj")"
matches "the run is locked into memory" '^[1-9]' "$(awk '/VmLck/ { print $2 }' "/proc/$session_pid/status")"
is "the session is not" 0 "$(awk '/VmLck/ { print $2 }' "/proc/$first/status")"
exits "another sandbox may not limit the same directory meanwhile" 4 \
	"$BULKHEAD" run --policy tests/lib/policies/exhaust.yaml -- bash -c :
matches "which it says" 'another sandbox has a limit there' "$output"
session_tell go
session_wait disk-full 200
neighbour_works "while the session's disk is full"
ok "the file system itself has room" dd if=/dev/zero of="$bh/disk/beyond" bs=1M count=16 status=none
rm -f "$bh/disk/beyond"
session_tell go
session_wait forked 200
neighbour_works "when the session has had all its processes"
kill -STOP $session_pid # nobody reads what is told
session_tell go
session_wait denied 400
kill -CONT $session_pid
neighbour_works "when the session has had its denials"
ok "the run lives" kill -0 $session_pid
session_tell go
session_end

result_is "descriptors end at the limit" descriptors 0 '^(5[0-9]|6[0-3]) EMFILE$'
worked "what lay in the directory before is there" before
refused "a file stays in its project: ioctl" leave-ioctl
matches "a file stays in its project: file_setattr" '^(EPERM|ENOSYS)$' "${got_text[leave-path]}"
matches "disk space ends at the limit" '^[0-9]+ EDQUOT$' "${got_text[disk]}"
blocks=${got_text[disk]% *}
ok "at 4 MiB and not before" test "${blocks:-0}" -gt 900 -a "${blocks:-0}" -le 1024
matches "so does the number of files" '^[0-9]+ EDQUOT$' "${got_text[inodes]}"
files=${got_text[inodes]% *}
ok "at one for each 4 KiB" test "${files:-0}" -le 1040
matches "processes end at the limit" '^3[0-9] EAGAIN$' "${got_text[processes]}"
is "again and again" "${got_text[processes]}" "${got_text[processes-again]}"
is "all 5000 attempts were denied" "5000 refused" "${got_text[denials]}"
is "memory that runs out ends the session" "" "${got_text[memory]:-}${got_text[after-memory]:-}"
is "with 137" 137 "$session_status"
event "its end is an event" class=resource kind=kill verdict=kill reason=L1 severity=critical response.action=kill
event "the limit on processes is one" class=resource kind=threshold verdict=deny reason=L2
is "and only one" 1 "${#found[@]}"
events_with kind=file_open file.path=$bh/outside/secret
event_count=${#found[@]}
event "denials that were not written are counted" kind=drop
lost=$(grep -oP '\tlost=\K[0-9]+' <<<"${found[0]}")
is "written and counted ones are all" 5000 $((event_count + lost))
echo "# $event_count denials written, $lost counted"
matches "the last line says what was met" \
	'^bulkhead: session  killed 137 .* denials  out of memory  process limit met [0-9]+ times$' "$(tail -n 1 "$bh/err")"
is "the limit on disk space ends with the sandbox" 0 "$(exhaust limit)"
neighbour_works "when the session has ended"

# ---- time ----
rm -f "$bh/events"
sed 's/wall: 1h/wall: 2s/' tests/lib/policies/exhaust.yaml >"$bh/short.yaml"
rm -f "$bh/disk/large" "$bh/disk"/empty-*
exits "a session whose time is over ends" 137 "$BULKHEAD" run --policy "$bh/short.yaml" --name short --events "$bh/events" \
	-- bash -c 'setsid sleep 1000 & sleep 1000'
matches "the last line says so" '^bulkhead: short  killed 137  [2-9]\.[0-9] s .*  time over$' "$output"
events_read
event "that is an event" sandbox.id=short class=resource kind=kill reason=L3
is "nothing of it is left" "" "$(pgrep -x sleep)"

touch "$bh/other/stop"
wait $neighbour
is "the neighbour ends as it began" 0 $?
is "nothing was ever refused to it" "won: read $bh/other/file" "$(sort -u "$bh/neighbour.out")"
umount "$bh/disk"
sandbox_clean "nothing is left of the runs"
