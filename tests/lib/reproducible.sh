#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two builds of clean copies, in folders of different names, are the same bytes.
. "$(dirname "$0")/tap.bash"

tree=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset MAKEFLAGS MAKELEVEL O

for copy in one a/quite/different/two; do
	mkdir -p "$work/$copy"
	"$tree/scripts/tree-files" -z | tar --null -C "$tree" -cf - -T - | tar -xf - -C "$work/$copy"
	ok "a clean copy builds in $copy" make -s -j2 -C "$work/$copy"
done
products() {
	(cd "$work/$1/build" && find . -name '*.bpf.o' -o -name bulkhead -o -name bulkheadd -o -name bulkhead-export |
		sort | xargs -r sha256sum)
}
is "both copies give the same bytes" "$(products one)" "$(products a/quite/different/two)"
matches "the comparison has the program and kernel objects" 'bpf\.o(.|\n)*bulkhead' "$(products one | tr '\n' ' ')"
