# SPDX-License-Identifier: GPL-2.0-only
# What test scripts say and how: one line per checked sentence, "ok - S", "not ok - S" or "ok - S # SKIP reason", details
# as "# " lines after it. Sourced. None of the checks ends the script or returns a failure: read tests/lib/tally.
# shellcheck shell=bash

# The last command's output, for use by `is` and `matches`.
output=""

tap_details() {
	[ -z "$1" ] || printf '%s\n' "$1" | head -n 60 | sed 's/^/# /'
}

tap_result() {
	echo "$1 - $2"
	tap_details "${3:-}"
}

# ok SENTENCE COMMAND...: the command succeeds
ok() {
	local sentence=$1 status=0
	shift
	output=$("$@" 2>&1) || status=$?
	if [ $status = 0 ]; then
		tap_result ok "$sentence"
	else
		tap_result "not ok" "$sentence" "status $status of: $*"$'\n'"$output"
	fi
}

# fails SENTENCE COMMAND...: the command runs and fails; being killed or not found does not count
fails() {
	local sentence=$1 status=0
	shift
	output=$("$@" 2>&1) || status=$?
	if [ $status -ge 1 ] && [ $status -le 125 ]; then
		tap_result ok "$sentence"
	else
		tap_result "not ok" "$sentence" "status $status of: $*"$'\n'"$output"
	fi
}

# exits SENTENCE STATUS COMMAND...: the command ends with exactly this status
exits() {
	local sentence=$1 want=$2 status=0
	shift 2
	output=$("$@" 2>&1) || status=$?
	if [ "$status" = "$want" ]; then
		tap_result ok "$sentence"
	else
		tap_result "not ok" "$sentence" "status $status, not $want, of: $*"$'\n'"$output"
	fi
}

# is SENTENCE WANT GOT
is() {
	if [ "$2" = "$3" ]; then
		tap_result ok "$1"
	else
		tap_result "not ok" "$1" "want: $2"$'\n'"got:  $3"
	fi
}

# matches SENTENCE REGEX TEXT: an extended regular expression, anywhere in the text
matches() {
	if grep -qE -- "$2" <<<"$3"; then
		tap_result ok "$1"
	else
		tap_result "not ok" "$1" "no match of: $2"$'\n'"in: $3"
	fi
}

# skip SENTENCE REASON
skip() {
	echo "ok - $1 # SKIP $2"
}

# wait_for SECONDS COMMAND...: polls until the command succeeds; fails when the time is over
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}
