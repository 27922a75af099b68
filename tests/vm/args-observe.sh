#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Observe mode where arguments and environments decide: what would have ended runs, as the first tool that its file leads to.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
mkdir -p "$bh"/{local,remote}
echo text >"$bh/local/file"
echo text >"$bh/remote/file"
for name in git exact; do cp build/tests/vm/programs/args "$bh/bin/$name"; done
# shellcheck disable=SC2016 # for the script
printf '%s\n' '#!/usr/bin/dash' 'echo "script: $# $1"' >"$bh/bin/script"
chmod 755 "$bh/bin/script"
ln -s "$bh/bin/script" "$bh/work/script"

session_start args --mode observe <<'END'
bin=/tmp/bh/bin
attempt right $bin/git status
attempt args $bin/git commit
attempt exact $bin/exact ci
attempt env env -i PROMPT=0 PATH=/bin $bin/git push
attempt loader env -i PROMPT=0 LD_BIND_NOW=1 $bin/exact ci --no-audit
attempt script $bin/script two
attempt name /tmp/bh/work/script one 'two three'
attempt unlisted $bin/try read /tmp/bh/local/file
await end
END
session_wait end 240
session_end

is "the session ends by itself" 0 "$session_status"
observed=(verdict=allow mode=observe)
result_is "what is right runs" right 0 'ran as both, 1 words, status'
event "as its tool: which may not read the other's files" kind=file_open reason=F2 tool=local file.path=$bh/remote/file "${observed[@]}"
result_is "wrong arguments are let through" args 0 'ran as both, 1 words, commit'
event "and told" kind=exec_args reason=X3 tool=shell would=deny "${observed[@]}"
result_is "where one tool is all there is too" exact 0 'ran as both, 1 words, ci'
event "which the program then is" kind=file_open reason=F2 tool=exact file.path=$bh/remote/file "${observed[@]}"
result_is "so is a wrong environment" env 0 'ran as both, 1 words, push'
event "and told, with the variable" kind=exec_args reason=X4 tool=shell would=deny "message=tool 'shell' would not be allowed to start $bh/bin/git with the variable PATH: this environment is not one that this program may be given" "${observed[@]}"
result_is "and a variable that the loader obeys" loader 0 'ran as both, 2 words, --no-audit'
event "which is told" kind=exec_args reason=X5 tool=shell would=deny "${observed[@]}"
result_is "and a script's wrong arguments" script 0 'script: 1 two'
result_is "and its other name" name 0 'script: 2 one'
event "which is told too" kind=exec reason=X13 would=deny "${observed[@]}"
result_is "a program that nothing leads to runs on in its caller's tool" unlisted 0 ''
event "and is told" kind=exec reason=X1 tool=shell file.path=$bh/bin/try would=deny "${observed[@]}"
no_event "nothing was denied" verdict=deny
sandbox_clean "nothing is left of the run"
