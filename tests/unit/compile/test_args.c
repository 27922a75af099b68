// SPDX-License-Identifier: GPL-2.0-only
/* Command lines and environments: the automata and the definition say the same, and what policy.md 2.4.1 says. */
#include "build.h"
#include "tests/bpf/commands.h"

#include "compile/args.h"

static uint64_t seed = 7;

static uint32_t roll(uint32_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % sides;
}

/* The set of ways that the automaton lets. */
static uint32_t walk(const struct bh_dfa *dfa, const struct bh_block *block, size_t limit)
{
	uint32_t at = 1;

	if (block->length > limit)
		return 0;
	for (size_t i = 0; i < block->length; i++)
		at = bh_dfa_move(dfa, at, block->bytes[i]);
	return dfa->meaning[at];
}

static struct bh_args_clause words_clause(const char *first, const char *options, uint8_t operands)
{
	return (struct bh_args_clause){ .kind = BH_ARGS_WORDS,
					.first = build_words(first),
					.options = build_words(options),
					.operands = operands };
}

static struct bh_args_clause exact_clause(const char *words)
{
	return (struct bh_args_clause){ .kind = BH_ARGS_EXACT, .exact = build_words(words) };
}

static struct bh_args_clause any_clause(const char *require, const char *refuse)
{
	return (struct bh_args_clause){ .kind = BH_ARGS_ANY,
					.require = build_words(require),
					.refuse = build_words(refuse) };
}

/* Both must say that the words fit (code NULL) or do not, for this reason. */
static void expect(const struct bh_args_clause *clause, const char *words, const char *code)
{
	static struct command command;
	struct bh_args_way way = { clause, 1 };
	const struct bh_args_clause *worst;
	struct bh_explored explored;
	struct bh_misfit misfit;
	struct bh_dfa dfa;

	command_set(&command, words);
	command_close(&command, false);
	assert_int_equal(bh_args_explore(&way, 1, &dfa, &explored, &worst), 0);
	if (bh_args_fit(clause, 1, &command.block, &misfit) != !code)
		fail_msg("'%s': %s", words, misfit.text);
	if (code)
		assert_string_equal(misfit.code, code);
	if (walk(&dfa, &command.block, BH_ARGS_MAX) != !code)
		fail_msg("'%s': the automaton errs", words);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
}

static void an_exact_list_is_that_and_nothing_more(void **state)
{
	struct bh_args_clause clause = exact_clause("ci --no-audit x"), none = exact_clause("");

	expect(&clause, "ci --no-audit x", NULL);
	expect(&clause, "ci --no-audit", "A1");
	expect(&clause, "ci --no-audit x y", "A1");
	expect(&clause, "ci --no-audit x ''", "A1");
	expect(&clause, "ci x --no-audit", "A1");
	expect(&clause, "ci --no-audit xx", "A1");
	expect(&clause, "", "A1");
	expect(&none, "", NULL);
	expect(&none, "''", "A1");
}

static void options_are_the_listed_ones_in_their_spelling(void **state)
{
	struct bh_args_clause clause =
		words_clause("status diff", "-s --short -n:1 --depth:1 -std:1 --a=b", BH_OPERANDS_ANY);

	expect(&clause, "status", NULL);
	expect(&clause, "-s status --short", NULL);
	expect(&clause, "-n 5 status", NULL);
	expect(&clause, "-n -5 status", NULL);
	expect(&clause, "-n status", "A7"); /* it was the option's value */
	expect(&clause, "-n status status", NULL);
	expect(&clause, "status -n", "A4");
	expect(&clause, "status -n ''", NULL);
	expect(&clause, "status -n5", "A6");
	expect(&clause, "status -n=5", "A6");
	expect(&clause, "status --depth=5", NULL);
	expect(&clause, "status --depth=", NULL);
	expect(&clause, "status --depth=a=b", NULL);
	expect(&clause, "status --depth 5", NULL);
	expect(&clause, "status --depth", "A4");
	expect(&clause, "status --short=1", "A6");
	expect(&clause, "status -std=c", "A6");
	expect(&clause, "status --a=b", NULL);
	expect(&clause, "status --a=c", "A5");
	expect(&clause, "status --dept", "A5");
	expect(&clause, "status -sb", "A6");
	expect(&clause, "-c core.pager=sh status", "A5");
	expect(&clause, "status -c", "A5");
	expect(&clause, "status --exec-path=/tmp", "A5");
}

