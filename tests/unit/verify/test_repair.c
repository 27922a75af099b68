/* SPDX-License-Identifier: GPL-2.0-only */
/* What is proposed for which failure, what never is, and what is said when nothing can be. */
#include "tests/unit/verify/sample.h"

#include "base/cleanup.h"
#include "verify/repair.h"

/* A policy, what is expected of it, and what came of that. */
struct bench {
	struct bh_diags *diags;
	struct bh_source_policy *source;
	struct bh_compiled *compiled;
	struct bh_exam exam;
	struct bh_scenario_set set;
	struct bh_checks compulsory;
	struct bh_repair repair;
	char *text;
};

static void bench_init(struct bench *bench, const char *policy, const char *scenarios, bool deep)
{
	struct bh_repair_task task;
	struct bh_err err = { 0 };

	memset(bench, 0, sizeof(*bench));
	bench->text = strdup(policy);
	bench->diags = bh_diags_new("p", bench->text, strlen(policy));
	assert_non_null(bench->diags);
	if (bh_policy_parse(policy, strlen(policy), shipped, bench->diags, &bench->source) ||
	    bh_compile(bench->source, shipped, NULL, bench->diags, &bench->compiled)) {
		bh_diags_print(bench->diags, stderr, false);
		fail_msg("the policy has errors");
	}
	bench->exam = (struct bh_exam){ bench->compiled, shipped, &floor_net };
	bench->set = scenarios_of(&bench->exam, scenarios);
	assert_int_equal(bh_checks_compulsory(&bench->exam, &bench->compulsory), 0);
	task = (struct bh_repair_task){ .source = bench->source,
					.exam = &bench->exam,
					.diags = bench->diags,
					.scenarios = &bench->set,
					.compulsory = &bench->compulsory,
					.deep = deep };
	if (bh_repair_make(&task, &bench->repair, &err))
		fail_msg("%s", err.text);
}

static void bench_done(struct bench *bench)
{
	bh_repair_done(&bench->repair);
	bh_checks_done(&bench->compulsory);
	bh_scenario_set_done(&bench->set);
	bh_compiled_free(bench->compiled);
	bh_source_policy_free(bench->source);
	bh_diags_free(bench->diags);
	free(bench->text);
}

/* The edits of a proposal, separated by semicolons; the caller frees it. */
static char *words_of(const struct bh_repair *repair, size_t index)
{
	struct bh_buf words = { 0 };

	for (size_t i = 0; i < repair->proposals[index].count; i++)
		bh_buf_print(&words, "%s%s", i ? "; " : "",
			     repair->atoms.items[repair->proposals[index].atoms[i]].text);
	return (char *)words.bytes;
}

/* The first proposals, one after the other, up to NULL. Each can be written into the text. */
static void proposes(const char *policy, const char *scenarios, const char *const *wanted)
{
	struct bench bench;
	size_t i;

	bench_init(&bench, policy, scenarios, false);
	assert_int_equal(bench.repair.end, BH_REPAIR_FOUND);
	for (i = 0; wanted[i]; i++) {
		BH_FREE char *words = NULL;
		struct bh_rewritten written = { 0 };
		struct bh_err err = { 0 };

		if (i >= bench.repair.count)
			fail_msg("not proposed: %s", wanted[i]);
		words = words_of(&bench.repair, i);
		assert_string_equal(words, wanted[i]);
		if (bh_proposal_write(&bench.repair, &bench.repair.proposals[i], shipped, "p", policy, strlen(policy),
				      &written, &err))
			fail_msg("%s: %s", words, err.text);
		bh_rewritten_done(&written);
	}
	if (i < BH_PROPOSALS_MAX && i < bench.repair.count)
		fail_msg("more than %zu: %s", i, words_of(&bench.repair, i));
	bench_done(&bench);
}

#define PROPOSES(policy, scenarios, ...) proposes(policy, SET scenarios, (const char *const[]){ __VA_ARGS__, NULL })

