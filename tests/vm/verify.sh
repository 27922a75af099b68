#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 600
# shellcheck disable=SC2154 # set by tap.bash
# bulkhead verify asks each supported kernel, and says so when it did not.
. tests/vm/lib/guest.sh

for example in quickstart coding-agent; do
	exits "the kernel answers what is expected of $example" 0 "$BULKHEAD" verify --engine all rules/examples/$example.yaml \
		rules/examples/$example.scenarios.yaml
	matches "and was asked" '^engine host\+bpf\+definition ' "$output"
done
other() {
	setpriv --reuid 65534 --clear-groups "$BULKHEAD" verify "$@" rules/examples/quickstart.yaml
}
exits "another user than root gets an answer too" 0 other
matches "with a word that the kernel was not asked" 'the kernel was not asked: only root' "$output"
exits "but none from the kernel" 4 other --engine bpf
