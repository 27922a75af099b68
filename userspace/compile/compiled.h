/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the compiler share: the compiled policy under construction. */
#ifndef BH_COMPILE_COMPILED_H
#define BH_COMPILE_COMPILED_H

#include "base/hash.h"
#include "compile/automaton.h"
#include "compile/compile.h"
#include "compile/near.h"
#include "compile/obeyed.h"
#include "policy/address.h"

#define BH_SEMANTICS_VERSION 2
#define BH_TOOL_NAME_BYTES 64u /* with the NUL */

struct bh_compiled {
	struct bh_policy *tables;
	struct bh_accept *accepts; /* on their way into the tables; [0] is nothing */
	size_t accepts_count, accepts_capacity;
	char *json;
	size_t json_length;
	char hash[BH_HASH_TEXT];
	char *name;
	struct bh_rule *rules;
	size_t rules_count, rules_capacity;
	struct bh_near_index near; /* of the rules by path */
	void **blocks; /* everything the rules point at */
	size_t blocks_count, blocks_capacity;
	char **patterns; /* the policy's own and its presets' and guards', sorted, each once; owned by blocks */
	size_t patterns_count;
	char tool_names[BH_TOOLS_MAX + 1][BH_TOOL_NAME_BYTES]; /* by tool id */
	unsigned int tools;
	struct bh_family families[BH_FAMILIES_MAX]; /* [0]: the dynamic loader's */
	unsigned int families_count;
	uint64_t obeyed[BH_TOOLS_MAX + 1]; /* by tool id: which families may not enter it from another tool */
	uint32_t states; /* live ones of all automata */
};

/* What a tool asks of whoever enters it, in canonical order; owned by the compiled policy. */
struct bh_entry_form {
	struct bh_args_clause *args; /* as many as different ones */
	size_t args_count;
	struct bh_env *env; /* NULL: not given */
};

/* One compilation. Everything but compiled and what it owns is borrowed. */
struct bh_compile {
	const struct bh_source_policy *policy;
	const struct bh_shipped *shipped;
	const struct bh_aliases *aliases; /* may be NULL */
	struct bh_diags *diags;
	struct bh_compiled *compiled;
	struct bh_entry_form *forms; /* by index of the tool in the source */
};

/* The parts. Each returns 0 (findings are in diags), -EINVAL when the rest makes no sense, or -ENOMEM. */

/* Numbers the tools: 1 the entry, then by name. */
int bh_compile_tools(struct bh_compile *c);
/* Fills forms: arguments and environments of all tools, each copied and sorted once. */
int bh_compile_forms(struct bh_compile *c);
/* Fills compiled->rules from the model, without ids: those of each tool, then those for every tool. */
int bh_compile_rules(struct bh_compile *c);
int bh_compile_common_rules(struct bh_compile *c);
bool bh_compile_is_lifted(const struct bh_compile *c, const char *guard);
/* Ids, canonical order, the JSON and its hash. */
int bh_compile_canon(struct bh_compile *c);
/* Fills families and obeyed, from the rules and the guards that are not lifted. */
int bh_compile_obeyed(struct bh_compile *c);
/* Lints that need no automaton. */
int bh_compile_lint(struct bh_compile *c);
/* The path automaton, accepts and edges; lints over it. */
int bh_compile_paths(struct bh_compile *c, struct bh_comb *comb);
/* The address automata, net rows and ranges. */
int bh_compile_nets(struct bh_compile *c, struct bh_comb *comb);

/* A copy of text, or zeroed memory, that lives as long as the compiled policy. NULL when out of memory. */
char *bh_compiled_keep(struct bh_compiled *compiled, const char *text);
void *bh_compiled_hold(struct bh_compiled *compiled, size_t count, size_t size);

/* A copy of the rule with all that it points at, but for its arguments and environment. 0 or -ENOMEM. */
int bh_compile_add_rule(struct bh_compile *c, struct bh_rule rule);
/* One file rule like this one for each word, with its access. 0 or -ENOMEM. */
int bh_compile_add_files(struct bh_compile *c, struct bh_rule like, const struct bh_words *read,
			 const struct bh_words *write);
/* What holds for the tool, in /proc: BH_PROCFS_*. */
uint8_t bh_compile_procfs(const struct bh_compile *c, const struct bh_tool *tool);

/* The tool of that name in the source; NULL: none. */
const struct bh_tool *bh_compile_find_tool(const struct bh_source_policy *policy, const char *name);
const struct bh_destination *bh_compile_find_destination(const struct bh_source_policy *policy, const char *name);

/* Is there a finding with this code at this place already? */
bool bh_compile_said(const struct bh_compile *c, const char *code, struct bh_loc loc);

/* Adds what a state means to the tables. 0, -EINVAL with E204, -ENOMEM. */
int bh_compile_add_accept(struct bh_compile *c, const struct bh_accept *accept, uint32_t *ret_id);

/* Table limits: error E204 at the policy's name. */
int bh_compile_too_many(struct bh_compile *c, const char *what, size_t limit);

#endif