static void a_file_is_granted_alone_before_its_directory(void **state)
{
	PROPOSES(SAMPLE, "  - {id: a, tool: git, read: /opt/models/v1/tok.json, expect: allow}\n",
		 "tools.git.files.read += /opt/models/v1/tok.json", "tools.git.files.read += /opt/models/v1/**",
		 "tools.git.files.read += /opt/models/**");
	PROPOSES(SAMPLE, "  - {id: a, tool: git, write: /work/x, expect: allow}\n", "tools.git.files.write += /work/x",
		 "tools.git.files.write += /work/**");
	/* never above the directories of which no policy may have all */
	PROPOSES(SAMPLE, "  - {id: a, tool: git, read: /etc/x/y, expect: allow}\n", "tools.git.files.read += /etc/x/y",
		 "tools.git.files.read += /etc/x/**");
	PROPOSES(SAMPLE, "  - {id: a, tool: worker, rename: [/work/a, /tmp/a], expect: allow}\n",
		 "tools.worker.files.write += /tmp/a", "tools.worker.files.write += /tmp/**");
}

static void one_wider_grant_is_less_than_two(void **state)
{
	PROPOSES(SAMPLE,
		 "  - {id: a, tool: git, read: /opt/x/1, expect: allow}\n"
		 "  - {id: b, tool: git, read: /opt/x/2, expect: allow}\n",
		 "tools.git.files.read += /opt/x/**", "tools.git.files.read += /opt/**");
	/* unless something in it must not be granted */
	PROPOSES(SAMPLE,
		 "  - {id: a, tool: git, read: /opt/x/1, expect: allow}\n"
		 "  - {id: b, tool: git, read: /opt/x/2, expect: allow}\n"
		 "  - {id: c, tool: git, read: /opt/x/3, expect: deny}\n",
		 "tools.git.files.read += /opt/x/1; tools.git.files.read += /opt/x/2");
}

static void a_program_is_run_as_helper_or_as_tool(void **state)
{
	PROPOSES(SAMPLE, "  - {id: a, tool: git, run: /usr/bin/sed, expect: allow}\n",
		 "tools.git.helpers += /usr/bin/sed");
	PROPOSES(SAMPLE, "  - {id: a, tool: git, run: /usr/bin/worker, expect: allow}\n", "tools.git.may_run += worker",
		 "tools.git.helpers += /usr/bin/worker");
	PROPOSES(SAMPLE, "  - {id: a, tool: git, run: /usr/bin/worker, expect: allow, to: git}\n",
		 "tools.git.helpers += /usr/bin/worker");
	/* it is a helper already, but is meant to become a tool */
	PROPOSES(HEAD "    worker: {binaries: [/usr/bin/worker], helpers: [/usr/bin/git], may_run: [other]}\n"
		      "    other: {binaries: [/usr/bin/other], may_run: [git]}\n"
		      "    git: {binaries: [/usr/bin/git]}\n",
		 "  - {id: a, tool: worker, run: /usr/bin/git, expect: allow, to: git}\n",
		 "tools.worker.helpers -= /usr/bin/git; tools.worker.may_run += git");
}

static void what_grants_is_taken_away_or_forbidden(void **state)
{
	PROPOSES(SAMPLE, "  - {id: a, tool: worker, run: /usr/bin/cat, expect: deny}\n",
		 "tools.worker.helpers -= /usr/bin/cat");
	PROPOSES(HEAD "    worker: {binaries: [/usr/bin/worker], helpers: [/usr/bin/da*]}\n",
		 "  - {id: a, tool: worker, run: /usr/bin/date, expect: deny}\n"
		 "  - {id: b, tool: worker, run: /usr/bin/dash, expect: deny}\n",
		 "tools.worker.helpers -= /usr/bin/da*");
	PROPOSES(SAMPLE, "  - {id: a, tool: git, read: /work/x, expect: deny}\n", "tools.git.files.read -= /work/**",
		 "never.read += /work/x");
	/* the wide grant is needed */
	PROPOSES(SAMPLE,
		 "  - {id: a, tool: git, read: /work/x, expect: deny}\n"
		 "  - {id: b, tool: git, read: /work/y, expect: allow}\n",
		 "never.read += /work/x");
	/* a second program of a tool */
	PROPOSES(HEAD "    worker: {binaries: [/usr/bin/worker], may_run: [b]}\n"
		      "    b: {binaries: [/usr/bin/b, /usr/bin/c]}\n",
		 "  - {id: a, tool: worker, run: /usr/bin/b, expect: allow}\n"
		 "  - {id: c, tool: worker, run: /usr/bin/c, expect: deny}\n",
		 "tools.b.binaries -= /usr/bin/c");
}

