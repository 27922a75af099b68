#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 600
# Privileged operations: none without a word in the policy, each with it, and those of the floor never; and capabilities.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

# policy NAME LINE...: tests/lib/policies/privileges.yaml with more keys of `spec`
policy() {
	local name=$1
	shift
	cat tests/lib/policies/privileges.yaml >"$bh/$name.yaml"
	printf '  %s\n' "$@" >>"$bh/$name.yaml"
}

# allowing OPERATIONS CAPABILITIES: lines for `policy`
allowing() {
	local operation
	printf '%s\n' "privileges:" "  capabilities: [$2]" "  allow: [${1// /, }]" "  reasons:"
	for operation in $1; do printf '    %s: "the test needs it"\n' "$operation"; done
}

sandbox_prepare
mkdir -p "$bh/work/mnt"
for name in privilege other setuid setgid; do cp build/tests/vm/programs/privilege "$bh/bin/$name"; done
cp /usr/bin/true "$bh/ram/true"
chown 54321:54321 "$bh/bin/setuid" "$bh/bin/setgid"
chmod 4755 "$bh/bin/setuid"
chmod 2755 "$bh/bin/setgid"
mknod "$bh/work/odd" c 250 77 # a device without a driver, for which the kernel looks for a module
echo text >"$bh/work/owned"
cat >"$bh/all.sh" <<'END'
P=/tmp/bh/bin/privilege
END
cat >"$bh/operations.sh" <<'END'
attempt unshare-user $P unshare-user
attempt clone-net $P clone-net
attempt fsmount $P fsmount
attempt mount $P mount /tmp/bh/work/mnt
attempt remount $P remount /tmp/bh/work/mnt
attempt move-mount $P move-mount /tmp/bh/work/mnt
attempt umount $P umount /tmp/bh/work/mnt
attempt pivot $P pivot /tmp/bh/work
attempt chroot $P chroot /tmp/bh/work
attempt attach $P attach
attempt io-uring $P io-uring
attempt userfaultfd $P userfaultfd
attempt personality $P personality
attempt personality-ask $P personality-ask
attempt keyctl $P keyctl
attempt netlink $P netlink
attempt memfd $TRY exec-memfd /tmp/bh/ram/true
attempt tmpfile $TRY exec-tmpfile /tmp/bh/ram/true /tmp/bh/ram
attempt setuid $TRY exec /tmp/bh/bin/setuid who
attempt setgid $TRY exec /tmp/bh/bin/setgid who
attempt perf $P perf
attempt syslog $P syslog
attempt swapon $P swapon /tmp/bh/work/owned
attempt quota $P quota
attempt bpf $P bpf
attempt handle $P handle /tmp/bh/ram/true
attempt chown $P chown /tmp/bh/work/owned
attempt traced-exec $P traced-exec /tmp/bh/bin/other who
attempt tracer-exec $P tracer-exec /tmp/bh/bin/other who
attempt restart $P restart
attempt chroot-inside $P chroot-inside /tmp/bh/work
attempt odd $TRY read /tmp/bh/work/odd
END
echo 0 >/proc/sys/kernel/dmesg_restrict
echo 0 >/proc/sys/kernel/perf_event_paranoid
echo 1 >/proc/sys/vm/unprivileged_userfaultfd
echo 0 >/proc/sys/kernel/unprivileged_bpf_disabled

# ---- nothing is allowed ----
session_start privileges <<<". $bh/all.sh; . $bh/operations.sh"
session_end
is "a session without privileges ends by itself" 0 "$session_status"
for label in unshare-user clone-net fsmount mount remount move-mount umount pivot chroot attach io-uring userfaultfd \
	personality netlink memfd tmpfile setuid setgid perf syslog swapon bpf handle chown traced-exec tracer-exec \
	restart chroot-inside; do
	refused "$label is refused" $label
