#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# What a file rule covers: reading, writing, creating, /proc, guards and floor.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

floor_reads=(/dev/mem /proc/kcore /run/bulkhead/lock /sys/kernel/security/lsm /sys/fs/bpf)
floor_writes=(/proc/sysrq-trigger /proc/sys/kernel/hostname "$slice/session.scope/cgroup.procs" /sys/fs/cgroup/cgroup.procs)

sandbox_prepare
mkdir -p "$bh"/{ram/readonly,readonly,writeonly,keys/sub} /home/agent/.ssh /home/agent/work
for file in readonly/file readonly/precious writeonly/file keys/a.pem keys/a.key keys/sub/a.pem; do echo text >"$bh/$file"; done
echo notes >/home/agent/work/notes
echo key >/home/agent/.ssh/id_rsa

{
	for file in "${floor_reads[@]}"; do echo "attempt floor-r$file \$TRY read $file"; done
	for file in "${floor_writes[@]}"; do echo "attempt floor-w$file \$TRY append $file"; done
	cat <<'END'
attempt lower $TRY read /etc/hosts
attempt copy-up $TRY append /src/tests/vm/lib/kernels
attempt status $TRY read /proc/self/status
attempt own-status python3 -c 'import os; open(f"/proc/{os.getpid()}/status")'
attempt thread-status $TRY read /proc/thread-self/status
attempt init-status $TRY read /proc/1/status
attempt parent-status $TRY read /proc/$$/status
attempt environ $TRY read /proc/self/environ
attempt mem $TRY append /proc/self/mem
attempt tmpfile $TRY tmpfile-link /tmp/bh/ram /tmp/bh/ram/named
attempt tmpfile-elsewhere $TRY tmpfile-link /tmp/bh/ram/readonly /tmp/bh/ram/named2
exec {gone}<>/tmp/bh/work/gone
attempt unlink $TRY unlink /tmp/bh/work/gone
attempt reopen $TRY read /proc/self/fd/$gone
attempt long $TRY long-path /tmp/bh/work
attempt guard-read $TRY read /home/agent/.ssh/id_rsa
attempt guard-write $TRY write /home/agent/.ssh/authorized_keys
attempt beside-guard $TRY read /home/agent/work/notes
attempt read-only $TRY read /tmp/bh/readonly/file
attempt append $TRY append /tmp/bh/readonly/file
attempt write-procfd $TRY write-via-procfd /tmp/bh/readonly/file
attempt create $TRY write /tmp/bh/readonly/new
attempt write-only $TRY append /tmp/bh/writeonly/file
attempt write-only-read $TRY read /tmp/bh/writeonly/file
attempt write-only-create $TRY write /tmp/bh/writeonly/new
attempt both python3 -c 'import os; os.open("/tmp/bh/work/file", os.O_RDWR)'
attempt both-read-only python3 -c 'import os; os.open("/tmp/bh/readonly/file", os.O_RDWR)'
attempt both-write-only python3 -c 'import os; os.open("/tmp/bh/writeonly/file", os.O_RDWR)'
attempt truncate python3 -c 'import os; os.open("/tmp/bh/readonly/precious", os.O_RDONLY | os.O_TRUNC)'
attempt create-to-read python3 -c 'import os; os.open("/tmp/bh/readonly/new2", os.O_RDONLY | os.O_CREAT)'
attempt create-existing python3 -c 'import os; os.open("/tmp/bh/readonly/file", os.O_RDONLY | os.O_CREAT)'
attempt no-mode python3 -c 'import os; os.open("/tmp/bh/readonly/file", 3)'
attempt uring $TRY read-uring /tmp/bh/outside/secret
attempt openat2 $TRY read-openat2 /tmp/bh/outside/secret
attempt procroot $TRY read-procroot /tmp/bh/outside/secret
attempt procfd $TRY read-via-procfd /tmp/bh/outside/secret
attempt mmap $TRY read-mmap /tmp/bh/outside/secret
attempt pem $TRY read /tmp/bh/keys/a.pem
attempt not-pem $TRY read /tmp/bh/keys/a.key
attempt pem-below $TRY read /tmp/bh/keys/sub/a.pem
attempt list ls /tmp/bh/work
attempt list-other ls /tmp/bh/outside
attempt list-keys ls /tmp/bh/keys
attempt list-root ls /
END
} >"$bh/script"
cp tests/vm/lib/kernels "$bh/kernels"
session_start files <"$bh/script"
session_end

