# SPDX-License-Identifier: GPL-2.0-only
# Sessions in sandboxes, and what came of them. Sourced by guest tests, after guest.sh. Starting a sandbox takes seconds
# in an emulated guest: a test runs one session of many attempts and asks afterwards. Everything lies in $bh, which the
# policies of tests/lib/policies name; bin/ holds the attackers' programs.
#   session_start POLICY [OPTION...] <<'END'    starts the session; the script is bash, run inside
#   session_wait WORD [SECONDS]                 until the session has said WORD
#   session_tell LINE                           to a session that is in `await`
#   session_end                                 ends it; then status, results and events are there
# Inside: `attempt LABEL COMMAND...` keeps status and output; `await` says a word and reads a line; TRY is the program `try`.
# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the tests

bh=/tmp/bh
try=$bh/bin/try
slice=/sys/fs/cgroup/bulkhead.slice
[ -d /sys/fs/cgroup/unified ] && slice=/sys/fs/cgroup/unified/bulkhead.slice
declare -A got_status got_text
events=() found=()

sandbox_prepare() {
	! mountpoint -q "$bh/ram" || umount "$bh/ram"
	rm -rf "$bh"
	mkdir -p "$bh"/{bin,work,outside,ram}
	mount -t tmpfs tmpfs "$bh/ram" # for what the overlay cannot, such as files without a name
	mkfifo "$bh/never"
	exec {never}<>"$bh/never" # nobody writes: to wait a moment by `read -t`
	cp build/tests/attack/{try,serve} "$bh/bin/"
	echo text >"$bh/work/file"
	echo secret >"$bh/outside/secret"
	cat >"$bh/prelude.sh" <<'END'
TRY=/tmp/bh/bin/try
attempt() {
	local label=$1 status=0 text
	shift
	text=$("$@" 2>&1 </dev/null) || status=$?
	printf 'RESULT\t%s\t%s\t%s\n' "$label" "$status" "${text//$'\n'/ | }"
}
await() {
	echo "$1"
	read -r told || told=
}
END
}

# session_start POLICY [OPTION...]: as the sandbox `session`, unless an option says otherwise
session_start() {
	local policy=$1
	shift
	{
		echo ". $bh/prelude.sh"
		cat
	} >"$bh/session.sh"
	rm -f "$bh"/{hold,events,out,err}
	mkfifo "$bh/hold"
	: >"$bh/out"
	"$BULKHEAD" run --policy "tests/lib/policies/$policy.yaml" --name session --events "$bh/events" "$@" \
		-- bash "$bh/session.sh" <"$bh/hold" >"$bh/out" 2>"$bh/err" &
	session_pid=$!
	exec {session_hold}>"$bh/hold"
}

# session_wait WORD [SECONDS]: without starting programs, which would slow down in an emulated guest what is waited for
session_wait() {
	local end=$((SECONDS + ${2:-240})) said
	while [ $SECONDS -lt $end ]; do
		mapfile -t said <"$bh/out"
		[[ " ${said[*]/%/$'\n'}" != *" $1"$'\n'* ]] || return 0
		kill -0 "$session_pid" 2>/dev/null || break
		read -rt 0.1 -u "$never" || :
	done
	tap_result "not ok" "the session gets as far as '$1'" "$(tail -n 8 "$bh/out")"$'\n'"$(grep -v denied "$bh/err" | tail -n 20)"
	exit 1
}

session_tell() {
	echo "$1" >&"$session_hold"
}

session_end() {
	local word label status text
	exec {session_hold}>&-
	session_status=0
	wait "$session_pid" || session_status=$?
	if ! [ -s "$bh/out" ]; then
		tap_result "not ok" "the session starts" "status $session_status"$'\n'"$(cat "$bh/err")"
		exit 1
	fi
	got_status=() got_text=()
	while IFS=$'\t' read -r word label status text; do
		[ "$word" = RESULT ] || continue
		got_status[$label]=$status
		got_text[$label]=$text
	done <"$bh/out"
	events_read
}

# The events of $bh/events, each a line of tab-separated name=value.
events_read() {
	tests/lib/events "$bh/events" >"$bh/flat" 2>"$bh/flat.err" ||
		tap_result "not ok" "every line of the events file is an event" "$(cat "$bh/flat.err")"
	mapfile -t events <"$bh/flat"
}

result_is() {
	if [ "${got_status[$2]:-none}" = "$3" ] && [[ ${got_text[$2]:-} =~ $4 ]]; then
		tap_result ok "$1"
	else
		tap_result "not ok" "$1" "$2: status ${got_status[$2]:-none}: ${got_text[$2]:-}"
	fi
}

# worked SENTENCE LABEL
worked() {
	result_is "$1" "$2" 0 ''
}

# refused SENTENCE LABEL: `try` met EPERM, or what it started was killed. EACCES would be the file system's own no.
refused() {
	result_is "$1" "$2" 1 'EPERM|killed|loader ended'
}

# events_with NAME=VALUE...: those events that have all of these, in $found
events_with() {
	local line want
	found=()
	for line in "${events[@]}"; do
		for want; do
			[[ $line == *$'\t'"$want"$'\t'* ]] || continue 2
		done
		found+=("$line")
	done
}

# event SENTENCE NAME=VALUE...: there is such an event
event() {
	local sentence=$1
	shift
	events_with "$@"
	if [ ${#found[@]} -gt 0 ]; then
		tap_result ok "$sentence"
		return
	fi
	events_with "$1"
	tap_result "not ok" "$sentence" "no event with $*; with $1:"$'\n'"$(printf '%s\n' "${found[@]}" | tail -n 4)"
}

# no_event SENTENCE NAME=VALUE...: there is none
no_event() {
	local sentence=$1
	shift
	events_with "$@"
	is "$sentence" "" "${found[*]}"
}

# What stands: governed cgroups, in the kernel's map and in the file system.
sandbox_left() {
	local map
	for map in /sys/fs/bpf/bulkhead/*/maps/bh_cgroups; do
		[ ! -e "$map" ] || bpftool -j map dump pinned "$map" | sed '/^\[\]$/d'
	done
	find "$slice" -mindepth 1 -type d 2>/dev/null
}

# sandbox_none SENTENCE: no sandbox is there
sandbox_none() {
	is "$1" "" "$(sandbox_left)"
}

# sandbox_clean SENTENCE: nothing of any run is left but the file that registers them
sandbox_clean() {
	is "$1" "lock" "$(sandbox_left; ls /run/bulkhead)"
}