done
worked "asking for the personality is not" personality-ask
result_is "a key is not there" keyctl 2 'Required key not available'
event "a user namespace is an event" kind=namespace reason=C2 privilege=namespaces process.comm=privilege
event "so is one by clone3" kind=namespace reason=C2 privilege=namespaces tool=shell
event "tracing" kind=ptrace reason=C2 privilege=ptrace
event "io_uring" kind=system reason=C2 privilege=io-uring
event "userfaultfd" kind=system reason=C2 privilege=userfaultfd
event "keys" kind=key reason=C2 privilege=keyctl
event "netlink" kind=socket reason=N6 network.protocol=16
event "a setuid program" kind=exec reason=C2 privilege=setuid-exec file.path=$bh/bin/setuid
event "a setgid program" kind=exec reason=C2 privilege=setuid-exec file.path=$bh/bin/setgid
event "a program in memory" kind=exec reason=P0
event "performance events are of the floor" kind=system reason=C0 privilege=perf-open severity=critical
event "so is the kernel's log" kind=system reason=C0 privilege=syslog
event "and bpf()" kind=bpf reason=C0 privilege=bpf
event "a module that would be loaded" kind=module reason=C3 verdict=deny
sandbox_clean "nothing is left of it"

# ---- everything is allowed that can be ----
mapfile -t lines < <(allowing "namespaces mount ptrace setuid-exec io-uring userfaultfd keyctl personality memfd-exec netlink" \
	"CAP_SYS_ADMIN, CAP_SYS_CHROOT, CAP_CHOWN, CAP_DAC_READ_SEARCH")
policy all "${lines[@]}"
session_start privileges --policy "$bh/all.yaml" <<<". $bh/all.sh; . $bh/operations.sh"
session_end
is "a session with privileges ends by itself" 0 "$session_status"
for label in unshare-user clone-net fsmount mount remount move-mount umount pivot chroot attach io-uring userfaultfd \
	personality personality-ask keyctl netlink memfd chown chroot-inside; do
	worked "$label is allowed" $label
done
result_is "a setuid program has its user" setuid 0 '^54321 0 '
result_is "a setgid program has its group" setgid 0 '^0 54321 '
for label in perf syslog swapon quota bpf handle restart; do refused "$label is not: it is of the floor" $label; done
refused "a traced process does not become another tool" traced-exec
refused "nor does one that traces" tracer-exec
event "that is an event" kind=exec reason=C2 privilege=ptrace file.path=$bh/bin/other
event "quotas are an event" kind=system reason=C0 privilege=quotactl
event "a capability of the floor is one" kind=capability reason=C0 capability=CAP_SYS_BOOT
no_event "what is allowed is none" reason=C2 privilege=mount
umount "$bh/work/mnt" 2>/dev/null

# ---- a capability is not an operation ----
mapfile -t lines < <(allowing "ptrace" "CAP_SYS_ADMIN, CAP_SYS_CHROOT")
policy some "${lines[@]}"
session_start privileges --policy "$bh/some.yaml" <<END
. $bh/all.sh
. $bh/operations.sh
attempt unshare-net \$P unshare-net
attempt setns \$P setns
END
session_end
for label in unshare-user unshare-net clone-net setns fsmount mount pivot chroot swapon io-uring; do
	refused "with the capability alone, $label is refused" $label
done
worked "what is allowed works beside" attach
event "mounting is an event" kind=mount reason=C2 privilege=mount
refused "a capability that is not listed is not there" chown
is "ways of mounting and of changing roots are refused by hooks, each" yes \
	"$(events_with kind=mount privilege=mount; [ ${#found[@]} -ge 5 ] && echo yes)"

# ---- a capability that a user namespace gives ----
session_start privileges --mode observe <<<". $bh/all.sh; attempt chroot-inside \$P chroot-inside /tmp/bh/work"
session_end
event "without 'namespaces' it would be refused" kind=capability reason=C2 capability=CAP_SYS_CHROOT verdict=allow would=deny
sandbox_clean "nothing is left of the runs"
