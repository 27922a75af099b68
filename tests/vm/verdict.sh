#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each supported kernel answers questions as native code does.
# vm: only 6.1 6.12 new
# vm: limit 600
. tests/vm/lib/guest.sh

build/tests/bpf/verdict && BH_QUESTIONS=40000 exec build/tests/bpf/differential
