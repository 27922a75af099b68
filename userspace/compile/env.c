/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment as an automaton: NAME=VALUE, each with its NUL. A name may come twice; each time it must be right. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/args.h"
#include "compile/trie.h"

struct place {
	uint32_t seen; /* required variables, as bits */
	uint16_t node; /* in the trie of names; of PHASE_VALUE in that of required variables */
	uint8_t phase;
	uint8_t pad;
};

enum phase {
	PHASE_DEAD = 0,
	PHASE_NAME, /* at the beginning of a variable, or in its name */
	PHASE_VALUE, /* of a required one */
	PHASE_SKIP, /* up to its end it may be anything */
};

#define NAME_KEEP 1u
#define NAME_PREFIX 2u /* whatever follows in the name */
#define NAME_REQUIRE 4u /* number: which, as a bit */
#define REQUIRE_MAX 32u

struct machine {
	struct bh_trie names, values; /* values: NAME=VALUE of the required */
	uint32_t required;
};

static int add_name(struct machine *m, const char *name, size_t length, uint32_t bits, uint32_t number)
{
	uint32_t node;
	int result = bh_trie_add(&m->names, name, length, &node);

	if (result)
		return result;
	m->names.nodes[node].bits |= bits;
	m->names.nodes[node].number |= number;
	return 0;
}

static int add_required(struct machine *m, const struct bh_pair *pair, uint32_t number)
{
	struct bh_buf text = { 0 };
	uint32_t node;
	int result = add_name(m, pair->word.text, strlen(pair->word.text), NAME_REQUIRE, number);

	bh_buf_print(&text, "%s=%s", pair->word.text, pair->value.text ? pair->value.text : "");
	if (!result)
		result = text.error;
	if (!result)
		result = bh_trie_add(&m->values, (const char *)text.bytes, text.length, &node);
	if (!result)
		m->values.nodes[node].number |= number;
	m->required |= number;
	bh_buf_done(&text);
	return result;
}

static int machine_init(struct machine *m, const struct bh_env *env)
{
	uint32_t node;
	int result = bh_trie_add(&m->names, "", 0, &node);

	for (size_t i = 0; i < env->keep.count && !result; i++) {
		const char *name = env->keep.items[i].text;
		size_t length = strlen(name);
		bool prefix = length && name[length - 1] == '*';

		result = add_name(m, name, length - prefix, prefix ? NAME_PREFIX : NAME_KEEP, 0);
	}
	if (!result && env->require.count > REQUIRE_MAX)
		result = -E2BIG;
	for (size_t i = 0; i < env->require.count && !result; i++)
		result = add_required(m, &env->require.items[i], 1u << i);
	for (size_t i = 1; i < m->names.count && !result; i++) /* parents come before their children */
		m->names.nodes[i].bits |= m->names.nodes[m->names.nodes[i].parent].bits & NAME_PREFIX;
	return result || m->names.count > UINT16_MAX || m->values.count > UINT16_MAX ? (result ? result : -E2BIG) : 0;
}

/* The value's beginning: the node of "NAME=" among the required variables. */
static uint16_t value_of(const struct machine *m, uint32_t name)
{
	char text[BH_ENV_MAX];
	size_t at = sizeof(text);
	uint32_t node = 0;

	text[--at] = '=';
	for (; name && at; name = m->names.nodes[name].parent)
		text[--at] = (char)m->names.nodes[name].byte;
	for (; at < sizeof(text); at++)
		node = bh_trie_next(&m->values, node, (uint8_t)text[at]);
	return (uint16_t)node;
}

static struct place step_name(const struct machine *m, struct place at, uint8_t byte)
{
	const struct bh_trie_node *node = &m->names.nodes[at.node];
	bool kept = node->bits & (NAME_KEEP | NAME_PREFIX);
	struct place skip = { .seen = at.seen, .phase = PHASE_SKIP }, next = { .seen = at.seen, .phase = PHASE_NAME };
	static const struct place dead;
	uint32_t child;

	if (!byte)
		return kept && !(node->bits & NAME_REQUIRE) ? next : dead;
	if (byte == '=') {
		if (node->bits & NAME_REQUIRE)
			return (struct place){ .seen = at.seen, .phase = PHASE_VALUE, .node = value_of(m, at.node) };
		return kept ? skip : dead;
	}
	child = bh_trie_next(&m->names, at.node, byte);
	if (!child)
		return node->bits & NAME_PREFIX ? skip : dead;
	next.node = (uint16_t)child;
	return next;
}

static struct place step_value(const struct machine *m, struct place at, uint8_t byte)
{
	const struct bh_trie_node *node = &m->values.nodes[at.node];
	static const struct place dead;
	uint32_t child;

	if (!byte)
		return node->number ? (struct place){ .seen = at.seen | node->number, .phase = PHASE_NAME } : dead;
	child = bh_trie_next(&m->values, at.node, byte);
	at.node = (uint16_t)child;
	return child ? at : dead;
}

static void step(const void *data, const uint8_t *from, uint8_t byte, uint8_t *to)
{
	const struct machine *m = data;
	struct place at;

	memcpy(&at, from, sizeof(at));
	switch (at.phase) {
	case PHASE_NAME:
		at = step_name(m, at, byte);
		break;
	case PHASE_VALUE:
		at = step_value(m, at, byte);
		break;
	default:
		if (!byte)
			at = (struct place){ .seen = at.seen, .phase = PHASE_NAME };
		break;
	}
	memcpy(to, &at, sizeof(at));
}

/* Between two variables, with all that is required seen. */
static uint32_t mean(const void *data, const uint8_t *state)
{
	const struct machine *m = data;
	struct place at;

	memcpy(&at, state, sizeof(at));
	return at.phase == PHASE_NAME && !at.node && at.seen == m->required;
}

int bh_env_explore(const struct bh_env *env, struct bh_dfa *ret_dfa, struct bh_explored *ret_explored)
{
	static const struct place start = { .phase = PHASE_NAME };
	static const uint8_t group[256];
	bool single[256] = { [0] = true, ['='] = true };
	struct machine m;
	struct bh_explore explore = {
		.size = sizeof(start), .step = step, .mean = mean, .data = &m, .limit = BH_ARGS_STATES_MAX
	};
	int result;

	memset(&m, 0, sizeof(m));
	memset(ret_dfa, 0, sizeof(*ret_dfa));
	memset(ret_explored, 0, sizeof(*ret_explored));
	result = machine_init(&m, env);
	if (!result) {
		bh_trie_bytes(&m.names, single);
		bh_trie_bytes(&m.values, single);
		bh_explore_classes(&explore, single, group);
		result = bh_explore(&explore, (const uint8_t *)&start, ret_dfa, ret_explored);
	}
	bh_trie_done(&m.names);
	bh_trie_done(&m.values);
	return result;
}
