#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Words that have no place in the tree: unfinished work, paths of one machine, the hosts that packages come from.
. "$(dirname "$0")/lib.bash"

# found REGEX PATHS-REGEX: "file:line:text"
found() {
	scripts/tree-files | grep -E "$2" | grep -v -e '^vmlinux/' -e '^tests/lint/words.sh$' -e '^LICENSES/' | tr '\n' '\0' |
		xargs -0r grep -nIE -- "$1" /dev/null | cut -c 1-200
}

# The mirrors of this machine's apt settings, as one regular expression.
mirrors() {
	find /etc/apt/sources.list /etc/apt/sources.list.d -type f -exec cat {} + 2>/dev/null | grep -v '^ *#' |
		grep -oE 'https?://[^/ ]+' | sed 's#.*//##; s/\./\\./g' | sort -u | paste -sd '|'
}

hosts='([a-z0-9-]+\.debian\.org|registry\.npmjs\.org|pypi\.org|proxy\.golang\.org|crates\.io)'
own=$(mirrors)
none "nothing is marked unfinished" "$(found '\b(TODO|FIXME|XXX)\b' .)"
none "no path of one machine" "$(found '(^|[^[:alnum:]_.}/-])/(work/(main|shared)|root/\.cache)(/|\b)' .)"
none "machinery names no package host" "$(found "${own:+$own|}$hosts" '^(Makefile$|scripts/|\.ci/|tests/checks\.mk|tests/(lib|lint|vm/lib|bpf|e2e)/)')"
