#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# The drill says of this kernel what tests/attack says of it too, and notices when a trick works.
. tests/vm/lib/guest.sh

field() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' /tmp/drill.json "$1"
}
status=0
"$BULKHEAD" drill --json >/tmp/drill.json 2>/tmp/drill.err || status=$?
is "every trick is refused inside and works outside" 0 "$status"
is "none failed" 0 "$(field failed)"
steps=$(grep -c '^BH_DRILL(' rules/drill.def)
is "each line of the table was tried" "$steps" $(($(field passed) + $(field skipped)))
ok "all but two at the most were possible here" test "$(field skipped)" -le 2
is "nothing is left in /tmp" "" "$(find /tmp -maxdepth 1 -name 'bulkhead-drill-*')"
is "no sandbox is left" "" "$(find /sys/fs/cgroup/bulkhead.slice -mindepth 1 -type d)"

# A node whose own rules get in the way: what cannot work outside is no pass.
ok "a node may be without a program" mount --bind /dev/null /usr/bin/id
status=0
"$BULKHEAD" drill >/tmp/drill.txt 2>&1 || status=$?
umount /usr/bin/id
is "then the tricks with it fail or are skipped" 0 "$(grep -c '^pass.*start a program that no rule lists' /tmp/drill.txt)"
# shellcheck disable=SC2016 # for the inner shell
ok "the metrics are three numbers" bash -c '"$0" drill --metrics 2>/dev/null | grep -c "^bulkhead_drill_tricks{result=\"[a-z]*\"} [0-9]*$" | grep -qx 3' "$BULKHEAD"
fails "it takes no arguments" "$BULKHEAD" drill now
