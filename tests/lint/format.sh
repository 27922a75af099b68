#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C is formatted as .clang-format says (`make format`).
. "$(dirname "$0")/lib.bash"

unformatted() {
	local file
	while read -r file; do
		clang-format "$file" | cmp -s - "$file" || echo "$file"
	done
}

none "C is formatted" "$(c_files | unformatted)"
none "no line ends in a blank" "$(scripts/tree-files | grep -vE '^(LICENSES|vmlinux)/|\.(md|patch|diff)$|^tests/(golden|unit|fuzz)/' |
	tr '\n' '\0' | xargs -0 grep -nIE '[[:blank:]]+$')"
