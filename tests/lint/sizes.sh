#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Hard limits: 800 lines for any file of code, 400 for a header.
. "$(dirname "$0")/lib.bash"

# longer_than LIMIT < names
longer_than() {
	tr '\n' '\0' | xargs -0r awk -v limit="$1" '
		FNR == 1 && name != "" && lines > limit { print name ": " lines " lines" }
		{ name = FILENAME; lines = FNR }
		END { if (lines > limit) print name ": " lines " lines" }'
}

none "no file of code has more than 800 lines" "$({
	scripts/tree-files | grep -E '\.(c|h|def|py|awk|mk)$|(^|/)Makefile$' | grep -v '^vmlinux/'
	shell_files
} | longer_than 800)"
none "no header has more than 400 lines" "$(c_files | grep '\.h$' | longer_than 400)"
