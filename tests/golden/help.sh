#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Help, manual pages and documents say the same as the program and the sources.
# shellcheck disable=SC2016 # backquotes of markdown
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
man=userspace/man

# none SENTENCE FINDINGS
none() {
	is "$1" "" "$2"
}

# help_options COMMAND: as its help lists them
help_options() {
	"$bulkhead" "$1" --help | sed -nE 's/^  (--?[a-z][a-z-]*)( .*)?$/\1/p' | sort
}

# man_options COMMAND: as its page lists them
man_options() {
	sed -nE 's/^\.It Fl (-?[a-z][a-z-]*)( Ar .*)?$/-\1/p' "$man/bulkhead-$1.8" | sort
}

# synopsis_options: in a synopsis on standard input, however it is written
synopsis_options() {
	grep -oE -- '(^|[][ (|])--?[a-z][a-z-]*' | sed 's/^[^-]*//' | sort -u
}

# man_synopsis COMMAND: the section, with mdoc's flags written out
man_synopsis() {
	sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' "$man/bulkhead-$1.8" | sed -E 's/Fl -$//; s/Fl (-?[a-z][a-z-]*)/ -\1/g'
}

# unknown_macros FILE: lines of a page that are no macro of mdoc that we use
unknown_macros() {
	grep -nE "^[.']" "$1" | grep -vE ':\.(\\"|(Dd|Dt|Os|Sh|Ss|Nm|Nd|Op|Fl|Ar|Cm|Xr|Ev|Pa|Ql|Pp|Pq|Po|Pc|Bl|It|El|Bd|Ed|Dl)( |$))' || :
}

# rendered_badly FILE: what the formatter has to say, where there is one
rendered_badly() {
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$1" 2>&1
	elif command -v groff >/dev/null; then
		groff -mandoc -Tascii -ww -z "$1" 2>&1
	fi
}

# reasons: each as a row of the table in docs/run.md
reasons() {
	sed -nE 's/^BH_REASON\([0-9]+, ([A-Z0-9]+), ([A-Z]+), "(.*)"\)$/| \1 | \L\2\E | \3 |/p' rules/reasons.def
}

# findings BEGINNING BETWEEN END: each with its text
findings() {
	sed -nE "s/^BH_FINDING\\(([A-Z0-9]+), [A-Z]+, \"(.*)\"\\)\$/$1\\1$2\\2$3/p" rules/findings.def
}
codes_of_sources() {
	grep -rhoE '"[EWNL][0-9]{3}"' userspace --include='*.c' --include='*.h' | tr -d '"' | sort -u
}

# detections, signals, samples: each as a row of the tables in docs/detections.md, signals without what they are counted from
detections() {
	sed -nE 's/^BH_DETECTION\([0-9]+, ([a-z_]+), ([a-z]+), ([a-z]+), "([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)"\)$/| \1 | \2 | \3 | \4 | \5 | \6 | \7 |/p' \
		rules/detections.def
}
signals() {
	sed -nE 's/^BH_SIGNAL\([0-9]+, ([a-z]+), ([a-z_]+), ([A-Z_]+), "(.*)"\)$/\1.\2 \3 \4/p' rules/signals.def | while read -r name kind text; do
		kind=${kind,,}
		echo "| $name | ${kind/_/ } | $text"
	done
}
samples() {
	sed -nE 's/^BH_SAMPLE\([0-9]+, ([a-z_]+), ([A-Z]+), "(.*)"\)$/| \1 | \L\2\E | \3 |/p' rules/samples.def
}
# detection_rows HEADING: rows of the table below it
detection_rows() {
	sed "1,/^## $1\$/d; /^## /,\$d" docs/detections.md | sed -n '/^|---/,$p' | sed '1d; /^|/!d'
}

# english_listing OPEN CLOSE: lines of the page's section about English between two macros
english_listing() {
	sed -n '/^\.Ss The English form/,/^\.Ss Decision/p' "$man/bulkhead-policy.5" | sed -n "/^\.$1/,/^\.$2/p" | sed "/^\.$1/d;/^\.$2/d"
}

# keys: of a policy, as the key table and the catalogue of selectors have them; files of rules/ have others
keys() {
	sed -nE '/Files of rules/q; s/^\t\{ "[a-z.-]+", "([A-Za-z_0-9]+)".*/\1/p' userspace/policy/keys.c
	sed -nE 's/^BH_SELECT\([0-9]+, [A-Z_]+, "[a-z]*", "([A-Za-z]+)".*/\1/p' rules/select.def
}
# unnamed_keys FILE: keys that stand nowhere in it
unnamed_keys() {
	keys | sort -u | while read -r key; do
		grep -qwe "$key" "$1" || echo "$key"
	done
}

# Hooks with a program, and hooks with a row in bpf/README.md
hooks_of_sources() {
	sed -nE 's#^SEC\("\??(lsm|fexit|cgroup_skb)/([a-z_0-9]+)"\)$#\2#p' bpf/hooks/*.bpf.c | sort
}
hooks_of_readme() {
	sed -n '/^## Hooks/,/^## Maps/p' bpf/README.md | sed -nE '/BPF_PROG_RUN/d; s/^\| (`[a-z_ `?]+)\|.*/\1/p' | grep -oE '[a-z_]{3,}' | sort
}

