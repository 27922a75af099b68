/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/trie.h"

/* How far one clause has come. All zero: it cannot match any more. */
struct place {
	uint32_t seen; /* of BH_ARGS_ANY: required words, as bits */
	uint16_t node; /* in the clause's trie; of BH_ARGS_EXACT: bytes of the list */
	uint8_t phase;
	uint8_t flags;
};

enum phase {
	PHASE_DEAD = 0,
	PHASE_BETWEEN, /* at the beginning of a word */
	PHASE_WORD, /* within a word that is some listed word's beginning */
	PHASE_OPERAND, /* within a word that is not */
	PHASE_SKIP, /* within a word that may be anything, or before it */
	PHASE_DONE, /* whatever follows */
};

#define FLAG_FIRST 1u /* the subcommand was there, or none is needed */
#define FLAG_ENDED 2u /* "--" was there: no more options */
#define FLAG_COLON 4u /* the operand's last byte was a colon */

/* Words of a clause's trie. */
#define WORD_OPTION 1u
#define WORD_VALUE 2u /* an option that takes one */
#define WORD_FIRST 4u
#define WORD_END 8u /* "--" */
#define WORD_REQUIRE 16u /* number: which */
#define WORD_REFUSE 32u
/* Of every node. */
#define WORD_DASH 64u /* more than "-", and begins with it */
#define WORD_LONG 128u /* more than "--", and begins with it */
#define WORD_PLAIN 256u /* may be an operand where `words` are allowed */

#define REQUIRE_MAX 32u

struct clause {
	const struct bh_args_clause *from;
	uint32_t way;
	struct bh_trie trie;
	uint8_t *exact; /* the list as it lies in memory */
	size_t exact_length;
};

struct machine {
	struct clause *clauses;
	size_t count;
};

bool bh_args_plain(uint8_t byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
	       (byte && strchr("_./@:+=,%~^-", byte));
}

size_t bh_args_option(const char *text, bool *ret_value)
{
	size_t length = strlen(text);

	*ret_value = length > 2 && strcmp(text + length - 2, ":1") == 0;
	return *ret_value ? length - 2 : length;
}

/* ---- What a clause's words are ---- */

static int add_word(struct clause *clause, const char *word, size_t length, uint32_t bits, uint32_t number)
{
	uint32_t node;
	int result = bh_trie_add(&clause->trie, word, length, &node);

	if (result)
		return result;
	clause->trie.nodes[node].bits |= bits;
	clause->trie.nodes[node].number |= number;
	return 0;
}

static int add_words(struct clause *clause, const struct bh_words *words, uint32_t bits)
{
	int result = 0;

	for (size_t i = 0; i < words->count && !result; i++)
		result = add_word(clause, words->items[i].text, strlen(words->items[i].text), bits,
				  bits == WORD_REQUIRE ? 1u << i : 0);
	return result;
}

static int add_options(struct clause *clause, const struct bh_words *options)
{
	int result = 0;

	for (size_t i = 0; i < options->count && !result; i++) {
		bool value;
		size_t length = bh_args_option(options->items[i].text, &value);

		result = add_word(clause, options->items[i].text, length, value ? WORD_VALUE : WORD_OPTION, 0);
	}
	return result;
}

/* Parents come before their children. */
static void describe_nodes(struct bh_trie *trie)
{
	trie->nodes[0].bits |= WORD_PLAIN;
	for (size_t i = 1; i < trie->count; i++) {
		struct bh_trie_node *node = &trie->nodes[i];
		const struct bh_trie_node *parent = &trie->nodes[node->parent];
		bool below = node->parent != 0;
		bool dash = below && (parent->bits & WORD_DASH || (!parent->parent && parent->byte == '-'));

		if (dash)
			node->bits |= WORD_DASH;
		if (parent->bits & WORD_LONG ||
		    (parent->bits & WORD_DASH && parent->byte == '-' && trie->nodes[parent->parent].parent == 0))
			node->bits |= WORD_LONG;
		if (parent->bits & WORD_PLAIN && bh_args_plain(node->byte) &&
		    !(below && parent->byte == ':' && node->byte == ':'))
			node->bits |= WORD_PLAIN;
	}
}