static void two_dashes_end_the_options(void **state)
{
	struct bh_args_clause clause = words_clause("add", "-n:1", BH_OPERANDS_ANY);

	expect(&clause, "add -- -x --long", NULL);
	expect(&clause, "-- add", NULL);
	expect(&clause, "add -- --", NULL);
	expect(&clause, "-- -x", "A7");
	expect(&clause, "--", "A7");
	expect(&clause, "add -n --", NULL);
	expect(&clause, "add -n -- -x", "A5");
	expect(&clause, "add -", NULL); /* no option */
	expect(&clause, "add --x", "A5");
}

static void the_first_other_word_is_the_subcommand(void **state)
{
	struct bh_args_clause clause = words_clause("status diff", "-s", BH_OPERANDS_NONE);

	expect(&clause, "diff", NULL);
	expect(&clause, "", "A7");
	expect(&clause, "-s", "A7");
	expect(&clause, "statu", "A7");
	expect(&clause, "statuss", "A7");
	expect(&clause, "''", "A7");
	expect(&clause, "push status", "A7");
	expect(&clause, "status diff", "A8");
	expect(&clause, "status ''", "A8");
	expect(&clause, "status -", "A8");
}

static void operands_are_none_words_or_any(void **state)
{
	struct bh_args_clause words = words_clause("fetch", "", BH_OPERANDS_WORDS);
	struct bh_args_clause free = words_clause("", "-v", BH_OPERANDS_WORDS);

	expect(&words, "fetch origin main:main", NULL);
	expect(&words, "fetch ext::sh", "A8");
	expect(&words, "fetch a:", NULL);
	expect(&words, "fetch a:b:c", NULL);
	expect(&words, "fetch a;b", "A8");
	expect(&words, "fetch $x", "A8");
	expect(&words, "fetch \xc3\xa4", "A8");
	expect(&words, "fetch ''", "A8");
	expect(&words, "fetch fetch", NULL);
	expect(&words, "fetch fetchx", NULL);
	expect(&words, "fetch fetch;", "A8");
	expect(&words, "fetch fetch::", "A8");
	expect(&words, "fetch -- -x", NULL);
	expect(&free, "", NULL);
	expect(&free, "a -v b", NULL);
	expect(&free, "-w", "A5");
}

static void anything_but_what_is_required_and_refused(void **state)
{
	struct bh_args_clause clause = any_clause("--headless=new --quiet", "--no-sandbox --load"),
			      all = any_clause("", "");

	expect(&clause, "--headless=new --quiet", NULL);
	expect(&clause, "--quiet x --headless=new", NULL);
	expect(&clause, "--quiet", "A2");
	expect(&clause, "--quiet --headless=newer", "A2");
	expect(&clause, "--quiet --headless=new --no-sandbox", "A3");
	expect(&clause, "--quiet --headless=new --no-sandbox=1", "A3");
	expect(&clause, "--quiet --headless=new --no-sandboxes", NULL);
	expect(&clause, "--quiet --headless=new --loader", NULL);
	expect(&clause, "--load --quiet --headless=new", "A3");
	expect(&all, "", NULL);
	expect(&all, "-x '' y", NULL);
}

static void what_is_too_much_fits_nothing(void **state)
{
	struct bh_args_clause all = any_clause("", "");
	static char words[4096], long_word[300];

	for (int i = 0; i < 64; i++)
		strcat(words, "a ");
	expect(&all, words, NULL);
	strcat(words, "a");
	expect(&all, words, "A9");
	memset(long_word, 'x', 256);
	expect(&all, long_word, NULL);
	long_word[256] = 'x';
	expect(&all, long_word, "A9");
	memset(words, 0, sizeof(words));
	for (int i = 0; i < 7; i++) {
		memset(words + strlen(words), 'x', 255);
		strcat(words, " ");
	}
	expect(&all, words, NULL);
}

