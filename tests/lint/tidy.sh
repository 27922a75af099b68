#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# clang-tidy over userspace, with the build's own flags; two files at a time.
. "$(dirname "$0")/lib.bash"

tidy() {
	local flags
	read -ra flags < <(make -s O="${O:-build}" CC=clang print-flags)
	# shellcheck disable=SC2016 # for the inner shell
	c_files | grep -E '^(userspace|exporters)/.*\.c$' | tr '\n' '\0' |
		xargs -0r -n 4 -P 2 sh -c 'flags=$1; shift; clang-tidy --quiet "$@" -- $flags 2>&1' sh "${flags[*]}" |
		grep -E ': (error|warning): ' | sort -u
}

none "clang-tidy has nothing to say" "$(tidy)"
