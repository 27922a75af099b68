// SPDX-License-Identifier: GPL-2.0-only
/* The automaton against a slow matcher written from the definition of patterns and networks. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bpf/lib/walk.h"
#include "compile/automaton.h"

#define PATTERNS 12u
#define CELLS 65536u

static uint64_t seed = 20240229;

static uint32_t roll(uint32_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % sides;
}

/* policy.md 2.4.2, word for word. */
static bool matches(const char *pattern, const char *path)
{
	if (strcmp(pattern, "/**") == 0)
		return path[0] == '/' && path[1] != '\0' && path[1] != '/';
	if (strncmp(pattern, "/**/", 4) == 0) {
		const char *next = path[0] == '/' ? strchr(path + 1, '/') : NULL;

		return matches(pattern + 3, path) || (next && next > path + 1 && matches(pattern, next));
	}
	if (*pattern == '*') {
		for (;; path++) {
			if (matches(pattern + 1, path))
				return true;
			if (*path == '\0' || *path == '/')
				return false;
		}
	}
	if (*pattern == '\0' || *path == '\0')
		return *pattern == *path;
	return (*pattern == '?' ? *path != '/' : *pattern == *path) && matches(pattern + 1, path + 1);
}

struct built {
	struct bh_cell cells[CELLS];
	uint32_t start, states;
	uint32_t sets[4096]; /* by accept id: which patterns match */
	size_t sets_count;
};

static uint32_t set_number(struct built *b, uint32_t set)
{
	size_t i = 0;

	b->sets[0] = 0;
	if (!b->sets_count)
		b->sets_count = 1;
	while (i < b->sets_count && b->sets[i] != set)
		i++;
	if (i == b->sets_count) {
		assert_true(i < 4096);
		b->sets[b->sets_count++] = set;
	}
	return (uint32_t)i;
}

/* No two states of a minimal machine mean the same: the table-filling method. */
static void assert_minimal(const struct bh_machine *m)
{
	uint32_t n = m->states;
	bool *apart = calloc((size_t)n * n, 1);
	bool again = true;

	assert_non_null(apart);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			apart[a * n + b] = m->meaning[a] != m->meaning[b];
	while (again) {
		again = false;
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++) {
				size_t i = m->run_first[a], k = m->run_first[b];

				while (!apart[a * n + b] && i < m->run_first[a + 1] && k < m->run_first[b + 1]) {
					if (apart[m->runs[i].to * n + m->runs[k].to])
						apart[a * n + b] = again = true;
					uint8_t last_a = m->runs[i].last, last_b = m->runs[k].last;

					i += last_a <= last_b;
					k += last_b <= last_a;
				}
			}
	}
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < a; b++)
			assert_true(apart[a * n + b]);
	free(apart);
}

/* Looking states up and refining all of them must come to the same classes. */
static void assert_classes(const struct bh_dfa *dfa)
{
	uint32_t *one = calloc(dfa->states, sizeof(*one)), *other = calloc(dfa->states, sizeof(*other));
	uint32_t *other_of = calloc(dfa->states, sizeof(*other_of)), classes, refined;

	assert_true(one && other && other_of);
	assert_int_equal(bh_dfa_classes(dfa, one, &classes), 0);
	assert_int_equal(bh_dfa_refine(dfa, other, &refined), 0);
	assert_int_equal(classes, refined);
	for (size_t q = 0; q < dfa->states; q++) {
		if (!other_of[one[q]])
			other_of[one[q]] = other[q] + 1;
		assert_int_equal(other_of[one[q]], other[q] + 1);
	}
	free(one);
	free(other);
	free(other_of);
}

static void build(const struct bh_nfa *nfa, const uint32_t *bits, struct built *b)
{
	struct bh_dfa dfa;
	struct bh_machine machine;
	struct bh_comb comb;

	memset(b, 0, sizeof(*b));
	assert_int_equal(bh_dfa_build(nfa, &dfa), 0);
	for (size_t q = 0; q < dfa.states; q++) {
		uint32_t set = 0;

		for (size_t i = dfa.set_first[q]; i < dfa.set_first[q + 1]; i++)
			if (nfa->states[dfa.set[i]].pattern)
				set |= bits[nfa->states[dfa.set[i]].pattern - 1];
		dfa.meaning[q] = set_number(b, set);
	}
	assert_classes(&dfa);
	assert_int_equal(bh_machine_build(&dfa, &machine), 0);
	if (machine.states < 80)
		assert_minimal(&machine);
	assert_int_equal(bh_comb_init(&comb, CELLS), 0);
	assert_int_equal(bh_comb_add(&comb, &machine, &b->start), 0);
	memcpy(b->cells, comb.cells, comb.used * sizeof(comb.cells[0]));
	b->states = machine.states;
	bh_comb_done(&comb);
	bh_machine_done(&machine);
	bh_dfa_done(&dfa);
}