static const char *const pieces[] = { "a",     "b",   "ab", "-a", "-b:1", "--a", "--a:1",   "--ab:1",
				      "--a=b", "-ab", "st", "--", "-",	  "a:",	 "--a=b:1", "b=" };

static struct bh_words random_words(uint32_t most)
{
	static struct bh_word pool[4096];
	static size_t used;
	struct bh_words words = { &pool[used], roll(most + 1) };

	if (used + 64 > 4096) {
		used = 0;
		words.items = pool;
	}
	used += words.count;
	for (size_t i = 0; i < words.count; i++)
		words.items[i] = (struct bh_word){ (char *)(uintptr_t)pieces[roll(16)], { 1, 1, 1 } };
	return words;
}

static struct bh_args_clause random_clause(void)
{
	struct bh_args_clause clause = { .kind = (uint8_t)(1 + roll(3)), .operands = (uint8_t)(1 + roll(3)) };

	clause.exact = random_words(4);
	clause.first = random_words(3);
	clause.options = random_words(6);
	clause.require = random_words(3);
	clause.refuse = random_words(3);
	return clause;
}

static void random_clauses_are_judged_alike(void **state)
{
	static struct command command;
	uint32_t fitting = 0, total = 0;

	for (uint32_t round = 0; round < 400; round++) {
		struct bh_args_clause clauses[4] = { random_clause(), random_clause(), random_clause(),
						     random_clause() };
		struct bh_args_way ways[2] = { { clauses, 1 + roll(2) }, { clauses + 2, roll(3) } };
		const struct bh_args_clause *worst;
		struct bh_explored explored;
		struct bh_dfa dfa;

		assert_int_equal(bh_args_explore(ways, 2, &dfa, &explored, &worst), 0);
		for (uint32_t i = 0; i < 300; i++, total++) {
			uint32_t want;

			command_random(&command, &clauses[roll(4)], roll);
			want = bh_args_fit(ways[0].clauses, ways[0].count, &command.block, NULL) |
			       (uint32_t)bh_args_fit(ways[1].clauses, ways[1].count, &command.block, NULL) << 1;
			fitting += want != 0;
			if (walk(&dfa, &command.block, BH_ARGS_MAX) == want)
				continue;
			for (size_t k = 0; k < command.count; k++)
				print_error("'%s' ", command.words[k]);
			fail_msg("the automaton says %u, the definition %u, kinds %u %u",
				 walk(&dfa, &command.block, BH_ARGS_MAX), want, clauses[0].kind, clauses[2].kind);
		}
		bh_dfa_done(&dfa);
		bh_explored_done(&explored);
	}
	print_message("%u of %u fit\n", fitting, total);
	assert_true(fitting > total / 20 && fitting < total);
}

static void expect_env(const struct bh_env *env, const char *variables, const char *code)
{
	static struct command command;
	struct bh_explored explored;
	struct bh_misfit misfit;
	struct bh_dfa dfa;

	command_set(&command, variables);
	command_close(&command, true);
	assert_int_equal(bh_env_explore(env, &dfa, &explored), 0);
	if (bh_env_fits(env, &command.block, &misfit) != !code)
		fail_msg("'%s': %s", variables, misfit.text);
	if (code)
		assert_string_equal(misfit.code, code);
	if (walk(&dfa, &command.block, BH_ENV_MAX) != !code)
		fail_msg("'%s': the automaton errs", variables);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
}

