/* SPDX-License-Identifier: GPL-2.0-only */
/* A policy as its author wrote it, typed and checked, every word with its place. Pure data; nothing here knows YAML or the kernel. */
#ifndef BH_POLICY_MODEL_H
#define BH_POLICY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "bpf/abi.h"

/* What follows a violation or a threshold. */
#define BH_RESPOND_DENY BH_VERDICT_DENY
#define BH_RESPOND_KILL BH_VERDICT_KILL /* the whole sandbox */
#define BH_RESPOND_FREEZE BH_VERDICT_FREEZE
#define BH_RESPOND_TASK BH_VERDICT_TASK /* of arguments, which are known too late to refuse: only the process */
#define BH_RESPOND_ALERT 6u /* of a threshold: only say it */

struct bh_word {
	char *text;
	struct bh_loc loc;
};

struct bh_words {
	struct bh_word *items;
	size_t count;
};

/* An address block. bytes: network order, IPv4 in the first four; bits beyond prefix are zero (checked). */
struct bh_cidr {
	uint8_t family; /* 4 or 6 */
	uint8_t prefix;
	uint8_t bytes[16];
	struct bh_loc loc;
};

struct bh_cidrs {
	struct bh_cidr *items;
	size_t count;
};

struct bh_port_range {
	uint16_t low, high; /* both included */
	uint8_t protocol; /* of a port to listen on: IPPROTO_*; of a destination's port: 0, see there */
	struct bh_loc loc;
};

struct bh_port_ranges {
	struct bh_port_range *items;
	size_t count;
};

/* A peer outside the sandbox: by name or by network, never both. */
struct bh_destination {
	struct bh_word name;
	struct bh_words hosts; /* lower-case LDH; "*.suffix" is one or more labels in front of suffix */
	struct bh_cidrs cidrs;
	struct bh_cidrs resolves_to; /* of hosts: answers that may be no global address */
	struct bh_port_ranges ports; /* empty only with IPPROTO_ICMP */
	uint8_t protocol; /* IPPROTO_TCP, IPPROTO_UDP or IPPROTO_ICMP (echo) */
	bool sni; /* the first TLS record must carry one of hosts */
};

/* A word and what it is for or set to: an operation and its reason, a variable and its value, a path and its reason. */
struct bh_pair {
	struct bh_word word;
	struct bh_word value; /* text NULL: none was given */
};

struct bh_pairs {
	struct bh_pair *items;
	size_t count;
};

/* What a command line must look like; argv[0] is never looked at (policy.md 2.4.1). */
#define BH_ARGS_EXACT 1u
#define BH_ARGS_WORDS 2u /* a subcommand, options, operands */
#define BH_ARGS_ANY 3u
#define BH_OPERANDS_NONE 1u
#define BH_OPERANDS_WORDS 2u
#define BH_OPERANDS_ANY 3u

struct bh_args_clause {
	struct bh_loc loc;
	uint8_t kind; /* BH_ARGS_* */
	uint8_t operands; /* of BH_ARGS_WORDS: BH_OPERANDS_* */
	struct bh_words exact; /* in order; may be empty: no arguments */
	struct bh_words first; /* subcommands; empty: none is needed, operands may follow at once */
	struct bh_words options; /* as written, "-m:1" takes the next word */
	struct bh_words require, refuse; /* of BH_ARGS_ANY */
};

struct bh_env {
	bool given; /* else every variable may be there */
	struct bh_loc loc;
	struct bh_words keep; /* names, or beginnings of names with a final '*' */
	struct bh_pairs require; /* name and exact value */
};

struct bh_unix {
	bool given; /* of a tool: else spec.unix holds */
	struct bh_loc loc;
	struct bh_words connect, listen; /* path patterns */
	struct bh_words abstract; /* exact names */
};

#define BH_PROCFS_OWN 1u
#define BH_PROCFS_NONE 2u

struct bh_tool {
	struct bh_word name;
	struct bh_pairs binaries; /* exact path; value: SHA-256 of the file as 64 hex digits, or none */
	bool args_given; /* else every command line enters */
	struct bh_args_clause *args; /* one must match */
	size_t args_count;
	struct bh_env env;
	struct bh_words may_run; /* tool names, all known */
	struct bh_words helpers; /* path patterns */
	struct bh_words read, write; /* path patterns */
	bool load_given; /* else what it may read and no tool may write */
	struct bh_pairs load; /* path pattern; reason, needed where a tool may write */
	struct bh_words reach; /* destination names, all known */
	struct bh_port_ranges listen;
	struct bh_unix unix_sockets;
	uint8_t respond[BH_CLASSES]; /* by class; 0: as the policy */
	uint8_t procfs; /* BH_PROCFS_*; 0: as the policy */
	bool jit; /* may run code that it makes in memory */
	bool runs_code; /* its author knows that its rights are those of any code that it is fed */
};

/* Which sandboxes a policy is for. A clause matches when each of its fields does; several terms of one field: any of them. */
enum bh_select_field {
#define BH_SELECT(number, id, group, key, kind, english) BH_SELECT_##id = number,
#include "../../rules/select.def"
#undef BH_SELECT
};

struct bh_select_term {
	uint8_t field; /* enum bh_select_field */
	struct bh_word label; /* of labels: the key; else text NULL */
	struct bh_word value;
};

struct bh_select_clause {
	struct bh_loc loc;
	struct bh_select_term *terms;
	size_t count;
};