static void a_network_is_reached_by_what_is_there_or_by_its_own(void **state)
{
	PROPOSES(SAMPLE, "  - {id: a, tool: worker, connect: \"10.1.2.3:443\", expect: allow}\n",
		 "tools.worker.reach += forge");
	PROPOSES(SAMPLE, "  - {id: a, tool: worker, connect: \"192.0.2.1:8080\", expect: allow}\n",
		 "egress.destinations += net-192-0-2-1: {cidrs: [192.0.2.1/32], ports: [8080]}; "
		 "tools.worker.reach += net-192-0-2-1");
	PROPOSES(SAMPLE, "  - {id: a, tool: worker, connect: \"[2001:db8::1]:80\", expect: allow}\n",
		 "egress.destinations += net-2001-db8--1: {cidrs: [2001:db8::1/128], ports: [80]}; "
		 "tools.worker.reach += net-2001-db8--1");
	PROPOSES(SAMPLE, "  - {id: a, tool: git, connect: \"10.1.2.3:443\", expect: deny}\n",
		 "never.reach += 10.1.2.3/32");
	/* a destination that nobody would use any more goes as well */
	PROPOSES(HEAD WORKER_TOOL GIT_TOOL "  egress: {destinations: {forge: {cidrs: [10.1.0.0/16], ports: [1-3]}}}\n",
		 "  - {id: a, tool: git, connect: \"10.1.2.3:1\", expect: deny}\n"
		 "  - {id: b, tool: git, connect: \"10.1.2.4:1\", expect: deny}\n"
		 "  - {id: c, tool: git, connect: \"10.1.2.5:1\", expect: deny}\n",
		 "tools.git.reach -= forge; egress.destinations -= forge");
	PROPOSES(HEAD WORKER_TOOL
		 "    git: {binaries: [/usr/bin/git], reach: [forge]}\n"
		 "  egress: {destinations: {forge: {cidrs: [10.1.0.0/16, 10.2.0.0/16], ports: [443]}}}\n",
		 "  - {id: a, tool: git, connect: \"10.1.2.3:443\", expect: deny}\n",
		 "egress.destinations.forge.cidrs -= 10.1.0.0/16", "never.reach += 10.1.2.3/32");
}

static void a_story_is_mended_at_the_step_that_fails(void **state)
{
	PROPOSES(SAMPLE,
		 "  - {id: a, tool: \"@entry\", story: [{run: /usr/bin/worker}, {run: /usr/bin/git},\n"
		 "      {write: /data/x}], expect: allow}\n",
		 "tools.git.files.write += /data/x", "tools.git.files.write += /data/**");
	PROPOSES(SAMPLE, "  - {id: a, tool: git, story: [{run: /usr/bin/worker}, {write: /work/x}], expect: allow}\n",
		 "tools.git.may_run += worker");
}

static void ends(const char *policy, const char *scenarios, enum bh_repair_end end, const char *first,
		 const char *second)
{
	struct bench bench;

	bench_init(&bench, policy, scenarios, false);
	assert_int_equal(bench.repair.end, end);
	assert_int_equal(bench.repair.count, 0);
	if (end == BH_REPAIR_UNFIXABLE) {
		assert_true(bench.repair.unfixable_count > 0);
		assert_string_equal(bench.repair.unfixable[0].scenario->id, first);
		assert_int_equal(bench.repair.unfixable_count, second ? 2 : 1);
	} else {
		assert_string_equal(bench.repair.first->id, first);
		assert_string_equal(bench.repair.second->id, second);
	}
	bench_done(&bench);
}

#define ARGUED                                                                                                         \
	HEAD "    worker: {binaries: [/usr/bin/worker], may_run: [git, remote], files: {read: [/work/**]}}\n"          \
	     "    git:\n      binaries: [/usr/bin/git]\n      args:\n"                                                 \
	     "        - exact: [--version]\n        - {first: [add, diff], options: [-s, -m:1], operands: none}\n"     \
	     "    remote:\n      binaries: [/usr/bin/git]\n      args: [{first: [push], operands: words}]\n"           \
	     "      env: {require: {SAFE: \"1\"}}\n      reach: [forge]\n"                                             \
	     "  egress:\n    destinations: {forge: {names: [forge.example.com, \"*.cdn.example.com\"], ports: [443]}}\n"

