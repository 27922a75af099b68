/* SPDX-License-Identifier: GPL-2.0-only */
/* A policy as its author wrote it, typed and checked, every word with its place. Pure data; nothing here knows YAML or the kernel. */
#ifndef BH_POLICY_MODEL_H
#define BH_POLICY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "bpf/abi.h"

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

struct bh_port_range {
	uint16_t low, high;
	struct bh_loc loc;
};

struct bh_destination {
	struct bh_word name;
	struct bh_cidr *cidrs;
	size_t cidrs_count;
	struct bh_port_range *ports;
	size_t ports_count;
	uint8_t protocol; /* IPPROTO_TCP */
};

struct bh_tool {
	struct bh_word name;
	struct bh_words binaries; /* exact paths */
	struct bh_words may_run; /* tool names, all known */
	struct bh_words helpers; /* path patterns */
	struct bh_words read, write; /* path patterns */
	struct bh_words reach; /* destination names, all known */
	bool jit; /* may run code that it makes in memory */
	bool runs_code; /* its author knows that its rights are those of any code that it is fed */
};

/* Files that nobody, or no tool unless its policy lifts the guard, may touch. From rules/. */
struct bh_prohibition {
	struct bh_word name;
	struct bh_words read, write;
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
	struct bh_word entry;
	struct bh_words presets;
	struct bh_tool *tools; /* in source order */
	size_t tools_count;
	struct bh_destination *destinations;
	size_t destinations_count;
	uint8_t respond[BH_CLASSES]; /* by class; defaults filled in */
	struct bh_words never_read, never_write, never_run; /* path patterns; they beat every tool's lists */
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
};

/* One row of rules/floor-net.yaml. */
struct bh_floor_address {
	struct bh_cidr cidr;
	uint16_t except_port; /* 0: every port is blocked */
	char *who, *source;
};

void bh_source_policy_free(struct bh_source_policy *policy); /* NULL and half-built are fine */
void bh_shipped_free(struct bh_shipped *shipped);

#endif
