/* SPDX-License-Identifier: GPL-2.0-only */
/* Random policies, and files of policies, compiled. */
#ifndef TESTS_BPF_POLICIES_H
#define TESTS_BPF_POLICIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "policy/parse.h"

static uint64_t random_seed = 20240229;

static inline uint32_t roll(uint32_t sides)
{
	random_seed = random_seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_seed >> 33) % sides;
}

/* A pattern beneath one of a few directories. */
static inline void random_pattern(char *out, const char *const *roots, uint32_t count)
{
	static const char *const parts[] = { "a",  "b",	 "ab",	"*",  "**",  "?", "a*",
					     "*b", "a?", "*a*", ".x", "a*b", "c", "**" };

	out += sprintf(out, "%s", roots[roll(count)]);
	for (uint32_t i = roll(4); i > 0; i--)
		out += sprintf(out, "/%s", parts[roll(sizeof(parts) / sizeof(parts[0]))]);
}

static inline char *random_list(char *out, const char *key, const char *const *roots, uint32_t count)
{
	out += sprintf(out, "%s: [", key);
	for (uint32_t i = roll(5), n = i; i > 0; i--) {
		out += sprintf(out, "%s\"", i < n ? ", " : "");
		random_pattern(out, roots, count);
		out += strlen(out);
		*out++ = '"';
	}
	return out + sprintf(out, "]");
}

static inline char *random_destinations(char *out)
{
	static const char *const nets[] = { "10.0.0.0/8",    "10.1.0.0/16",	"10.1.2.0/24", "10.1.2.3/32",
					    "127.0.0.1/32",  "169.254.0.0/16",	"::1/128",     "2001:db8::/32",
					    "64:ff9b::/96",  "2001:db8:1::/48", "fd00::/32",   "100.100.0.0/16",
					    "168.63.0.0/16", "2002::/32",	"8.8.8.8/32",  "192.0.0.0/24" };
	static const char *const ports[] = { "53", "80", "443", "8000-8010", "8005-9000", "1-65535", "22", "444-8000" };

	out += sprintf(out, "  egress:\n    destinations:\n");
	for (uint32_t d = 0; d < 3; d++) {
		uint32_t net = roll(16), port = roll(8);

		out += sprintf(out, "      d%u: {cidrs: [\"%s\", \"%s\"], ports: [%s, %s]}\n", d, nets[net],
			       nets[(net + 1 + roll(15)) % 16], ports[port], ports[(port + 1 + roll(7)) % 8]);
	}
	return out;
}

/* What all tools are forbidden, in one policy of two. */
static inline char *random_never(char *out)
{
	static const char *const reads[] = { "/p", "/q", "/proc", "/h" }, *const writes[] = { "/q", "/w/a", "/home/a" };
	static const char *const runs[] = { "/h/a", "/l", "/bin" };

	if (roll(2))
		return out;
	out = random_list(out + sprintf(out, "  never: {"), "read", reads, 4);
	out = random_list(out + sprintf(out, ", "), "write", writes, 3);
	out = random_list(out + sprintf(out, ", "), "run", runs, 3);
	return out + sprintf(out, "}\n");
}

/* A policy source of one to four tools; most, not all, pass the compiler. */
static inline const char *random_policy(void)
{
	static const char *const reads[] = { "/p", "/q", "/h", "/home" }, *const writes[] = { "/q", "/w", "/home/a" };
	static const char *const runs[] = { "/h", "/h/a", "/l" };
	static char text[16384];
	uint32_t tools = 1 + roll(4);
	char *out = text;

	out += sprintf(out,
		       "apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: random}\nspec:\n"
		       "  presets: [%s]\n  entry: a\n  tools:\n",
		       roll(4) ? "" : "base");
	for (uint32_t t = 0; t < tools; t++) {
		out += sprintf(out, "    %c:\n      binaries: [/bin/%c, /bin/%c%c]\n      may_run: [", 'a' + t, 'a' + t,
			       'a' + t, 'a' + t);
		for (uint32_t to = 0, n = 0; to < tools; to++)
			if (to != t && roll(2))
				out += sprintf(out, "%s%c", n++ ? ", " : "", 'a' + to);
		out = random_list(out + sprintf(out, "]\n      "), "helpers", runs, 3);
		out = random_list(out + sprintf(out, "\n      files: {"), "read", reads, 4);
		out = random_list(out + sprintf(out, ", "), "write", writes, 3);
		out += sprintf(out, "}\n      reach: [%s%s]\n", roll(2) ? "d0, d1" : "d2", roll(8) ? "" : ", d0");
	}
	random_never(random_destinations(out));
	return text;
}

/* The shipped rules with random walls in place of their own; the words live as long as the program. */
static inline struct bh_shipped random_walls(const struct bh_shipped *shipped)
{
	static const char *const roots[] = { "/p", "/q", "/w", "/home", "/p/a", "/h" };
	static char texts[8][64], names[2][8] = { "guard", "floor" };
	static struct bh_word words[8];
	static struct bh_prohibition walls[2];
	struct bh_shipped here = *shipped;

	for (uint32_t i = 0; i < 8; i++) {
		random_pattern(texts[i], roots, 6);
		words[i].text = texts[i];
	}
	for (uint32_t i = 0; i < 2; i++) {
		walls[i].name.text = names[i];
		walls[i].read = (struct bh_words){ &words[4 * i], roll(3) };
		walls[i].write = (struct bh_words){ &words[4 * i + 2], roll(3) };
	}
	here.guards = &walls[0];
	here.floors = &walls[1];
	here.guards_count = here.floors_count = 1;
	return here;
}

/* Reads and compiles. 0, or negative errno when the policy is refused. */
static inline int compile_text(const char *text, const struct bh_shipped *shipped, struct bh_compiled **ret_compiled)
{
	struct bh_diags *diags = bh_diags_new("policy", text, strlen(text));
	struct bh_source_policy *source = NULL;
	int result = bh_policy_parse(text, strlen(text), shipped, diags, &source);

	if (!result)
		result = bh_compile(source, shipped, NULL, diags, ret_compiled);
	bh_source_policy_free(source);
	bh_diags_free(diags);
	return result;
}

/* A random policy that passes the compiler. */
static inline struct bh_compiled *compile_random(const struct bh_shipped *shipped)
{
	struct bh_compiled *compiled = NULL;

	while (compile_text(random_policy(), shipped, &compiled))
		;
	return compiled;
}

/* The file's policy; NULL when it cannot be read or does not compile. */
static inline struct bh_compiled *compile_file(const char *path, const struct bh_shipped *shipped)
{
	static char text[BH_SOURCE_MAX + 1];
	FILE *file = fopen(path, "re");
	struct bh_compiled *compiled = NULL;
	size_t length;

	if (!file)
		return NULL;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	return compile_text(text, shipped, &compiled) ? NULL : compiled;
}

#endif