static void words_are_added_to_the_clause_that_lacks_them(void **state)
{
	PROPOSES(ARGUED, "  - {id: a, tool: worker, run: [/usr/bin/git, log], expect: allow, to: git}\n",
		 "tools.git.args[1].first += log");
	PROPOSES(ARGUED, "  - {id: a, tool: worker, run: [/usr/bin/git, diff, --stat], expect: allow}\n",
		 "tools.git.args[1].options += --stat");
	PROPOSES(ARGUED, "  - {id: a, tool: worker, run: [/usr/bin/git, --depth=3, diff], expect: allow}\n",
		 "tools.git.args[1].options += --depth:1");
	PROPOSES(ARGUED, "  - {id: a, tool: worker, run: [/usr/bin/git, -C, /x, diff], expect: allow}\n",
		 "tools.git.args[1].options += -C:1");
	PROPOSES(ARGUED, "  - {id: a, tool: worker, run: [/usr/bin/git, -sb, log, -x], expect: allow}\n",
		 "tools.git.args[1].first += log; tools.git.args[1].options += -sb; tools.git.args[1].options += -x");
	/* a tool that is not run yet, and what it would have to be told */
	PROPOSES(HEAD "    worker: {binaries: [/usr/bin/worker], may_run: [other]}\n"
		      "    other: {binaries: [/usr/bin/other], may_run: [git]}\n"
		      "    git: {binaries: [/usr/bin/git], args: [{first: [add]}]}\n",
		 "  - {id: a, tool: worker, run: [/usr/bin/git, log], expect: allow, to: git}\n",
		 "tools.git.args[0].first += log; tools.worker.may_run += git");
}

static void words_are_taken_from_every_clause_that_has_them(void **state)
{
	PROPOSES(ARGUED,
		 "  - {id: a, tool: worker, run: [/usr/bin/git, add, -s], expect: deny}\n"
		 "  - {id: b, tool: worker, run: [/usr/bin/git, diff, -s], expect: allow}\n",
		 "tools.git.args[1].first -= add");
	PROPOSES(ARGUED,
		 "  - {id: a, tool: worker, run: [/usr/bin/git, add, -m, x], expect: deny}\n"
		 "  - {id: b, tool: worker, run: [/usr/bin/git, add], expect: allow}\n",
		 "tools.git.args[1].options -= -m:1");
}

static void arguments_that_are_no_list_of_words_are_left_alone(void **state)
{
	/* operands, variables, exact lists, and the last subcommand: without one none would be needed */
	ends(ARGUED, SET "  - {id: a, tool: worker, run: [/usr/bin/git, add, x], expect: allow, to: git}\n",
	     BH_REPAIR_UNFIXABLE, "a", NULL);
	ends(ARGUED, SET "  - {id: a, tool: worker, run: [/usr/bin/git, push, x], expect: allow}\n",
	     BH_REPAIR_UNFIXABLE, "a", NULL);
	ends(ARGUED,
	     SET "  - {id: a, tool: worker, run: [/usr/bin/git, --version], expect: deny}\n"
		 "  - {id: b, tool: worker, run: [/usr/bin/git, add], expect: allow}\n",
	     BH_REPAIR_UNFIXABLE, "a", NULL);
	ends(ARGUED, SET "  - {id: a, tool: worker, run: [/usr/bin/git, push], env: {SAFE: \"1\"}, expect: deny}\n",
	     BH_REPAIR_UNFIXABLE, "a", NULL);
}

static void names_are_reached_like_networks(void **state)
{
	PROPOSES(ARGUED, "  - {id: a, tool: worker, connect: \"forge.example.com:443\", expect: allow}\n",
		 "tools.worker.reach += forge");
	PROPOSES(ARGUED, "  - {id: a, tool: remote, connect: \"www.example.com:443\", expect: allow}\n",
		 "egress.destinations.forge.names += www.example.com");
	PROPOSES(ARGUED, "  - {id: a, tool: remote, connect: \"www.example.com:80\", expect: allow}\n",
		 "egress.destinations += www-example-com: {names: [www.example.com], ports: [80]}; "
		 "tools.remote.reach += www-example-com");
	PROPOSES(ARGUED,
		 "  - {id: a, tool: remote, connect: \"x.cdn.example.com:443\", expect: deny}\n"
		 "  - {id: b, tool: remote, connect: \"forge.example.com:443\", expect: allow}\n",
		 "egress.destinations.forge.names -= \"*.cdn.example.com\"");
	/* what a resolver must not say is no matter of names, and not every name can be listed */
	ends(ARGUED,
	     SET "  - {id: a, tool: remote, connect: \"forge.example.com:443\", answers: [10.0.0.1], expect: allow}\n",
	     BH_REPAIR_UNFIXABLE, "a", NULL);
	ends(ARGUED, SET "  - {id: a, tool: remote, dns: metadata.google.internal, expect: allow}\n",
	     BH_REPAIR_UNFIXABLE, "a", NULL);
	ends(ARGUED,
	     SET "  - {id: a, tool: worker, privilege: mount, expect: allow}\n"
		 "  - {id: b, tool: worker, listen: 80, expect: allow}\n",
	     BH_REPAIR_UNFIXABLE, "a", "b");
}

