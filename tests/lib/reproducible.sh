#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two builds of clean copies, in folders of different names, are the same bytes; and whatever compiler built the program, at
# whatever level, it makes the same bytes of each example.
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

# made BULKHEAD: what it makes of the examples
made() {
	local into
	into=$(mktemp -d -p "$work")
	"$1" compile -o "$into" "$tree/rules/examples" >"$into.out" 2>&1 || cat "$into.out"
	(cd "$into" && sha256sum -- *)
}
want=$(made "$work/one/build/bulkhead")
is "each example is compiled" "$(grep -h '^  name: \|^metadata: {name:' "$tree"/rules/examples/*.yaml | sed -E 's/.*name: *([a-z0-9-]+).*/\1/' | sort -u)" \
	"$(awk '{print $2}' <<<"$want" | sed -n 's/\.bhp$//p' | sort)"
# warnings are the business of the builds that are shipped: some are wrong where nothing is optimised
for compiler in "gcc -O0" "clang -O0" "clang -O2"; do
	out=build-${compiler// /}
	ok "$compiler builds the program" make -s -j2 -C "$work/one" O="$out" CC="${compiler% *}" CFLAGS="${compiler#* } -g -w"
	is "built by $compiler it makes the same bytes of each example" "$want" "$(made "$work/one/$out/bulkhead")"
done
