/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Against brute force: of small policies and expectations made up from a fixed seed, every set of up to three edits is tried.
 * The search must find the same number of edits and the same cost, and nothing where there is nothing.
 */
#include "tests/unit/verify/sample.h"

#include "verify/repair.h"
#include "tests/fuzz/shipped.h"

#define POLICIES 200u
#define PATHS 6u

static uint32_t seed = 20261130;

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

static bool often(uint32_t percent)
{
	return draw(100) < percent;
}

static const char *const files[PATHS] = { "/d/a", "/d/b", "/d/c/x", "/e/a", "/e/f/y", "/g" };
static const char *const programs[] = { "/bin/a", "/bin/b", "/bin/c", "/bin/h", "/bin/i", "/bin/j" };
static const char *const peers[] = { "10.1.0.1:80", "10.1.0.1:81", "10.2.0.1:80", "192.0.2.1:80" };

/* "[a, b]" of those that are drawn. */
static void print_some(struct bh_buf *out, const char *key, const char *const *words, size_t count, uint32_t percent)
{
	size_t printed = 0;

	bh_buf_print(out, ", %s: [", key);
	for (size_t i = 0; i < count; i++)
		if (often(percent))
			bh_buf_print(out, "%s%s", printed++ ? ", " : "", words[i]);
	bh_buf_print(out, "]");
}

static void print_tool(struct bh_buf *out, const char *name, const char *const *others, size_t count)
{
	static const char *const grants[] = { "/d/a", "/d/**", "/d/c/**", "/e/a", "/e/**", "/e/f/y" };
	static const char *const helpers[] = { "/bin/h", "/bin/i" };
	static const char *const destinations[] = { "one", "two" };

	bh_buf_print(out, "    %s: {binaries: [/bin/%s]", name, name);
	print_some(out, "may_run", others, count, 70);
	print_some(out, "helpers", helpers, 2, 50);
	print_some(out, "files: {read", grants, 6, 30);
	print_some(out, "write", grants, 6, 20);
	bh_buf_print(out, "}");
	print_some(out, "reach", destinations, 2, 40);
	bh_buf_print(out, "}\n");
}

static void print_policy(struct bh_buf *out)
{
	static const char *const of_a[] = { "b", "c" }, *const of_b[] = { "c" }, *const of_c[] = { "b" };

	bh_buf_print(out, "apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: sample}\nspec:\n"
			  "  entry: a\n  tools:\n");
	print_tool(out, "a", of_a, 2);
	print_tool(out, "b", of_b, 1);
	print_tool(out, "c", of_c, 1);
	bh_buf_print(out, "  never: {read: [/e/f/n]");
	if (often(20))
		bh_buf_print(out, ", write: [/d/c/**]");
	bh_buf_print(out, "}\n  egress: {destinations: {one: {cidrs: [10.1.0.0/16], ports: [80, 81]},\n"
			  "                          two: {cidrs: [10.2.0.0/16, 10.1.0.1/32], ports: [80]}}}\n");
}

static void print_question(struct bh_buf *out)
{
	uint32_t kind = draw(10);
	const char *file = files[draw(PATHS)];

	if (kind < 4)
		bh_buf_print(out, "read: %s", file);
	else if (kind < 6)
		bh_buf_print(out, "write: %s", file);
	else if (kind < 7)
		bh_buf_print(out, "rename: [%s, %s]", file, files[draw(PATHS)]);
	else if (kind < 9)
		bh_buf_print(out, "run: %s", programs[draw(6)]);
	else
		bh_buf_print(out, "connect: \"%s\"", peers[draw(4)]);
}

static void print_scenarios(struct bh_buf *out)
{
	static const char *const tools[] = { "a", "b", "c", "a", "b", "\"*\"" };
	uint32_t count = 2 + draw(4);

	bh_buf_print(out, SET);
	for (uint32_t i = 0; i < count; i++) {
		bh_buf_print(out, "  - {id: s%u, tool: %s, ", i, tools[draw(6)]);
		if (often(15)) {
			bh_buf_print(out, "story: [{run: %s}, {", programs[draw(6)]);
			print_question(out);
			bh_buf_print(out, "}]");
		} else {
			print_question(out);
		}
		bh_buf_print(out, ", expect: %s}\n", often(55) ? "allow" : "deny");
	}
}