static void opposites_are_named(void **state)
{
	ends(SAMPLE,
	     SET "  - {id: x, tool: git, read: /work/x, expect: allow}\n"
		 "  - {id: cfg, tool: git, read: /opt/x, expect: allow}\n"
		 "  - {id: cfg2, tool: \"*\", read: /opt/x, expect: deny}\n",
	     BH_REPAIR_OPPOSITES, "cfg", "cfg2");
	ends(SAMPLE,
	     SET "  - {id: a, tool: worker, run: /usr/bin/git, expect: allow, to: git}\n"
		 "  - {id: b, tool: worker, run: /usr/bin/git, expect: allow, to: worker}\n",
	     BH_REPAIR_OPPOSITES, "a", "b");
	/* not the same words, but no policy does both */
	ends(SAMPLE,
	     SET "  - {id: x, tool: git, read: /work/x, expect: allow}\n"
		 "  - {id: a, tool: git, rename: [/data/x, /data/y], expect: allow}\n"
		 "  - {id: b, tool: git, write: /data/x, expect: deny}\n",
	     BH_REPAIR_CLASH, "a", "b");
}

static void what_is_forbidden_stays_so(void **state)
{
	/* a guard, a floor, an always-blocked address, the policy's own prohibition, a pinned directory */
	ends(SAMPLE, SET "  - {id: key, tool: git, read: /home/u/.ssh/id_rsa, expect: allow}\n", BH_REPAIR_UNFIXABLE,
	     "key", NULL);
	ends(SAMPLE,
	     SET "  - {id: a, tool: git, read: /proc/kcore, expect: allow}\n"
		 "  - {id: b, tool: git, connect: \"169.254.169.254:80\", expect: allow}\n",
	     BH_REPAIR_UNFIXABLE, "a", "b");
	ends(HEAD "    worker: {binaries: [/usr/bin/worker]}\n  never: {read: [/opt/**]}\n",
	     SET "  - {id: a, tool: worker, read: /opt/x, expect: allow}\n", BH_REPAIR_UNFIXABLE, "a", NULL);
	ends(SAMPLE, SET "  - {id: a, tool: worker, rename: [/usr/bin, /usr/x], expect: allow}\n", BH_REPAIR_UNFIXABLE,
	     "a", NULL);
	/* programs may not be writable: the only grant would be an error */
	ends(SAMPLE, SET "  - {id: a, tool: worker, write: /usr/bin/cat, expect: allow}\n", BH_REPAIR_UNFIXABLE, "a",
	     NULL);
	/* denied, but for another reason */
	ends(SAMPLE, SET "  - {id: a, tool: worker, read: /opt/x, expect: deny, reason: F1}\n", BH_REPAIR_UNFIXABLE,
	     "a", NULL);
}

static void a_wide_pattern_that_covers_a_shell_is_mended(void **state)
{
	PROPOSES(HEAD "    worker: {binaries: [/usr/bin/worker], helpers: [/usr/bin/d*]}\n",
		 "  - {id: a, tool: worker, run: /usr/bin/date, expect: allow}\n", "never.run += /usr/bin/dash");
	PROPOSES(HEAD "    worker: {binaries: [/usr/bin/worker], helpers: [/usr/bin/d*]}\n",
		 "  - {id: a, tool: worker, run: /usr/bin/cat, expect: deny}\n", "tools.worker.helpers -= /usr/bin/d*",
		 "never.run += /usr/bin/dash");
}

