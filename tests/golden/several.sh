#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# compile with several files: folders, and policies that may be for the same sandbox.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
policy() { # NAME SELECT-CLAUSE [PRIORITY]
	cat >"$work/$1.yaml" <<END
apiVersion: bulkhead.dev/v1
kind: SandboxPolicy
metadata: {name: $1}
spec:
  select:
    priority: ${3:-100}
    any:
      - $2
  presets: [base]
  entry: tool
  tools:
    tool: {binaries: [/usr/bin/cat]}
END
}

mkdir "$work/empty"
policy b '{name: coder}'
policy a '{name: writer}'
echo 'no policy' >"$work/a.scenarios.yaml"
echo 'no policy' >"$work/notes.md"
exits "a folder compiles" 0 "$bulkhead" compile "$work"
is "its policies, in the order of their names" "a b" "$(sed -nE 's/^policy ([a-z]+) .*/\1/p' <<<"$output" | paste -sd' ')"
fails "two names that cannot both hold are no conflict" grep W160 <<<"$output"
exits "a folder without policies is an error" 3 "$bulkhead" compile "$work/empty"
matches "that says so" 'no policy in this folder' "$output"

policy a 'cgroup: /agents.slice/a-*.scope'
policy b 'cgroup: /agents.slice/*-1.scope'
exits "selectors that may meet are a warning" 0 "$bulkhead" compile "$work"
is "at the later one's clause, with the earlier one's place" \
	"b.yaml:8:9: warning[W160]: this may select the same sandboxes as policy 'a' (a.yaml)" \
	"$(grep -F 'W160' <<<"${output//"$work/"/}")"
exits "under --strict an error" 3 "$bulkhead" compile --strict "$work"
exits "in JSON a finding" 0 "$bulkhead" compile --json "$work"
matches "of the later one" '"name"|W160' "$(grep b.yaml <<<"$output")"
policy b 'cgroup: /agents.slice/*-1.scope' 101
exits "another priority decides" 0 "$bulkhead" compile --strict "$work"
policy b 'cgroup: /agents.slice/b-*.scope'
exits "patterns that cannot meet are no conflict" 0 "$bulkhead" compile --strict "$work"
