/* SPDX-License-Identifier: GPL-2.0-only */
/* From the model to what is enforced: rules, canonical JSON and its hash, the tables. A pure function of its inputs. */
#ifndef BH_COMPILE_COMPILE_H
#define BH_COMPILE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "bpf/abi.h"
#include "policy/model.h"

enum bh_rule_class {
	BH_RULE_EXEC = 1,
	BH_RULE_FILE,
	BH_RULE_NET,
	BH_RULE_UNIX,
	BH_RULE_LISTEN,
};

/* What a unix rule is about. */
#define BH_UNIX_CONNECT 1u
#define BH_UNIX_LISTEN 2u
#define BH_UNIX_ABSTRACT 3u /* both, under a name that is no path */

enum bh_rule_then {
	BH_THEN_ALLOW = 1,
	BH_THEN_NEVER,
};

/* One canonical rule. Strings are owned by the compiled policy. */
struct bh_rule {
	char id[15]; /* "r-" + 12 hex digits: SHA-256 of the rule's canonical JSON without its id */
	char *json; /* canonical JSON, id included */
	const char *scope; /* tool name, "@entry", "@attach" for a session that joins, or "*" for every tool */
	enum bh_rule_class class;
	enum bh_rule_then then;
	const char *from; /* the preset or guard it comes from; NULL: the policy itself */
	struct bh_loc loc; /* in the policy source; line 0 when it comes from a preset or guard */
	/* exec */
	const char *path; /* also file and unix; of BH_UNIX_ABSTRACT the name */
	const char *to; /* NULL: of a never rule, nobody may run it */
	bool helper; /* exec that stays in its tool */
	const char *sha256; /* 64 hex digits of the file's content; NULL: any */
	bool args_given; /* else every command line */
	const struct bh_args_clause *args; /* one must match; sets in canonical order, each word once */
	size_t args_count;
	const struct bh_env *env; /* NULL: every environment; sorted, each variable once */
	/* file */
	uint8_t access; /* BH_ACCESS_READ, _WRITE or _LOAD */
	const char *reason; /* of a load rule: why, where a tool may write; NULL: none was given */
	/* net: a host or a network */
	const char *host; /* NULL: the network */
	struct bh_cidrs resolves_to; /* of a host: answers that may be no global address; sorted, each once */
	struct bh_cidr cidr;
	uint16_t port_low, port_high; /* also listen; 0 and 65535: every port */
	uint8_t protocol; /* also listen; 0 of a never rule: every protocol */
	bool sni; /* of a host: the first TLS record must carry it */
	/* unix */
	uint8_t unix_op; /* BH_UNIX_* */
};

/* Has the rule a path pattern? */
static inline bool bh_rule_has_pattern(const struct bh_rule *rule)
{
	return rule->class == BH_RULE_EXEC || rule->class == BH_RULE_FILE ||
	       (rule->class == BH_RULE_UNIX && rule->unix_op != BH_UNIX_ABSTRACT);
}

/* A second name for a path that the policy spells through a symbolic link; found when a sandbox is bound. */
struct bh_alias {
	char *listed; /* as in the policy: an exact path or a pattern */
	char *resolved; /* what the kernel will print */
};

struct bh_aliases {
	struct bh_alias *items;
	size_t count;
};

struct bh_compiled; /* immutable */

/*
 * Compiles. aliases may be NULL (none): they change the tables, never the rules, the JSON or the hash.
 * Findings (over-broad path, writable binary, ambiguous edge, table limits, notes) go to diags.
 * Returns 0 and sets *ret_compiled (the caller frees it) when diags holds no error; -EINVAL; -ENOMEM.
 */
int bh_compile(const struct bh_source_policy *policy, const struct bh_shipped *shipped,
	       const struct bh_aliases *aliases, struct bh_diags *diags, struct bh_compiled **ret_compiled);
void bh_compiled_free(struct bh_compiled *compiled);

/*
 * Makes the rules and the head of the tables and nothing more: no ids, no order, no JSON, no automata, no lints. Good for the
 * definition's answers, and a hundred times as fast. Returns as bh_compile.
 */
int bh_compile_outline(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags,
		       struct bh_compiled **ret_compiled);

const struct bh_policy *bh_compiled_tables(const struct bh_compiled *compiled); /* bh_policy_bytes() of them */
size_t bh_policy_bytes(const struct bh_policy *tables); /* with the blocks that lie behind the struct */
const char *bh_compiled_json(const struct bh_compiled *compiled, size_t *ret_length); /* canonical, NUL-terminated */
const char *bh_compiled_hash(const struct bh_compiled *compiled); /* 64 hex digits */
const char *bh_compiled_name(const struct bh_compiled *compiled);
size_t bh_compiled_rules_count(const struct bh_compiled *compiled);
const struct bh_rule *bh_compiled_rule(const struct bh_compiled *compiled, size_t index); /* in canonical order */
const char *bh_compiled_tool_name(const struct bh_compiled *compiled, unsigned int tool); /* 1..tools; else NULL */
unsigned int bh_compiled_tool_id(const struct bh_compiled *compiled, const char *name); /* 0: none of that name */
/* How large it became. */
struct bh_compiled_size {
	size_t tools, rules, exec_rules, file_rules, net_rules, never_rules, states, cells, accepts;
};
void bh_compiled_sizes(const struct bh_compiled *compiled, struct bh_compiled_size *ret_size);

/*
 * The artifact NAME.bhp: header (magic, format, sizes, hashes), then sections (policy.md 6.4).
 * bh_artifact_write builds it in memory, *ret_bytes is the caller's. Same policy, same bytes.
 */
int bh_artifact_write(const struct bh_compiled *compiled, uint8_t **ret_bytes, size_t *ret_length);

/* The address floor from rules/, for the kernel's own map. Returns 0, -EINVAL with err, -ENOMEM. */
int bh_floor_compile(const struct bh_shipped *shipped, struct bh_floor_net *ret_floor, struct bh_err *err);

#endif
