#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead diff` says, word for word. BH_GOLDEN_UPDATE=1 writes the recorded outputs anew: read them before you
# commit them.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
here=tests/golden/verify
old=$here/old.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# without_versions: what changes with the rules that ship, and not with what is tested here, becomes N or HASH
without_versions() {
	sed -E 's/\b[0-9a-f]{64}\b/HASH/g; s/\b[0-9a-f]{8} -> [0-9a-f]{8}\b/HASH -> HASH/
		s/[0-9]+ (scenarios \(|compulsory|pass\b|rules\)|grants? added|removed|changed)/N \1/g
		s/("(compulsory|passed|questions|rules|grants_added|grants_removed|grants_changed)":)[0-9]+/\1N/g'
}

# recorded SENTENCE NAME COMMAND...: status 0, and the output as recorded
recorded() {
	local sentence=$1 name=$2 status=0
	shift 2
	output=$("$@" 2>&1) || status=$?
	output=$(without_versions <<<"$output")
	[ -z "${BH_GOLDEN_UPDATE:-}" ] || printf '%s\n' "$output" >"$here/$name.out"
	is "$sentence: status" 0 "$status"
	is "$sentence: words" "$(cat "$here/$name.out")" "$output"
}

recorded "a policy that is wider in most" wider "$bulkhead" diff $old $here/wider.yaml
recorded "the way back" narrower "$bulkhead" diff $here/wider.yaml $old
recorded "the same as JSON" wider-json "$bulkhead" diff $old $here/wider.yaml --json
recorded "everything that can change" everything "$bulkhead" diff $here/before.yaml $here/after.yaml
recorded "and changes back" everything-back "$bulkhead" diff $here/after.yaml $here/before.yaml
recorded "all of it as JSON" everything-json "$bulkhead" diff $here/before.yaml $here/after.yaml --json
"$bulkhead" compile -o "$work" $here/before.yaml $here/after.yaml >/dev/null 2>&1
exits "a policy of the whole language and what it compiles to" 0 "$bulkhead" diff --fail-on wider $here/after.yaml "$work/everything.bhp"
matches "are the same" ' SAME$' "$output"
exits "what is wider in one thing and narrower in another fails as well" 1 "$bulkhead" diff --fail-on wider $here/before.yaml $here/after.yaml
matches "and is mixed" ' MIXED \(' "$output"
exits "wider fails where it shall" 1 "$bulkhead" diff --fail-on wider $old $here/wider.yaml
sed 's#/usr/bin/cat, /usr/bin/grep, #/usr/bin/cat, #' $old >"$work/narrower.yaml"
exits "narrower does not" 0 "$bulkhead" diff --fail-on wider $old "$work/narrower.yaml"
matches "and is said" ' NARROWER \(0 grants added, 1 removed\)' "$output"
"$bulkhead" compile -o "$work" $old >/dev/null
exits "a source and what it compiles to" 0 "$bulkhead" diff --fail-on wider $old "$work/sample.bhp"
matches "are the same" ' SAME$' "$output"
exits "a policy with an error" 3 "$bulkhead" diff $old tests/golden/messages/E110.yaml
exits "one policy" 2 "$bulkhead" diff $old
exits "a condition that is none" 2 "$bulkhead" diff --fail-on change $old $old
