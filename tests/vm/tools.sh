#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Who becomes which tool, and that a tool is not left by tricks with names, threads or cgroups.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

loader=/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
elsewhere=${slice%/*}/elsewhere

script() {
	printf '%s\n' "$2" "$3" >"$bh/bin/$1"
	chmod 755 "$bh/bin/$1"
}

sandbox_prepare
mkdir -p "$bh"/{python,script}
echo text >"$bh/python/file"
echo text >"$bh/script/file"
# shellcheck disable=SC2016 # for the scripts
script listed '#!/bin/sh' 'read -r line <$1 && echo "ran: $line"'
script orphan '#!/usr/bin/gawk -f' 'BEGIN { print "ran" }'
script loader "#!$loader" ''
script unlisted '#!/bin/sh' 'echo ran'
cp "$bh/bin/try" "$bh/bin/gone"
mv "$bh/bin/gone" "$bh/work/moved"
ln "$bh/bin/try" "$bh/work/hard"
cp "$bh/bin/try" "$bh/work/copied"
cp /usr/bin/true "$bh/work/true"
ln -s /usr/bin/true "$bh/work/soft-listed"
ln -s /usr/bin/id "$bh/work/soft-unlisted"
mkdir -p "$elsewhere"

session_start tools <<'END'
attempt python-own python3 -c 'open("/tmp/bh/python/file")'
attempt python-other python3 -c 'open("/tmp/bh/work/file")'
attempt python-child python3 -c '
import os
if not os.fork():
    try:
        open("/tmp/bh/work/file")
    except PermissionError:
        os._exit(1)
    os._exit(0)
exit(os.waitstatus_to_exitcode(os.wait()[1]))'
attempt python-back python3 -c 'import os; os.execv("/usr/bin/bash", ["bash", "-c", ":"])'
attempt python-helper python3 -c 'import os; os.execv("/tmp/bh/bin/try", ["try", "read", "/tmp/bh/work/file"])'
attempt helper-own $TRY read /tmp/bh/work/file
attempt helper-other $TRY read /tmp/bh/python/file
attempt daemon $TRY fork-exec $TRY read /tmp/bh/python/file
attempt script-listed /tmp/bh/bin/listed /tmp/bh/script/file
attempt script-other /tmp/bh/bin/listed /tmp/bh/work/file
attempt script-orphan $TRY exec /tmp/bh/bin/orphan
attempt script-loader $TRY exec /tmp/bh/bin/loader
attempt script-unlisted $TRY exec /tmp/bh/bin/unlisted
attempt moved $TRY exec /tmp/bh/work/moved read /tmp/bh/work/file
attempt hard $TRY exec /tmp/bh/work/hard read /tmp/bh/work/file
attempt copied $TRY exec /tmp/bh/work/copied read /tmp/bh/work/file
attempt soft-listed $TRY exec /tmp/bh/work/soft-listed
attempt soft-unlisted $TRY exec /tmp/bh/work/soft-unlisted
attempt ldso $TRY exec-ldso /usr/bin/true
attempt memfd $TRY exec-memfd /tmp/bh/work/true
attempt tmpfile $TRY exec-tmpfile /tmp/bh/work/true /tmp/bh/ram
attempt deleted $TRY exec-deleted /tmp/bh/work/true /tmp/bh/work
attempt copy $TRY exec-copy /tmp/bh/work/true /tmp/bh/work/fresh
attempt by-fd-listed $TRY exec-fd /usr/bin/true
attempt by-fd-unlisted $TRY exec-fd /usr/bin/id
attempt procroot-listed $TRY exec-procroot /usr/bin/true
attempt procroot-unlisted $TRY exec-procroot /usr/bin/id
attempt thread $TRY thread-exec /usr/bin/id
attempt vfork $TRY vfork-exec /usr/bin/id
attempt vfork-listed $TRY vfork-exec /usr/bin/true
echo "PID $$"
for stage in moved sub; do
	await "$stage?"
	attempt $stage-own $TRY read /tmp/bh/work/file
	attempt $stage-read $TRY read /tmp/bh/outside/secret
	attempt $stage-exec $TRY exec /usr/bin/id
done
await end
END
session_wait 'moved?'
pid=$(sed -n 's/^PID //p' "$bh/out")
echo "$pid" >"$elsewhere/cgroup.procs"
is "a process of the sandbox is moved to another cgroup" "0::${elsewhere#"${slice%/*}"}" "$(grep ^0: "/proc/$pid/cgroup")"
session_tell go
session_wait 'sub?'
mkdir "$slice/session.scope/sub"
echo "$pid" >"$slice/session.scope/sub/cgroup.procs"
session_tell go
session_wait end
# shellcheck disable=SC2016 # for the inner shell
exits "a process that enters from outside starts nothing" 126 \
	bash -c 'echo $$ >"$0" && exec /usr/bin/true' "$slice/session.scope/sub/cgroup.procs"
# shellcheck disable=SC2016
fails "a process that enters from outside opens nothing" \
	bash -c 'echo $$ >"$0" && read -r line <"$1"' "$slice/session.scope/cgroup.procs" "$bh/work/file"
session_end
rmdir "$elsewhere"

is "the session ends by itself" 0 "$session_status"
matches "the run says where a symbolic link leads" 'python3 leads to /usr/bin/python3.11' "$(cat "$bh/err")"
worked "python reads its own files" python-own
result_is "python does not read the shell's files" python-other 1 PermissionError
event "the denial names python" kind=file_open reason=F2 tool=python file.path=$bh/work/file
result_is "a child of python is python" python-child 1 ''
result_is "python cannot become the shell again" python-back 1 PermissionError
event "the way back is an event" kind=exec reason=X1 tool=python file.path=/usr/bin/bash
result_is "a helper of the shell is none of python's" python-helper 1 PermissionError
worked "a helper has its tool's rights" helper-own
refused "a helper has no other tool's rights" helper-other
event "a helper stays in its tool" kind=file_open reason=F2 tool=shell file.path=$bh/python/file process.exe=$bh/bin/try
result_is "a process in a session of its own, behind two forks, stays in its tool" daemon 0 "refused: open $bh/python/file"
result_is "a listed script runs by its listed interpreter" script-listed 0 'ran: text'
result_is "a script has its own rights, not its caller's" script-other 2 'cannot open'
event "the denial names the script's tool" kind=file_open reason=F2 tool=script file.path=$bh/work/file
refused "a listed script with an interpreter that is not listed does not run" script-orphan
event "the interpreter's refusal is an event" kind=exec verdict=deny file.path=/usr/bin/gawk
refused "a listed script does not run by an interpreter that is only readable" script-loader
event "that is an event" kind=exec reason=X6 file.path=$loader
refused "a script that is not listed does not run, whatever its interpreter" script-unlisted
event "that is an event, too" kind=exec reason=X1 tool=shell file.path=$bh/bin/unlisted
refused "a listed program under a new name does not run" moved
refused "a hard link to a listed program does not run" hard
refused "a copy of a listed program does not run" copied
worked "a symbolic link to a listed program runs" soft-listed
refused "a symbolic link to another program does not run" soft-unlisted
event "the event has the program's true name" kind=exec reason=X1 file.path=/usr/bin/id
refused "the dynamic loader does not run as a program" ldso
event "the loader is an event" kind=exec reason=X1 file.path=$loader
refused "a program in memory does not run" memfd
event "a program in memory is an event" kind=exec verdict=deny 'file.path=/memfd:memory (deleted)'
refused "a program without a name does not run" tmpfile
refused "a deleted program does not run" deleted
refused "a program that the sandbox wrote does not run" copy
worked "a listed program runs by descriptor" by-fd-listed
refused "another program does not run by descriptor" by-fd-unlisted
worked "a listed program runs by a name through /proc/self/root" procroot-listed
refused "another program does not run by a name through /proc/self/root" procroot-unlisted
refused "a thread starts no other program" thread
refused "a vfork child starts no other program" vfork
worked "a vfork child starts a listed program" vfork-listed
worked "a process in another cgroup keeps its rights" moved-own
refused "a process in another cgroup gets no file more" moved-read
refused "a process in another cgroup gets no program more" moved-exec
worked "a process in a cgroup below keeps its rights" sub-own
refused "a process in a cgroup below gets no file more" sub-read
refused "a process in a cgroup below gets no program more" sub-exec
sandbox_clean "nothing is left of the run"
