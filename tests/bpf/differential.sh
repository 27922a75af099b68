#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Three engines, the same million questions. BH_QUESTIONS: how many.
cd "$(dirname "$0")/../.." || exit 1
exec "${O:-build}/tests/bpf/differential"
