#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The guest is what the other guest tests take for granted.
. tests/vm/lib/guest.sh

controllers=$(cat /sys/fs/cgroup/cgroup.controllers)
git_commits() {
	local dir
	dir=$(mktemp -d)
	git init -q "$dir" && cd "$dir" && echo text >file && git add file &&
		git -c user.name=a -c user.email=a@example.org commit -qm first && git log --oneline
}
serves_itself() {
	local dir status=0
	dir=$(mktemp -d)
	echo hello >"$dir/file"
	python3 -m http.server -d "$dir" --bind 127.0.0.1 8123 >/dev/null 2>&1 &
	wait_for 30 curl -sf http://127.0.0.1:8123/file || status=1
	kill $!
	return $status
}
user_namespace() {
	[ "$(unshare -Ur id -u)" = 0 ]
}

matches "bpf is an active security module" '(^|,)bpf(,|$)' "$(cat /sys/kernel/security/lsm)"
ok "the kernel describes its types" test -s /sys/kernel/btf/vmlinux
is "cgroup version 2 is mounted alone" cgroup2fs "$(stat -fc %T /sys/fs/cgroup)"
for controller in memory pids cpu; do
	matches "controller $controller is there" "\\b$controller\\b" "$controllers"
	matches "controller $controller is on for children" "\\b$controller\\b" "$(cat /sys/fs/cgroup/cgroup.subtree_control)"
done
is "the BPF file system is mounted" bpf_fs "$(stat -fc %T /sys/fs/bpf)"
is "tests run in the tree" /src "$PWD"
ok "the tree is writable" touch written-by-a-test
is "two processors" 2 "$(nproc)"
ok "bpftool asks the kernel" bpftool map show
ok "modules can be loaded" modprobe dummy
ok "git commits" git_commits
ok "python has its library" python3 -c 'import ctypes, json, socket, ssl, subprocess, unittest'
ok "curl reads from a python server" serves_itself
ok "user namespaces can be made" user_namespace
ok "an ordinary user can run programs" setpriv --reuid=1000 --regid=1000 --clear-groups true
fails "no shadow entry holds a password" grep -E '^[^:]*:[^*!:]' /etc/shadow
