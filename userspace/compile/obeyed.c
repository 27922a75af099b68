/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/obeyed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/lib/loader.h"
#include "compile/args.h"
#include "compile/compiled.h"
#include "compile/definition.h"
#include "compile/trie.h"

/* ---- Which families a tool's programs obey ---- */

static bool is_version_of(const char *file, const char *program)
{
	size_t length = strlen(program);
	const char *rest = file + length;

	if (strncmp(file, program, length) != 0)
		return false;
	if (*rest == '-')
		rest++;
	return rest[strspn(rest, "0123456789.")] == '\0' && (*rest || rest == file + length);
}

bool bh_program_is(const char *path, const char *program)
{
	static const char *const places[] = { "/usr/bin/", "/bin/", "/usr/local/bin/" };
	const char *slash = strrchr(path, '/');
	char file[128];

	if (!path[strcspn(path, "*?")])
		return is_version_of(slash ? slash + 1 : path, program);
	for (size_t i = 0; i < BH_COUNT_OF(places); i++) {
		snprintf(file, sizeof(file), "%s%.64s", places[i], program);
		if (bh_pattern_matches(path, file))
			return true;
	}
	return false;
}

static const char **keep_words(struct bh_compiled *compiled, const struct bh_words *words)
{
	const char **kept = bh_compiled_hold(compiled, words->count + 1, sizeof(*kept));

	for (size_t i = 0; kept && i < words->count; i++) {
		kept[i] = bh_compiled_keep(compiled, words->items[i].text);
		if (!kept[i])
			return NULL;
	}
	return kept;
}

/* Those of the loader, of which no policy can lift any. */
static int add_loader(struct bh_compiled *compiled)
{
#define BH_LOADER_TEXT(text, length) { text, length },
	static const struct {
		const char *text;
		size_t length;
	} variables[] = { BH_LOADER_VARIABLES(BH_LOADER_TEXT) };
	static const char *none[] = { NULL };
	const char **kept = bh_compiled_hold(compiled, BH_COUNT_OF(variables) + 1, sizeof(*kept));
	char name[64];

	for (size_t i = 0; kept && i < BH_COUNT_OF(variables); i++) {
		size_t length = variables[i].length;
		bool whole = variables[i].text[length - 1] == '=';

		snprintf(name, sizeof(name), "%.*s%s", (int)(length - whole), variables[i].text, whole ? "" : "*");
		kept[i] = bh_compiled_keep(compiled, name);
		if (!kept[i])
			return -ENOMEM;
	}
	compiled->families[compiled->families_count++] = (struct bh_family){ kept, none };
	return kept ? 0 : -ENOMEM;
}

static bool runs_one_of(const struct bh_rule *rule, const struct bh_words *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		if (bh_program_is(rule->path, programs->items[i].text))
			return true;
	return false;
}

static int add_family(struct bh_compile *c, const struct bh_prohibition *guard)
{
	struct bh_compiled *compiled = c->compiled;
	unsigned int number = compiled->families_count;
	struct bh_family *family = &compiled->families[number];

	if (number == BH_FAMILIES_MAX)
		return bh_compile_too_many(c, "guards of variables", BH_FAMILIES_MAX - 1);
	*family = (struct bh_family){ keep_words(compiled, &guard->variables), keep_words(compiled, &guard->except) };
	if (!family->variables || !family->except)
		return -ENOMEM;
	compiled->families_count++;
	for (size_t i = 0; i < compiled->rules_count; i++) {
		const struct bh_rule *rule = &compiled->rules[i];

		if (rule->class == BH_RULE_EXEC && rule->to && runs_one_of(rule, &guard->programs))
			compiled->obeyed[bh_compiled_tool_id(compiled, rule->to)] |= 1ull << number;
	}
	return 0;
}

int bh_compile_obeyed(struct bh_compile *c)
{
	int result = add_loader(c->compiled);

	for (unsigned int tool = 0; tool <= BH_TOOLS_MAX; tool++)
		c->compiled->obeyed[tool] = 1;
	for (size_t i = 0; i < c->shipped->guards_count && !result; i++) {
		const struct bh_prohibition *guard = &c->shipped->guards[i];

		if (guard->variables.count && !bh_compile_is_lifted(c, guard->name.text))
			result = add_family(c, guard);
	}
	return result;
}