static int take_exact(struct clause *clause)
{
	const struct bh_words *exact = &clause->from->exact;
	struct bh_buf block = { 0 };

	for (size_t i = 0; i < exact->count; i++)
		bh_buf_add(&block, exact->items[i].text, strlen(exact->items[i].text) + 1);
	clause->exact = block.bytes;
	clause->exact_length = block.length;
	return block.error;
}

static int clause_init(struct clause *clause, const struct bh_args_clause *from, uint32_t way)
{
	uint32_t node;
	int result;

	clause->from = from;
	clause->way = way;
	if (from->kind == BH_ARGS_EXACT)
		return take_exact(clause);
	result = bh_trie_add(&clause->trie, "", 0, &node);
	if (!result && from->kind == BH_ARGS_WORDS)
		result = add_word(clause, "--", 2, WORD_END, 0);
	if (!result)
		result = add_options(clause, &from->options);
	if (!result)
		result = add_words(clause, &from->first, WORD_FIRST);
	if (!result && from->require.count > REQUIRE_MAX)
		result = -E2BIG;
	if (!result)
		result = add_words(clause, &from->require, WORD_REQUIRE);
	if (!result)
		result = add_words(clause, &from->refuse, WORD_REFUSE);
	if (!result && clause->trie.count > UINT16_MAX)
		result = -E2BIG;
	if (!result)
		describe_nodes(&clause->trie);
	return result;
}

/* ---- How a clause moves ---- */

static const struct place dead;

static uint32_t all_required(const struct clause *clause)
{
	size_t count = clause->from->require.count;

	return count ? UINT32_MAX >> (REQUIRE_MAX - count) : 0;
}

static struct place between(const struct clause *clause, struct place at)
{
	struct place to = { .seen = at.seen, .phase = PHASE_BETWEEN, .flags = at.flags & (FLAG_FIRST | FLAG_ENDED) };

	if (clause->from->kind == BH_ARGS_ANY && !clause->from->refuse.count && at.seen == all_required(clause))
		return (struct place){ .phase = PHASE_DONE };
	return to;
}

static struct place skip(struct place at)
{
	return (struct place){ .seen = at.seen, .phase = PHASE_SKIP, .flags = at.flags & (FLAG_FIRST | FLAG_ENDED) };
}

static struct place start_of(const struct clause *clause)
{
	struct place at = { 0 };

	if (clause->from->kind == BH_ARGS_EXACT)
		return (struct place){ .phase = PHASE_BETWEEN };
	if (!clause->from->first.count)
		at.flags = FLAG_FIRST;
	return between(clause, at);
}

static struct place step_exact(const struct clause *clause, struct place at, uint8_t byte)
{
	if (at.node >= clause->exact_length || clause->exact_length > BH_ARGS_MAX || clause->exact[at.node] != byte)
		return dead;
	at.node++;
	at.phase = byte ? PHASE_WORD : PHASE_BETWEEN;
	return at;
}

/* The word of a BH_ARGS_WORDS clause ends at a node of the trie. */
static struct place end_word(const struct clause *clause, struct place at, const struct bh_trie_node *node)
{
	uint8_t operands = clause->from->operands;

	if (!(at.flags & FLAG_ENDED) && node->bits & WORD_END) {
		at.flags |= FLAG_ENDED;
		return between(clause, at);
	}
	if (!(at.flags & FLAG_ENDED) && node->bits & WORD_DASH) {
		if (node->bits & WORD_VALUE)
			return skip(at);
		return node->bits & WORD_OPTION ? between(clause, at) : dead;
	}
	if (!(at.flags & FLAG_FIRST)) {
		at.flags |= FLAG_FIRST;
		return node->bits & WORD_FIRST ? between(clause, at) : dead;
	}
	if (operands == BH_OPERANDS_NONE)
		return dead;
	if (operands == BH_OPERANDS_WORDS && (!at.node || !(node->bits & WORD_PLAIN)))
		return dead;
	return between(clause, at);
}

