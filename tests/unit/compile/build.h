/* SPDX-License-Identifier: GPL-2.0-only */
/* Models built by hand. Everything is borrowed from static storage: nothing is to be freed. */
#ifndef TESTS_UNIT_COMPILE_BUILD_H
#define TESTS_UNIT_COMPILE_BUILD_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>

#include "bpf/lib/decide.h"
#include "compile/compile.h"

/* Words get lines in the order of their making, so that findings can be told apart. */
static uint32_t build_line = 1;
static struct bh_word build_pool[65536];
static size_t build_used;

static inline struct bh_word build_word(const char *text)
{
	return (struct bh_word){ (char *)(uintptr_t)text, { build_line++, 1, 1 } };
}

/* Space-separated words. `text` must live on; it is cut into pieces in a static copy. */
static inline struct bh_words build_words(const char *text)
{
	static char copies[1u << 20];
	static size_t at;
	struct bh_words words = { &build_pool[build_used], 0 };
	char *copy = &copies[at], *rest, *word;

	if (!text)
		return words;
	assert_true(at + strlen(text) + 1 < sizeof(copies));
	strcpy(copy, text);
	at += strlen(text) + 1;
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		assert_true(build_used < 65536);
		build_pool[build_used++] = build_word(word);
		words.count++;
	}
	return words;
}

/* Exact paths without hashes. */
static inline struct bh_pairs build_binaries(const char *text)
{
	struct bh_words words = build_words(text);
	static struct bh_pair pool[65536];
	static size_t used;
	struct bh_pairs pairs = { &pool[used], words.count };

	assert_true(used + words.count < 65536);
	used += words.count;

	for (size_t i = 0; i < words.count; i++)
		pairs.items[i].word = words.items[i];
	return pairs;
}

struct build_tool {
	const char *name, *binaries, *may_run, *helpers, *read, *write, *reach;
};

static inline struct bh_tool build_tool(struct build_tool from)
{
	struct bh_tool tool = { .name = build_word(from.name) };

	tool.binaries = build_binaries(from.binaries);
	tool.may_run = build_words(from.may_run);
	tool.helpers = build_words(from.helpers);
	tool.read = build_words(from.read);
	tool.write = build_words(from.write);
	tool.reach = build_words(from.reach);
	return tool;
}

static inline struct bh_cidr build_cidr(const char *address, uint8_t prefix)
{
	struct bh_cidr cidr = { .family = strchr(address, ':') ? 6 : 4,
				.prefix = prefix,
				.loc = { build_line++, 1, 1 } };

	assert_int_equal(inet_pton(cidr.family == 6 ? AF_INET6 : AF_INET, address, cidr.bytes), 1);
	return cidr;
}

static inline struct bh_source_policy build_policy(struct bh_tool *tools, size_t count)
{
	struct bh_source_policy policy = { .name = build_word("sample"),
					   .mode = BH_MODE_ENFORCE,
					   .entry = build_word(tools[0].name.text),
					   .tools = tools,
					   .tools_count = count };

	for (unsigned int i = 1; i < BH_CLASSES; i++)
		policy.respond[i] = i == BH_CLASS_FLOOR ? BH_RESPOND_KILL :
				    i == BH_CLASS_ARGS	? BH_RESPOND_TASK :
							  BH_RESPOND_DENY;
	return policy;
}

/* Compiles; the findings stay in *ret_diags. NULL when refused. */
static inline struct bh_compiled *build_compile(const struct bh_source_policy *policy, const struct bh_shipped *shipped,
						const struct bh_aliases *aliases, struct bh_diags **ret_diags)
{
	static const struct bh_shipped nothing;
	struct bh_compiled *compiled = NULL;
	struct bh_diags *diags = bh_diags_new("sample.yaml", "", 0);
	int result;

	assert_non_null(diags);
	result = bh_compile(policy, shipped ? shipped : &nothing, aliases, diags, &compiled);
	assert_int_equal(result, compiled ? 0 : -EINVAL);
	if (ret_diags) {
		*ret_diags = diags;
		return compiled;
	}
	for (size_t i = 0; !compiled && i < bh_diags_count(diags); i++)
		print_error("%s: %s\n", bh_diags_get(diags, i)->code, bh_diags_get(diags, i)->text);
	assert_non_null(compiled);
	bh_diags_free(diags);
	return compiled;
}

/* The first finding with this code, or NULL. */
static inline const struct bh_diag *build_finding(const struct bh_diags *diags, const char *code)
{
	for (size_t i = 0; i < bh_diags_count(diags); i++)
		if (strcmp(bh_diags_get(diags, i)->code, code) == 0)
			return bh_diags_get(diags, i);
	return NULL;
}

/* Compiles and asserts that there is (text: part of it; line: where, 0: anywhere) or is no (text NULL) finding of that code. */
static inline void assert_finding(const struct bh_source_policy *policy, const struct bh_shipped *shipped,
				  const char *code, const char *text, uint32_t line)
{
	struct bh_diags *diags;
	struct bh_compiled *compiled = build_compile(policy, shipped, NULL, &diags);
	const struct bh_diag *diag = build_finding(diags, code);

	if (!text) {
		if (diag)
			print_error("%s: %s\n", code, diag->text);
		assert_null(diag);
	} else {
		assert_non_null(diag);
		if (!strstr(diag->text, text))
			print_error("%s: %s\n", code, diag->text);
		assert_non_null(strstr(diag->text, text));
		if (line)
			assert_int_equal(diag->loc.line, line);
	}
	bh_compiled_free(compiled);
	bh_diags_free(diags);
}

/* What the tables say about a path. */
static inline const struct bh_accept *build_ask(const struct bh_compiled *compiled, const char *path)
{
	const struct bh_policy *tables = bh_compiled_tables(compiled);
	struct bh_path_bytes bytes = { { 0 } };

	memcpy(bytes.bytes, path, strlen(path));
	return &tables->accepts[bh_path_accept_id(tables, &bytes, (uint32_t)strlen(path), 0)];
}

/* May the tool reach address and TCP port? */
static inline bool build_reaches(const struct bh_compiled *compiled, unsigned int tool, const char *address,
				 uint16_t port)
{
	const struct bh_policy *tables = bh_compiled_tables(compiled);
	bool six = strchr(address, ':');
	struct bh_address bytes = { { 0 } };
	const struct bh_net_row *row;

	assert_int_equal(inet_pton(six ? AF_INET6 : AF_INET, address, bytes.bytes), 1);
	row = &tables->nets[bh_walk_address(tables, &bytes, six ? tables->head.net6_start : tables->head.net4_start,
					    six ? 16 : 4)];
	for (unsigned int i = 0; i < row->range_count[tool]; i++) {
		const struct bh_range *range = &tables->ranges[row->range_first[tool] + i];

		if (range->protocol == IPPROTO_TCP && port >= range->low && port <= range->high)
			return true;
	}
	return false;
}

#endif
