# SPDX-License-Identifier: GPL-2.0-only
# A guest: started, saved, restored, given commands, stopped. Sourced after common.bash.
# One guest = one folder: args (QEMU's), ch.* (pipe to the agent), mon.* (pipe to QEMU's monitor), console.log, qemu.pid,
# snap (after vm_save). Settings: VM_MEM (MiB), VM_LSM (list or "default"), VM_APPEND, VM_SYSTEMD=1, VM_ICOUNT=1, VM_HYBRID=1.
# shellcheck shell=bash
# shellcheck disable=SC2154 # vm_lib: from common.bash

# Two virtual processors on one host thread: with one thread each, QEMU 7.2 corrupts guests that attach BPF trampolines.
vm_accel=tcg,thread=single
vm_boot_limit=180

vm_alive() {
	kill -0 "$(cat "$1/qemu.pid" 2>/dev/null)" 2>/dev/null
}

# vm_launch FOLDER [QEMU ARGUMENT...]
vm_launch() {
	local dir=$1 args
	shift
	rm -f "$dir"/{ch,mon}.{in,out}
	mkfifo "$dir"/{ch,mon}.{in,out}
	mapfile -t args <"$dir/args"
	# --pdeathsig: a script that is killed outright takes its guest with it
	setpriv --pdeathsig KILL "${QEMU:-qemu-system-x86_64}" "${args[@]}" -serial "file:$dir/console.log" -chardev "pipe,id=ch,path=$dir/ch" \
		-serial chardev:ch -chardev "pipe,id=mon,path=$dir/mon" -mon chardev=mon,mode=readline "$@" \
		</dev/null >"$dir/qemu.log" 2>&1 &
	echo $! >"$dir/qemu.pid"
	disown # its end is no news
}

# vm_kernel_line: the kernel's arguments
vm_kernel_line() {
	local line="console=ttyS0 quiet panic=-1 oops=panic reboot=t clocksource=hpet no_timer_check nokaslr mitigations=off"
	line+=" cryptomgr.notests audit=0 8250.nr_uarts=2 random.trust_cpu=on"
	[ "${VM_LSM:-}" = default ] || line+=" lsm=${VM_LSM:-landlock,lockdown,yama,bpf}"
	[ "${VM_SYSTEMD:-}" != 1 ] || line+=" vm.systemd=1"
	[ "${VM_HYBRID:-}" != 1 ] || line+=" vm.hybrid=1"
	[ "${VM_SYSTEMD:-}${VM_HYBRID:-}" != 11 ] || line+=" systemd.unified_cgroup_hierarchy=0"
	echo "$line ${VM_APPEND:-}"
}

# vm_write_args FOLDER KERNEL-FOLDER IMAGE...
vm_write_args() {
	local dir=$1 kernel=$2 image args=() disk=0 processors=2
	shift 2
	[ "${VM_ICOUNT:-}" != 1 ] || processors=1
	args=(-nodefaults -no-user-config -display none -no-reboot -accel "$vm_accel" -cpu Nehalem -smp "$processors"
		-m "${VM_MEM:-1024}M" -kernel "$kernel/vmlinux" -initrd "$dir/initrd.gz" -append "$(vm_kernel_line)")
	[ "${VM_ICOUNT:-}" != 1 ] || args+=(-icount "shift=0,sleep=off")
	for image; do
		args+=(-drive "if=none,id=d$disk,file=$image,format=raw,readonly=on" -device "virtio-blk-pci,drive=d$disk")
		disk=$((disk + 1))
	done
	printf '%s\n' "${args[@]}" >"$dir/args"
}

# vm_start FOLDER KERNEL-FOLDER ROOT PAYLOAD: up to three boots, as the newest kernels sometimes panic under emulation
vm_start() {
	local dir=$1 kernel=$2 try
	mkdir -p "$dir/initrd"
	install -m 755 "$vm_lib/guest-init" "$dir/initrd/init"
	cp "$vm_lib/agent" "$dir/initrd/agent"
	(cd "$dir/initrd" && printf 'init\nagent\n' | cpio -o -H newc 2>/dev/null | gzip -1) |
		cat "$kernel/base.cpio.gz" - >"$dir/initrd.gz"
	vm_write_args "$dir" "$kernel" "$3" "$kernel/modules.img" "$4"
	for try in 1 2 3; do
		vm_launch "$dir"
		! vm_wait_ready "$dir" || return 0
		echo "vm: boot $try of $(cat "$kernel/version") failed" >&2
		tail -n 5 "$dir/console.log" >&2
		cat "$dir/qemu.log" >&2
		vm_stop "$dir"
	done
	return 1
}

