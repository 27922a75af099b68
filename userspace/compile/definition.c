/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/definition.h"

#include <string.h>

#include "compile/compiled.h"
#include "compile/near.h"

#include "policy/host.h"

/* One component against one component's pattern, both ending at '/' or NUL. */
static bool bh_component_matches(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL;

	while (*name && *name != '/') {
		if (*pattern == '*') {
			star = ++pattern;
			retry = name;
		} else if (*pattern == '?' || (*pattern == *name && *pattern && *pattern != '/')) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern || *pattern == '/';
}

static const char *bh_next_component(const char *at)
{
	at += strcspn(at, "/");
	return *at ? at + 1 : NULL;
}

/* Is there a component here, and not an empty one? `**` stands for no other; the kernel prints no empty ones. */
static bool bh_has_component(const char *at)
{
	return at && *at && *at != '/';
}

/* Both without their leading slash; NULL: no component left. */
static bool bh_components_match(const char *pattern, const char *path)
{
	if (!pattern)
		return !path;
	if (strcmp(pattern, "**") == 0)
		return bh_has_component(path);
	if (strncmp(pattern, "**/", 3) == 0) {
		/* for no component at all, or for the next one and maybe more */
		return bh_components_match(pattern + 3, path) ||
		       (bh_has_component(path) && bh_components_match(pattern, bh_next_component(path)));
	}
	return path && bh_component_matches(pattern, path) &&
	       bh_components_match(bh_next_component(pattern), bh_next_component(path));
}

bool bh_pattern_matches(const char *pattern, const char *path)
{
	if (pattern[0] != '/' || path[0] != '/')
		return false;
	return bh_components_match(pattern + 1, path + 1);
}

/* `D/` + `**` read also grants D itself. */
static bool bh_file_matches(const struct bh_rule *rule, const char *path)
{
	size_t length = strlen(rule->path);

	if (bh_pattern_matches(rule->path, path))
		return true;
	if (rule->access != BH_ACCESS_READ || length < 4 || strcmp(rule->path + length - 3, "/**") != 0)
		return false;
	char directory[BH_PATH_MAX];

	if (length - 3 >= sizeof(directory))
		return false;
	memcpy(directory, rule->path, length - 3);
	directory[length - 3] = '\0';
	return bh_pattern_matches(directory, path);
}

static bool bh_scope_covers(const struct bh_rule *rule, const char *tool)
{
	return strcmp(rule->scope, "*") == 0 || strcmp(rule->scope, tool) == 0;
}

/* Keeps the better of two: never before allow, then the smaller id. */
static const struct bh_rule *bh_rule_better(const struct bh_rule *best, const struct bh_rule *rule)
{
	if (!best || rule->then != best->then)
		return !best || rule->then == BH_THEN_NEVER ? rule : best;
	return strcmp(rule->id, best->id) < 0 ? rule : best;
}

const struct bh_rule *bh_rule_for_file(const struct bh_compiled *compiled, const char *tool, uint8_t access,
				       const char *path)
{
	const struct bh_rule *rule, *best = NULL;
	struct bh_near near;

	BH_FOR_EACH_NEAR(compiled, path, &near, rule)
	if (rule->class == BH_RULE_FILE && rule->access == access && bh_scope_covers(rule, tool) &&
	    bh_file_matches(rule, path))
		best = bh_rule_better(best, rule);
	return best;
}

const struct bh_rule *bh_rule_for_exec(const struct bh_compiled *compiled, const char *tool, const char *path)
{
	const struct bh_rule *rule, *best = NULL;
	struct bh_near near;

	BH_FOR_EACH_NEAR(compiled, path, &near, rule)
	if (rule->class == BH_RULE_EXEC && bh_scope_covers(rule, tool ? tool : "@entry") &&
	    bh_pattern_matches(rule->path, path))
		best = bh_rule_better(best, rule);
	return best;
}

/* The conditions of an edge, in the order in which they are asked. */
enum condition {
	CONDITION_PATH = 0, /* there is an edge */
	CONDITION_CONTENT,
	CONDITION_ARGS,
	CONDITION_ENV,
	CONDITIONS,
};

/* How many of its conditions the edge meets, one after the other. */
static enum condition bh_conditions_met(const struct bh_rule *rule, const struct bh_exec *run, struct bh_misfit *misfit)
{
	if (!bh_rule_fits_content(rule, run->sha256))
		return CONDITION_PATH;
	if (!bh_rule_fits_args(rule, &run->args, misfit))
		return CONDITION_CONTENT;
	return bh_rule_fits_env(rule, &run->variables, misfit) ? CONDITIONS : CONDITION_ARGS;
}

/*
 * From one tool into another no variable goes that the loader or that tool's programs obey; known before anything else about
 * the environment. A refusal for the environment's sake of an edge that stays in its tool is none of those.
 */
static bool bh_exec_is_obeyed(const struct bh_compiled *compiled, const char *tool, const struct bh_exec *run,
			      const struct bh_exec_result *result, bool all_stay)
{
	if (!tool || tool[0] == '@' || !result->rule || !result->rule->to ||
	    !bh_env_obeyed(compiled->families, compiled->obeyed[bh_compiled_tool_id(compiled, result->rule->to)],
			   &run->variables))
		return false;
	return result->reason ? result->reason == BH_REASON_X4 && !all_stay : strcmp(result->rule->to, tool) != 0;
}

void bh_exec_decide(const struct bh_compiled *compiled, const char *tool, const struct bh_exec *run,
		    struct bh_exec_result *ret_result)
{
	static const uint16_t reasons[] = { BH_REASON_X2, BH_REASON_X3, BH_REASON_X4 };
	enum condition best = CONDITION_PATH;
	struct bh_misfit misfit = { "", "" };
	const struct bh_rule *rule;
	struct bh_near near;
	bool all_stay = true;
	size_t edges = 0;

	*ret_result = (struct bh_exec_result){ .reason = BH_REASON_X1 };
	BH_FOR_EACH_NEAR(compiled, run->path, &near, rule)
	{
		enum condition met;

		if (rule->class != BH_RULE_EXEC || !bh_scope_covers(rule, tool ? tool : "@entry") ||
		    !bh_pattern_matches(rule->path, run->path))
			continue;
		if (rule->then == BH_THEN_NEVER) {
			ret_result->rule = bh_rule_for_exec(compiled, tool, run->path);
			ret_result->reason = BH_REASON_X10;
			return;
		}
		all_stay = all_stay && tool && strcmp(rule->to, tool) == 0;
		met = bh_conditions_met(rule, run, &misfit);
		if (edges++ && met <= best)
			continue;
		best = met;
		ret_result->rule = rule;
		ret_result->reason = met == CONDITIONS ? 0 : reasons[met];
		ret_result->misfit = misfit;
	}
	if (ret_result->reason == BH_REASON_X2 || (ret_result->reason == BH_REASON_X3 && edges > 1))
		ret_result->rule = NULL; /* no single one is to blame */
	if (edges && bh_exec_is_obeyed(compiled, tool, run, ret_result, all_stay))
		*ret_result = (struct bh_exec_result){ .reason = BH_REASON_X5 };
}

static bool bh_cidr_contains(const struct bh_cidr *cidr, uint8_t family, const uint8_t *address)
{
	if (cidr->family != family)
		return false;
	for (unsigned int bit = 0; bit < cidr->prefix; bit++) {
		unsigned int mask = 0x80u >> bit % 8;

		if ((cidr->bytes[bit / 8] ^ address[bit / 8]) & mask)
			return false;
	}
	return true;
}

const struct bh_rule *bh_rule_for_net(const struct bh_compiled *compiled, const char *tool, uint8_t family,
				      const uint8_t *address, uint16_t port, uint8_t protocol)
{
	const struct bh_rule *best = NULL;

	for (size_t i = 0; i < bh_compiled_rules_count(compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(compiled, i);

		if (rule->class == BH_RULE_NET && !rule->host && bh_scope_covers(rule, tool) &&
		    bh_cidr_contains(&rule->cidr, family, address) && port >= rule->port_low &&
		    port <= rule->port_high && (!rule->protocol || protocol == rule->protocol))
			best = bh_rule_better(best, rule);
	}
	return best;
}

const struct bh_rule *bh_rule_for_host(const struct bh_compiled *compiled, const char *tool, const char *name,
				       uint16_t port, uint8_t protocol)
{
	const struct bh_rule *best = NULL;

	for (size_t i = 0; i < bh_compiled_rules_count(compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(compiled, i);

		if (rule->class == BH_RULE_NET && rule->host && bh_scope_covers(rule, tool) &&
		    bh_host_matches(rule->host, name) && port >= rule->port_low && port <= rule->port_high &&
		    protocol == rule->protocol)
			best = bh_rule_better(best, rule);
	}
	return best;
}

const struct bh_rule *bh_rule_for_unix(const struct bh_compiled *compiled, const char *tool, uint8_t op,
				       const char *name)
{
	const struct bh_rule *best = NULL;

	for (size_t i = 0; i < bh_compiled_rules_count(compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(compiled, i);

		if (rule->class == BH_RULE_UNIX && rule->unix_op == op && bh_scope_covers(rule, tool) &&
		    (op == BH_UNIX_ABSTRACT ? strcmp(rule->path, name) == 0 : bh_pattern_matches(rule->path, name)))
			best = bh_rule_better(best, rule);
	}
	return best;
}
