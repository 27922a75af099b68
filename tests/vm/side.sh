#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# Side doors: what reaches files, networks, terminals or other processes without opening, connecting or signalling.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
cp tests/lib/side.py "$bh/side.py"
mkdir -p "$bh/merged" "$bh/ram"/{lower/below,upper,scratch}
echo lower >"$bh/ram/lower/below/file"
mount -t overlay -o "lowerdir=$bh/ram/lower,upperdir=$bh/ram/upper,workdir=$bh/ram/scratch" overlay "$bh/merged"
python3 -c 'import ctypes; ctypes.CDLL(None).shmget(0x5ade, 4096, 0o1666)'
sleep 1000 &
other=$!
side() {
	python3 -I -B "$bh/side.py" "$@"
}

{
	echo "other=$other"
	cat <<'END'
side() { python3 -I -B /tmp/bh/side.py "$@"; }
attempt receive side receive
attempt abstract side abstract evil
attempt listen side listen
attempt bind-stream side bind SOCK_STREAM 7009
attempt bind-datagram side bind SOCK_DGRAM 0
attempt route side source_route
attempt flags side control /tmp/bh/work 80086601
attempt verity side control /tmp/bh/work/file 40806685
attempt lease side lease /etc/passwd
attempt owner-self side own_signals self
attempt owner-other side own_signals $other
attempt limit-other side limit $other
attempt priority-other side priority $other
attempt shared side shared_memory 5ade
attempt key side key
attempt bpf side bpf
attempt attribute-mine side attribute /tmp/bh/work/file user.a
attempt attribute-other side attribute /etc/passwd user.a
attempt attribute-security side attribute /tmp/bh/work/file security.a
attempt watch side watch /tmp/bh/work
attempt watch-other side watch /root
attempt seccomp side seccomp_then /usr/bin/tr
LD_PRELOAD=/tmp/bh/work/evil.so attempt preload tr a b
LD_PRELOAD= attempt preload-empty tr a b
GLIBC_TUNABLES=x=y attempt tunables tr a b
LD_LIBRARY_PATH=/tmp attempt preload-helper ls /tmp/bh/work
NOT_LD_PRELOAD=x LANG=C attempt clean tr a b
BIG=$(printf '%20000s' LD_) attempt big tr a b
echo a >/tmp/bh/work/edited
attempt edit sed -i s/a/b/ /tmp/bh/work/edited
attempt keep cp -p /tmp/bh/work/edited /tmp/bh/work/kept
mkdir /tmp/bh/work/directory
attempt archive cp -a /tmp/bh/work/directory /tmp/bh/work/directory2
attempt list-merged ls /tmp/bh/merged/below
attempt copy-up sed -i s/lower/upper/ /tmp/bh/merged/below/file
attempt copied-up cat /tmp/bh/merged/below/file
END
} >"$bh/script"
session_start side <"$bh/script"
session_end

is "the session ends by itself" 0 "$session_status"
result_is "a socket that has asked nobody receives nothing" receive 1 'nothing was there'
refused "an abstract name is not bound" abstract
refused "a socket does not listen" listen
refused "a stream socket gets no port of its own" bind-stream
worked "a datagram socket may get one that the kernel chooses: nobody who was not asked gets in" bind-datagram
event "... and it is told" kind=bind reason=N8
refused "a routing header is not set" route
event "... and it is told" kind=socket reason=N9
worked "a directory's flags are read" flags
refused "a file read is not sealed for ever" verity
event "... and it is told" kind=file_control reason=F6
refused "no lease is taken" lease
event "... and it is told" kind=file_lock reason=C2
worked "a process may own its descriptor's signals" owner-self
refused "another may not be made to" owner-other
event "... and it is told" kind=signal reason=C2
refused "another's limits stay" limit-other
refused "another's priority stays" priority-other
event "... and it is told" kind=process reason=C2
result_is "System V memory of others is not there" shared 2 ENOENT
matches "no key is added" '^(ENOKEY|EPERM)$' "${got_text[key]:-}"
event "... and it is told" kind=key reason=C2
refused "bpf() is refused" bpf
event "... as floor" kind=bpf reason=C0 severity=critical
refused "attributes of a file that was only read stay" attribute-mine
refused "attributes of other files stay" attribute-other
refused "security attributes stay" attribute-security
event "... and it is told" kind=file_write reason=F5
worked "a listed directory is watched" watch
refused "another is not" watch-other
refused "another tool does not start under a new system call filter" seccomp
event "... and it is told" kind=exec reason=X12
result_is "a preloaded library ends the start of another tool" preload 137 ''
event "... and it is told" kind=exec_args reason=X5 tool=stream
result_is "an empty one too: the name decides" preload-empty 137 ''
result_is "the loader's tunables too" tunables 137 ''
worked "within a tool they are its own affair" preload-helper
worked "other variables pass" clean
worked "a long variable passes" big
worked "sed -i keeps what it must" edit
worked "cp -p copies modes" keep
worked "cp -a copies a directory" archive
worked "an overlay elsewhere lists a merged directory" list-merged
worked "a lower file is copied up there" copy-up
result_is "... and changed" copied-up 0 upper

ok "outside, the same calls work: signals" side own_signals "$other" </dev/null
ok "outside, the same calls work: limits" side limit "$other"
ok "outside, the same calls work: priority" side priority "$other"
ok "outside, the same calls work: shared memory" side shared_memory 5ade
ok "outside, the same calls work: keys" side key
ok "outside, the same calls work: lease" side lease /etc/passwd
ok "outside, the same calls work: names" side abstract evil
ok "outside, the same calls work: ports" side bind SOCK_DGRAM 0
kill "$other"
umount "$bh/merged"
