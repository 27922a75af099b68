#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The programs on packets, on this machine's kernel, in a network namespace of their own.
cd "$(dirname "$0")/../.." || exit 1
exec "${O:-build}/tests/bpf/packets"