static void variables_are_kept_or_required(void **state)
{
	struct bh_pair pairs[] = { { build_word("PROMPT"), build_word("0") },
				   { build_word("LC_X"), build_word("a=b") } };
	struct bh_env env = { .given = true, .keep = build_words("HOME LC_*"), .require = { pairs, 2 } };
	struct bh_env kept = { .given = true, .keep = build_words("HOME LC_*") }, none = { .given = true },
		      all = { .given = true, .keep = build_words("*") };

	expect_env(&env, "PROMPT=0 LC_X=a=b", NULL);
	expect_env(&env, "LC_X=a=b HOME=/h PROMPT=0 LC_ALL=C LC_=", NULL);
	expect_env(&env, "PROMPT=0", "E2");
	expect_env(&env, "", "E2");
	expect_env(&env, "PROMPT=1 LC_X=a=b", "E3");
	expect_env(&env, "PROMPT=0 PROMPT=1 LC_X=a=b", "E3");
	expect_env(&env, "PROMPT=1 PROMPT=0 LC_X=a=b", "E3");
	expect_env(&env, "PROMPT=0 PROMPT=0 LC_X=a=b", NULL);
	expect_env(&env, "PROMPT=00 LC_X=a=b", "E3");
	expect_env(&env, "PROMPT= LC_X=a=b", "E3");
	expect_env(&env, "PROMPT LC_X=a=b", "E3");
	expect_env(&env, "PROMPT=0 LC_X=a", "E3");
	expect_env(&env, "PROMPT=0 LC_X=a=b PATH=/bin", "E1");
	expect_env(&env, "PROMPT=0 LC_X=a=b HOME", NULL);
	expect_env(&env, "PROMPT=0 LC_X=a=b HOMES=1", "E1");
	expect_env(&env, "PROMPT=0 LC_X=a=b LC=1", "E1");
	expect_env(&env, "PROMPT=0 LC_X=a=b =x", "E1");
	expect_env(&env, "PROMPT=0 LC_X=a=b ''", "E1");
	expect_env(&kept, "", NULL);
	expect_env(&kept, "LC_X=", NULL);
	expect_env(&none, "", NULL);
	expect_env(&none, "A=1", "E1");
	expect_env(&all, "A=1 =x '' B", NULL);
}

static void an_environment_that_is_too_large_fits_nothing(void **state)
{
	struct bh_env all = { .given = true, .keep = build_words("*") };
	static uint8_t bytes[BH_ENV_MAX + 1];
	struct bh_misfit misfit;

	memset(bytes, 'a', sizeof(bytes));
	bytes[BH_ENV_MAX - 1] = '\0';
	assert_true(bh_env_fits(&all, &(struct bh_block){ bytes, BH_ENV_MAX }, &misfit));
	assert_false(bh_env_fits(&all, &(struct bh_block){ bytes, BH_ENV_MAX + 1 }, &misfit));
	assert_string_equal(misfit.code, "E9");
}

static void random_environments_are_judged_alike(void **state)
{
	static const char *const names[] = { "A", "AB", "A*", "*", "HOME", "AB*", "PATH", "LD_*" };
	static const char *const values[] = { "", "0", "a=b", "01" };
	static struct command command;
	uint32_t fitting = 0, total = 0;

	for (uint32_t round = 0; round < 300; round++) {
		struct bh_word keep[3];
		struct bh_pair require[3];
		struct bh_env env = { .given = true, .keep = { keep, roll(4) }, .require = { require, roll(4) } };
		struct bh_explored explored;
		struct bh_dfa dfa;

		for (uint32_t i = 0; i < 3; i++) {
			keep[i].text = (char *)(uintptr_t)names[roll(8)];
			require[i].word.text = (char *)(uintptr_t)names[roll(2) ? 0 : 1];
			require[i].value.text = (char *)(uintptr_t)values[roll(4)];
		}
		assert_int_equal(bh_env_explore(&env, &dfa, &explored), 0);
		for (uint32_t i = 0; i < 200; i++, total++) {
			bool want;

			command_random_env(&command, &env, roll);
			want = bh_env_fits(&env, &command.block, NULL);
			fitting += want;
			if (walk(&dfa, &command.block, BH_ENV_MAX) == want)
				continue;
			for (size_t k = 0; k < command.count; k++)
				print_error("'%s' ", command.words[k]);
			fail_msg("the definition says %d", want);
		}
		bh_dfa_done(&dfa);
		bh_explored_done(&explored);
	}
	print_message("%u of %u fit\n", fitting, total);
	assert_true(fitting > total / 20 && fitting < total);
}

