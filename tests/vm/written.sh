#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 600
# Lists of loadable files; and what a sandbox wrote is no code, under whatever name.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
mkdir -p "$bh/merged" "$bh"/ram/{lib,links,lower,upper,scratch} "$bh/work/merged" # libraries not on the guest's overlay, where mprotect knows no path
for name in program moved cut quiet; do cp /usr/bin/true "$bh/bin/$name"; done
for name in listed derived; do cp build/tests/vm/programs/jit "$bh/bin/$name"; done
for name in plain given other; do cp /usr/lib/x86_64-linux-gnu/libc.so.6 "$bh/ram/lib/$name.so"; done
printf '%s\n' "#!$bh/bin/interpreter" 'echo ran' >"$bh/bin/script"
cp /usr/bin/dash "$bh/bin/interpreter"
chmod 755 "$bh/bin/script"
for name in program moved cut quiet interpreter; do ln "$bh/bin/$name" "$bh/work/$name"; done
for name in plain given other; do ln "$bh/ram/lib/$name.so" "$bh/ram/links/$name"; done
# an overlay whose program lies below until it is written; its second name is another mount of the overlay
cp /usr/bin/true "$bh/ram/lower/below"
overlay() {
	mount -t overlay overlay -o "lowerdir=$bh/ram/lower,upperdir=$bh/ram/upper,workdir=$bh/ram/scratch" "$bh/merged" &&
		mount --bind "$bh/merged" "$bh/work/merged"
}
ok "an overlay is mounted" overlay

session_start written <<'END'
attempt below-before /tmp/bh/merged/below
attempt below-append $TRY append /tmp/bh/work/merged/below
attempt below-after $TRY exec /tmp/bh/merged/below
for name in program moved cut quiet; do attempt $name-before /tmp/bh/bin/$name; done
attempt script-before /tmp/bh/bin/script
for name in plain given other; do
	attempt $name-listed-before /tmp/bh/bin/listed plain /tmp/bh/ram/lib/$name.so
	attempt $name-derived-before /tmp/bh/bin/derived plain /tmp/bh/ram/lib/$name.so
done
for name in program interpreter; do attempt $name-append $TRY append /tmp/bh/work/$name; done
for name in plain given other; do attempt $name-append $TRY append /tmp/bh/ram/links/$name; done
attempt moved-append $TRY append /tmp/bh/work/moved
attempt moved-rename $TRY rename /tmp/bh/work/moved /tmp/bh/work/moved-away
attempt moved-unlink $TRY unlink /tmp/bh/work/moved-away
attempt cut-truncate $TRY truncate /tmp/bh/work/cut
attempt quiet-read $TRY read /tmp/bh/work/quiet
for name in program moved cut quiet; do attempt $name-after $TRY exec /tmp/bh/bin/$name; done
attempt script-after $TRY exec /tmp/bh/bin/script
for name in plain given other; do
	attempt $name-listed-after /tmp/bh/bin/listed plain /tmp/bh/ram/lib/$name.so
	attempt $name-derived-after /tmp/bh/bin/derived plain /tmp/bh/ram/lib/$name.so
done
attempt addon-copy cp /tmp/bh/ram/lib/plain.so /tmp/bh/ram/links/addon.so
attempt addon-listed /tmp/bh/bin/listed plain /tmp/bh/ram/links/addon.so
attempt addon-derived /tmp/bh/bin/derived plain /tmp/bh/ram/links/addon.so
attempt stray-listed /tmp/bh/bin/listed plain /tmp/bh/ram/links/other
await remount
attempt below-remounted $TRY exec /tmp/bh/merged/below
await end
END
session_wait remount 150
again() {
	umount "$bh/work/merged" "$bh/merged" && overlay
}
ok "the overlay is mounted anew" again
session_tell go
session_wait end 150
ok "outside, what was written runs" "$bh/bin/program"
session_end
umount "$bh/work/merged" "$bh/merged"

is "the session ends by itself" 0 "$session_status"
worked "a listed file can be loaded" plain-listed-before
refused "one that is not listed cannot, though it can be read" other-listed-before
event "that is an event" kind=mmap_exec reason=X8 tool=listed file.path=$bh/ram/lib/other.so file.access=load
worked "without a list, what can be read and not be written can be loaded" other-derived-before
for name in program moved cut quiet; do worked "$name runs before it is written" $name-before; done
worked "a script runs before its interpreter is written" script-before
for name in program moved interpreter plain given other; do worked "its second name can be written: $name" $name-append; done
worked "a name can be cut" cut-truncate
refused "a program that was written by another name does not run" program-after
event "that is an event" kind=exec reason=X9 tool=shell file.path=$bh/bin/program
refused "nor when the name was moved and removed since" moved-after
event "that is an event, too" kind=exec reason=X9 file.path=$bh/bin/moved
refused "nor when it was only cut" cut-after
worked "what was only read runs" quiet-after
refused "a script does not run by an interpreter that was written" script-after
event "that is an event of the interpreter" kind=exec reason=X9 file.path=$bh/bin/interpreter
refused "a listed file that was written cannot be loaded" plain-listed-after
event "nor is that untold" kind=mmap_exec reason=X9 tool=listed file.path=$bh/ram/lib/plain.so
worked "one that the policy gives a reason for can" given-listed-after
refused "without a list, what was written cannot be loaded" other-derived-after
event "of that, too, is an event" kind=mmap_exec reason=X9 tool=derived file.path=$bh/ram/lib/other.so
refused "another tool's reason does not count" given-derived-after
worked "what the session builds can be loaded where the policy gives a reason" addon-listed
refused "and not by another tool" addon-derived
refused "nor by that tool under a name that is not listed" stray-listed
worked "a program of a lower layer runs" below-before
worked "its second name can be written, which copies it up" below-append
refused "copied up and written it does not run" below-after
refused "nor when the overlay was mounted anew" below-remounted
events_with kind=exec reason=X9 process.comm=try
is "each refusal is one event" 6 ${#found[@]}
sandbox_clean "nothing is left of the run"
