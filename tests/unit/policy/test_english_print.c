/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed is read as the same policy, whatever the policy says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/restore.h"
#include "policy/english.h"
#include "policy/parse.h"
#include "tests/unit/policy/random_policy.h"

#define COLUMNS 120u
#define MODELS 200u

static struct bh_shipped *shipped;

static int load_shipped(void **state)
{
	return bh_shipped_load(&shipped, NULL);
}

static int free_shipped(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

/* The canonical form; the caller frees it. NULL, after saying why, when it does not compile. */
static char *canonical(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	struct bh_compiled *compiled = NULL;
	char *json = NULL;

	if (!bh_compile(policy, shipped, NULL, diags, &compiled))
		json = strdup(bh_compiled_json(compiled, NULL));
	bh_compiled_free(compiled);
	return json;
}

static char *printed(const struct bh_source_policy *policy)
{
	struct bh_diags *unsaid = bh_diags_new("", "", 0);
	struct bh_buf text = { 0 };

	assert_int_equal(bh_english_print(policy, shipped, &text, unsaid), 0);
	if (bh_diags_count(unsaid))
		fail_msg("%s", bh_diags_get(unsaid, 0)->text);
	bh_diags_free(unsaid);
	return (char *)text.bytes;
}

/* Findings of the compiler go where those of the parser are: accepted warnings are of both. */
static struct bh_source_policy *parsed(const char *text, struct bh_diags **ret_diags)
{
	struct bh_diags *diags = bh_diags_new("printed", text, strlen(text));
	struct bh_source_policy *policy = NULL;

	if (bh_policy_parse(text, strlen(text), shipped, diags, &policy)) {
		bh_diags_print(diags, stderr, false);
		fail_msg("not read back:\n%s", text);
	}
	*ret_diags = diags;
	return policy;
}

static void assert_same_text(const struct bh_word *a, const struct bh_word *b)
{
	assert_string_equal(a->text ? a->text : "(none)", b->text ? b->text : "(none)");
}

/* Lines break between words; only a word that is longer itself makes a longer line. */
static void assert_lines_fit(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (length > COLUMNS && strspn(text, " ") == 4)
			assert_true(memchr(text + 4, '"', length - 4) || !memchr(text + 4, ' ', length - 4));
		text += length + (text[length] == '\n');
	}
}

static void fail_with(const char *text, const char *after, const char *before)
{
	fprintf(stderr, "%s\nsays\n%s\nand not\n%s\n", text, after ? after : "nothing", before);
	fail_msg("the sentences say something else");
}

/* diags: of the model, so far. false: it does not compile. */
static bool round_trip(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	BH_FREE char *before = canonical(policy, diags), *text = NULL, *after = NULL, *again = NULL;
	struct bh_source_policy *copy;
	struct bh_diags *found;

	if (!before) {
		bh_diags_print(diags, stderr, false);
		return false;
	}
	text = printed(policy);
	assert_lines_fit(text);
	copy = parsed(text, &found);
	after = canonical(copy, found);
	if (!after)
		bh_diags_print(found, stderr, false);
	if (!after || strcmp(before, after) != 0)
		fail_with(text, after, before);
	assert_same_text(&policy->description, &copy->description);
	assert_same_text(&policy->owner, &copy->owner);
	assert_same_text(&policy->ticket, &copy->ticket);
	again = printed(copy);
	if (strcmp(text, again) != 0)
		fail_msg("%s\nis printed as\n%s", text, again);
	bh_source_policy_free(copy);
	bh_diags_free(found);
	return true;
}

static bool model_round_trip(const struct bh_source_policy *policy)
{
	struct bh_diags *diags = bh_diags_new("model", "", 0);
	bool compiles = round_trip(policy, diags);

	bh_diags_free(diags);
	return compiles;
}

/* What an artifact holds of the policy, said in sentences. */
static void restored_round_trip(const struct bh_source_policy *policy)
{
	struct bh_diags *diags = bh_diags_new("model", "", 0);
	BH_FREE char *json = canonical(policy, diags);
	struct bh_source_policy *restored = NULL;
	struct bh_err err = { 0 };

	assert_non_null(json);
	if (bh_policy_restore(json, strlen(json), shipped, &err, &restored))
		fail_msg("%s", err.text);
	assert_true(model_round_trip(restored));
	bh_source_policy_free(restored);
	bh_diags_free(diags);
}

static void random_policies_are_said_and_understood(void **state)
{
	unsigned int made = 0;

	for (unsigned int i = 0; i < MODELS; i++) {
		struct bh_source_policy *policy = random_policy();
		bool compiles = model_round_trip(policy);

		made += compiles;
		if (compiles && i % 3 == 0)
			restored_round_trip(policy);
		bh_source_policy_free(policy);
	}
	print_message("%u of %u random policies compile\n", made, MODELS);
	assert_true(made > MODELS * 9 / 10);
}

#define HEAD                                                                                                           \
	"apiVersion: bulkhead.dev/v1\n"                                                                                \
	"kind: SandboxPolicy\n"                                                                                        \
	"metadata: {name: sample}\n"                                                                                   \
	"spec:\n"                                                                                                      \
	"  entry: a\n"

