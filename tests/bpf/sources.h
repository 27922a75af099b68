/* SPDX-License-Identifier: GPL-2.0-only */
/* Random policy sources, with a bit of everything that the language has. */
#ifndef TESTS_BPF_SOURCES_H
#define TESTS_BPF_SOURCES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_seed = 20240229;

static inline uint32_t roll(uint32_t sides)
{
	random_seed = random_seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_seed >> 33) % sides;
}

#define PICK(array) ((array)[roll(sizeof(array) / sizeof((array)[0]))])

/* A pattern beneath one of a few directories. */
static inline void random_pattern(char *out, const char *const *roots, uint32_t count)
{
	static const char *const parts[] = { "a",  "b",	 "ab",	"*",  "**",  "?", "a*",
					     "*b", "a?", "*a*", ".x", "a*b", "c", "**" };

	out += sprintf(out, "%s", roots[roll(count)]);
	for (uint32_t i = roll(4); i > 0; i--)
		out += sprintf(out, "/%s", PICK(parts));
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

/* Up to `most` words of a list, each at most once. */
static inline char *random_words(char *out, const char *key, const char *const *words, uint32_t count, uint32_t most)
{
	uint32_t first = roll(count), step = 1 + 2 * roll(count / 2), n = roll(most + 1);

	out += sprintf(out, "%s: [", key);
	for (uint32_t i = 0; i < n && i < count / 2; i++)
		out += sprintf(out, "%s\"%s\"", i ? ", " : "", words[(first + i * step) % count]);
	return out + sprintf(out, "]");
}

static inline char *random_destinations(char *out)
{
	static const char *const nets[] = { "10.0.0.0/8",    "10.1.0.0/16",	"10.1.2.0/24", "10.1.2.3/32",
					    "127.0.0.1/32",  "169.254.0.0/16",	"::1/128",     "2001:db8::/32",
					    "64:ff9b::/96",  "2001:db8:1::/48", "fd00::/32",   "100.100.0.0/16",
					    "168.63.0.0/16", "2002::/32",	"8.8.8.8/32",  "192.0.0.0/24" };
	static const char *const ports[] = { "53", "80", "443", "8000-8010", "8005-9000", "1-65535", "22", "444-8000" };
	static const char *const names[] = { "listed, resolvers: [192.0.2.53]", "none",
					     "listed, resolvers: [192.0.2.53]",
					     "any, resolvers: [192.0.2.53], reason: because" };
	static const char *const doors[] = { "80", "443", "8000-8010", "8005-9000", "22, 80" };
	static const char *const hosts[] = { "example.com",	"*.example.com", "a.example.com", "*.a.example.com",
					     "b.a.example.com", "xample.com",	 "example.net",	  "*.net.example.net" };

	out += sprintf(out, "  egress:\n    dns: {names: %s}\n    destinations:\n", PICK(names));
	for (uint32_t d = 0; d < 3; d++) {
		uint32_t net = roll(16), port = roll(8);

		out += sprintf(out, "      d%u: {cidrs: [\"%s\", \"%s\"], ports: [%s, %s], protocol: %s}\n", d,
			       nets[net], nets[(net + 1 + roll(15)) % 16], ports[port], ports[(port + 1 + roll(7)) % 8],
			       roll(8) ? "tcp" : "udp");
	}
	for (uint32_t d = 0; d < 3; d++) {
		uint32_t host = roll(8);

		out += sprintf(out, "      n%u: {names: [\"%s\", \"%s\"], ports: [%s], protocol: tcp%s%s%s}\n", d,
			       hosts[host], hosts[(host + 1 + roll(7)) % 8], PICK(doors),
			       roll(2) ? ", resolves_to: [\"" : ", resolves_to: [\"10.0.0.0/8\", \"", nets[roll(4)],
			       "\"]");
	}
	return out;
}

/* What all tools are forbidden, in one policy of two. */
static inline char *random_never(char *out)
{
	static const char *const reads[] = { "/p", "/q", "/proc", "/h" }, *const writes[] = { "/q", "/w/a", "/home/a" };
	static const char *const runs[] = { "/h/a", "/l", "/bin" };
	static const char *const nets[] = { "10.1.2.0/24", "2001:db8:1::/48", "8.8.8.0/24", "fd00:1::/32" };

	if (roll(2))
		return out;
	out = random_list(out + sprintf(out, "  never: {"), "read", reads, 3);
	out = random_list(out + sprintf(out, ", "), "write", writes, 3);
	out = random_list(out + sprintf(out, ", "), "run", runs, 3);
	out = random_words(out + sprintf(out, ", "), "reach", nets, 4, 2);
	return out + sprintf(out, "}\n");
}

static const char *const random_options[] = { "-a", "-b:1", "--long", "--lo:1", "--ab:1", "-n", "--abc", "-m:1" };

/* Conditions on who enters the tool. `own`: a word that no other tool's clauses have, so that edges can be told apart. */
static inline char *random_args(char *out, char own)
{
	static const char *const operands[] = { "none", "words", "any" };
	char first[3][8], *words[3] = { first[0], first[1], first[2] };
	uint32_t clauses = 1 + roll(2);

	out += sprintf(out, "      args:\n");
	for (uint32_t i = 0; i < 3; i++)
		sprintf(first[i], "%s%c", i == 1 && roll(2) ? "x" : "st", roll(8) ? own : 'z');
	for (uint32_t i = 0; i < clauses; i++) {
		switch (roll(4)) {
		case 0:
			out += sprintf(out, "        - exact: [\"%s\", \"-x\"%s]\n", words[i],
				       roll(2) ? ", \"a b\"" : "");
			break;
		case 1:
			out += sprintf(out, "        - {any: true, require: [\"--only-%c\"%s], ", own,
				       roll(2) ? ", \"-r\"" : "");
			out = random_words(out, "refuse", random_options, 8, 2);
			out += sprintf(out, "}\n");
			break;
		default:
			out += sprintf(out, "        - {first: [\"%s\", \"%s2\"], ", words[i], words[i]);
			out = random_words(out, "options", random_options, 8, 4);
			out += sprintf(out, ", operands: %s}\n", PICK(operands));
			break;
		}
	}
	return out;
}

static inline char *random_env(char *out)
{
	static const char *const keep[] = { "HOME", "LC_*", "PATH", "TERM", "A*", "LANG" };
	static const char *const require[] = { "{}", "{PROMPT: \"0\"}", "{PROMPT: \"\", ONLY: \"a=b\"}", "{A: \"x\"}" };

	out = random_words(out + sprintf(out, "      env: {"), "keep", keep, 6, 3);
	return out + sprintf(out, ", require: %s}\n", PICK(require));
}

static inline char *random_sockets(char *out)
{
	static const char *const roots[] = { "/run/x", "/tmp", "/q", "/w" };
	static const char *const abstract[] = { "bus", "bus-a", "a", "x/y", "bu", "Bus" };

	out = random_list(out + sprintf(out, "      unix: {"), "connect", roots, 4);
	out = random_list(out + sprintf(out, ", "), "listen", roots, 4);
	out = random_words(out + sprintf(out, ", "), "abstract", abstract, 6, 3);
	return out + sprintf(out, "}\n");
}

static inline char *random_tool(char *out, uint32_t t, uint32_t tools)
{
	static const char *const reads[] = { "/p", "/q", "/h", "/home/a" }, *const writes[] = { "/q", "/w", "/home/a" };
	static const char *const runs[] = { "/h", "/h/a", "/l" };
	static const char *const listens[] = { "{port: 80}", "{port: 8000, protocol: udp}, {port: 8001, protocol: udp}",
					       "{port: 443, protocol: tcp}" };
	static const char *const reaches[] = { "d0, d1", "d2", "n0", "n1, n2", "d0, n0, n2", "" };
	bool asks = roll(2), shared = roll(3) == 0 && t > 0;

	out += sprintf(out, "    %c:\n      binaries: [/bin/%c, {path: /bin/%c%c%s}%s]\n      may_run: [", 'a' + t,
		       'a' + t, 'a' + t, 'a' + t,
		       roll(4) ? "" : ", sha256: \"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"",
		       shared ? ", /bin/shared" : "");
	for (uint32_t to = 0, n = 0; to < tools; to++)
		if (to != t && roll(2))
			out += sprintf(out, "%s%c", n++ ? ", " : "", 'a' + to);
	out = random_list(out + sprintf(out, "]\n      "), "helpers", runs, 3);
	out = random_list(out + sprintf(out, "\n      files: {"), "read", reads, 4);
	out = random_list(out + sprintf(out, ", "), "write", writes, 3);
	out += sprintf(out, "}\n      reach: [%s]\n", PICK(reaches));
	if (asks || shared)
		out = random_args(out, (char)('a' + t));
	if (roll(3) == 0)
		out = random_env(out);
	if (roll(2))
		out = random_sockets(out);
	if (roll(2))
		out += sprintf(out, "      listen: [%s]\n", PICK(listens));
	if (roll(3) == 0)
		out = random_list(out + sprintf(out, "      "), "load", reads, 4) + sprintf(out + strlen(out), "\n");
	return out + sprintf(out, "      jit: %s\n", roll(2) ? "true" : "false");
}

/* A policy source of one to four tools; most, not all, pass the compiler. */
static inline const char *random_policy(void)
{
	static const char *const capabilities[] = { "CAP_CHOWN", "CAP_KILL", "CAP_NET_RAW", "CAP_SYS_ADMIN" };
	static char text[32768];
	uint32_t tools = 1 + roll(4);
	char *out = text;

	out += sprintf(out,
		       "apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: random}\nspec:\n"
		       "  presets: [%s]\n  entry: a\n  attach: [%s]\n  tools:\n",
		       roll(4) ? "" : "base", roll(2) ? "" : "a");
	for (uint32_t t = 0; t < tools; t++)
		out = random_tool(out, t, tools);
	out = random_never(random_destinations(out));
	out = random_words(out + sprintf(out, "  privileges: {"), "capabilities", capabilities, 4, 2);
	sprintf(out, ", allow: [%s], reasons: {mount: because, netlink: because}}\n",
		roll(2) ? "mount, netlink" : "netlink, mount");
	return text;
}

#endif
