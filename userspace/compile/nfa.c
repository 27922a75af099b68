/* SPDX-License-Identifier: GPL-2.0-only */
/* Patterns become a trie of tokens: what begins alike is walked once, which keeps the sets of the DFA small. */
#include "compile/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

int bh_nfa_init(struct bh_nfa *nfa)
{
	memset(nfa, 0, sizeof(*nfa));
	if (BH_RESERVE(nfa->states, nfa->capacity, 1))
		return -ENOMEM;
	nfa->count = 1;
	return 0;
}

void bh_nfa_done(struct bh_nfa *nfa)
{
	free(nfa->states);
	free(nfa->ends);
	memset(nfa, 0, sizeof(*nfa));
}

static bool skips(uint8_t token)
{
	return token == BH_TOKEN_STAR || token == BH_TOKEN_DEEP;
}

/* The child of *at with this token, made if there is none; *at moves to it. */
static int step(struct bh_nfa *nfa, uint32_t *at, uint8_t token, uint8_t low, uint8_t high)
{
	struct bh_nfa_state *parent = &nfa->states[*at], *state;
	uint32_t child = skips(token) ? parent->skips : parent->children;

	for (; child; child = nfa->states[child].sibling) {
		state = &nfa->states[child];
		if (state->token == token && state->low == low && state->high == high) {
			*at = child;
			return 0;
		}
	}
	if (nfa->count > UINT32_MAX - 2 || BH_RESERVE(nfa->states, nfa->capacity, nfa->count + 2))
		return -ENOMEM;
	parent = &nfa->states[*at];
	child = (uint32_t)nfa->count++;
	state = &nfa->states[child];
	*state = (struct bh_nfa_state){ .parent = *at, .token = token, .low = low, .high = high };
	if (token == BH_TOKEN_DEEP) {
		nfa->states[nfa->count] = (struct bh_nfa_state){ .parent = child, .token = BH_TOKEN_INSIDE };
		nfa->count++;
	}
	if (skips(token)) {
		state->sibling = parent->skips;
		parent->skips = child;
	} else {
		state->sibling = parent->children;
		parent->children = child;
	}
	*at = child;
	return 0;
}

static int finish(struct bh_nfa *nfa, uint32_t end, uint32_t *ret_pattern)
{
	if (!nfa->states[end].pattern) {
		if (BH_RESERVE(nfa->ends, nfa->ends_capacity, nfa->patterns + 1))
			return -ENOMEM;
		nfa->ends[nfa->patterns++] = end;
		nfa->states[end].pattern = (uint32_t)nfa->patterns;
	}
	*ret_pattern = nfa->states[end].pattern - 1;
	return 0;
}

/* Is `**` at text a whole component? `text` is not the first byte of the pattern. */
static bool is_deep(const char *text)
{
	return text[-1] == '/' && text[0] == '*' && text[1] == '*' && (text[2] == '/' || text[2] == '\0');
}

int bh_nfa_add_path(struct bh_nfa *nfa, const char *text, uint32_t *ret_pattern)
{
	const char *first = text;
	uint32_t at = 0;
	int result = 0;

	while (*text && !result) {
		if (text > first && is_deep(text)) {
			result = step(nfa, &at, text[2] ? BH_TOKEN_DEEP : BH_TOKEN_TAIL, 0, 0);
			text += text[2] ? 3 : 2;
			while (nfa->states[at].token == BH_TOKEN_DEEP && text[0] == '*' && text[1] == '*' &&
			       text[2] == '/')
				text += 3; /* twice in a row says no more than once */
		} else if (*text == '*') {
			result = step(nfa, &at, BH_TOKEN_STAR, 0, 0);
			while (*text == '*')
				text++;
		} else if (*text == '?') {
			result = step(nfa, &at, BH_TOKEN_ONE, 0, 0);
			text++;
		} else {
			result = step(nfa, &at, BH_TOKEN_RANGE, (uint8_t)*text, (uint8_t)*text);
			text++;
		}
	}
	return result ? result : finish(nfa, at, ret_pattern);
}

int bh_nfa_add_cidr(struct bh_nfa *nfa, const struct bh_cidr *cidr, uint32_t *ret_pattern)
{
	unsigned int length = cidr->family == 4 ? 4 : 16;
	uint32_t at = 0;
	int result = 0;

	for (unsigned int i = 0; i < length && !result; i++) {
		unsigned int fixed = cidr->prefix >= 8 * (i + 1) ? 8 : cidr->prefix > 8 * i ? cidr->prefix - 8 * i : 0;
		uint8_t open = (uint8_t)(0xff >> fixed);

		result = step(nfa, &at, BH_TOKEN_RANGE, (uint8_t)(cidr->bytes[i] & ~open), cidr->bytes[i] | open);
	}
	return result ? result : finish(nfa, at, ret_pattern);
}