/* A warning of each kind at its place, all accepted: the places are the same in the sentences. */
static void accepted_warnings_keep_their_places(void **state)
{
	static const char text[] = HEAD "  guards: [{lift: ssh-keys, reason: x}, {lift: shell-history, reason: y}]\n"
					"  tools:\n"
					"    a:\n"
					"      binaries: [/usr/bin/a, {path: /usr/bin/bash}]\n"
					"      files: {read: [/srv/a/**, /srv/b, /srv/a/c, /srv/d/**, /srv/*/e]}\n"
					"      args: [{exact: []}, {any: true, refuse: [-x]}]\n"
					"      reach: [web, mirror]\n"
					"    idle: {binaries: [/usr/bin/idle]}\n"
					"  egress:\n"
					"    destinations:\n"
					"      unused: {cidrs: [10.0.0.0/8], ports: [80]}\n"
					"      mirror: {cidrs: [10.1.0.0/16], ports: [80]}\n"
					"      web: {names: [web.example.com], ports: [443]}\n"
					"  accept:\n"
					"    - {code: W150, at: 'guards[1].lift', reason: r}\n"
					"    - {code: W131, at: tools.a, reason: r}\n"
					"    - {code: W211, at: 'tools.a.files.read[2]', reason: r}\n"
					"    - {code: W140, at: tools.idle, reason: r}\n"
					"    - {code: W320, at: egress.destinations.unused, reason: r}\n"
					"    - {code: W331, at: egress.destinations.web, reason: r}\n"
					"    - {code: W170, at: 'tools.a.args[1].refuse[0]', reason: r}\n";
	struct bh_diags *diags;
	struct bh_source_policy *policy = parsed(text, &diags);

	assert_true(round_trip(policy, diags));
	bh_source_policy_free(policy);
	bh_diags_free(diags);
}

/* A compiled policy has lost the order in which its lists were written. */
static void a_place_that_is_lost_has_no_sentence(void **state)
{
	static const char text[] = HEAD "  tools: {a: {binaries: [/usr/bin/a], files: {read: [/b/**, /a, /b/c]}}}\n"
					"  accept: [{code: W211, at: 'tools.a.files.read[2]', reason: r}]\n";
	struct bh_diags *unsaid = bh_diags_new("", "", 0), *diags;
	struct bh_source_policy *policy = parsed(text, &diags);
	struct bh_buf sentences = { 0 };
	const struct bh_diag *diag;

	policy->tools[0].read.count = 2;
	assert_int_equal(bh_english_print(policy, shipped, &sentences, unsaid), 0);
	diag = bh_diags_get(unsaid, 0);
	assert_true(diag && bh_diags_count(unsaid) == 1);
	assert_string_equal(diag->code, "L050");
	assert_non_null(strstr(diag->text, "tools.a.files.read[2]"));
	assert_non_null(strstr((const char *)sentences.bytes, "The warning W211 at tools.a.files.read[2] is accepted"));
	policy->tools[0].read.count = 3;
	bh_buf_done(&sentences);
	bh_diags_free(unsaid);
	bh_diags_free(diags);
	bh_source_policy_free(policy);
}

static void assert_says(const char *spec, const char *wanted)
{
	BH_FREE char *text = NULL, *said = NULL;
	struct bh_source_policy *policy;
	struct bh_diags *diags;

	assert_true(asprintf(&text, HEAD "%s", spec) > 0);
	policy = parsed(text, &diags);
	said = printed(policy);
	if (!strstr(said, wanted))
		fail_msg("'%s' is not in\n%s", wanted, said);
	bh_source_policy_free(policy);
	bh_diags_free(diags);
}

static void numbers_and_lists_are_said_as_people_would(void **state)
{
	assert_says("  tools: {a: {binaries: [/a]}}\n  never: {run: [/**]}\n", "Nothing may run programs under /.\n");
	assert_says("  tools: {a: {binaries: [/a], files: {read: [/x, '/y z', /w]}}}\n",
		    "It may read the files /x, \"/y z\" and /w.\n");
	assert_says("  tools: {a: {binaries: [/a], files: {read: [/x]}}}\n", "It may read the file /x.\n");
	assert_says("  tools: {a: {binaries: [/a], files: {read: [/x, /y/**, /z, '/v/*', /u/**]}}}\n",
		    "It may read the files /x and /z.\nIt may read files under /y and /u.\n"
		    "It may read files matching /v/*.\n");
	assert_says("  tools: {a: {binaries: [/a], load: []}}\n", "It may load no libraries.\n");
	assert_says("  tools: {a: {binaries: [/a], args: [{first: [x], operands: none}]}}\n",
		    "Tool a runs /a with subcommand x.\nIt takes no operands.\n");
	assert_says("  tools: {a: {binaries: [/a]}}\n"
		    "  resources: {caps: {memory: 1536Mi, pids: '1', cpu: '0.25', wall: 90m}}\n",
		    "The sandbox may use at most 1536Mi of memory, 1 process, 0.25 CPUs and 90m of time.\n");
	assert_says("  tools: {a: {binaries: [/a]}}\n"
		    "  resources:\n"
		    "    caps: {memory: 1Gi, pids: '2'}\n"
		    "    thresholds: [{signal: network.dns_label_entropy, over: '3.5', for: 500ms, respond: alert}]\n",
		    "If network.dns_label_entropy is over 3.5 for 500ms, report the sandbox.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_policies_are_said_and_understood),
		cmocka_unit_test(accepted_warnings_keep_their_places),
		cmocka_unit_test(a_place_that_is_lost_has_no_sentence),
		cmocka_unit_test(numbers_and_lists_are_said_as_people_would),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
