# SPDX-License-Identifier: GPL-2.0-only
# Reads one test file's output; appends its results to log_file; prints a summary line and what failed; status 1 if any did.
# Variables: kind, variant, file, status (exit status of the test), seconds, log_file.

function result(outcome, sentence) {
	gsub(/[\t\r]/, " ", sentence)
	count[outcome]++
	print outcome "\t" kind "\t" variant "\t" file "\t" sentence >>log_file
}

# cmocka's skip: "not ok 3 # SKIP test"
/^(not )?ok [0-9]+ # SKIP / {
	sub(/^(not )?ok [0-9]+ # SKIP /, "")
	result("skip", $0)
	shown = shown "SKIP " kind " " variant " " file ": " $0 "\n"
	failing = 0
	next
}

# "ok - sentence", "not ok - sentence", with or without a number; cmocka's own closing lines are comments.
/^(not )?ok( [0-9]+)? - / {
	bad = /^not /
	sentence = $0
	sub(/^(not )?ok( [0-9]+)? - /, "", sentence)
	if (match(sentence, / # SKIP/)) {
		result("skip", substr(sentence, 1, RSTART - 1))
		shown = shown "SKIP " kind " " variant " " file ": " sentence "\n"
	} else if (bad) {
		result("fail", sentence)
		shown = shown "FAIL " kind " " variant " " file ": " sentence "\n"
		failing = 1
		next
	} else {
		result("pass", sentence)
	}
	failing = 0
	next
}

{
	tail[NR % 25] = $0
	last = $0
}
failing && /^#/ { shown = shown "    " $0 "\n" }

function whole_file(outcome, sentence, i) {
	result(outcome, sentence)
	shown = shown toupper(outcome) " " kind " " variant " " file ": " sentence "\n"
	for (i = NR + 1; outcome == "fail" && i <= NR + 25; i++)
		if (i % 25 in tail)
			shown = shown "    " tail[i % 25] "\n"
}

END {
	total = count["pass"] + count["fail"] + count["skip"]
	if (status == 77 && total == 0)
		whole_file("skip", "all of it (" last ")")
	else if (status != 0 && count["fail"] == 0)
		whole_file("fail", "it ends well (status " status ")")
	else if (total == 0)
		whole_file("fail", "it says what it found (no result line)")
	line = count["fail"] ? "FAIL" : (count["pass"] ? "ok  " : "skip")
	line = line " " kind " " variant " " file ": " count["pass"] + 0 " passed"
	if (count["fail"]) line = line ", " count["fail"] " failed"
	if (count["skip"]) line = line ", " count["skip"] " skipped"
	printf "%s (%d s)\n%s", line, seconds, shown
	exit count["fail"] > 0
}
