#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kill of a sandbox, on this machine's cgroups.
cd "$(dirname "$0")/../.." || exit 1
exec "${O:-build}/tests/bpf/kill"