/* One policy with its expectations. */
struct bench {
	struct bh_buf policy, scenarios;
	struct bh_diags *diags;
	struct bh_source_policy *source;
	struct bh_exam exam;
	struct bh_scenario_set set;
	struct bh_checks compulsory;
	struct bh_repair repair;
};

static bool compile(const struct bh_source_policy *source, struct bh_diags *diags, struct bh_compiled **ret_compiled)
{
	*ret_compiled = NULL;
	return bh_compile(source, fuzz_shipped(), NULL, diags, ret_compiled) == 0;
}

/* False: what was made up is no policy. */
static bool bench_init(struct bench *bench)
{
	struct bh_compiled *compiled = NULL;

	memset(bench, 0, sizeof(*bench));
	print_policy(&bench->policy);
	print_scenarios(&bench->scenarios);
	bench->diags = bh_diags_new("p", (char *)bench->policy.bytes, bench->policy.length);
	if (bh_policy_parse((char *)bench->policy.bytes, bench->policy.length, fuzz_shipped(), bench->diags,
			    &bench->source))
		fail_msg("%s", (char *)bench->policy.bytes);
	if (!compile(bench->source, bench->diags, &compiled))
		return false;
	bench->exam = (struct bh_exam){ compiled, fuzz_shipped(), &floor_net };
	bench->set = scenarios_of(&bench->exam, (char *)bench->scenarios.bytes);
	assert_int_equal(bh_checks_compulsory(&bench->exam, &bench->compulsory), 0);
	return true;
}

static void bench_done(struct bench *bench)
{
	bh_repair_done(&bench->repair);
	bh_checks_done(&bench->compulsory);
	bh_scenario_set_done(&bench->set);
	exam_done(&bench->exam);
	bh_source_policy_free(bench->source);
	bh_diags_free(bench->diags);
	bh_buf_done(&bench->scenarios);
	bh_buf_done(&bench->policy);
}

static bool passes(const struct bench *bench, const struct bh_compiled *compiled, bool everything)
{
	struct bh_exam exam = { compiled, fuzz_shipped(), &floor_net };
	struct bh_judge judge = { .exam = exam };
	struct bh_checks compulsory = { 0 };
	static struct bh_report report;
	struct bh_failure failure;
	bool pass = true, one;

	for (size_t i = 0; i < bench->set.count && pass; i++) {
		const struct bh_scenario *scenario = &bench->set.items[i];
		unsigned int first = scenario->every_tool ? 1 : scenario->tool;

		for (unsigned int tool = first; tool <= (scenario->every_tool ? 3 : first) && pass; tool++) {
			assert_int_equal(bh_scenario_run(&judge, scenario, tool, NULL, &failure, &one, NULL), 0);
			pass = one;
		}
	}
	if (!pass || !everything)
		return pass;
	assert_int_equal(bh_checks_compulsory(&exam, &compulsory), 0);
	assert_int_equal(verify(&exam, &bench->set, &compulsory, NULL, &report), 0);
	pass = !report.failed;
	bh_report_done(&report);
	bh_checks_done(&compulsory);
	return pass;
}

static size_t serious(const struct bh_diags *diags)
{
	return bh_diags_errors(diags) + bh_diags_warnings(diags);
}

/* Is there a warning that the policy does not have? By code and words, as often as they are there. */
static bool adds_warnings(const struct bh_diags *before, const struct bh_diags *after)
{
	for (size_t i = 0; i < bh_diags_count(after); i++) {
		const struct bh_diag *diag = bh_diags_get(after, i);
		int more = 0;

		if (diag->severity < BH_SEVERITY_WARNING)
			continue;
		for (size_t k = 0; k < bh_diags_count(after); k++)
			more += strcmp(bh_diags_get(after, k)->text, diag->text) == 0;
		for (size_t k = 0; k < bh_diags_count(before); k++)
			more -= strcmp(bh_diags_get(before, k)->text, diag->text) == 0;
		if (more > 0)
			return true;
	}
	return serious(before) == 0 && serious(after) > 0;
}

