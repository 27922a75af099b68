#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Policies as sentences: written by people they give the same bytes as YAML, and so does what the program writes.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
here=tests/golden/english
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# bytes NAME FILE: compiles into a folder of that name
bytes() {
	"$bulkhead" compile -o "$work/$1" "$2"
}

# same_bytes SENTENCE FILE FILE: both compile, to the same tables and canonical form
same_bytes() {
	rm -rf "$work/a" "$work/b"
	ok "$1: compiles" bytes a "$2"
	ok "$1: in its other form, too" bytes b "$3"
	ok "$1: to the same bytes" diff -r "$work/a" "$work/b"
}

# say FILE RESULT: prints the policy in sentences
say() {
	"$bulkhead" explain --english "$1" >"$2"
}

# said SENTENCE FILE: what the program says of it compiles to the same bytes; so does what it says of the compiled form
said() {
	ok "$1: is said" say "$2" "$work/said.txt"
	same_bytes "$1, as it was said" "$2" "$work/said.txt"
	ok "$1: its compiled form is said" say "$work"/a/*.bhp "$work/restored.txt"
	same_bytes "$1, as its compiled form was said" "$2" "$work/restored.txt"
}

for example in batch-interpreter browser-agent; do
	same_bytes "$example" rules/examples/$example.yaml rules/examples/$example.txt
	for form in yaml txt; do
		exits "$example.$form passes its scenarios" 0 "$bulkhead" verify --engine host rules/examples/$example.$form \
			rules/examples/$example.scenarios.yaml
	done
	exits "$example: no difference between its forms" 0 "$bulkhead" diff --fail-on wider rules/examples/$example.yaml \
		rules/examples/$example.txt
done
same_bytes "a policy with a hash" $here/hashed.yaml $here/hashed.txt
is "is said as people wrote it" "$(sed 1d $here/hashed.txt)" "$("$bulkhead" explain --english $here/hashed.yaml | sed /described/d)"
for example in rules/examples/*.yaml; do
	case $example in *.scenarios.yaml) continue ;; esac
	said "$(basename "$example")" "$example"
done
said "every sentence" tests/fuzz/corpus/english/whole.txt

# Recorded, for people to read. BH_GOLDEN_UPDATE=1 writes them anew.
for example in quickstart coding-agent; do
	output=$("$bulkhead" explain --english rules/examples/$example.yaml)
	[ -z "${BH_GOLDEN_UPDATE:-}" ] || printf '%s\n' "$output" >$here/$example.txt
	is "$example in sentences" "$(cat $here/$example.txt)" "$output"
done

exits "questions are answered from sentences" 1 "$bulkhead" explain rules/examples/batch-interpreter.txt --tool python \
	--write /job/main.py
matches "with the place in them" 'DENY' "$output"
exits "an answer names the sentence" 0 "$bulkhead" explain rules/examples/batch-interpreter.txt --tool python --read /job/x
matches "by line and column" 'batch-interpreter\.txt:14:25' "$output"
exits "as JSON" 0 "$bulkhead" explain --english --json rules/examples/quickstart.yaml
matches "one object" '^\{"schema_version":1,"name":"quickstart","policy":"[0-9a-f]{64}","english":"Policy quickstart\.\\n.*"\}$' "$output"
exits "only the policy is asked for" 2 "$bulkhead" explain --english --tool shell rules/examples/quickstart.yaml
exits "a policy with errors is not said" 3 "$bulkhead" explain --english tests/golden/messages/E110.yaml

# A place in a list means nothing once the list is sorted.
cat >"$work/place.yaml" <<-'END'
	apiVersion: bulkhead.dev/v1
	kind: SandboxPolicy
	metadata: {name: place}
	spec:
	  entry: a
	  tools: {a: {binaries: [/usr/bin/a], files: {read: [/srv/b/c, /srv/b/**]}}}
	  accept: [{code: W211, at: "tools.a.files.read[0]", reason: kept}]
END
said_source=$("$bulkhead" explain --english "$work/place.yaml" 2>&1)
matches "a place is kept in the order of the source" 'W211 at tools\.a\.files\.read\[0\] is accepted' "$said_source"
ok "and the policy compiled" bytes place "$work/place.yaml"
exits "what has lost its place is said not to be all" 1 "$bulkhead" explain --english "$work/place/place.bhp"
matches "with what is missing" 'error\[E151\]' "$output"
