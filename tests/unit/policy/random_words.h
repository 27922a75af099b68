/* SPDX-License-Identifier: GPL-2.0-only */
/* Random words, paths, networks and ports of the kinds that a policy takes, with all that could be mistaken for something else. */
#ifndef TESTS_UNIT_POLICY_RANDOM_WORDS_H
#define TESTS_UNIT_POLICY_RANDOM_WORDS_H

#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model.h"

static uint64_t random_seed = 0x9e3779b97f4a7c15u;
static unsigned int random_serial; /* makes words different where they must be */

static inline unsigned int roll(unsigned int below)
{
	random_seed ^= random_seed << 13;
	random_seed ^= random_seed >> 7;
	random_seed ^= random_seed << 17;
	return (unsigned int)(random_seed >> 33) % below;
}

static inline bool chance(unsigned int percent)
{
	return roll(100) < percent;
}

static inline struct bh_word random_word(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline struct bh_word random_word(const char *format, ...)
{
	struct bh_word word = { 0 };
	va_list args;

	va_start(args, format);
	if (vasprintf(&word.text, format, args) < 0)
		abort();
	va_end(args);
	return word;
}

static inline void add_word(struct bh_words *words, struct bh_word word)
{
	words->items = realloc(words->items, (words->count + 1) * sizeof(word));
	if (!words->items)
		abort();
	words->items[words->count++] = word;
}

static inline void add_pair(struct bh_pairs *pairs, struct bh_word word, struct bh_word value)
{
	pairs->items = realloc(pairs->items, (pairs->count + 1) * sizeof(*pairs->items));
	if (!pairs->items)
		abort();
	pairs->items[pairs->count++] = (struct bh_pair){ word, value };
}

/* What a writer may use within a text, with all that could be taken for something else. */
static inline const char *random_text(void)
{
	static const char *const texts[] = {
		"plain",
		"two words",
		"with \"quotes\"",
		"back\\slash",
		"ends with.",
		"ends with,",
		"and",
		"any",
		"#hash",
		"A. B.",
		"It runs code.",
		"\"",
		"\\",
		" ",
		"x=y",
		"100%",
		"a,b",
		"...",
		"Nothing",
		"with priority 7",
	};

	return texts[roll(sizeof(texts) / sizeof(texts[0]))];
}

static inline struct bh_word random_reason(void)
{
	return random_word("%s", random_text());
}

/* A component of a path; no wildcard. */
static inline const char *random_component(void)
{
	static const char *const names[] = { "a",      "b.c", "with blank", "and",     "x,",  "end.", "quo\"te", "#x",
					     "back\\", "any", "It",	    "Nothing", "a=b", ".git", "x-1",	 "[0]" };

	return names[roll(sizeof(names) / sizeof(names[0]))];
}

/* A path beneath the tree, each another one; wild: maybe a pattern. */
static inline struct bh_word random_path(const char *tree, bool wild)
{
	static const char *const patterns[] = { "/*", "/x-?.so", "/**/z", "/**/z/*" };
	unsigned int kind = wild ? roll(4) : 0;
	const char *end = kind == 1 ? "/**" : kind == 2 ? patterns[roll(4)] : kind == 3 ? "/*/**" : "";

	return random_word("%s/%u/%s%s", tree, random_serial++, random_component(), end);
}

static inline struct bh_words random_paths(const char *tree, unsigned int most)
{
	struct bh_words words = { 0 };

	for (unsigned int i = roll(most + 1); i > 0; i--)
		add_word(&words, random_path(tree, true));
	return words;
}

static inline void add_cidr(struct bh_cidrs *cidrs, bool single)
{
	struct bh_cidr cidr = { .family = chance(50) ? 4 : 6 };
	unsigned int serial = random_serial++;

	cidrs->items = realloc(cidrs->items, (cidrs->count + 1) * sizeof(cidr));
	if (!cidrs->items)
		abort();
	if (cidr.family == 4) {
		cidr.prefix = single ? 32 : 24;
		cidr.bytes[0] = 10;
		cidr.bytes[1] = (uint8_t)(serial >> 8);
		cidr.bytes[2] = (uint8_t)serial;
		cidr.bytes[3] = single ? 1 : 0;
	} else {
		cidr.prefix = single ? 128 : 64;
		cidr.bytes[0] = 0xfd;
		cidr.bytes[1] = 0x11;
		cidr.bytes[6] = (uint8_t)(serial >> 8);
		cidr.bytes[7] = (uint8_t)serial;
		cidr.bytes[15] = single ? 1 : 0;
	}
	cidrs->items[cidrs->count++] = cidr;
}

static inline void add_port(struct bh_port_ranges *ports, unsigned int low, unsigned int high, uint8_t protocol)
{
	ports->items = realloc(ports->items, (ports->count + 1) * sizeof(*ports->items));
	if (!ports->items)
		abort();
	ports->items[ports->count++] =
		(struct bh_port_range){ .low = (uint16_t)low, .high = (uint16_t)high, .protocol = protocol };
}

static inline struct bh_destination random_destination(const char *name)
{
	struct bh_destination destination = { .name = random_word("%s", name) };
	static const uint8_t protocols[] = { IPPROTO_TCP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP };
	unsigned int port = 1000;
	bool hosts = chance(50);

	destination.protocol = protocols[roll(4)];
	for (unsigned int i = 1 + roll(3); i > 0; i--) {
		if (hosts)
			add_word(&destination.hosts,
				 random_word("%sh%u.example.com", chance(30) ? "*." : "", random_serial++));
		else
			add_cidr(&destination.cidrs, chance(30));
	}
	for (unsigned int i = 1 + roll(3); i > 0 && destination.protocol != IPPROTO_ICMP; i--) {
		unsigned int low = port + 1 + roll(100), high = low + (chance(50) ? roll(10) : 0);

		add_port(&destination.ports, low, high, 0);
		port = high + 1;
	}
	for (unsigned int i = hosts ? roll(3) : 0; i > 0; i--)
		add_cidr(&destination.resolves_to, false);
	destination.sni = hosts && destination.protocol == IPPROTO_TCP && chance(30);
	return destination;
}

#endif
