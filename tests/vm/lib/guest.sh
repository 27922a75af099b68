# SPDX-License-Identifier: GPL-2.0-only
# What a guest test sources: `. tests/vm/lib/guest.sh`. It runs as root in a guest, in /src (this tree, writable), with the
# build output in build/ (also BULKHEAD=build/bulkhead). Checks: tests/lib/tap.bash. Directives, as comments of the test:
#   # vm: only 6.1 6.12 new       these kernels (tests/vm/lib/kernels)
#   # vm: pristine                a guest of its own, fresh from the snapshot; else files run one after another in one guest
#   # vm: systemd | hybrid | icount
#   # vm: lsm default             the distribution's own list of security modules; or a list
#   # vm: append preempt=full     more kernel arguments
#   # vm: mem 2048                MiB
#   # vm: limit 900               seconds, else 600
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by the tests
# shellcheck source=tests/lib/tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/tap.bash"

BULKHEAD=$PWD/build/bulkhead
kernel=$(uname -r)

# kernel_at_least MAJOR.MINOR
kernel_at_least() {
	printf '%s\n%s\n' "$1" "${kernel%%-*}" | sort -VC
}