is "the session ends by itself" 0 "$session_status"
worked "a file of a lower layer of the overlay is read" lower
worked "a file of a lower layer of the overlay is written" copy-up
ok "the lower file is there with what was written" cmp <(cat "$bh/kernels"; printf x) tests/vm/lib/kernels
worked "/proc/self/status is readable" status
worked "/proc/PID/status of the process itself is readable" own-status
refused "/proc/1/status is not readable" init-status
refused "/proc/PID/status of its own parent is not readable" parent-status
refused "/proc/self/environ is not readable" environ
refused "/proc/self/mem is not writable" mem
event "a write to /proc/self/mem is an event" kind=file_write reason=F2 process.comm=try file.access=write
worked "a file without a name is made in a writable directory" tmpfile
refused "a file without a name is not made in a directory that is only readable" tmpfile-elsewhere
worked "a file of the sandbox's own is removed" unlink
refused "a deleted file is not opened again" reopen
event "a deleted file has no name that a rule can hold" kind=file_open reason=P0 "file.path=$bh/work/gone (deleted)"
refused "a file behind an endless path is not opened" long
event "an endless path is an event without a path" reason=P0 kind=file_write file.access=write
refused "a guard beats an allow rule for reading" guard-read
event "the guard is the reason" kind=file_open reason=F1 file.path=/home/agent/.ssh/id_rsa
refused "a guard beats an allow rule for writing" guard-write
worked "a file beside the guarded ones is read" beside-guard
ok "nothing was planted behind the guard" test ! -s /home/agent/.ssh/authorized_keys
for file in "${floor_reads[@]}"; do
	refused "$file is never read" "floor-r$file"
	event "$file is floor" kind=file_open reason=F0 "file.path=$file"
done
for file in "${floor_writes[@]}"; do
	refused "$file is never written" "floor-w$file"
	event "writing $file is floor" kind=file_write reason=F0 "file.path=$file"
done
worked "a readable file is read" read-only
refused "a readable file is not appended to" append
refused "a readable file is not written through its descriptor" write-procfd
refused "no file is made in a directory that is only readable" create
is "a refused file is not left behind empty" "" "$(cd "$bh/readonly" && find . -name "new*")"
worked "a writable file is written" write-only
worked "a file is made in a writable directory" write-only-create
refused "a writable file is not read" write-only-read
worked "a file is opened for both where both are allowed" both
result_is "a readable file is not opened for both" both-read-only 1 PermissionError
result_is "a writable file is not opened for both" both-write-only 1 PermissionError
result_is "a readable file is not cut by an open for reading" truncate 1 PermissionError
is "it was not cut" text "$(cat "$bh/readonly/precious")"
result_is "no file is made by an open for reading" create-to-read 1 PermissionError
worked "an open that would create what exists is reading" create-existing
result_is "an open without a mode counts as both" no-mode 1 PermissionError
for label in openat2 procroot procfd mmap; do refused "another file is not read by $label" $label; done
if [[ ${got_text[uring]} =~ error ]]; then
	skip "another file is not read by uring" "${got_text[uring]}"
else
	refused "another file is not read by uring" uring
fi
worked "a file that fits a pattern is read" pem
refused "a file that does not fit it is not" not-pem
refused "a file further down is not" pem-below
worked "a listed directory is listed" list
result_is "another directory is not listed" list-other 2 'not permitted'
result_is "a directory of which single files are readable is not listed" list-keys 2 'not permitted'
result_is "the root is not listed" list-root 2 'not permitted'
event "listing is reading the directory" kind=file_open reason=F2 file.path=$bh/outside file.access=read process.comm=ls
sandbox_clean "nothing is left of the run"