/* The word goes on where no listed word does. */
static struct place leave_trie(const struct clause *clause, struct place at, const struct bh_trie_node *node,
			       uint8_t byte)
{
	bool dash = node->bits & WORD_DASH || (at.node && !node->parent && node->byte == '-');

	if ((!(at.flags & FLAG_ENDED) && dash) || !(at.flags & FLAG_FIRST))
		return dead;
	if (clause->from->operands == BH_OPERANDS_ANY)
		return skip(at);
	if (clause->from->operands != BH_OPERANDS_WORDS || !(node->bits & WORD_PLAIN) || !bh_args_plain(byte) ||
	    (at.node && node->byte == ':' && byte == ':'))
		return dead;
	at.phase = PHASE_OPERAND;
	at.node = 0;
	at.flags |= byte == ':' ? FLAG_COLON : 0;
	return at;
}

static struct place step_words(const struct clause *clause, struct place at, uint8_t byte)
{
	const struct bh_trie_node *node = &clause->trie.nodes[at.node];
	uint32_t next;

	if (!byte)
		return end_word(clause, at, node);
	if (byte == '=' && !(at.flags & FLAG_ENDED) && node->bits & WORD_LONG && node->bits & WORD_VALUE)
		return skip(at);
	next = bh_trie_next(&clause->trie, at.node, byte);
	if (!next)
		return leave_trie(clause, at, node, byte);
	at.node = (uint16_t)next;
	at.phase = PHASE_WORD;
	return at;
}

static struct place step_operand(const struct clause *clause, struct place at, uint8_t byte)
{
	if (!byte)
		return between(clause, at);
	if (!bh_args_plain(byte) || (at.flags & FLAG_COLON && byte == ':'))
		return dead;
	at.flags = (uint8_t)((at.flags & ~FLAG_COLON) | (byte == ':' ? FLAG_COLON : 0));
	return at;
}

static struct place step_any(const struct clause *clause, struct place at, uint8_t byte)
{
	const struct bh_trie_node *node = &clause->trie.nodes[at.node];
	uint32_t next;

	if (node->bits & WORD_REFUSE && (!byte || byte == '='))
		return dead;
	if (!byte) {
		at.seen |= node->bits & WORD_REQUIRE ? node->number : 0;
		return between(clause, at);
	}
	next = bh_trie_next(&clause->trie, at.node, byte);
	if (!next)
		return skip(at);
	at.node = (uint16_t)next;
	at.phase = PHASE_WORD;
	return at;
}

static struct place step_one(const struct clause *clause, struct place at, uint8_t byte)
{
	if (at.phase == PHASE_DEAD || at.phase == PHASE_DONE)
		return at;
	if (clause->from->kind == BH_ARGS_EXACT)
		return step_exact(clause, at, byte);
	if (at.phase == PHASE_SKIP)
		return byte ? at : between(clause, at);
	if (at.phase == PHASE_OPERAND)
		return step_operand(clause, at, byte);
	return clause->from->kind == BH_ARGS_ANY ? step_any(clause, at, byte) : step_words(clause, at, byte);
}

static bool accepts(const struct clause *clause, struct place at)
{
	if (at.phase == PHASE_DONE)
		return true;
	if (at.phase != PHASE_BETWEEN)
		return false;
	switch (clause->from->kind) {
	case BH_ARGS_EXACT:
		return at.node == clause->exact_length;
	case BH_ARGS_ANY:
		return at.seen == all_required(clause);
	default:
		return at.flags & FLAG_FIRST;
	}
}

/* ---- All clauses at once ---- */

static void step(const void *data, const uint8_t *from, uint8_t byte, uint8_t *to)
{
	const struct machine *machine = data;

	for (size_t i = 0; i < machine->count; i++) {
		struct place at;

		memcpy(&at, from + i * sizeof(at), sizeof(at));
		at = step_one(&machine->clauses[i], at, byte);
		memcpy(to + i * sizeof(at), &at, sizeof(at));
	}
}

static uint32_t mean(const void *data, const uint8_t *state)
{
	const struct machine *machine = data;
	uint32_t ways = 0;

	for (size_t i = 0; i < machine->count; i++) {
		struct place at;

		memcpy(&at, state + i * sizeof(at), sizeof(at));
		if (accepts(&machine->clauses[i], at))
			ways |= 1u << machine->clauses[i].way;
	}
	return ways;
}