vm_wait_ready() {
	local dir=$1 fd line end=$((SECONDS + vm_boot_limit)) result=1
	exec {fd}<>"$dir/ch.out"
	while [ $SECONDS -lt $end ] && vm_alive "$dir"; do
		if read -r -t 2 -u "$fd" line && [[ $line == VM-READY* ]]; then
			result=0
			break
		fi
	done
	exec {fd}>&-
	return $result
}

# vm_save FOLDER: writes snap and ends the guest. No "stop" before: a later "cont" can get lost.
vm_save() {
	local dir=$1 in out answer end=$((SECONDS + 60))
	exec {in}<>"$dir/mon.in" {out}<>"$dir/mon.out"
	printf '%s\n' 'migrate_set_parameter max-bandwidth 4G' "migrate \"exec:cat >$dir/snap\"" >&"$in"
	while [ $SECONDS -lt $end ] && vm_alive "$dir"; do
		echo 'info migrate' >&"$in"
		answer=$(timeout 0.3 cat <&"$out" 2>/dev/null || :)
		[[ $answer != *'status: completed'* ]] || break
	done
	exec {in}>&- {out}>&-
	vm_stop "$dir"
	[ -s "$dir/snap" ]
}

# vm_restore FOLDER SAVED-FOLDER: a fresh guest in the saved one's state
vm_restore() {
	mkdir -p "$1"
	cp "$2/args" "$1/args"
	vm_launch "$1" -incoming "exec:cat $2/snap"
}

# vm_exec FOLDER LIMIT COMMAND: its output, its status; 124 too long, 125 the guest died
vm_exec() {
	local dir=$1 limit=$2 in out nonce=$RANDOM$RANDOM status=0
	exec {out}<>"$dir/ch.out" {in}<>"$dir/ch.in"
	if vm_handshake "$dir"; then
		echo "$limit $nonce $(base64 -w 0 <<<"$3")" >&"$in"
		vm_relay "$dir" "$nonce" $((SECONDS + limit + 30)) || status=$?
	else
		echo "vm: the guest does not answer"
		status=125
	fi
	exec {in}>&- {out}>&-
	return $status
}

# With vm_exec's descriptors in and out.
vm_handshake() {
	local line end=$((SECONDS + 60))
	while [ $SECONDS -lt $end ] && vm_alive "$1"; do
		echo >&"$in"
		if IFS= read -r -t 0.3 -u "$out" line && [[ $line == VM-SYNC* ]]; then return 0; fi
	done
	return 1
}

# vm_relay FOLDER NONCE END: lines as they come. An empty one waits for the next: the agent sends one before its status.
vm_relay() {
	local line part="" blank=""
	while :; do
		line=""
		if IFS= read -r -t 2 -u "$out" line; then
			line=$part${line%$'\r'}
			part=""
			case $line in
			"VM-RC $2 "*) return "${line##* }" ;;
			VM-SYNC) ;;
			"")
				[ -z "$blank" ] || echo
				blank=1
				;;
			*)
				[ -z "$blank" ] || echo
				blank=""
				printf '%s\n' "$line"
				;;
			esac
			continue
		fi
		part+=$line # read gave up in the middle of a line
		if ! vm_alive "$1"; then
			printf '%s\n' "$part" "vm: the guest died; its console ends with:"
			tail -n 30 "$1/console.log"
			return 125
		elif [ $SECONDS -ge "$3" ]; then
			printf '%s\n' "$part" "vm: the guest hangs; its console ends with:"
			tail -n 10 "$1/console.log"
			return 124
		fi
	done
}

vm_stop() {
	local pid
	pid=$(cat "$1/qemu.pid" 2>/dev/null) || return 0
	kill -KILL "$pid" 2>/dev/null || :
	while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
	rm -f "$1"/{ch,mon}.{in,out} "$1/qemu.pid"
}
