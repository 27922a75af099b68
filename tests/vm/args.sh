#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Programs that may be started by some command lines and environments only, and what they become by them.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
mkdir -p "$bh"/{local,remote}
echo text >"$bh/local/file"
echo text >"$bh/remote/file"
for name in git exact wide killer; do cp build/tests/vm/programs/args "$bh/bin/$name"; done
# shellcheck disable=SC2016 # for the scripts
printf '%s\n' '#!/usr/bin/dash' 'echo "script: $# $1 $2"' >"$bh/bin/script"
# shellcheck disable=SC2016
printf '%s\n' '#!/usr/bin/dash -u' 'echo "script: $# $1 $2"' >"$bh/bin/script-u"
chmod 755 "$bh/bin/script" "$bh/bin/script-u"

# attempt LABEL COMMAND... runs in a child of the shell, so that what is ended is not the session
session_start args <<'END'
git=/tmp/bh/bin/git
attempt first $git status
attempt options $git -n 5 log --depth=2 --short -- -x
attempt option $git -c core.pager=sh status
attempt joined $git status -n5
attempt value $git status -n
attempt unlisted $git commit
attempt none $git
attempt remote env -i PROMPT=0 HOME=/ LC_ALL=C $git push origin main:main
attempt remote-word env -i PROMPT=0 $git push 'ext::sh -c id'
attempt remote-none env -i HOME=/ $git push
attempt remote-wrong env -i PROMPT=1 $git push
attempt remote-twice env -i PROMPT=0 $git push origin
attempt remote-other env -i PROMPT=0 PATH=/bin $git push
attempt remote-loader env -i PROMPT=0 LD_PRELOAD=/x $git push
attempt local-any env -i PROMPT=1 PATH=/bin $git status
attempt local-prompt env -i GIT_TERMINAL_PROMPT=0 $git status
attempt local-obeyed env -i GIT_TERMINAL_PROMPT=0 GIT_EXTERNAL_DIFF=/x $git status
attempt snake env -i A=1 PYTHONUNBUFFERED=1 BASH_ENV=/x python3 -c 'print("hissed")'
attempt snake-obeyed env -i A=1 PYTHONPATH=/tmp python3 -c 'print("hissed")'
attempt snake-inside env -i python3 -c 'import os; os.environ["PYTHONPATH"] = "/tmp"; print("hissed")'
attempt exact /tmp/bh/bin/exact ci --no-audit
attempt exact-more /tmp/bh/bin/exact ci --no-audit x
attempt exact-less /tmp/bh/bin/exact ci
attempt empty /tmp/bh/bin/killer
attempt empty-word /tmp/bh/bin/killer ''
renamed() { exec -a status "$@"; }
attempt name renamed $git push
attempt name-right renamed /tmp/bh/bin/exact ci --no-audit
attempt self bash -c :
self_exe() { exec /proc/self/exe -c :; }
attempt self-exe self_exe
attempt script /tmp/bh/bin/script one 'two three'
attempt script-wrong /tmp/bh/bin/script one two three
attempt script-option /tmp/bh/bin/script-u one 'two three'
attempt script-option-wrong /tmp/bh/bin/script-u -x one 'two three'
printf -v filler '%.0sa ' {1..63}
attempt words-64 /tmp/bh/bin/wide --go $filler
attempt words-65 /tmp/bh/bin/wide --go a $filler
attempt refused-word /tmp/bh/bin/wide --go --bad=1
printf -v long '%0256d' 0
attempt word-256 /tmp/bh/bin/wide --go "$long"
attempt word-257 /tmp/bh/bin/wide --go "${long}0"
printf -v big '%0250d ' {1..16}
attempt bytes-4096 /tmp/bh/bin/wide --go $big 1234567890123456789012345678901234567890123456789012345678901234567890
attempt bytes-4200 /tmp/bh/bin/wide --go $big "$long"
printf -v huge '%017000d' 0
attempt env-large env -i PROMPT=0 HOME="$huge" $git push
attempt env-free env -i HOME="$huge" $git status
echo still
await end
END
session_wait end 240
session_end

