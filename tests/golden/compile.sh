#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead compile` says about a policy that compiles.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
quickstart=rules/examples/quickstart.yaml
whole=tests/golden/verify/before.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exits "a policy compiles" 0 "$bulkhead" compile $quickstart
matches "name, hash, rules, automata and bytes are said" \
	'^policy quickstart  [0-9a-f]{8}  1 tool  [0-9]+ rules \(4 exec, [0-9]+ file, 0 net, [0-9]+ never\)  [0-9]+ states  [0-9]+ of [0-9]+ cells  [0-9]+ bytes' \
	"$output"
bytes=$(grep -oE '[0-9]+ bytes' <<<"$output")
is "and the limits that hold by default" "  limits by default: memory 2Gi, swap 0, pids 512, open_files 4096" "$(sed -n 2p <<<"$output")"
"$bulkhead" compile -o "$work" $quickstart >/dev/null
is "the bytes are those of the file" "$bytes" "$(stat -c '%s bytes' "$work/quickstart.bhp")"
is "the same twice" "$output" "$("$bulkhead" compile $quickstart 2>&1)"
is "limits that a policy names are none by default" "  limits by default: swap 0, open_files 4096" \
	"$("$bulkhead" compile $whole 2>/dev/null | sed -n 2p)"
matches "how long it took is said on demand" '^  built in [0-9]+\.[0-9] ms$' "$("$bulkhead" compile --stats $quickstart | sed -n 3p)"
json=$("$bulkhead" compile --json $whole)
matches "JSON has all limits that hold" \
	'"caps":\{"memory":1073741824,"swap":0,"pids":64,"cpu":1500,"wall":900,"open_files":4096\}' "$json"
matches "and the bytes" '"bytes":[0-9]+\}' "$json"
is "but no time" "" "$(grep -o build_ms <<<"$json")"
matches "unless asked for" '"build_ms":[0-9.]+' "$("$bulkhead" compile --json --stats $whole)"