static void what_programs_obey_is_found(void **state)
{
	static const char *loader[] = { "LD_*", "GLIBC_TUNABLES", "GCONV_PATH", "MALLOC_*", "LOCPATH", "NLSPATH", NULL };
	static const char *git[] = { "GIT_*", NULL }, *name[] = { "GIT_NAME", NULL }, *other[] = { "A", "X*", NULL };
	static const char *none[] = { NULL };
	static const struct bh_family families[] = { { loader, none }, { other, none }, { git, name } };
	static const struct {
		const char *variables;
		bool obeyed;
	} cases[] = {
		{ "", false },
		{ "A=1 LD_PRELOAD=x", true },
		{ "LD_=", true },
		{ "LD=", false },
		{ "XLD_PRELOAD=x", false },
		{ "A=LD_PRELOAD=", false },
		{ "MALLOC_X=", true },
		{ "GCONV_PATH", false },
		{ "GCONV_PATH=", true },
		{ "GCONV_PATHS=", false },
		{ "LOCPATH=/x", true },
		{ "NLSPATH=/x", true },
		{ "GLIBC_TUNABLES=x", true },
		{ "GLIBC_TUNABLE=x", false },
		{ "GIT_DIR=/x", true },
		{ "GIT_", true },
		{ "GIT=x", false },
		{ "GIT_NAME=x", false },
		{ "GIT_NAME", true },
		{ "GIT_NAMES=x", true },
		{ "GIT_NAM=x", true },
		{ "A=GIT_DIR=/x", false },
		{ "GIT_NAME=x GIT_NAMED=y", true },
		{ "GIT_NAME=x GIT_NAME=y", false },
	};
	static struct command command;
	struct bh_explored explored;
	struct bh_dfa dfa;

	assert_int_equal(bh_obeyed_explore(families, 5, &dfa, &explored), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		command_set(&command, cases[i].variables);
		command_close(&command, true);
		assert_int_equal(bh_env_obeyed(families, 5, &command.block), cases[i].obeyed);
		assert_int_equal(walk(&dfa, &command.block, BH_ENV_MAX), !cases[i].obeyed);
	}
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
}

static void too_many_states_name_the_clause(void **state)
{
	static char words[1024];
	struct bh_args_clause clauses[2];
	struct bh_args_way way = { clauses, 2 };
	const struct bh_args_clause *worst = NULL;
	struct bh_explored explored;
	struct bh_dfa dfa;

	for (int i = 0; i < 20; i++)
		sprintf(words + strlen(words), "--require-%d ", i);
	clauses[0] = exact_clause("a b");
	clauses[1] = any_clause(words, "");
	assert_int_equal(bh_args_explore(&way, 1, &dfa, &explored, &worst), -E2BIG);
	assert_ptr_equal(worst, &clauses[1]);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
	for (int i = 0; i < 20; i++)
		sprintf(words + strlen(words), "--also-%d ", i);
	clauses[1] = any_clause(words, "");
	assert_int_equal(bh_args_explore(&way, 1, &dfa, &explored, &worst), -E2BIG);
	assert_ptr_equal(worst, &clauses[1]);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exact_list_is_that_and_nothing_more),
		cmocka_unit_test(options_are_the_listed_ones_in_their_spelling),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(the_first_other_word_is_the_subcommand),
		cmocka_unit_test(operands_are_none_words_or_any),
		cmocka_unit_test(anything_but_what_is_required_and_refused),
		cmocka_unit_test(what_is_too_much_fits_nothing),
		cmocka_unit_test(random_clauses_are_judged_alike),
		cmocka_unit_test(variables_are_kept_or_required),
		cmocka_unit_test(an_environment_that_is_too_large_fits_nothing),
		cmocka_unit_test(random_environments_are_judged_alike),
		cmocka_unit_test(what_programs_obey_is_found),
		cmocka_unit_test(too_many_states_name_the_clause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
