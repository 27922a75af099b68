#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead replay` says about traces, word for word. BH_GOLDEN_UPDATE=1 writes the recorded outputs anew: read them
# before you commit them.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
here=tests/golden/detect
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# recorded SENTENCE NAME COMMAND...: status 0, and the output as recorded
recorded() {
	local sentence=$1 name=$2 status=0
	shift 2
	output=$("$@" 2>&1) || status=$?
	output=$(sed -E 's/"hash":"[0-9a-f]{64}"/"hash":"HASH"/' <<<"$output") # changes with the rules that ship
	[ -z "${BH_GOLDEN_UPDATE:-}" ] || printf '%s\n' "$output" >"$here/$name.out"
	is "$sentence: status" 0 "$status"
	is "$sentence: words" "$(cat "$here/$name.out")" "$output"
}

# alerts ARGUMENT...: what goes to standard output
alerts() {
	"$bulkhead" replay "$@" 2>/dev/null
}

mkdir "$work/made"
python3 $here/traces.py "$work/made"
for trace in "$here"/*.jsonl; do
	name=$(basename "$trace")
	ok "$name is what traces.py makes" cmp "$trace" "$work/made/$name"
done

for name in build package-install test-suite git-work web-server browser; do
	exits "$name is read" 0 "$bulkhead" replay --learn 1h $here/$name.jsonl
	matches "and is no alert" "^bulkhead: $here/$name\.jsonl: ([0-9]+) lines, \\1 for the detectors, 0 alerts\$" "$output"
done

recorded "keys are stolen" stolen-keys "$bulkhead" replay --honey /srv/backup/passwords.txt $here/stolen-keys.jsonl
recorded "a way out is sought" escape "$bulkhead" replay $here/escape.jsonl
recorded "there is noise" noise "$bulkhead" replay $here/noise.jsonl
recorded "what is new after learning" learned "$bulkhead" replay --learn 1ms $here/noise.jsonl
recorded "a policy's thresholds" watched "$bulkhead" replay --policy $here/watched.yaml $here/noise.jsonl
recorded "as JSON" watched-json "$bulkhead" replay --json --policy $here/watched.yaml $here/noise.jsonl
"$bulkhead" compile -o "$work" $here/watched.yaml >/dev/null 2>&1
is "the compiled policy watches the same" "$(alerts --policy $here/watched.yaml $here/noise.jsonl)" \
	"$(alerts --policy "$work/watched.bhp" $here/noise.jsonl)"

is "the same file gives the same alerts" "$(alerts --json $here/escape.jsonl)" "$(alerts --json $here/escape.jsonl)"
is "standard input is a file too" "$(alerts --json $here/escape.jsonl)" "$(alerts --json - <$here/escape.jsonl)"
# lines of several sandboxes, one of each in turn
paste -d '\n' $here/escape.jsonl $here/noise.jsonl $here/stolen-keys.jsonl $here/build.jsonl | grep . >"$work/mixed.jsonl"
without_ids() {
	sed -E 's/"id":"replay-a[0-9]+",//' | sort
}
is "sandboxes of one file do not disturb each other" \
	"$(for name in escape noise stolen-keys build; do alerts --json $here/$name.jsonl; done | without_ids)" \
	"$(alerts --json "$work/mixed.jsonl" | without_ids)"
alerts --json $here/escape.jsonl >"$work/alerts.jsonl"
exits "alerts can be read as events" 0 "$bulkhead" replay "$work/alerts.jsonl"
matches "and are no input" '20 lines, 0 for the detectors, 0 alerts$' "$output"

# refused SENTENCE AT LINE...: the lines make the replay end there
refused() {
	local sentence=$1 at=$2
	shift 2
	printf '%s\n' "$@" >"$work/bad.jsonl"
	exits "$sentence ends it" 3 "$bulkhead" replay "$work/bad.jsonl"
	is "at its place" "$work/bad.jsonl:$at" "$output"
}
good=$(head -n 1 $here/build.jsonl)
exits "a full disk is said" 6 bash -c "'$bulkhead' replay $here/escape.jsonl >/dev/full"
refused "what is no JSON" "2:1: error: an object is expected" "$good" "hello"
refused "an empty line" "2:1: error: an object is expected" "$good" "" "$good"
refused "half a line" "3:40: error: the line ends within a string" "$good" "$good" "${good:0:39}"
refused "another schema" "1:11: error: the schema is not bulkhead.event/1" '{"schema":"x"}'
refused "a bad number" "1:19: error: a whole number is expected" '{"process":{"pid":"1"}}'
for tool in {1..33}; do echo "${good/\"build\"/\"t$tool\"}"; done >"$work/tools.jsonl"
exits "more tools than a policy can have" 3 "$bulkhead" replay "$work/tools.jsonl"
is "are named" "$work/tools.jsonl:33:1: error: more than 32 tools in one file" "$output"
head -c 300000 /dev/zero | tr '\0' ' ' >"$work/long.jsonl"
exits "a line without end" 3 "$bulkhead" replay "$work/long.jsonl"
matches "is not read into memory" ':1:[0-9]+: error: the line is longer than 262144 bytes' "$output"
: >"$work/empty.jsonl"
exits "nothing" 0 "$bulkhead" replay "$work/empty.jsonl"
matches "is no alert" ': 0 lines, 0 for the detectors, 0 alerts$' "$output"

exits "a file that is not there" 3 "$bulkhead" replay "$work/none"
exits "a directory" 3 "$bulkhead" replay "$work"
exits "a policy with an error" 3 "$bulkhead" replay --policy tests/golden/messages/E110.yaml $here/build.jsonl
exits "no file" 2 "$bulkhead" replay
exits "two files" 2 "$bulkhead" replay $here/build.jsonl $here/build.jsonl
exits "a time that is none" 2 "$bulkhead" replay --learn soon $here/build.jsonl
mapfile -t honey < <(for i in {1..33}; do echo --honey; echo "/h$i"; done)
exits "more honey than there is room for" 2 "$bulkhead" replay "${honey[@]}" $here/build.jsonl
