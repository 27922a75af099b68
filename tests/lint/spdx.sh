#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every file of code says its licence at the top; what both sides include is dual-licensed.
. "$(dirname "$0")/lib.bash"

# without REGEX < names: files whose first two lines have no match
without() {
	local file
	while read -r file; do
		head -n 2 "$file" | grep -qE "SPDX-License-Identifier: $1( \\*/)?\$" || echo "$file"
	done
}

none "every file of code names its licence" "$({
	scripts/tree-files | grep -E '\.(c|h|def|py|awk|mk)$|(^|/)Makefile$' | grep -v '^vmlinux/'
	shell_files
} | without 'GPL-2.0-only( OR BSD-2-Clause)?')"
none "what both sides include is also BSD-2-Clause" "$(scripts/tree-files |
	grep -E '^(bpf/abi\.h|bpf/lib/[^/]*[^f]\.h|rules/reasons\.def)$' | grep -v '\.bpf\.h$' | without 'GPL-2.0-only OR BSD-2-Clause')"