static void no_warning_is_added(void **state)
{
	/* without the edge nothing could start git, and forbidding the program would make the edge void */
	ends(SAMPLE, SET "  - {id: a, tool: worker, run: /usr/bin/git, expect: deny}\n", BH_REPAIR_UNFIXABLE, "a",
	     NULL);
	PROPOSES(HEAD WORKER_TOOL "    git: {binaries: [/usr/bin/git], may_run: [b]}\n"
				  "    b: {binaries: [/usr/bin/b], may_run: [git]}\n",
		 "  - {id: a, tool: worker, run: /usr/bin/git, expect: deny}\n"
		 "  - {id: b, tool: worker, run: /usr/bin/b, expect: allow, to: b}\n",
		 "tools.worker.may_run += b; tools.worker.may_run -= git");
}

static void many_edits_are_found_but_not_proven(void **state)
{
	struct bench bench;

	bench_init(&bench, SAMPLE,
		   SET "  - {id: a, tool: git, read: /a/1, expect: allow}\n"
		       "  - {id: b, tool: git, read: /b/1, expect: allow}\n"
		       "  - {id: c, tool: git, read: /c/1, expect: allow}\n"
		       "  - {id: d, tool: git, read: /d/1, expect: allow}\n"
		       "  - {id: e, tool: worker, run: /usr/bin/cat, expect: deny}\n",
		   false);
	assert_int_equal(bench.repair.end, BH_REPAIR_GREEDY);
	assert_int_equal(bench.repair.count, 1);
	assert_int_equal(bench.repair.proposals[0].edits, 5);
	assert_int_equal(bench.repair.proposals[0].cost, 4 * 3 + 1);
	bench_done(&bench);
}

static void four_edits_are_found_deep(void **state)
{
	static const char scenarios[] = SET "  - {id: a, tool: git, read: /a/1, expect: allow}\n"
					    "  - {id: b, tool: git, read: /b/1, expect: allow}\n"
					    "  - {id: c, tool: git, read: /c/1, expect: allow}\n"
					    "  - {id: d, tool: git, read: /d/1, expect: allow}\n";

	for (int deep = 0; deep < 2; deep++) {
		struct bench bench;

		bench_init(&bench, SAMPLE, scenarios, deep);
		assert_int_equal(bench.repair.end, deep ? BH_REPAIR_FOUND : BH_REPAIR_GREEDY);
		assert_int_equal(bench.repair.proposals[0].edits, 4);
		bench_done(&bench);
	}
}

static void a_text_that_is_not_the_model_is_refused(void **state)
{
	static const char other[] = HEAD WORKER_TOOL "    git: {binaries: [/usr/bin/git]}\n";
	struct bh_rewritten written = { 0 };
	struct bh_err err = { 0 };
	struct bench bench;

	bench_init(&bench, SAMPLE, SET "  - {id: a, tool: git, read: /opt/x, expect: allow}\n", false);
	assert_int_equal(bh_proposal_write(&bench.repair, &bench.repair.proposals[0], shipped, "p", other,
					   strlen(other), &written, &err),
			 -EINVAL);
	assert_string_equal(err.text, "the edited text does not mean what was proposed");
	assert_null(written.compiled);
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_granted_alone_before_its_directory),
		cmocka_unit_test(one_wider_grant_is_less_than_two),
		cmocka_unit_test(a_program_is_run_as_helper_or_as_tool),
		cmocka_unit_test(what_grants_is_taken_away_or_forbidden),
		cmocka_unit_test(a_network_is_reached_by_what_is_there_or_by_its_own),
		cmocka_unit_test(a_story_is_mended_at_the_step_that_fails),
		cmocka_unit_test(words_are_added_to_the_clause_that_lacks_them),
		cmocka_unit_test(words_are_taken_from_every_clause_that_has_them),
		cmocka_unit_test(arguments_that_are_no_list_of_words_are_left_alone),
		cmocka_unit_test(names_are_reached_like_networks),
		cmocka_unit_test(opposites_are_named),
		cmocka_unit_test(what_is_forbidden_stays_so),
		cmocka_unit_test(a_wide_pattern_that_covers_a_shell_is_mended),
		cmocka_unit_test(no_warning_is_added),
		cmocka_unit_test(many_edits_are_found_but_not_proven),
		cmocka_unit_test(four_edits_are_found_deep),
		cmocka_unit_test(a_text_that_is_not_the_model_is_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
