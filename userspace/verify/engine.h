/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whatever answers single questions about a policy. A question is the one of the kernel's verdict program (bpf/abi.h): kind
 * BH_KIND_EXEC, BH_KIND_FILE_OPEN (access: one BH_ACCESS_* bit), BH_KIND_FILE_RENAME (may a directory of this name be moved?
 * asked after writing to it was allowed) or BH_KIND_CONNECT.
 */
#ifndef BH_VERIFY_ENGINE_H
#define BH_VERIFY_ENGINE_H

#include <stdbool.h>

#include "bpf/abi.h"
#include "compile/compile.h"

/* What is examined. All borrowed. */
struct bh_exam {
	const struct bh_compiled *compiled;
	const struct bh_shipped *shipped;
	const struct bh_floor_net *floor;
};

struct bh_engine {
	const char *name;
	/* Fills reason, to and rule. 0; -EINVAL for a kind it cannot be asked; other negative errno. path may be NULL. */
	int (*ask)(void *data, struct bh_question *question, const char *path);
	void *data;
};

/* data: a struct bh_exam. The native build of the kernel's own code over the compiled tables. */
int bh_ask_tables(void *data, struct bh_question *question, const char *path);

/* data: a struct bh_exam. Rule by rule, from what policy.md says, without any table. */
int bh_ask_definition(void *data, struct bh_question *question, const char *path);

/* Does the rule, of whatever scope, speak of this path (exec and file rules) or endpoint (net rules)? By definition. */
bool bh_rule_speaks_of_path(const struct bh_rule *rule, const char *path);
bool bh_rule_speaks_of_endpoint(const struct bh_rule *rule, uint8_t family, const uint8_t *address, uint16_t port,
				uint8_t protocol);

/* The address that the kernel connects by: an IPv4-mapped one becomes IPv4. Returns the family. */
uint8_t bh_judged_address(uint8_t family, const uint8_t address[16], uint8_t ret_address[16]);

#endif