static uint32_t answer(const struct built *b, const char *bytes, size_t length)
{
	static uint8_t padded[BH_PATH_MAX];

	memcpy(padded, bytes, length);
	return b->sets[bh_accept_of(b->cells, CELLS - 1,
				    bh_walk(b->cells, CELLS - 1, b->start, padded, (uint32_t)length, BH_PATH_MAX))];
}

static void random_pattern(char *out)
{
	static const char *const parts[] = { "a",   "b",    "ab",    "ba",	 "*",	     "**", "?",
					     "a*",  "*b",   "a?",    "*a*",	 "**",	     ".x", "a*b",
					     "?*?", "\xff", "\x01*", "\x80\xfe", "lib.so.*", "**" };
	uint32_t components = 1 + roll(5);

	*out = '\0';
	for (uint32_t i = 0; i < components; i++) {
		strcat(out, "/");
		strcat(out, parts[roll(sizeof(parts) / sizeof(parts[0]))]);
	}
}

/* A path that the pattern could match: wildcards become a few bytes; then maybe one byte is changed. */
static void random_path(const char *pattern, char *out)
{
	char *at = out;

	for (; *pattern; pattern++) {
		if (*pattern == '*') {
			for (uint32_t i = roll(4); i > 0; i--)
				*at++ = roll(6) ? (roll(2) ? 'a' : 'b') : (char)(1 + roll(255));
			if (pattern[1] == '*' && roll(2))
				*at++ = '/';
		} else {
			*at++ = *pattern == '?' ? (char)(1 + roll(255)) : *pattern;
		}
	}
	*at = '\0';
	if (at > out && roll(3) == 0)
		out[roll((uint32_t)(at - out))] = roll(2) ? "ab/.x"[roll(5)] : (char)(1 + roll(255));
	if (roll(5) == 0)
		strcat(out, roll(2) ? "/a" : "b");
}

static void paths_agree_with_the_definition(void **state)
{
	static struct built b;
	static char patterns[PATTERNS][128], path[512];
	uint32_t questions = 0, hits = 0;

	for (int round = 0; round < 600; round++) {
		struct bh_nfa nfa;
		uint32_t bits[PATTERNS] = { 0 }, count = 1 + roll(PATTERNS), number;

		assert_int_equal(bh_nfa_init(&nfa), 0);
		for (uint32_t p = 0; p < count; p++) {
			random_pattern(patterns[p]);
			assert_int_equal(bh_nfa_add_path(&nfa, patterns[p], &number), 0);
			bits[number] |= 1u << p;
		}
		build(&nfa, bits, &b);
		bh_nfa_done(&nfa);
		for (int i = 0; i < 400; i++, questions++) {
			uint32_t want = 0;

			random_path(patterns[roll(count)], path);
			for (uint32_t p = 0; p < count; p++)
				want |= matches(patterns[p], path) ? 1u << p : 0;
			hits += want != 0;
			assert_int_equal(answer(&b, path, strlen(path)), want);
		}
	}
	print_message("%u path questions, %u of them matched\n", questions, hits);
	assert_true(questions >= 200000 && hits > questions / 4);
}

static void paths_of_4095_bytes_are_judged(void **state)
{
	static struct built b;
	static char path[BH_PATH_MAX];
	const char *pattern = "/srv/**/*.pem";
	uint32_t bits = 1, number;
	struct bh_nfa nfa;

	assert_int_equal(bh_nfa_init(&nfa), 0);
	assert_int_equal(bh_nfa_add_path(&nfa, pattern, &number), 0);
	build(&nfa, &bits, &b);
	bh_nfa_done(&nfa);
	memset(path, 'x', BH_PATH_MAX - 1);
	for (size_t i = 0; i < BH_PATH_MAX - 1; i += 97)
		path[i] = '/';
	memcpy(path, "/srv/", 5);
	memcpy(path + BH_PATH_MAX - 5, ".pem", 4);
	assert_int_equal(answer(&b, path, BH_PATH_MAX - 1), matches(pattern, path));
	assert_int_equal(answer(&b, path, BH_PATH_MAX - 1), 1);
	path[BH_PATH_MAX - 2] = 'n';
	assert_int_equal(answer(&b, path, BH_PATH_MAX - 1), 0);
}

