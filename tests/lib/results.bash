# SPDX-License-Identifier: GPL-2.0-only
# One counting scheme for all kinds of test. Sourced. $results is a folder; each kind and variant (compiler, kernel) has a
# file of tab-separated lines there: "pass|fail|skip kind variant file sentence" and "time kind variant seconds".
# shellcheck shell=bash
# shellcheck disable=SC2154 # results: set by who sources this

results_lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# record KIND VARIANT FILE STATUS SECONDS OUTPUT: counts the result lines in the file OUTPUT and prints one line, or, when
# something failed, the failures with their details. Exit status 77 skips the whole file; no result, or a bad status
# without a "not ok", is a failure. Returns 1 if anything failed.
record() {
	local log=$results/$1.$2.tsv failures
	printf 'time\t%s\t%s\t%s\n' "$1" "$2" "$5" >>"$log"
	failures=$(awk -v kind="$1" -v variant="$2" -v file="$3" -v status="$4" -v seconds="$5" -v log_file="$log" \
		-f "$results_lib/parse.awk" "$6") || {
		printf '%s\n' "$failures"
		return 1
	}
	printf '%s\n' "$failures"
}

# run_script KIND VARIANT FILE [LIMIT]: runs a test script natively and records it
run_script() {
	local start=$SECONDS status=0 log
	log=$results/logs/$1.$2.$(basename "$3").log
	mkdir -p "$results/logs"
	timeout -k 5 "${4:-300}" "$3" >"$log" 2>&1 </dev/null || status=$?
	record "$1" "$2" "$(basename "$3")" $status $((SECONDS - start)) "$log"
}

# check_step KIND VARIANT SENTENCE COMMAND...: one result, whether the command succeeds; its output is kept
check_step() {
	local kind=$1 variant=$2 sentence=$3 start=$SECONDS log word=ok
	log=$results/logs/$1.$2.step.log
	mkdir -p "$results/logs"
	shift 3
	"$@" >"$log.out" 2>&1 </dev/null || word="not ok"
	{
		echo "$word - $sentence"
		[ "$word" = ok ] || tail -n 40 "$log.out" | sed 's/^/# /'
	} >"$log"
	record "$kind" "$variant" "${kind}" 0 $((SECONDS - start)) "$log"
}