struct bh_select {
	bool given; /* else only `bulkhead run --policy` uses the policy */
	uint32_t priority; /* 0..1000 */
	struct bh_select_clause *any;
	size_t count;
};

#define BH_DNS_NONE 1u
#define BH_DNS_LISTED 2u
#define BH_DNS_ANY 3u

struct bh_dns {
	uint8_t names; /* BH_DNS_* */
	struct bh_loc loc;
	struct bh_cidrs resolvers; /* single addresses */
	struct bh_word reason; /* why any name may be asked; text NULL: none */
};

/* Limits that the kernel keeps for the whole sandbox. */
enum bh_cap {
#define BH_CAP(number, id, key, unit, standard, english) BH_CAP_##id = number,
#include "../../rules/caps.def"
#undef BH_CAP
	BH_CAPS
};

struct bh_limit {
	bool given; /* else value is the default, or BH_UNLIMITED */
	uint64_t value; /* in the unit of rules/caps.def */
	struct bh_loc loc;
};
#define BH_UNLIMITED UINT64_MAX

/* A signal of rules/signals.def over a value for a time. */
struct bh_threshold {
	struct bh_loc loc;
	uint16_t signal; /* enum bh_signal */
	uint64_t over; /* in the signal's unit; of a rate: in each window */
	uint32_t window_ms; /* of a rate: "/s" 1,000, "/min" 60,000, "/h" 3,600,000; else 0 */
	uint32_t for_ms;
	uint8_t respond; /* BH_RESPOND_* */
	struct bh_word tool; /* text NULL: the whole sandbox */
};

enum bh_signal {
#define BH_SIGNAL(number, class, name, kind, text) BH_SIGNAL_##class##_##name = number,
#include "../../rules/signals.def"
#undef BH_SIGNAL
};

struct bh_resources {
	bool given;
	struct bh_limit caps[BH_CAPS]; /* by enum bh_cap; index 0 unused; defaults filled in */
	struct bh_word disk_path; /* of BH_CAP_DISK; text NULL: none */
	struct bh_threshold *thresholds;
	size_t thresholds_count;
};

struct bh_privileges {
	bool given;
	struct bh_words capabilities; /* "CAP_NET_BIND_SERVICE" */
	struct bh_pairs allow; /* an operation of rules/privileges.def; its reason */
};

/* Files that nobody, or no tool unless its policy lifts the guard, may touch. From rules/. */
struct bh_prohibition {
	struct bh_word name;
	struct bh_words read, write;
	bool below_workspaces; /* of a guard: its patterns begin at each of spec.workspaces, not at the root */
	/* of a guard: variables that may not enter a tool that has one of these programs, from another tool */
	struct bh_words programs, variables, except;
};

/* A shipped guard that this policy does without. */
struct bh_lift {
	struct bh_word guard, reason;
};

/* A warning at one place that its author knows of. */
struct bh_acceptance {
	struct bh_word code, at, reason; /* at: without the leading "spec." */
	struct bh_loc places[2]; /* key and value that `at` leads to; line 0: none */
};

struct bh_source_policy {
	struct bh_word name, description, owner, ticket; /* the last three may have text NULL */
	uint8_t mode; /* BH_MODE_* */
	int64_t grace_until; /* of BH_MODE_GRACE: seconds since 1970, UTC; then it is enforced */
	struct bh_loc grace_loc;
	uint8_t modes[BH_CLASSES]; /* by class: BH_MODE_OBSERVE while rolling out; 0: as mode */
	struct bh_select select;
	struct bh_word entry;
	struct bh_words attach; /* tool names */
	struct bh_words presets;
	struct bh_words workspaces; /* directories */
	struct bh_tool *tools; /* in source order */
	size_t tools_count;
	struct bh_destination *destinations;
	size_t destinations_count;
	uint8_t respond[BH_CLASSES]; /* by class: BH_RESPOND_*; defaults filled in */
	struct bh_words never_read, never_write, never_run; /* path patterns; they beat every tool's lists */
	struct bh_cidrs never_reach;
	struct bh_dns dns;
	struct bh_unix unix_sockets;
	struct bh_privileges privileges;
	struct bh_resources resources;
	uint8_t procfs; /* BH_PROCFS_*; default own */
	struct bh_lift *lifts; /* each guard once */
	size_t lifts_count;
	struct bh_acceptance *acceptances; /* each code and place once */
	size_t acceptances_count;
};

/* A shipped rule set that every tool of a policy that names it gets. */
struct bh_preset {
	char *name;
	uint32_t version;
	struct bh_words read, write;
};

/* What ships with the product: parsed from rules/ at start. */
struct bh_shipped {
	struct bh_preset *presets;
	size_t presets_count;
	struct bh_prohibition *floors; /* files */
	size_t floors_count;
	struct bh_prohibition *guards;
	size_t guards_count;
	struct bh_floor_address *addresses;
	size_t addresses_count;
	uint32_t floor_version;
	struct bh_words interpreters; /* names of programs that run what they are fed */
	struct bh_words blocked_names; /* of metadata services: never resolved */
};

/* One row of rules/floor-net.yaml. */
struct bh_floor_address {
	struct bh_cidr cidr;
	uint16_t except_port; /* 0: every port is blocked */
	char *who, *source;
};

void bh_source_policy_free(struct bh_source_policy *policy); /* NULL and half-built are fine */
/* A copy that shares nothing with the policy; every word keeps its place. NULL when out of memory. */
struct bh_source_policy *bh_source_policy_copy(const struct bh_source_policy *policy);
void bh_shipped_free(struct bh_shipped *shipped);

#endif