static bool in_block(const struct bh_cidr *cidr, const uint8_t *address)
{
	for (unsigned int bit = 0; bit < cidr->prefix; bit++)
		if ((cidr->bytes[bit / 8] ^ address[bit / 8]) >> (7 - bit % 8) & 1)
			return false;
	return true;
}

static struct bh_cidr random_cidr(uint8_t family, const struct bh_cidr *near)
{
	struct bh_cidr cidr = { .family = family, .prefix = (uint8_t)roll(family == 4 ? 33 : 129) };

	for (unsigned int i = 0; i < (family == 4 ? 4u : 16u); i++)
		cidr.bytes[i] = near && roll(4) ? near->bytes[i] : (uint8_t)roll(256);
	for (unsigned int bit = cidr.prefix; bit < 128; bit++)
		cidr.bytes[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
	return cidr;
}

static void networks_agree_with_the_definition(void **state)
{
	static struct built b;
	uint32_t questions = 0, hits = 0;

	for (int round = 0; round < 600; round++) {
		uint8_t family = roll(2) ? 4 : 6;
		struct bh_cidr cidrs[PATTERNS];
		struct bh_nfa nfa;
		uint32_t bits[PATTERNS] = { 0 }, count = 1 + roll(PATTERNS), number;

		assert_int_equal(bh_nfa_init(&nfa), 0);
		for (uint32_t p = 0; p < count; p++) {
			cidrs[p] = random_cidr(family, p ? &cidrs[roll(p)] : NULL);
			assert_int_equal(bh_nfa_add_cidr(&nfa, &cidrs[p], &number), 0);
			bits[number] |= 1u << p;
		}
		build(&nfa, bits, &b);
		bh_nfa_done(&nfa);
		for (int i = 0; i < 400; i++, questions++) {
			struct bh_cidr near = cidrs[roll(count)];
			uint32_t want = 0;

			for (unsigned int bit = near.prefix; bit < 128; bit++)
				near.bytes[bit / 8] |= (uint8_t)(roll(2) ? 0x80 >> bit % 8 : 0);
			if (roll(3) == 0)
				near.bytes[roll(family == 4 ? 4 : 16)] ^= (uint8_t)(1 << roll(8));
			for (uint32_t p = 0; p < count; p++)
				want |= in_block(&cidrs[p], near.bytes) ? 1u << p : 0;
			hits += want != 0;
			assert_int_equal(answer(&b, (const char *)near.bytes, family == 4 ? 4 : 16), want);
		}
	}
	print_message("%u address questions, %u of them matched\n", questions, hits);
	assert_true(questions >= 200000);
}

static void an_exploding_pattern_stops_at_the_limit(void **state)
{
	struct bh_nfa nfa;
	struct bh_dfa dfa;
	uint32_t number;

	assert_int_equal(bh_nfa_init(&nfa), 0);
	assert_int_equal(bh_nfa_add_path(&nfa, "/*x????????????????????????", &number), 0);
	assert_int_equal(bh_dfa_build(&nfa, &dfa), -E2BIG);
	bh_dfa_done(&dfa);
	bh_nfa_done(&nfa);
}

static void a_full_comb_is_refused(void **state)
{
	struct bh_nfa nfa;
	struct bh_dfa dfa;
	struct bh_machine machine;
	struct bh_comb comb;
	char path[900];
	uint32_t number, start;

	memset(path, 'y', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(bh_nfa_init(&nfa), 0);
	assert_int_equal(bh_nfa_add_path(&nfa, path, &number), 0);
	assert_int_equal(bh_dfa_build(&nfa, &dfa), 0);
	dfa.meaning[dfa.states - 1] = 1;
	assert_int_equal(bh_machine_build(&dfa, &machine), 0);
	assert_int_equal(bh_comb_init(&comb, 1024), 0);
	assert_int_equal(bh_comb_add(&comb, &machine, &start), -E2BIG);
	bh_comb_done(&comb);
	bh_machine_done(&machine);
	bh_dfa_done(&dfa);
	bh_nfa_done(&nfa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_agree_with_the_definition),
		cmocka_unit_test(paths_of_4095_bytes_are_judged),
		cmocka_unit_test(networks_agree_with_the_definition),
		cmocka_unit_test(an_exploding_pattern_stops_at_the_limit),
		cmocka_unit_test(a_full_comb_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
