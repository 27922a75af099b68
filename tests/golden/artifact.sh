#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A compiled policy stands for its source, and a broken one for nothing.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=rules/examples/coding-agent.yaml
whole=$folder/coding-agent.bhp
broken=$folder/broken.bhp

# poke OFFSET BYTE: the whole file with one byte of it replaced (octal)
poke() {
	cp "$whole" "$broken"
	printf '%b' "\\0$2" | dd of="$broken" bs=1 seek="$1" conv=notrunc status=none
}

# answers FILE: what a policy says to some questions, without the place in its source
answers() {
	"$bulkhead" explain "$1" --tool git --read /tmp/bulkhead-demo/work/x
	"$bulkhead" explain "$1" --tool git --write /root/.ssh/id_ed25519
	"$bulkhead" explain "$1" --tool agent --run /usr/bin/git
	"$bulkhead" explain "$1" --tool curl --connect 127.0.0.1:8080
	"$bulkhead" explain "$1" --tool curl --connect 169.254.169.254:80
	"$bulkhead" explain "$1" --tool @entry --run /usr/bin/curl
} 2>/dev/null

ok "an example is compiled" "$bulkhead" compile -o "$folder" $source
ok "what was compiled is compiled again" "$bulkhead" compile -o "$folder/again" "$whole"
ok "to the same tables" cmp "$whole" "$folder/again/coding-agent.bhp"
ok "and the same canonical policy" cmp "$folder/coding-agent.policy.json" "$folder/again/coding-agent.policy.json"
is "both answer alike" "$(answers $source | sed 's/  rules.*yaml:.*//')" "$(answers "$whole")"

poke 5000 377
exits "a changed byte is refused" 3 "$bulkhead" compile "$broken"
matches "with the reason" 'broken.bhp: it is damaged: the hash' "$output"
poke 8 0
exits "an older format is refused" 3 "$bulkhead" explain "$broken" --tool git --read /x
matches "with what to do" 'it has format 0; .*help: compile the policy' "${output//$'\n'/ }"
head -c 70000 "$whole" >"$broken"
exits "a file that was cut off is refused" 3 "$bulkhead" compile "$broken"
matches "with both lengths" 'it has 70000 bytes and should have [0-9]+' "$output"
poke 0 130
exits "a file that only nearly begins like one is refused" 3 "$bulkhead" compile "$broken"
{
	cat "$whole"
	echo
} >"$broken"
exits "bytes behind the end are refused" 3 "$bulkhead" compile "$broken"
