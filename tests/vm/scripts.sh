#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Scripts, and files of formats that the kernel was told of: which arguments count, and that their interpreters run no
# other file than the one that was judged.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

script() {
	local file=$bh/bin/$1
	shift
	printf '%s\n' "$@" >"$file"
	chmod 755 "$file"
}

sandbox_prepare
mkdir -p "$bh/local"
echo text >"$bh/local/file"
cp build/tests/vm/programs/args "$bh/bin/show"
# shellcheck disable=SC2016 # for the scripts
tell='echo "script: $# $1 $2"'
script plain '#!/usr/bin/dash -e' "$tell"
script mine '#!/usr/bin/dash' "$tell"
script snake '#!/usr/bin/env python3' 'import sys; print("snake:", *sys.argv[1:])'
script inner '#!/usr/bin/dash -u' "$tell"
script nested "#!$bh/bin/inner extra" ''
script own '#!/usr/bin/gawk -f' 'BEGIN { print "own:", ARGV[1] }'
script real '#!/usr/bin/dash' "$tell"
ln -s real "$bh/bin/alias"
printf 'BHX1\n' >"$bh/bin/foreign.bhx"
chmod 755 "$bh/bin/foreign.bhx"
printf 'BHX1\n' >"$bh/bin/strange.bhx"
chmod 755 "$bh/bin/strange.bhx"
misc=/proc/sys/fs/binfmt_misc
modprobe binfmt_misc
mountpoint -q $misc || mount -t binfmt_misc none $misc
echo ":bhx:M::BHX1::$bh/bin/show:" >$misc/register
for name in link -c; do ln -s "$bh/bin/plain" "$bh/work/$name"; done
ln -s "$bh/bin/mine" "$bh/work/mine"
# shellcheck disable=SC2016 # for the inner shell
echo 'echo planted' >"$bh/work/one"

session_start scripts <<'END'
bin=/tmp/bh/bin
attempt plain $bin/plain one 'two three'
attempt plain-wrong $bin/plain one two three
attempt plain-option $bin/plain -e one 'two three'
attempt snake $bin/snake -n 5 status
attempt snake-wrong $bin/snake -c status
attempt nested $bin/nested one 'two three'
attempt nested-wrong $bin/nested extra one 'two three'
attempt inner $TRY exec $bin/inner one 'two three'
attempt own $bin/own one
attempt own-wrong $bin/own two
attempt alias $bin/alias one 'two three'
attempt real $bin/real one 'two three'
attempt foreign $bin/foreign.bhx one two
attempt foreign-wrong $bin/foreign.bhx one two three
attempt strange $TRY exec $bin/strange.bhx one two
attempt link $TRY exec /tmp/bh/work/link one 'two three'
cd /tmp/bh/work
attempt option $TRY exec -c one 'two three'
attempt relative $TRY exec ../bin/plain one 'two three'
attempt dots $TRY exec /tmp/bh/work/../bin/plain one 'two three'
attempt root $TRY exec /proc/self/root$bin/plain one 'two three'
attempt mine /tmp/bh/work/mine one two
attempt mine-relative ./mine one two
await end
END
session_wait end 240
session_end
echo -1 >$misc/bhx
umount $misc

is "the session ends by itself" 0 "$session_status"
result_is "a script's caller's words count, not the option in its first line" plain 0 'script: 2 one two three'
result_is "other words end it" plain-wrong 137 ''
event "and are told with the script's name" kind=exec_args reason=X3 tool=shell "message=tool 'shell' may not start $bh/bin/plain with the arguments one two three: these arguments are not ones that this program may be given; the process is ended"
result_is "the option in its first line is not one for its caller" plain-option 137 ''
result_is "env as the interpreter starts its own choice, which is a helper too" snake 0 'snake: -n 5 status'
result_is "and the words are judged" snake-wrong 137 ''
result_is "of nested scripts too only the caller's words count" nested 0 'script: 4 extra'
result_is "the words between are not the caller's" nested-wrong 137 ''
refused "a script that only interprets another is nobody's program" inner
result_is "one of the tool's own programs may be its script's interpreter" own 0 'own: one'
result_is "whose words are judged" own-wrong 137 ''
result_is "a listed name that is a symbolic link starts what it leads to" alias 0 'script: 2 one two three'
result_is "and so does what it leads to" real 0 'script: 2 one two three'
result_is "a file that binfmt_misc has an interpreter for is a script" foreign 0 'ran as local, 3 words, two'
result_is "whose caller's words count" foreign-wrong 137 ''
refused "and one that is not listed is not" strange
refused "another tool's script is not started by another name, which could lead its interpreter elsewhere" link
event "and that is told" kind=exec reason=X13 tool=shell "message=tool 'shell' may not execute /usr/bin/dash: a script that leads into another tool is started by a path that the policy lists, not by another name for it"
refused "nor by one that its interpreter would take for an option" option
refused "nor by a relative one" relative
refused "nor by a roundabout one" dots
refused "nor through /proc" root
events_with kind=exec reason=X13
is "each of these is an event" 5 "${#found[@]}"
result_is "a script of one's own tool is started by any name" mine 0 'script: 2 one two'
result_is "also by a relative one" mine-relative 0 'script: 2 one two'
sandbox_clean "nothing is left of the run"
