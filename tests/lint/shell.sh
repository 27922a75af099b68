#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
. "$(dirname "$0")/lib.bash"

none "shellcheck has nothing to say" "$(shell_files | tr '\n' '\0' | xargs -0 shellcheck -f gcc 2>&1)"