/* ---- Their automaton ---- */

/* What ends at a node of the trie of names. Of a name that begins so: inherited by all that go on. */
#define NAME_IS 1u
#define NAME_BEGINS 2u
#define NAME_EXCEPTED 4u

struct place {
	uint32_t node; /* in the name */
	uint32_t phase;
};

enum phase {
	PHASE_DEAD = 0,
	PHASE_NAME,
	PHASE_SKIP, /* up to its end it may be anything */
};

static int add_names(struct bh_trie *trie, const char *const *names, uint32_t bit)
{
	int result = 0;

	for (; *names && !result; names++) {
		size_t length = strlen(*names);
		bool begins = length && (*names)[length - 1] == '*';
		uint32_t node;

		result = bh_trie_add(trie, *names, length - begins, &node);
		if (!result)
			trie->nodes[node].bits |= bit ? bit : begins ? NAME_BEGINS : NAME_IS;
	}
	return result;
}

static bool is_refused(uint32_t bits, bool whole)
{
	return bits & (whole ? NAME_IS | NAME_BEGINS : NAME_BEGINS) && !(whole && bits & NAME_EXCEPTED);
}

static struct place step_name(const struct bh_trie *trie, uint32_t node, uint8_t byte)
{
	static const struct place dead, begin = { 0, PHASE_NAME }, skip = { 0, PHASE_SKIP };
	uint32_t bits = trie->nodes[node].bits, child;

	if (byte == '=' || !byte) {
		if (is_refused(bits, byte == '='))
			return dead;
		return byte ? skip : begin;
	}
	child = bh_trie_next(trie, node, byte);
	if (child)
		return (struct place){ child, PHASE_NAME };
	return is_refused(bits, false) ? dead : skip;
}

static void step(const void *data, const uint8_t *from, uint8_t byte, uint8_t *to)
{
	struct place at;

	memcpy(&at, from, sizeof(at));
	if (at.phase == PHASE_NAME)
		at = step_name(data, at.node, byte);
	else if (!byte)
		at = (struct place){ 0, PHASE_NAME };
	memcpy(to, &at, sizeof(at));
}

/* In the middle of a variable too, unless only an excepted one can save it. */
static uint32_t mean(const void *data, const uint8_t *state)
{
	const struct bh_trie *trie = data;
	struct place at;

	memcpy(&at, state, sizeof(at));
	return at.phase != PHASE_DEAD && !(at.phase == PHASE_NAME && is_refused(trie->nodes[at.node].bits, false));
}

static int fill_trie(struct bh_trie *trie, const struct bh_family *families, uint64_t set)
{
	uint32_t node;
	int result = bh_trie_add(trie, "", 0, &node);

	for (unsigned int i = 0; set >> i && !result; i++) {
		if (!(set >> i & 1))
			continue;
		result = add_names(trie, families[i].variables, 0);
		if (!result)
			result = add_names(trie, families[i].except, NAME_EXCEPTED);
	}
	for (size_t i = 1; i < trie->count && !result; i++) /* parents come before their children */
		trie->nodes[i].bits |= trie->nodes[trie->nodes[i].parent].bits & NAME_BEGINS;
	return result;
}

int bh_obeyed_explore(const struct bh_family *families, uint64_t set, struct bh_dfa *ret_dfa,
		      struct bh_explored *ret_explored)
{
	static const struct place start = { 0, PHASE_NAME };
	static const uint8_t group[256];
	bool single[256] = { [0] = true, ['='] = true };
	struct bh_trie trie = { 0 };
	struct bh_explore explore = {
		.size = sizeof(start), .step = step, .mean = mean, .data = &trie, .limit = BH_ARGS_STATES_MAX
	};
	int result;

	memset(ret_dfa, 0, sizeof(*ret_dfa));
	memset(ret_explored, 0, sizeof(*ret_explored));
	result = fill_trie(&trie, families, set);
	if (!result) {
		bh_trie_bytes(&trie, single);
		bh_explore_classes(&explore, single, group);
		result = bh_explore(&explore, (const uint8_t *)&start, ret_dfa, ret_explored);
	}
	bh_trie_done(&trie);
	return result;
}
