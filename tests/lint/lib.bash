# SPDX-License-Identifier: GPL-2.0-only
# What the lints share. Sourced; leaves the caller in the top of the tree.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.bash"
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# c_files: C sources and headers, without the pinned kernel types
c_files() {
	scripts/tree-files | grep -E '\.(c|h)$' | grep -v '^vmlinux/'
}

# shell_files: by name or first line
shell_files() {
	{
		scripts/tree-files | grep -E '\.(sh|bash)$'
		scripts/tree-files | grep -vE '\.[a-z]+$' | tr '\n' '\0' |
			xargs -0 awk 'FNR == 1 { if (/^#!.*sh$|shellcheck shell=/) print FILENAME; nextfile }'
		echo tests/vm/lib/agent
	} | sort -u
}

# none SENTENCE FINDINGS: ok when there are no findings
none() {
	if [ -z "$2" ]; then
		tap_result ok "$1"
	else
		tap_result "not ok" "$1" "$2"
	fi
}
