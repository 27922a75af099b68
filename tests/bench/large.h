/* SPDX-License-Identifier: GPL-2.0-only */
/* Policies of many rules, of the kinds that real ones are made of; the same from the same seed on every machine. */
#ifndef TESTS_BENCH_LARGE_H
#define TESTS_BENCH_LARGE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model.h"

#define LARGE_FILES 'a' /* hashed names under many directories */
#define LARGE_TREES 'b' /* directories with all that is beneath them */
#define LARGE_MIXED 'c' /* files, and patterns that match parts of names at many places */
#define LARGE_TOOLS 'd' /* 32 tools with much in common */
#define LARGE_NEVER 'e' /* files that nobody may read, where the tool may read all else */
#define LARGE_KINDS "abcde"

#define LARGE_PACKAGES 256u /* of LARGE_TOOLS: what tools have in common, they have by the package */

struct large {
	struct bh_source_policy policy;
	struct bh_tool tools[BH_TOOLS_MAX];
	char name[8];
	char names[BH_TOOLS_MAX][8], programs[BH_TOOLS_MAX][24];
	struct bh_pair binaries[BH_TOOLS_MAX];
	uint64_t seed;
	uint32_t line;
};

static inline uint32_t large_roll(struct large *large)
{
	large->seed = large->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(large->seed >> 32);
}

/* Mixes: the same number for the same words. */
static inline uint32_t large_hash(uint32_t a, uint32_t b)
{
	uint64_t mixed = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u;
	return (uint32_t)(mixed ^ mixed >> 32);
}

static inline void large_add(struct large *large, struct bh_words *words, const char *text)
{
	if ((words->count & (words->count - 1)) == 0) /* room doubles at each power of two */
		words->items = reallocarray(words->items, words->count ? 2 * words->count : 1, sizeof(*words->items));
	words->items[words->count++] = (struct bh_word){ strdup(text), { ++large->line, 9, (uint32_t)strlen(text) } };
}

/* Rule `i` of `count` of a policy of one tool. */
static inline void large_path(struct large *large, char kind, uint32_t i, uint32_t count, char *out, size_t size)
{
	static const char *const suffixes[] = { "py", "c", "json", "so.1", "md" };
	uint32_t name = large_roll(large), folder = large_roll(large) % (count / 500 + 3);

	if (kind == LARGE_TREES)
		snprintf(out, size, "/srv/data/g%u/%08x/**", folder, name);
	else if (kind == LARGE_FILES || kind == LARGE_NEVER || i % 50)
		snprintf(out, size, "/srv/repo/d%u/%08x.%s", folder, name, suffixes[name % 5]);
	else if (i == 0)
		snprintf(out, size, "/srv/**/*.pem");
	else if (i == 50)
		snprintf(out, size, "/srv/**/.env*");
	else
		snprintf(out, size, i % 100 ? "/srv/repo/d%u/*-%x.key" : "/srv/repo/d%u/**/lib%x*.so", i / 50,
			 name % 64);
}

/* One tool reads a package, and then the next, until it has its rules; of ten rules one is its own. */
static inline void large_tool(struct large *large, uint32_t tool, uint32_t count)
{
	uint32_t files = count / 64 + 1, added = 0;
	struct bh_words *read = &large->tools[tool].read;
	char text[96];

	for (uint32_t package = 0; added + count / 10 < count; package = (package + 1) % LARGE_PACKAGES) {
		if (package == 0 && added)
			break; /* it has all that it may have */
		if (large_hash(tool, package) % 4)
			continue;
		for (uint32_t i = 0; i < files && added + count / 10 < count; i++, added++) {
			snprintf(text, sizeof(text), i ? "/opt/pkg/p%u/lib/%08x.js" : "/opt/pkg/p%u/doc/%08x/**",
				 package, large_hash(package, i));
			large_add(large, read, text);
		}
	}
	for (; added < count; added++) {
		snprintf(text, sizeof(text), "/home/t%u/d%u/%08x.txt", tool, large_roll(large) % 16, large_roll(large));
		large_add(large, read, text);
	}
	snprintf(text, sizeof(text), "/home/t%u/out/**", tool);
	large_add(large, &large->tools[tool].write, text);
}

/* NULL when out of memory. */
static inline struct large *large_new(char kind, uint32_t rules)
{
	struct large *large = calloc(1, sizeof(*large));
	uint32_t tools = kind == LARGE_TOOLS ? BH_TOOLS_MAX : 1;
	char text[96];

	if (!large)
		return NULL;
	large->seed = 20261130;
	snprintf(large->name, sizeof(large->name), "large");
	large->policy = (struct bh_source_policy){ .name = { large->name, { 1, 1, 1 } },
						   .mode = BH_MODE_ENFORCE,
						   .entry = { large->names[0], { 1, 1, 1 } },
						   .tools = large->tools,
						   .tools_count = tools };
	for (uint32_t t = 0; t < tools; t++) {
		struct bh_tool *tool = &large->tools[t];

		snprintf(large->names[t], sizeof(large->names[t]), "t%u", t);
		snprintf(large->programs[t], sizeof(large->programs[t]), "/usr/bin/tool-%u", t);
		large->binaries[t].word = (struct bh_word){ large->programs[t], { ++large->line, 5, 1 } };
		tool->name = (struct bh_word){ large->names[t], { ++large->line, 5, 1 } };
		tool->binaries = (struct bh_pairs){ &large->binaries[t], 1 };
		if (t)
			large_add(large, &large->tools[0].may_run, large->names[t]);
		if (kind == LARGE_TOOLS)
			large_tool(large, t, rules / tools);
		for (uint32_t i = 0; i < rules && kind != LARGE_TOOLS; i++) {
			large_path(large, kind, i, rules, text, sizeof(text));
			large_add(large, kind == LARGE_NEVER ? &large->policy.never_read : &tool->read, text);
		}
		if (kind == LARGE_NEVER)
			large_add(large, &tool->read, "/srv/**");
	}
	for (unsigned int class = 1; class < BH_CLASSES; class ++)
		large->policy.respond[class] = class == BH_CLASS_ARGS ? BH_RESPOND_TASK : BH_RESPOND_DENY;
	return large;
}

static inline void large_words_free(struct bh_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i].text);
	free(words->items);
}

static inline void large_free(struct large *large)
{
	for (size_t t = 0; t < large->policy.tools_count; t++) {
		large_words_free(&large->tools[t].read);
		large_words_free(&large->tools[t].write);
		large_words_free(&large->tools[t].may_run);
	}
	large_words_free(&large->policy.never_read);
	free(large);
}

static inline void large_print_words(const char *key, const struct bh_words *words, FILE *out)
{
	if (words->count)
		fprintf(out, "%s:\n", key);
	for (size_t i = 0; i < words->count; i++)
		fprintf(out, "          - \"%s\"\n", words->items[i].text);
}

/* The same as a source. */
static inline void large_print(const struct large *large, FILE *out)
{
	fprintf(out,
		"apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: large}\nspec:\n  entry: %s\n"
		"  tools:\n",
		large->policy.entry.text);
	for (size_t t = 0; t < large->policy.tools_count; t++) {
		const struct bh_tool *tool = &large->tools[t];

		fprintf(out, "    %s:\n      binaries: [%s]\n", tool->name.text, large->programs[t]);
		large_print_words("      may_run", &tool->may_run, out);
		fprintf(out, "      files:\n");
		large_print_words("        read", &tool->read, out);
		large_print_words("        write", &tool->write, out);
	}
	if (large->policy.never_read.count)
		fprintf(out, "  never:\n");
	large_print_words("    read", &large->policy.never_read, out);
}

#endif
