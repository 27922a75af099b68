#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `bulkhead explain` answers, word for word. BH_GOLDEN_UPDATE=1 writes the recorded outputs anew: read them before you
# commit them.
. "$(dirname "$0")/../lib/tap.bash"
cd "$(dirname "$0")/../.." || exit 1

bulkhead=${BULKHEAD:-build/bulkhead}
here=tests/golden/explain
policies=tests/golden/verify

# asked NAME < lines "STATUS POLICY ARGUMENTS": what each says, one after the other
asked() {
	local status want policy words
	while read -r want policy words; do
		echo "# explain $policy $words"
		status=0
		eval "\"$bulkhead\" explain $policies/$policy $words" 2>&1 || status=$?
		[ "$status" = "$want" ] || echo "status $status, not $want"
	done
}

# recorded SENTENCE NAME < lines
recorded() {
	output=$(asked | sed -E 's/\b[0-9a-f]{64}\b/HASH/g') # the policy's changes with the rules that ship
	[ -z "${BH_GOLDEN_UPDATE:-}" ] || printf '%s\n' "$output" >"$here/$2.out"
	is "$1" "$(cat "$here/$2.out")" "$output"
}

recorded "programs" run <<'LINES'
0 coder.yaml --tool agent --run /usr/bin/bash
0 coder.yaml --tool agent --run '/usr/bin/git commit -m "two words"'
1 coder.yaml --tool agent --run '/usr/bin/git -c core.pager=sh status'
1 coder.yaml --tool agent --run '/usr/bin/git cherry-pick --edit x'
1 coder.yaml --tool agent --run '/usr/bin/git push' --env GIT_TERMINAL_PROMPT=0
0 coder.yaml --tool agent --run '/usr/bin/git push' --env GIT_TERMINAL_PROMPT=0 --env GIT_ALLOW_PROTOCOL=https
1 coder.yaml --tool agent --run /usr/bin/bash --env LD_PRELOAD=/tmp/x.so
1 coder.yaml --tool git --run '/usr/bin/sed -i x'
1 coder.yaml --tool @entry --run /usr/bin/git
1 coder.yaml --tool agent --run '/usr/bin/git add' --env X=1 --json
LINES
recorded "variables that the next tool's programs obey" variables <<'LINES'
1 coder.yaml --tool agent --run /usr/bin/bash --env BASH_ENV=/tmp/x
1 coder.yaml --tool agent --run /usr/bin/bash --env 'BASH_FUNC_ls%%=() { x; }'
0 coder.yaml --tool agent --run /usr/bin/bash --env BASH_VERSION=5 --env PYTHONPATH=/tmp
1 coder.yaml --tool agent --run '/usr/bin/git add' --env GIT_SSH_COMMAND=/tmp/x
0 coder.yaml --tool @entry --run /usr/bin/agent --env LD_PRELOAD=/tmp/x.so
0 ../explain/lifted.yaml --tool agent --run /usr/bin/python3.11 --env PYTHONPATH=/tmp
1 ../explain/lifted.yaml --tool agent --run /usr/bin/python3.11 --env PERL5OPT=-Mx
0 ../explain/lifted.yaml --tool agent --run /opt/tool --env PERL5OPT=-Mx --env ENV=/tmp/x
LINES
recorded "files and peers" rest <<'LINES'
0 coder.yaml --tool git --read /workspace/x
1 coder.yaml --tool bash --read /opt/x
1 coder.yaml --tool git --write /workspace/.git/hooks/x
0 whole.yaml --tool agent --load /opt/lib/x.so
1 whole.yaml --tool agent --load /work/x.so
0 whole.yaml --tool fetch --connect forge.example.com:443
1 whole.yaml --tool fetch --connect forge.example.com:443/udp
1 whole.yaml --tool fetch --connect www.example.com:443
0 whole.yaml --tool fetch --connect 10.8.0.1:8000
1 whole.yaml --tool fetch --connect 10.9.0.1:8000
1 whole.yaml --tool agent --connect [fd00:ec2::254]:80
1 whole.yaml --tool agent --connect 10.8.0.1:8000
0 whole.yaml --tool fetch --dns forge.example.com
1 whole.yaml --tool fetch --dns evil.example
0 whole.yaml --tool agent --unix /run/app/db.sock
1 whole.yaml --tool agent --unix @agent-busy
0 whole.yaml --tool agent --listen 8080
1 whole.yaml --tool agent --listen 8080/udp
0 whole.yaml --tool agent --privilege namespaces
1 whole.yaml --tool agent --privilege bpf
1 whole.yaml --tool agent --capability CAP_SYS_ADMIN --json
LINES
recorded "who can" who <<'LINES'
0 coder.yaml --who-can 'run /usr/bin/git'
0 coder.yaml --who-can 'run /usr/bin/git status'
1 coder.yaml --who-can 'run /usr/bin/git gc'
0 coder.yaml --who-can 'write /workspace/.git/x'
1 coder.yaml --who-can 'read /root/.ssh/id_rsa'
0 whole.yaml --who-can 'connect forge.example.com:443'
0 whole.yaml --who-can 'connect 10.8.0.1:873' --json
1 whole.yaml --who-can 'connect 169.254.169.254:80'
LINES
recorded "wrong usage" usage <<'LINES'
2 coder.yaml
2 coder.yaml --tool agent
2 coder.yaml --read /x
2 coder.yaml --tool agent --read /x --write /x
2 coder.yaml --tool agent --read x
2 coder.yaml --tool agent --run 'git status'
2 coder.yaml --tool agent --run '/usr/bin/git "status'
2 coder.yaml --tool agent --read /x --env A=b
2 coder.yaml --tool agent --run /x --env =b
2 coder.yaml --tool agent --connect nowhere
2 coder.yaml --tool agent --privilege anything
2 coder.yaml --tool nobody --read /x
2 coder.yaml --who-can 'eat /x'
2 coder.yaml --who-can 'read /x' --tool agent
2 coder.yaml --english --tool agent
LINES
