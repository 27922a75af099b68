#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# This machine's kernel answers questions as native code does; hooks are not needed for that.
cd "$(dirname "$0")/../.." || exit 1
exec "${O:-build}/tests/bpf/verdict"
