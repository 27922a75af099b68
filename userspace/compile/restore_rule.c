/* SPDX-License-Identifier: GPL-2.0-only */
/* One canonical rule back into the lists of the policy that it came from. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/names.h"

#define PROGRAMS_EACH 4096u /* of one tool; no source has room for more */

int bh_restore_check_path(struct restore *r, const char *text, uint32_t access)
{
	struct bh_path_fault fault = bh_path_form(text);

	if (!fault.code && access)
		fault = bh_path_breadth(text, access);
	if (fault.code)
		return REFUSE(r, "its policy: '%.200s' %s", text, fault.text);
	if (++r->patterns > BH_PATTERNS_LIMIT)
		return REFUSE(r, "its policy has more than %u paths", BH_PATTERNS_LIMIT);
	return 0;
}

/* Rules are each there once: nothing is looked for. */
static int add_path(struct restore *r, struct bh_words *words, const char *text, uint32_t access)
{
	int result = bh_restore_check_path(r, text, access);

	return result ? result : bh_restore_append(r, words, text);
}

static int add_pair(struct restore *r, struct bh_pairs *pairs, const char *word, const char *value)
{
	struct bh_pair *pair;

	if (GROW(r, pairs->items, pairs->count))
		return -ENOMEM;
	pair = &pairs->items[pairs->count++];
	if (bh_restore_word(r, &pair->word, word))
		return -ENOMEM;
	return value[0] ? bh_restore_word(r, &pair->value, value) : 0;
}

/* A program that enters a tool, unless the tool has it with this hash. */
static int add_binary(struct restore *r, struct bh_pairs *binaries, const struct bh_restore_rule *rule)
{
	size_t length = strlen(rule->sha256);
	int result;

	for (size_t i = 0; i < binaries->count; i++)
		if (strcmp(binaries->items[i].word.text, rule->path) == 0 &&
		    strcmp(binaries->items[i].value.text ? binaries->items[i].value.text : "", rule->sha256) == 0)
			return 0;
	if (length && (length != 64 || strspn(rule->sha256, "0123456789abcdef") != length))
		return REFUSE(r, "its policy: '%s' is no SHA-256", rule->sha256);
	if (binaries->count == PROGRAMS_EACH)
		return REFUSE(r, "its policy has a tool with more than %u programs", PROGRAMS_EACH);
	result = bh_restore_check_path(r, rule->path, BH_ACCESS_EXEC);
	return result ? result : add_pair(r, binaries, rule->path, rule->sha256);
}

/* tool: where the edge begins; NULL: outside. */
static int restore_exec(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule)
{
	struct bh_tool *to;
	int result = bh_restore_tool(r, rule->to, &to);

	if (result)
		return result;
	if (tool && rule->helper)
		return add_path(r, &tool->helpers, rule->path, BH_ACCESS_EXEC);
	if (bh_path_is_pattern(rule->path))
		return REFUSE(r, "its policy: '%.200s' is a pattern; a tool's binary is an exact path", rule->path);
	if (tool)
		result = bh_restore_add(r, &tool->may_run, rule->to);
	if (!result)
		result = bh_restore_entry(r, to, rule);
	return result ? result : add_binary(r, &to->binaries, rule);
}

static bool holds(const struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return true;
	return false;
}

/* Where one tool has nothing of /proc, the others get it from their presets one by one. */
static bool is_preset(const struct restore *r, const char *path, unsigned int access)
{
	if (strncmp(path, "/proc/", 6) != 0)
		return false;
	for (size_t i = 0; i < r->shipped->presets_count; i++) {
		const struct bh_preset *preset = &r->shipped->presets[i];

		if (holds(&r->policy->presets, preset->name) &&
		    holds(access == BH_ACCESS_READ ? &preset->read : &preset->write, path))
			return true;
	}
	return false;
}

static int restore_file(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule)
{
	unsigned int access = bh_name_number(bh_names_access, rule->op);
	int result;

	if (!tool)
		return bh_restore_not_canonical(r);
	switch (access) {
	case BH_ACCESS_READ:
	case BH_ACCESS_WRITE:
		if (is_preset(r, rule->path, access))
			return 0;
		return add_path(r, access == BH_ACCESS_READ ? &tool->read : &tool->write, rule->path, access);
	case BH_ACCESS_LOAD:
		result = bh_restore_check_path(r, rule->path, BH_ACCESS_READ);
		return result ? result : add_pair(r, &tool->load, rule->path, rule->reason);
	default:
		return REFUSE(r, "its policy: '%s' is no operation on a file", rule->op);
	}
}

