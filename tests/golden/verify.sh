#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead verify` says and leaves behind, word for word. BH_GOLDEN_UPDATE=1 writes the recorded outputs anew: read
# them before you commit them.
# shellcheck disable=SC2016 # backquotes of markdown
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
here=tests/golden/verify
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# without_versions: what changes with the rules that ship, and not with what is tested here, becomes N or HASH
without_versions() {
	sed -E "s#$work#WORK#g; "'s/\b[0-9a-f]{64}\b/HASH/g; s/\b[0-9a-f]{8} -> [0-9a-f]{8}\b/HASH -> HASH/
		s/[0-9]+ (scenarios \(|compulsory|pass\b|rules\)|grants? added|removed)/N \1/g
		s/("(compulsory|passed|questions|rules|grants_added|grants_removed)":)[0-9]+/\1N/g'
}

# recorded SENTENCE STATUS NAME COMMAND...: the status, and the output as recorded
recorded() {
	local sentence=$1 want=$2 name=$3 status=0
	shift 3
	output=$("$@" 2>&1) || status=$?
	output=$(without_versions <<<"$output")
	[ -z "${BH_GOLDEN_UPDATE:-}" ] || printf '%s\n' "$output" >"$here/$name.out"
	is "$sentence: status" "$want" "$status"
	is "$sentence: words" "$(cat "$here/$name.out")" "$output"
}

# What can be asked, its boundary, and that again as scenarios
verify_whole() {
	"$bulkhead" verify --engine host $here/whole.yaml $here/whole.scenarios.yaml --boundary "$work/whole.yaml" &&
		"$bulkhead" verify --engine host $here/whole.yaml "$work/whole.yaml" && sed 's/id: [^,]*, //; 1,2d' "$work/whole.yaml"
}

for example in quickstart coding-agent; do
	exits "all scenarios of $example pass" 0 "$bulkhead" verify --engine host rules/examples/$example.yaml \
		rules/examples/$example.scenarios.yaml
	matches "and more than those of the file were asked" '[0-9]+ yours, [0-9]+ compulsory, [0-9]+ boundary\)   [0-9]+ pass$' "$output"
done
sed -n '/^```yaml$/,/^```$/p' docs/verify.md | sed '1d;$d' >"$work/documented.yaml"
exits "the example of docs/verify.md passes" 0 "$bulkhead" verify --engine host rules/examples/coding-agent.yaml "$work/documented.yaml"
recorded "a policy that passes" 0 pass "$bulkhead" verify --engine host $here/old.yaml
recorded "expectations that are not met" 1 failing "$bulkhead" verify --engine host $here/old.yaml $here/failing.yaml --uncovered
recorded "the same as JSON" 1 failing-json "$bulkhead" verify --engine host --json $here/old.yaml $here/failing.yaml
recorded "every kind of question" 0 whole verify_whole
recorded "mistakes in a scenario file" 3 errors "$bulkhead" verify --engine host rules/examples/coding-agent.yaml \
	$here/errors.yaml
exits "mistakes as JSON" 3 "$bulkhead" verify --engine host --json rules/examples/coding-agent.yaml $here/errors.yaml
matches "with code and place" '"ok":false,"findings":\[\{"severity":"error","code":"E406","line":3,"column":9' "$output"
exits "scenarios of another policy" 3 "$bulkhead" verify --engine host rules/examples/quickstart.yaml \
	rules/examples/coding-agent.scenarios.yaml
exits "a scenario file that is not there" 3 "$bulkhead" verify rules/examples/quickstart.yaml "$work/none.yaml"
exits "an engine that is none" 2 "$bulkhead" verify rules/examples/quickstart.yaml --engine fast
exits "no policy" 2 "$bulkhead" verify

# The boundary, and the lock beside a compiled policy
exits "the boundary is written" 0 "$bulkhead" verify --engine host rules/examples/coding-agent.yaml --boundary "$work/b.yaml"
exits "it passes as scenarios, and needs every grant" 0 "$bulkhead" verify --engine host rules/examples/coding-agent.yaml \
	"$work/b.yaml"
matches "as coverage says" 'coverage ([0-9]+)/\1 allow rules$' "$output"
"$bulkhead" verify --engine host rules/examples/coding-agent.yaml --boundary "$work/again.yaml" >/dev/null
ok "it is the same each time" cmp "$work/b.yaml" "$work/again.yaml"
sed 's#/usr/bin/sed#/usr/bin/awk#' rules/examples/coding-agent.yaml >"$work/changed.yaml"
exits "a policy that changed does not pass it" 1 "$bulkhead" verify --engine host "$work/changed.yaml" "$work/b.yaml"
matches "for what was taken away" 'FAIL b-[0-9a-f]{12} +agent runs /usr/bin/sed +expected allow, becoming agent, got deny X1' "$output"

cp rules/examples/quickstart.scenarios.yaml "$work/s.yaml"
exits "a source gets no lock" 0 "$bulkhead" verify --engine host rules/examples/quickstart.yaml "$work/s.yaml"
fails "neither here nor there" ls rules/examples/quickstart.lock quickstart.lock
exits "with -o it is compiled and locked" 0 "$bulkhead" verify --engine host rules/examples/quickstart.yaml "$work/s.yaml" -o "$work/out"
is "the lock names the policy" "$(sha256sum <"$work/out/quickstart.policy.json" | cut -c 1-64)" \
	"$(sed -E 's/.*"hash":"([0-9a-f]+)".*/\1/' "$work/out/quickstart.lock")"
is "and the scenarios" "$(sha256sum <"$work/s.yaml" | cut -c 1-64)" \
	"$(sed -E 's/.*"scenarios":"([0-9a-f]+)".*/\1/' "$work/out/quickstart.lock")"
cp "$work/out/quickstart.lock" "$work/lock"
sed 's/{id: curl, \(.*\)expect: deny, reason: X1}/{id: curl, \1expect: allow}/' "$work/s.yaml" >"$work/wrong.yaml"
exits "what fails is not locked" 1 "$bulkhead" verify --engine host "$work/out/quickstart.bhp" "$work/wrong.yaml"
ok "the old lock stays" cmp "$work/lock" "$work/out/quickstart.lock"
exits "a compiled policy that passes is locked in its place" 0 "$bulkhead" verify --engine host "$work/out/quickstart.bhp"
fails "anew" cmp "$work/lock" "$work/out/quickstart.lock"

# The kernel, where it can be asked
if "$bulkhead" verify --engine bpf rules/examples/quickstart.yaml >/dev/null 2>&1; then
	exits "the kernel gives the same answers" 0 "$bulkhead" verify --engine all rules/examples/coding-agent.yaml \
		rules/examples/coding-agent.scenarios.yaml
	matches "and was asked" '^engine host\+bpf\+definition ' "$output"
else
	skip "the kernel gives the same answers" "this kernel takes no programs from here"
fi
