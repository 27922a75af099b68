#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: only 6.1 6.12 new
# vm: limit 600
# Packets in a running sandbox: datagrams and echoes by address, ports to wait on, sockets that change hands.
. tests/vm/lib/guest.sh
. tests/lib/sandbox.bash

sandbox_prepare
cp tests/lib/net.py "$bh/"
chmod 755 "$bh/net.py"
echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range
servers=()
"$bh/bin/serve" tcp :: 7001 >"$bh/serve.1" &
servers+=($!)
python3 "$bh/net.py" echo_server 7001 >"$bh/serve.2" &
servers+=($!)
python3 "$bh/net.py" echo_server 7002 >"$bh/serve.3" &
servers+=($!)
for i in 1 2 3; do
	wait_for 60 grep -q ready "$bh/serve.$i" || tap_result "not ok" "server $i listens"
done

cat >"$bh/script" <<'END'
PY="python3 /tmp/bh/net.py"
attempt udp $PY ask 127.0.0.1 7001
attempt udp-connected $PY ask_connected 127.0.0.1 7001
attempt no-udp $PY ask 127.0.0.1 7002
attempt no-udp-connected $PY ask_connected 127.0.0.1 7002
attempt no-udp-elsewhere $PY ask 127.0.0.3 7001
attempt no-metadata $PY ask 169.254.169.254 53
attempt echo $PY echo 127.0.0.2
attempt no-echo $PY echo 127.0.0.3
attempt no-listen $PY listen 7012
attempt no-listen-unbound $PY listen_unbound
attempt no-bind $PY bind_datagram 7010
attempt within $PY within 7010
exec 5<>/dev/tcp/127.0.0.1/7001
attempt no-inherited $PY inherited 5
attempt no-inherited-receive $PY inherited_receive 5
attempt shell-listen $TRY connect 127.0.0.1 7010
python3 /tmp/bh/net.py serve 7010 serving; echo "RESULT	served	$?	"
python3 /tmp/bh/net.py serve_datagrams 7011 serving-datagrams; echo "RESULT	served-datagrams	$?	"
await tried
END
session_start network <"$bh/script"
session_wait serving 120
exits "a process elsewhere is served on a port that the tool may listen on" 0 python3 "$bh/net.py" talk 127.0.0.1 7010
session_wait serving-datagrams 60
exits "and by datagrams" 0 python3 "$bh/net.py" ask 127.0.0.1 7011
session_wait tried
exits "outside, what the sandbox may not reach is reached" 0 python3 "$bh/net.py" ask 127.0.0.1 7002
session_end

is "the session ends by itself" 0 "$session_status"
worked "a datagram goes where a rule lists, and is answered" udp
worked "so on a connected socket" udp-connected
refused "to another port it does not" no-udp
refused "nor on a connected socket" no-udp-connected
refused "to another address it does not" no-udp-elsewhere
refused "the metadata service is not asked for names either" no-metadata
event "which is told as what it is" kind=sendmsg reason=N0 network.address=169.254.169.254 network.protocol=udp
worked "an echo goes where a rule lists, and comes back" echo
refused "to another address it does not" no-echo
event "which is told" kind=sendmsg reason=N2 network.address=127.0.0.3 network.protocol=icmp
refused "a port that no rule lists is not waited on" no-listen
event "which is told with the port" kind=bind reason=N8 network.family=inet network.protocol=tcp network.port=7012 tool=python
refused "nor one that the kernel would choose" no-listen-unbound
refused "a port is listed for one protocol" no-bind
worked "two of the sandbox's own talk over loopback where both sides are listed" within
refused "a tool does not send on the socket of another" no-inherited
event "which is told" kind=sendmsg reason=S1 tool=python
refused "nor receives on it" no-inherited-receive
refused "the listener of one tool is not reached by another that may not" shell-listen
worked "the server served" served
result_is "the datagram server could answer, but send to nobody else" served-datagrams 1 ''
no_event "what was allowed is no event" kind=connect network.port=7010 tool=python
sandbox_clean "nothing is left of the run"
kill "${servers[@]}"