/* One socket may lie anywhere; a tree of them is as a tree of files that one writes. */
static int restore_unix(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule)
{
	struct bh_unix *sockets = tool ? &tool->unix_sockets : NULL;
	uint32_t access = bh_path_is_pattern(rule->path) ? BH_ACCESS_WRITE : 0;

	if (!sockets)
		return bh_restore_not_canonical(r);
	sockets->given = true;
	switch (bh_name_number(bh_names_unix, rule->op)) {
	case BH_UNIX_CONNECT:
		return add_path(r, &sockets->connect, rule->path, access);
	case BH_UNIX_LISTEN:
		return add_path(r, &sockets->listen, rule->path, access);
	case BH_UNIX_ABSTRACT:
		return bh_restore_append(r, &sockets->abstract, rule->path);
	default:
		return REFUSE(r, "its policy: '%s' is no operation on a socket", rule->op);
	}
}

/* For every tool: a preset's, which the compiler adds; or a guard's, or what the policy itself forbids. */
static int restore_common(struct restore *r, const struct bh_restore_rule *rule)
{
	struct bh_source_policy *policy = r->policy;

	if (strcmp(rule->then, "never") != 0)
		return 0;
	if (strcmp(rule->class, "net") == 0)
		return bh_restore_block(r, &policy->never_reach, rule->cidr, true);
	if (strcmp(rule->class, "exec") == 0)
		return add_path(r, &policy->never_run, rule->path, 0);
	return add_path(r, strcmp(rule->op, "write") == 0 ? &policy->never_write : &policy->never_read, rule->path, 0);
}

#define READ_TEXT(field)                                                                                               \
	static int read_##field(struct restore *r, const char *key, void *data)                                        \
	{                                                                                                              \
		return TEXT(r, ((struct bh_restore_rule *)data)->field) ? 0 : bh_restore_not_canonical(r);             \
	}
READ_TEXT(class)
READ_TEXT(scope)
READ_TEXT(then)
READ_TEXT(path)
READ_TEXT(to)
READ_TEXT(op)
READ_TEXT(sha256)
READ_TEXT(reason)
READ_TEXT(host)
READ_TEXT(cidr)
READ_TEXT(proto)

#define READ_TRUE(field)                                                                                               \
	static int read_##field(struct restore *r, const char *key, void *data)                                        \
	{                                                                                                              \
		((struct bh_restore_rule *)data)->field = true;                                                        \
		return LITERAL(r, "true") ? 0 : bh_restore_not_canonical(r);                                           \
	}
READ_TRUE(helper)
READ_TRUE(sni)

/* Read when it is known what they are for. */
#define READ_LATER(field)                                                                                              \
	static int read_##field(struct restore *r, const char *key, void *data)                                        \
	{                                                                                                              \
		((struct bh_restore_rule *)data)->field = r->scan;                                                     \
		return bh_scan_skip(&r->scan) ? 0 : bh_restore_not_canonical(r);                                       \
	}
READ_LATER(args)
READ_LATER(env)
READ_LATER(resolves_to)

/* It follows from the rest. */
static int read_id(struct restore *r, const char *key, void *data)
{
	char id[16];

	return TEXT(r, id) ? 0 : bh_restore_not_canonical(r);
}

static int read_ports(struct restore *r, const char *key, void *data)
{
	return bh_restore_ports(r, &((struct bh_restore_rule *)data)->port);
}

/* Keys of another class than the rule's are not written again, and so found by comparing. */
static int read_if(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "args", read_args, false },	  { "cidr", read_cidr, false },
		{ "env", read_env, false },	  { "helper", read_helper, false },
		{ "host", read_host, false },	  { "name", read_path, false },
		{ "op", read_op, false },	  { "path", read_path, false },
		{ "ports", read_ports, false },	  { "proto", read_proto, false },
		{ "reason", read_reason, false }, { "resolves_to", read_resolves_to, false },
		{ "sha256", read_sha256, false }, { "sni", read_sni, false },
		{ "to", read_to, false },
	};

	return OBJECT(r, keys, data);
}

int bh_restore_one_rule(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "class", read_class, true }, { "id", read_id, true },	    { "if", read_if, true },
		{ "scope", read_scope, true }, { "then", read_then, true },
	};
	static const struct {
		const char *class;
		int (*restore)(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule);
	} classes[] = {
		{ "exec", restore_exec }, { "file", restore_file },	   { "net", bh_restore_net },
		{ "unix", restore_unix }, { "listen", bh_restore_listen },
	};
	struct bh_restore_rule rule = { 0 };
	struct bh_tool *tool = NULL;
	int result = OBJECT(r, keys, &rule);

	if (result)
		return result;
	if (strcmp(rule.scope, "*") == 0)
		return restore_common(r, &rule);
	if (strcmp(rule.class, "exec") != 0 ||
	    (strcmp(rule.scope, "@entry") != 0 && strcmp(rule.scope, "@attach") != 0))
		result = bh_restore_tool(r, rule.scope, &tool);
	for (size_t i = 0; i < BH_COUNT_OF(classes) && !result; i++)
		if (strcmp(classes[i].class, rule.class) == 0)
			return classes[i].restore(r, tool, &rule);
	return result ? result : REFUSE(r, "its policy: '%s' is no class of rules", rule.class);
}