is "the session ends by itself" 0 "$session_status"
result_is "a listed subcommand leads into its tool" first 0 'ran as local, 1 words, status'
result_is "listed options, with values, before and behind it" options 0 'ran as local, 7 words, -x'
result_is "an option that is not listed ends the process" option 137 ''
event "and that is told, with the arguments" kind=exec_args reason=X3 verdict=deny tool=shell "message=tool 'shell' may not start $bh/bin/git with the arguments -c core.pager=sh status: these arguments are not ones that this program may be given; the process is ended"
result_is "a value joined to its option is another spelling" joined 137 ''
result_is "an option must have its value" value 137 ''
result_is "another subcommand ends the process" unlisted 137 ''
result_is "so does none at all" none 137 ''
result_is "another subcommand of the same program leads into another tool" remote 0 'ran as remote, 3 words, main:main'
result_is "where operands are plain words, others end the process" remote-word 137 ''
result_is "a variable that is required must be there" remote-none 137 ''
event "and that is told" kind=exec_args reason=X4 tool=shell
result_is "with its value" remote-wrong 137 ''
result_is "with it the program starts" remote-twice 0 'ran as remote, 2 words, origin'
result_is "a variable that is not kept ends the process" remote-other 137 ''
event "and is named" kind=exec_args reason=X4 "message=tool 'shell' may not start $bh/bin/git with the variable PATH: this environment is not one that this program may be given; the process is ended"
result_is "one that the loader obeys does so for itself" remote-loader 137 ''
event "and is named" kind=exec_args reason=X5 "message=tool 'shell' may not start with the variable LD_PRELOAD: a variable that the dynamic loader or the next tool's programs obey may not enter that tool; the process is ended"
result_is "one that the program itself obeys does too" local-obeyed 137 ''
event "and is named" kind=exec_args reason=X5 "message=tool 'shell' may not start with the variable GIT_EXTERNAL_DIFF: a variable that the dynamic loader or the next tool's programs obey may not enter that tool; the process is ended"
result_is "unless it is harmless" local-prompt 0 'ran as local'
result_is "an interpreter's variables may not enter its tool" snake-obeyed 137 ''
result_is "but harmless ones and other programs' may" snake 0 hissed
result_is "and it may set them itself" snake-inside 0 hissed
result_is "a tool without such rules takes any environment" local-any 0 'ran as local'
result_is "an exact command line is taken" exact 0 'ran as local, 2 words'
result_is "with a word more it is not" exact-more 137 ''
result_is "nor with one less" exact-less 137 ''
result_is "no arguments are taken where there must be none" empty 0 'ran as local, 0 words'
result_is "an empty word is one" empty-word 137 ''
result_is "the name that the caller gives the program is no argument" name 137 ''
result_is "nor does it spoil one" name-right 0 'ran as local, 2 words'
result_is "a tool does not start itself again unless that is listed" self 126 ''
result_is "nor through /proc/self/exe" self-exe 126 ''
result_is "of a script its caller's words count, not the interpreter's" script 0 'script: 2 one two three'
result_is "other words end it" script-wrong 137 ''
result_is "an option in the script's first line is not its caller's" script-option 0 'script: 2 one two three'
result_is "and does not make room for one" script-option-wrong 137 ''
result_is "sixty-four words are looked at" words-64 0 'words'
result_is "sixty-five are too many" words-65 137 ''
result_is "a refused word ends the process" refused-word 137 ''
result_is "a word may have 256 bytes" word-256 0 'ran as neither'
result_is "but not 257" word-257 137 ''
result_is "4096 bytes together are looked at" bytes-4096 0 'words'
result_is "more are not" bytes-4200 137 ''
result_is "an environment of more than 16 KiB is none that was meant" env-large 137 ''
result_is "and no matter where any is taken" env-free 0 'ran as local'
sandbox_clean "nothing is left of the run"
