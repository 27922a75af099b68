#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead verify --repair` proposes, word for word, and what `--apply` does to a file. BH_GOLDEN_UPDATE=1 writes the
# recorded outputs anew: read them before you commit them.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
here=tests/golden/verify
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CI

# without_versions: what changes with the rules that ship, and not with what is tested here, becomes N or HASH
without_versions() {
	sed -E "s#$work#WORK#g; "'s/\b[0-9a-f]{64}\b/HASH/g; s/\b[0-9a-f]{8} -> [0-9a-f]{8}\b/HASH -> HASH/; s/(locked [a-z]+) [0-9a-f]{8}/\1 HASH/
		s/[0-9]+ (scenarios \(|compulsory|pass\b)/N \1/g; s/("(compulsory|passed|questions)":)[0-9]+/\1N/g'
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

verify() {
	"$bulkhead" verify --engine host "$@"
}

# untouched FILE: as it was copied
untouched() {
	ok "nothing was changed" cmp "$work/$1" "$work/before/$1"
	is "and nothing left behind" "" "$(find "$work" -name '*.new' -o -name '*.lock')"
}

recorded "proposals" 1 repair verify $here/old.yaml $here/broken.yaml --repair
recorded "proposals as JSON" 1 repair-json verify $here/old.yaml $here/broken.yaml --repair --json
recorded "subcommands, helpers and files" 1 repair-coder verify $here/coder.yaml $here/coder.scenarios.yaml --repair
recorded "opposite expectations" 1 repair-opposite verify $here/old.yaml $here/opposite.yaml --repair
recorded "what cannot be had" 1 repair-unfixable verify $here/old.yaml $here/failing.yaml --repair
recorded "nothing to repair" 0 repair-nothing verify $here/old.yaml --repair
exits "the same as JSON" 0 verify $here/old.yaml --repair --json
matches "and said" '"repair":\{"result":"nothing to repair"' "$output"

# What goes with what
exits "--apply without --repair" 2 verify $here/old.yaml --apply 1 --by me
exits "--deep without --repair" 2 verify $here/old.yaml --deep
exits "--apply without --by" 2 verify $here/old.yaml --repair --apply 1
exits "--by without --apply" 2 verify $here/old.yaml --repair --by me
exits "--apply of no number" 2 verify $here/old.yaml --repair --apply x --by me
exits "--apply of more than are ever proposed" 2 verify $here/old.yaml --repair --apply 4 --by me
exits "--by nobody" 2 verify $here/old.yaml --repair --apply 1 --by " "
exits "--by a line" 2 verify $here/old.yaml --repair --apply 1 --by $'a\nb'

# A file is edited and nothing else of it changes
mkdir "$work/before"
cp $here/old.yaml "$work/old.yaml"
cp $here/old.yaml "$work/before/old.yaml"
exits "in CI nothing is applied" 2 env CI=true "$bulkhead" verify --engine host "$work/old.yaml" $here/broken.yaml --repair \
	--apply 1 --by me
untouched old.yaml
ok "CI=false is none" env CI=false "$bulkhead" verify --engine host "$work/old.yaml" --repair --apply 1 --by me
exits "a proposal that is not there" 2 verify "$work/old.yaml" $here/opposite.yaml --repair --apply 1 --by me
untouched old.yaml
"$bulkhead" compile "$work/old.yaml" -o "$work/out" >/dev/null
exits "a compiled policy is not edited" 2 verify "$work/out/sample.bhp" $here/broken.yaml --repair --apply 1 --by me
exits "but has proposals" 1 verify "$work/out/sample.bhp" $here/broken.yaml --repair
matches "which say so" 'it cannot be applied to the file: a compiled policy is not edited' "$output"
chmod 640 "$work/old.yaml"
ln -s old.yaml "$work/link.yaml"
recorded "a proposal is applied" 0 repair-applied verify "$work/link.yaml" $here/broken.yaml --repair --apply 1 --by 'Ann "A" Other'
is "the file has the edits and nothing else" "$(sed 's#, /usr/bin/ls##; s#/srv/job/\*\*\], write: \[/srv/job/\*\*#/srv/job/**, /opt/models/tok.json], write: [/srv/job/**, /data/out/a#' \
	$here/old.yaml)" "$(cat "$work/old.yaml")"
is "and its mode" 640 "$(stat -c %a "$work/old.yaml")"
ok "a link stays one" test -L "$work/link.yaml"
is "nothing is left behind" "" "$(find "$work" -name '*.new')"
"$bulkhead" compile "$work/old.yaml" -o "$work/out" >/dev/null
new=$(sha256sum <"$work/out/sample.policy.json" | cut -c 1-64)
matches "the lock names the new policy" "\"hash\":\"$new\"" "$(cat "$work/sample.lock")"
matches "and who wanted what" '^\{"approvals":\[\{"by":"Ann \\"A\\" Other","new":"'"$new"'","old":"[0-9a-f]{64}","proposal":\["tools.worker.files.read \+= /opt/models/tok.json","tools.worker.files.write \+= /data/out/a","tools.worker.helpers -= /usr/bin/ls"\]\}\]' \
	"$(cat "$work/sample.lock")"
exits "it passes now" 0 verify "$work/old.yaml" $here/broken.yaml
exits "so there is nothing to apply" 0 verify "$work/old.yaml" $here/broken.yaml --repair --apply 1 --by me
matches "and that is said" '^nothing to repair$' "$output"

# A second one; approvals stay
sed 's/id: job, \(.*\)expect: allow/id: job, \1expect: deny/; s#/srv/job/a, /data#/data/b, /data#' $here/broken.yaml >"$work/more.yaml"
touch "$work/old.yaml.new"
exits "a file in the way" 6 verify "$work/old.yaml" "$work/more.yaml" --repair --apply 1 --by me
matches "is named" 'nothing was changed: cannot make .*/old.yaml.new: File exists' "$output"
rm "$work/old.yaml.new"
exits "a second proposal, as JSON" 0 verify "$work/old.yaml" "$work/more.yaml" --repair --apply 1 --by you --json
matches "is applied" '"applied":\{"proposal":1,"by":"you","old":"'"$new"'","new":"[0-9a-f]{64}","edits":\["[^]]*"\]\}' "$output"
is "both are in the lock" '"by":"Ann "by":"you"' "$(grep -oE '"by":"[A-Za-z]+"?' "$work/sample.lock" | paste -sd ' ')"
exits "compiled into a folder" 0 verify "$work/old.yaml" "$work/more.yaml" -o "$work/out"
is "they go along" "$(grep -o '"approvals":.*\]}\]' "$work/sample.lock")" "$(grep -o '"approvals":.*\]}\]' "$work/out/sample.lock")"
exits "and stay when the compiled policy is verified again" 0 verify "$work/out/sample.bhp" "$work/more.yaml"
matches "there" '"by":"you"' "$(cat "$work/out/sample.lock")"
echo "not a lock" >"$work/out/sample.lock"
exits "what is no lock is not overwritten" 6 verify "$work/out/sample.bhp" "$work/more.yaml"
is "it is left" "not a lock" "$(cat "$work/out/sample.lock")"

# Other layouts, and what cannot be edited
cat >"$work/block.yaml" <<'YAML'
apiVersion: bulkhead.dev/v1
kind: SandboxPolicy
metadata: {name: sample}
spec:
    presets: [base]
    entry: worker
    tools:
        worker:
            binaries:
              - /usr/bin/worker
            helpers:   # every day
              - /usr/bin/cat
              # for the names
              - /usr/bin/ls   # all of them
              - "/usr/bin/grep"

            files:
                read:
                  - /srv/job/**
                write:
                  - /srv/job/**   # results
YAML
cp "$work/block.yaml" "$work/before/block.yaml"
exits "lists of lines" 0 verify "$work/block.yaml" $here/broken.yaml --repair --apply 1 --by me
is "are edited line by line" "14d13
<               - /usr/bin/ls   # all of them
19a19
>                   - /opt/models/tok.json
21a22
>                   - /data/out/a" "$(diff "$work/before/block.yaml" "$work/block.yaml")"

# Words of argument clauses
sed 's/cherry-pick, abc/cherry-pick, --edit, -n, abc/' $here/coder.scenarios.yaml | grep -v -e 'id: sed' -e 'id: model' >"$work/words.yaml"
cp $here/coder.yaml "$work/coder.yaml"
exits "a subcommand and two options" 0 verify "$work/coder.yaml" "$work/words.yaml" --repair --apply 1 --by me
is "are added to their clause" "        - first: [add, commit, diff, status, cherry-pick]
          options: [-m:1, -s, --short, --edit, -n] # spelled exactly" "$(grep -A1 -- '- first: \[add' "$work/coder.yaml")"
sed 's/id: cfg, \(.*\) because.*$/id: cfg, \1}/; s/-c, core.pager=sh, status/commit, -m, x/' $here/coder.scenarios.yaml |
	grep -v -e 'id: sed' -e 'id: model' -e 'id: cherry' >"$work/words.yaml"
cp $here/coder.yaml "$work/coder.yaml"
exits "what is to be denied" 0 verify "$work/coder.yaml" "$work/words.yaml" --repair --apply 1 --by me
is "loses one of its words" "        - first: [add, diff, status]" "$(grep -- '- first: \[add' "$work/coder.yaml")"
