#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead run` says before it starts anything.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
ahead=tests/golden/messages/run/E370.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exits "what cannot be enforced is not run" 4 "$bulkhead" run --policy $ahead -- /opt/agent/run
count=$(grep -c 'error\[E370\]' tests/golden/messages/run/E370.err)
is "every such thing is named" "$count" \
	"$(grep -c "^$ahead:[0-9]*:[0-9]*: error\[E370\]" <<<"$output")"
matches "and counted" "bulkhead: $ahead: $count things in this policy cannot be enforced yet; nothing was started" "$output"
"$bulkhead" compile -o "$work" $ahead >/dev/null
exits "nor when it is compiled" 4 "$bulkhead" run --policy "$work/ahead.bhp" -- /opt/agent/run
matches "then by name" "ahead\.bhp: error\[E370\]: [a-z.]+: 'bulkhead run' does not enforce [a-z ]+ yet" "$output"
