/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/speaks.h"

#include <ctype.h>
#include <string.h>

#include "compile/definition.h"
#include "policy/host.h"
#include "verify/engine.h"

bool bh_rule_is_for(const struct bh_rule *rule, const char *tool)
{
	return strcmp(rule->scope, tool) == 0 || strcmp(rule->scope, "*") == 0;
}

static bool is_file(const struct bh_rule *rule, uint8_t access, const char *path)
{
	return rule->class == BH_RULE_FILE && rule->access == access && path && bh_rule_speaks_of_path(rule, path);
}

/* A never rule asks for nothing but the path. */
static bool speaks_of_run(const struct bh_rule *rule, const struct bh_query *query)
{
	struct bh_block args = { query->args.bytes, bh_args_length(&query->args) };

	return rule->class == BH_RULE_EXEC && bh_rule_speaks_of_path(rule, query->path) &&
	       bh_rule_fits_content(rule, query->sha256) && bh_rule_fits_args(rule, &args, NULL) &&
	       bh_rule_fits_env(rule, &query->variables, NULL);
}

/* Names are compared in small letters and without a dot at the end. */
static bool is_host(const struct bh_rule *rule, const char *host)
{
	char name[BH_HOST_MAX + 2];
	size_t length = strlen(host);

	if (rule->class != BH_RULE_NET || !rule->host)
		return false;
	if (length && host[length - 1] == '.')
		length--;
	if (!length || length > BH_HOST_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		name[i] = (char)tolower((unsigned char)host[i]);
	name[length] = '\0';
	return bh_host_matches(rule->host, name);
}

static bool is_port(const struct bh_rule *rule, const struct bh_net_question *net)
{
	return net->port >= rule->port_low && net->port <= rule->port_high &&
	       (!rule->protocol || net->protocol == rule->protocol);
}

static bool speaks_of_connect(const struct bh_rule *rule, const struct bh_query *query)
{
	uint8_t address[16], family;

	if (query->host)
		return is_host(rule, query->host) && is_port(rule, &query->net);
	family = bh_judged_address(query->net.family, query->net.address.bytes, address);
	return bh_rule_speaks_of_endpoint(rule, family, address, query->net.port, query->net.protocol);
}

static bool speaks_of_socket(const struct bh_rule *rule, const struct bh_query *query)
{
	bool listen = query->action == BH_ACTION_LISTEN;

	if (!query->path)
		return rule->class == BH_RULE_LISTEN && is_port(rule, &query->net);
	if (rule->class != BH_RULE_UNIX)
		return false;
	if (query->path[0] == '@')
		return rule->unix_op == BH_UNIX_ABSTRACT && strcmp(rule->path, query->path + 1) == 0;
	return rule->unix_op == (listen ? BH_UNIX_LISTEN : BH_UNIX_CONNECT) &&
	       bh_pattern_matches(rule->path, query->path);
}

bool bh_rule_speaks_of(const struct bh_rule *rule, const struct bh_query *query)
{
	switch (query->action) {
	case BH_ACTION_RUN:
		return speaks_of_run(rule, query);
	case BH_ACTION_READ:
		return is_file(rule, BH_ACCESS_READ, query->path);
	case BH_ACTION_LOAD: /* unless its tool lists what it loads, that is what it reads and nobody writes */
		return is_file(rule, BH_ACCESS_LOAD, query->path) || is_file(rule, BH_ACCESS_READ, query->path);
	case BH_ACTION_CONNECT:
		return speaks_of_connect(rule, query);
	case BH_ACTION_DNS:
		return is_host(rule, query->host);
	case BH_ACTION_UNIX:
	case BH_ACTION_LISTEN:
		return speaks_of_socket(rule, query);
	case BH_ACTION_PRIVILEGE:
	case BH_ACTION_CAPABILITY:
		return false; /* these are settings */
	default:
		return is_file(rule, BH_ACCESS_WRITE, query->path) || is_file(rule, BH_ACCESS_WRITE, query->other);
	}
}

void bh_speakers_begin(const struct bh_compiled *compiled, const struct bh_query *query,
		       struct bh_speakers *ret_speakers)
{
	*ret_speakers = (struct bh_speakers){ .compiled = compiled, .other = query->other };
	ret_speakers->by_path = query->path && query->path[0] == '/';
	if (ret_speakers->by_path)
		bh_near_begin(compiled, query->path, &ret_speakers->near);
}

const struct bh_rule *bh_speakers_next(struct bh_speakers *speakers)
{
	const struct bh_rule *rule;

	if (!speakers->by_path)
		return bh_compiled_rule(speakers->compiled, speakers->next++);
	rule = bh_near_next(&speakers->near);
	if (rule || !speakers->other)
		return rule;
	bh_near_begin(speakers->compiled, speakers->other, &speakers->near);
	speakers->other = NULL;
	return bh_near_next(&speakers->near);
}