/* Does this set of atoms make all well? */
static bool solves(const struct bench *bench, const size_t *atoms, size_t count)
{
	struct bh_source_policy *copy = bh_source_policy_copy(bench->source);
	struct bh_diags *diags = bh_diags_new("", "", 0);
	struct bh_compiled *compiled = NULL;
	bool good = true;
	uint32_t number = 0;

	for (size_t i = 0; i < count && good; i++) {
		const struct bh_atom *atom = &bench->repair.atoms.items[atoms[i]];

		for (size_t k = 0; k < atom->edits_count && good; k++)
			good = bh_edit_apply(copy, &atom->edits[k], number++) == 0;
	}
	good = good && bh_compile_outline(copy, fuzz_shipped(), diags, &compiled) == 0;
	if (good && passes(bench, compiled, false)) {
		bh_compiled_free(compiled);
		good = compile(copy, diags, &compiled) && !adds_warnings(bench->diags, diags) &&
		       passes(bench, compiled, true);
	} else {
		good = false;
	}
	bh_compiled_free(compiled);
	bh_diags_free(diags);
	bh_source_policy_free(copy);
	return good;
}

/* What the best set has: all sets of up to three atoms are looked at. */
struct best {
	unsigned int edits, cost; /* edits 0: there is none */
};

static void try_sets(const struct bench *bench, size_t *atoms, size_t count, struct best *best)
{
	const struct bh_atom *all = bench->repair.atoms.items;
	unsigned int edits = 0, cost = 0;

	for (size_t i = 0; i < count; i++) {
		edits += (unsigned int)all[atoms[i]].edits_count;
		cost += all[atoms[i]].cost;
	}
	if (edits > BH_REPAIR_EDITS)
		return;
	if (count && (!best->edits || edits < best->edits || (edits == best->edits && cost < best->cost)) &&
	    solves(bench, atoms, count))
		*best = (struct best){ edits, cost };
	if (count == BH_REPAIR_EDITS)
		return;
	for (size_t i = count ? atoms[count - 1] + 1 : 0; i < bench->repair.atoms.count; i++) {
		atoms[count] = i;
		try_sets(bench, atoms, count + 1, best);
	}
}

static void compare(const struct bench *bench, const struct best *best)
{
	const struct bh_repair *repair = &bench->repair;
	bool found = repair->end == BH_REPAIR_FOUND;

	if (found != (best->edits != 0) ||
	    (found && (repair->proposals[0].edits != best->edits || repair->proposals[0].cost != best->cost)) ||
	    (repair->end == BH_REPAIR_GREEDY && repair->proposals[0].edits <= BH_REPAIR_EDITS))
		fail_msg("end %d, %u edits, cost %u; brute force: %u edits, cost %u\n%s%s", repair->end,
			 repair->proposals[0].edits, repair->proposals[0].cost, best->edits, best->cost,
			 (char *)bench->policy.bytes, (char *)bench->scenarios.bytes);
}

static void the_fewest_edits_are_found(void **state)
{
	unsigned int tried = 0, found = 0, hopeless = 0;

	while (tried < POLICIES) {
		struct bh_repair_task task;
		struct best best = { 0, 0 };
		size_t atoms[BH_REPAIR_EDITS];
		struct bench bench;

		if (bench_init(&bench) && !passes(&bench, bench.exam.compiled, true)) {
			task = (struct bh_repair_task){ bench.source, &bench.exam,	 bench.diags,
							&bench.set,   &bench.compulsory, false };
			assert_int_equal(bh_repair_make(&task, &bench.repair, NULL), 0);
			if (bench.repair.end != BH_REPAIR_OPPOSITES) {
				try_sets(&bench, atoms, 0, &best);
				compare(&bench, &best);
				tried++;
				found += best.edits > 0;
				hopeless += best.edits == 0;
			}
		}
		bench_done(&bench);
	}
	/* else it would be a test of nothing */
	assert_true(found > POLICIES / 4 && hopeless > POLICIES / 20);
	print_message("%u with a repair, %u without\n", found, hopeless);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fewest_edits_are_found),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
