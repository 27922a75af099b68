#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The same policy is the same bytes: anywhere, at any time, in any order. tests/golden/hashes holds what they are; edit it by
# hand, and only when a policy, a preset, a floor or the meaning of the language was meant to change.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=$(realpath "${BULKHEAD:-build/bulkhead}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The examples, and a policy that uses the whole language
examples=$work/examples
mkdir "$examples"
cp rules/examples/* "$examples"
cp tests/golden/verify/before.yaml "$examples/everything.yaml"

# full_hash FILE...: of each policy, 64 digits, a line each
full_hash() {
	"$bulkhead" compile --json "$@" 2>/dev/null | grep -oE '"hash":"[0-9a-f]{64}"' | cut -d'"' -f4
}
# bytes_of FOLDER: of everything that was written there
bytes_of() {
	(cd "$1" && sha256sum -- *)
}
policies() {
	(cd "$examples" && printf '%s\n' * | grep -v -e '\.scenarios\.yaml$' -e '\.boundary\.yaml$')
}

none_missing=$(policies | while read -r file; do grep -q "^[0-9a-f]\{64\}  $file$" tests/golden/hashes || echo "$file"; done)
is "every example has its hash on record" "" "$none_missing"
while read -r hash file; do
	is "$file has the recorded hash" "$hash" "$(full_hash "$examples/$file")"
done <tests/golden/hashes

for file in $(policies); do
	mkdir -p "$work/$file"/{as-is,elsewhere,locale,zone,mask,past,future,bare,sentences,artifact}
	"$bulkhead" compile -o "$work/$file/as-is" "$examples/$file" >/dev/null 2>&1
	(cd / && "$bulkhead" compile -o "$work/$file/elsewhere" "$examples/../examples/$file") >/dev/null 2>&1
	LC_ALL=tr_TR.UTF-8 LANG=C.UTF-8 "$bulkhead" compile -o "$work/$file/locale" "$examples/$file" >/dev/null 2>&1
	TZ=Pacific/Kiritimati "$bulkhead" compile -o "$work/$file/zone" "$examples/$file" >/dev/null 2>&1
	(umask 077 && "$bulkhead" compile -o "$work/$file/mask" "$examples/$file") >/dev/null 2>&1
	faketime '1999-12-31 23:59:59' "$bulkhead" compile -o "$work/$file/past" "$examples/$file" >/dev/null 2>&1
	faketime '2038-01-20 00:00:00' "$bulkhead" compile -o "$work/$file/future" "$examples/$file" >/dev/null 2>&1
	env -i "$bulkhead" compile -o "$work/$file/bare" "$examples/$file" >/dev/null 2>&1
	"$bulkhead" explain "$examples/$file" --english >"$work/sentences.txt" 2>/dev/null
	"$bulkhead" compile -o "$work/$file/sentences" "$work/sentences.txt" >/dev/null 2>&1
	"$bulkhead" compile -o "$work/$file/artifact" "$work/$file"/as-is/*.bhp >/dev/null 2>&1
	want=$(bytes_of "$work/$file/as-is")
	is "$file is compiled into two files" 2 "$(wc -l <<<"$want")"
	for place in elsewhere locale zone mask past future bare sentences artifact; do
		is "$file is the same bytes: $place" "$want" "$(bytes_of "$work/$file/$place")"
	done
done

# Debian's own python, for its yaml package
shuffles=500
for file in $(policies | grep 'yaml$'); do
	mkdir "$work/orders" "$work/made"
	/usr/bin/python3 tests/lib/shuffle.py "$examples/$file" $shuffles "$work/orders"
	is "$file in $shuffles orders has one hash" "$shuffles $(full_hash "$examples/$file")" \
		"$(full_hash "$work/orders" | sort | uniq -c | sed 's/^ *//')"
	"$bulkhead" compile -o "$work/made" "$work/orders/007.yaml" >/dev/null 2>&1
	is "$file in another order is the same bytes" "$(bytes_of "$work/$file/as-is")" "$(bytes_of "$work/made")"
	fails "which is another order" cmp -s "$work/orders/007.yaml" "$work/orders/008.yaml"
	rm -r "$work/orders" "$work/made"
done
