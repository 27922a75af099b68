// SPDX-License-Identifier: GPL-2.0-only
/* Whoever enters by a rule that is said to be covered enters by the other one: tried with random rules and command lines. */
#include "tests/unit/compile/whole.h"

#include "compile/fits.h"
#include "verify/diff.h"

static const char *const line_words[] = { "a",	  "a ",	    "a\"",   "-",	"x=y", "-a", "-n",
					  "-n=1", "--long", "--x-y", "--x-y=z", "--",  "",   "b" };

/* A command line; half the time one that begins as the clause wants it. */
static struct bh_block random_line(const struct bh_args_clause *clause, uint8_t bytes[BH_ARGS_MAX])
{
	const char *words[12];
	size_t count = 0;

	if (clause->kind == BH_ARGS_EXACT && whole_roll(4))
		for (size_t i = 0; i < clause->exact.count; i++)
			words[count++] = clause->exact.items[i].text;
	for (size_t i = 0; clause->kind == BH_ARGS_ANY && i < clause->require.count; i++)
		words[count++] = clause->require.items[i].text;
	if (clause->kind == BH_ARGS_WORDS && clause->first.count && whole_roll(4))
		words[count++] = clause->first.items[whole_roll((unsigned int)clause->first.count)].text;
	for (unsigned int i = clause->kind == BH_ARGS_EXACT ? whole_roll(2) : whole_roll(5); i > 0; i--)
		words[count++] = WHOLE_ONE(line_words);
	return (struct bh_block){ bytes, bh_block_fill(words, count, BH_ARGS_WORDS_MAX, bytes, BH_ARGS_MAX) };
}

static void random_args(struct bh_rule *rule)
{
	static const char *const few[] = { "a", "x=y" };
	struct bh_args_clause *clauses = whole_array(3, sizeof(*clauses));

	rule->args_given = whole_roll(8) != 0;
	rule->args_count = rule->args_given ? 1 + whole_roll(2) : 0;
	for (size_t i = 0; i < rule->args_count; i++) {
		whole_clause(&clauses[i]);
		if (clauses[i].kind == BH_ARGS_EXACT && whole_roll(2))
			clauses[i].exact = WHOLE_WORDS(few, 2);
	}
	rule->args = clauses;
}

static void a_covered_command_line_is_let_in(void **state)
{
	unsigned int covered = 0, let_in = 0, both = 0;
	uint8_t bytes[BH_ARGS_MAX];

	for (unsigned int i = 0; i < 40000; i++) {
		struct bh_rule outer = { 0 }, inner = { 0 };

		whole_begin();
		build_used = 0;
		random_args(&outer);
		random_args(&inner);
		if (!bh_entry_is_covered(&outer, &inner))
			continue;
		covered++;
		for (unsigned int k = 0; k < 20 && inner.args_count; k++) {
			struct bh_block line =
				random_line(&inner.args[whole_roll((unsigned int)inner.args_count)], bytes);

			if (!bh_rule_fits_args(&inner, &line, NULL))
				continue;
			let_in++;
			both += bh_rule_fits_args(&outer, &line, NULL);
		}
	}
	print_message("%u pairs covered, %u lines let in\n", covered, let_in);
	assert_true(covered > 1000 && let_in > 5000);
	assert_int_equal(both, let_in);
}

static struct bh_block random_environment(const struct bh_env *env, uint8_t bytes[BH_ENV_MAX])
{
	static const char *const variables[] = { "HOME=/", "LC_X=1", "PATH=C:\\\"x\"", "a=C:\\\"x\"",
						 "_=",	   "a=1",    "OTHER=1",	       "PATH=" };
	static char texts[8][64];
	const char *words[16];
	size_t count = 0;

	for (size_t i = 0; i < env->require.count && i < 8; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%s=%s", env->require.items[i].word.text,
			 env->require.items[i].value.text);
		words[count++] = texts[i];
	}
	for (unsigned int i = whole_roll(4); i > 0; i--)
		words[count++] = WHOLE_ONE(variables);
	return (struct bh_block){ bytes, bh_block_fill(words, count, 0, bytes, BH_ENV_MAX) };
}

static void a_covered_environment_is_let_in(void **state)
{
	unsigned int covered = 0, let_in = 0, both = 0;
	uint8_t bytes[BH_ENV_MAX];

	for (unsigned int i = 0; i < 40000; i++) {
		struct bh_rule outer = { 0 }, inner = { 0 };
		struct bh_env *a, *b;

		whole_begin();
		build_used = 0;
		a = whole_array(1, sizeof(*a));
		b = whole_array(1, sizeof(*b));
		whole_env(a);
		whole_env(b);
		outer.env = a->given ? a : NULL;
		inner.env = b;
		if (!bh_entry_is_covered(&outer, &inner))
			continue;
		covered++;
		for (unsigned int k = 0; k < 20; k++) {
			struct bh_block variables = random_environment(b, bytes);

			if (!bh_rule_fits_env(&inner, &variables, NULL))
				continue;
			let_in++;
			both += bh_rule_fits_env(&outer, &variables, NULL);
		}
	}
	print_message("%u pairs covered, %u environments let in\n", covered, let_in);
	assert_true(covered > 1000 && let_in > 5000);
	assert_int_equal(both, let_in);
}

/* Cases that must not be missed: in doubt would be said too often. */
static void what_is_plainly_more_is_seen(void **state)
{
	struct bh_args_clause one = { .kind = BH_ARGS_WORDS, .operands = BH_OPERANDS_NONE, .first = build_words("a") };
	struct bh_args_clause more = { .kind = BH_ARGS_WORDS,
				       .operands = BH_OPERANDS_ANY,
				       .first = build_words("a b"),
				       .options = build_words("-x") };
	struct bh_args_clause line = { .kind = BH_ARGS_EXACT, .exact = build_words("a -x c") };
	struct bh_args_clause any = { .kind = BH_ARGS_ANY };
	struct bh_rule nothing = { 0 }, small = { .args_given = true, .args = &one, .args_count = 1 };
	struct bh_rule large = { .args_given = true, .args = &more, .args_count = 1 };
	struct bh_rule exact = { .args_given = true, .args = &line, .args_count = 1 };
	struct bh_rule all = { .args_given = true, .args = &any, .args_count = 1 };

	assert_true(bh_entry_is_covered(&large, &small) && !bh_entry_is_covered(&small, &large));
	assert_true(bh_entry_is_covered(&large, &exact) && !bh_entry_is_covered(&small, &exact));
	assert_true(bh_entry_is_covered(&all, &large) && !bh_entry_is_covered(&large, &all));
	assert_true(bh_entry_is_covered(&nothing, &all) && !bh_entry_is_covered(&all, &nothing));
	large.sha256 = "00";
	assert_true(bh_entry_is_covered(&nothing, &large) && !bh_entry_is_covered(&large, &small));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_covered_command_line_is_let_in),
		cmocka_unit_test(a_covered_environment_is_let_in),
		cmocka_unit_test(what_is_plainly_more_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