static void machine_done(struct machine *machine)
{
	for (size_t i = 0; i < machine->count; i++) {
		bh_trie_done(&machine->clauses[i].trie);
		free(machine->clauses[i].exact);
	}
	free(machine->clauses);
}

static int machine_init(struct machine *machine, const struct bh_args_way *ways, size_t count,
			const struct bh_args_clause **ret_worst)
{
	size_t clauses = 0;
	int result = 0;

	for (size_t w = 0; w < count; w++)
		clauses += ways[w].count;
	machine->count = 0;
	machine->clauses = calloc(clauses + 1, sizeof(*machine->clauses));
	if (!machine->clauses)
		return -ENOMEM;
	for (size_t w = 0; w < count; w++)
		for (size_t i = 0; i < ways[w].count && !result; i++) {
			*ret_worst = &ways[w].clauses[i];
			result = clause_init(&machine->clauses[machine->count++], *ret_worst, (uint32_t)w);
		}
	return result;
}

/* Bytes that are in no listed word are told apart only by whether an operand may hold them. */
static void set_classes(const struct machine *machine, struct bh_explore *explore)
{
	bool single[256] = { [0] = true, ['-'] = true, ['='] = true, [':'] = true };
	uint8_t group[256];

	for (size_t i = 0; i < machine->count; i++) {
		bh_trie_bytes(&machine->clauses[i].trie, single);
		for (size_t k = 0; k < machine->clauses[i].exact_length; k++)
			single[machine->clauses[i].exact[k]] = true;
	}
	for (unsigned int byte = 0; byte < 256; byte++)
		group[byte] = bh_args_plain((uint8_t)byte);
	bh_explore_classes(explore, single, group);
}

static int compare_places(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct place));
}

/* How many states of its own the clause has. */
static size_t count_places(const struct bh_explored *explored, size_t clause, size_t size, struct place *room)
{
	size_t count = 0;

	for (uint32_t q = 0; q < explored->count; q++)
		memcpy(&room[q], explored->states + q * size + clause * sizeof(*room), sizeof(*room));
	qsort(room, explored->count, sizeof(*room), compare_places);
	for (uint32_t q = 0; q < explored->count; q++)
		count += !q || memcmp(&room[q - 1], &room[q], sizeof(*room)) != 0;
	return count;
}

static int find_worst(const struct machine *machine, const struct bh_explored *explored, size_t size,
		      const struct bh_args_clause **ret_worst)
{
	BH_FREE struct place *room = calloc(explored->count + 1, sizeof(*room));
	size_t most = 0;

	if (!room)
		return -ENOMEM;
	for (size_t i = 0; i < machine->count; i++) {
		size_t count = count_places(explored, i, size, room);

		if (count > most) {
			most = count;
			*ret_worst = machine->clauses[i].from;
		}
	}
	return -E2BIG;
}

int bh_args_explore(const struct bh_args_way *ways, size_t count, struct bh_dfa *ret_dfa,
		    struct bh_explored *ret_explored, const struct bh_args_clause **ret_worst)
{
	struct machine machine;
	struct bh_explore explore = { .step = step, .mean = mean, .data = &machine, .limit = BH_ARGS_STATES_MAX };
	BH_FREE uint8_t *start = NULL;
	int result;

	memset(ret_dfa, 0, sizeof(*ret_dfa));
	memset(ret_explored, 0, sizeof(*ret_explored));
	*ret_worst = NULL;
	result = machine_init(&machine, ways, count, ret_worst);
	explore.size = machine.count * sizeof(struct place);
	start = result ? NULL : calloc(1, explore.size + 1);
	if (!result && !start)
		result = -ENOMEM;
	for (size_t i = 0; i < machine.count && !result; i++) {
		struct place at = start_of(&machine.clauses[i]);

		memcpy(start + i * sizeof(at), &at, sizeof(at));
	}
	if (!result) {
		set_classes(&machine, &explore);
		result = bh_explore(&explore, start, ret_dfa, ret_explored);
		if (result == -E2BIG)
			result = find_worst(&machine, ret_explored, explore.size, ret_worst);
	}
	machine_done(&machine);
	return result;
}