commands=$("$bulkhead" --help | sed -nE 's/^  ([a-z]+) +[a-z].*/\1/p')
matches "the program lists its commands" 'run' "$commands"
matches "options are found in the help" 'policy' "$(help_options run)"
for command in $commands; do
	is "the page of $command lists the options that its help lists" "$(help_options "$command")" "$(man_options "$command")"
	is "the synopsis of $command names the same options in help and page" \
		"$("$bulkhead" "$command" --help | head -n 1 | synopsis_options)" "$(man_synopsis "$command" | synopsis_options)"
	is "the page of $command has its summary" ".Nd $("$bulkhead" "$command" --help | sed -n '3s/\.$//p')" \
		"$(grep '^\.Nd' "$man/bulkhead-$command.8")"
done
none "the main page lists each command" "$(for command in $commands; do
	grep -q "^\.It Cm $command$" "$man/bulkhead.8" || echo "$command"
done)"
for page in "$man"/*.[58]; do
	none "$(basename "$page") uses known macros" "$(unknown_macros "$page")"
	none "$(basename "$page") is formatted without complaint" "$(rendered_badly "$page")"
	is "$(basename "$page") closes its lists" "$(grep -cE '^\.(Bl|Bd)' "$page")" "$(grep -cE '^\.(El|Ed)' "$page")"
done
is "docs/run.md has every reason, word for word, and no other" "$(reasons)" \
	"$(sed -n '/^| code | class/,$p' docs/run.md | tail -n +3)"
is "every code that the sources give is in rules/findings.def, and no other" "$(codes_of_sources)" "$(findings '' '#' '' | cut -d'#' -f1 | sort)"
is "docs/findings.md has every finding, word for word" "$(findings '| ' ' | ' ' |')" \
	"$(sed -n '/^|---/,$p' docs/findings.md | tail -n +2)"
is "the page of compile has every finding, word for word" "$(findings '' ' ' '')" \
	"$(sed -n '/^\.Sh DIAG/,/^\.El/p' "$man/bulkhead-compile.8" | sed -nE '/^\.It /{N;s/^\.It (.*)\n/\1 /p}')"
is "docs/detections.md has every detection, word for word, and no other" "$(detections)" "$(detection_rows Detections)"
is "and every signal" "$(signals)" "$(detection_rows Signals | sed -E 's/^((\|[^|]*){3}) \|.*/\1/')"
is "and every sample" "$(samples)" "$(detection_rows Samples)"
is "every detection has a number of its own" "" "$(sed -nE 's/^BH_DETECTION\(([0-9]+), .*/\1/p' rules/detections.def | sort | uniq -d)"
is "the page of policies has every English sentence and what may be part of one, and no other" "$(
	sed -nE 's/^BH_SENTENCE\([A-Z_0-9]+, [A-Z]+, "([^"]*)".*/\1./p' rules/english.def
	sed -nE 's/^BH_(SELECT|CAP)\(.*"([^"]*)"\)$/\2/p' rules/select.def rules/caps.def
)" "$(english_listing Bd Ed)"
is "and what stands in each slot" "$(sed -nE 's/^BH_SLOT\(([A-Z]+), [A-Z]+, "(.*)"\)$/\1 \2/p' rules/english-slots.def)" \
	"$(english_listing Bl El | sed -nE '/^\.It /{N;s/^\.It (.*)\n/\1 /p}')"
matches "keys are found in the sources" 'serviceAccounts' "$(keys | tr '\n' ' ')"
none "docs/policy.md names every key" "$(unnamed_keys docs/policy.md)"
none "the manual names every key" "$(unnamed_keys "$man/bulkhead-policy.5")"
is "README's policy is the quickstart example" "$(cat rules/examples/quickstart.yaml)" \
	"$(sed -n '/^```yaml$/,/^```$/p' README.md | sed '1d;$d')"
exits "README's policy compiles" 0 "$bulkhead" compile rules/examples/quickstart.yaml
is "the manual's policy is the quickstart example" "$(cat rules/examples/quickstart.yaml)" \
	"$(sed -n '/^\.Bd -literal$/,/^\.Ed$/p' "$man/bulkhead-policy.5" | sed '1d;$d')"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^```yaml$/,/^```$/p' docs/policy.md | sed '1d;$d' >"$work/example.yaml"
exits "the example of docs/policy.md compiles" 0 "$bulkhead" compile "$work/example.yaml"
is "the English policy of docs/policy.md is an example" "$(cat rules/examples/batch-interpreter.txt)" \
	"$(sed -n '/^```text$/,/^```$/p' docs/policy.md | sed '1d;$d')"
is "bpf/README.md has a row for every hook, and no other" "$(hooks_of_sources)" "$(hooks_of_readme)"
none "links in the documents lead somewhere" "$(grep -oE '\]\([^)#:]+\)' README.md docs/*.md bpf/README.md | tr -d '()' |
	while IFS=: read -r file link; do
		link=${link#]}
		[ -e "$(dirname "$file")/$link" ] || echo "$file: $link"
	done)"
