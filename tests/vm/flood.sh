#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# More denials than the ring holds while nobody reads it: each is still denied, and what was lost is counted.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

attempts=20000
sandbox_prepare
cat >"$bh/flood.py" <<'END'
import os, sys
denied = 0
for _ in range(int(sys.argv[1])):
    try:
        os.open("/tmp/bh/outside/secret", os.O_RDONLY)
    except PermissionError:
        denied += 1
print("DENIED", denied)
END
session_start run --quiet <<END
await ready
python3 -B /tmp/bh/flood.py $attempts
await flooded
END
session_wait ready
kill -STOP $session_pid
session_tell go
session_wait flooded
kill -CONT $session_pid
session_end

is "every attempt of $attempts is denied though nobody reads the ring" "DENIED $attempts" "$(grep DENIED "$bh/out")"
event "what was lost is an event" kind=drop
events_with kind=drop
lost=$(grep -oP '\tlost=\K[0-9]+' <<<"${found[0]}")
events_with kind=file_open file.path=$bh/outside/secret
matches "some were lost" '^[1-9]' "$lost"
is "those lost and those told are all that was denied" $attempts $((lost + ${#found[@]}))
matches "the last line counts them all" "  $attempts denials" "$(tail -n 1 "$bh/err")"
echo "# ${#found[@]} denials told, $lost counted as lost"
is "the run is none the worse for it" 0 "$session_status"
sandbox_clean "nothing is left of the run"
