#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Opens that are remembered: none opens more than its path would, whoever moves, links, mounts or replaces the file meanwhile.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
work=$bh/work away=$bh/outside
mkdir -p "$work"/{moved,kept} "$away"
for file in file moved/file kept/file linked mounted replaced; do echo text >"$work/$file"; done
echo echo >"$bh/readable.sh"
cat >"$bh/session.sh" <<'END'
attempt() { # NAME COMMAND...: yes or no into the log
	local name=$1
	shift
	if "$@" 2>/dev/null; then echo "$name yes"; else echo "$name no"; fi >>/tmp/bh/work/log
}
opens() { : <"$1"; }
appends() { : >>"$1"; }
opens_stranger() { python3 -c 'open("/tmp/bh/readable.sh")'; }
step() { : >"/tmp/bh/work/at-$1"; until [[ -e /tmp/bh/work/go-$1 ]]; do :; done; }
cd /tmp/bh/work
for file in file moved/file kept/file linked mounted replaced ../readable.sh; do
	attempt "first-$file" opens "/tmp/bh/work/$file"
	attempt "again-$file" opens "/tmp/bh/work/$file"
done
step 1
attempt moved-file opens /tmp/bh/outside/file
attempt moved-directory opens /tmp/bh/outside/moved/file
attempt linked-new opens /tmp/bh/outside/linked
attempt linked-old opens /tmp/bh/work/linked
attempt mounted-new opens /tmp/bh/outside/mount/mounted
attempt mounted-old opens /tmp/bh/work/mounted
attempt replaced opens /tmp/bh/work/replaced
attempt write-what-was-read appends /tmp/bh/readable.sh
attempt other-tool opens_stranger
attempt write-own appends /tmp/bh/work/kept/file
attempt write-own-again appends /tmp/bh/work/kept/file
step 2
attempt moved-back opens /tmp/bh/work/file
mv /tmp/bh/work/kept /tmp/bh/work/kept2
attempt own-move-new opens /tmp/bh/work/kept2/file
attempt own-move-old opens /tmp/bh/work/kept/file
exec 3>>/tmp/bh/work/gone
attempt gone-first opens /tmp/bh/work/gone
rm /tmp/bh/work/gone
attempt gone-by-descriptor opens /proc/self/fd/3
END
policy=$bh/seen.yaml
sed 's#/usr/bin/setsid,#/usr/bin/setsid, /usr/bin/mv, /usr/bin/rm,#' tests/lib/policies/run.yaml >"$policy"
"$BULKHEAD" run --quiet --policy "$policy" --events "$bh/events" -- /usr/bin/bash "$bh/session.sh" &
session=$!
until [[ -e $work/at-1 ]] || ! kill -0 $session; do :; done
mv "$work/file" "$work/moved" "$away"
ln "$work/linked" "$away/linked"
mkdir "$away/mount"
mount --bind "$work" "$away/mount"
echo other >"$work/new" && mv "$work/new" "$work/replaced"
: >"$work/go-1"
until [[ -e $work/at-2 ]] || ! kill -0 $session; do :; done
mv "$away/file" "$work/file"
: >"$work/go-2"
wait $session
umount "$away/mount"
log=$(<"$work/log")
said() { # SENTENCE NAME yes|no
	is "$1" "$2 $3" "$(grep "^$2 " <<<"$log")"
}
for file in file moved/file kept/file linked mounted replaced ../readable.sh; do
	said "$file may be opened" "first-$file" yes
	said "$file may be opened again" "again-$file" yes
done
said "a file that was moved away is judged by its new name" moved-file no
said "so is one whose directory was moved" moved-directory no
said "another name of a file is judged by itself" linked-new no
said "the old one still holds" linked-old yes
said "another mount of a file is judged by its own path" mounted-new no
said "the first mount still holds" mounted-old yes
said "a file put in its place may be opened" replaced yes
said "what was opened for reading is not open for writing" write-what-was-read no
said "what one tool opened is not open to another" other-tool no
said "a file may be opened for writing" write-own yes
said "and again" write-own-again yes
said "a file that came back may be opened" moved-back yes
said "a directory that was moved by the sandbox is judged by its new name" own-move-new yes
said "its old name leads nowhere" own-move-old no
said "a file may be opened while it has a name" gone-first yes
said "and not once its name is gone" gone-by-descriptor no
is "each refusal is one event" 4 "$(grep "\"verdict\":\"deny\"" "$bh/events" | grep -c "\"path\":\"$away/")"
