/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whatever answers single questions about a policy. A question is the one of the kernel's verdict program (bpf/abi.h):
 * BH_KIND_EXEC       is there an edge by this file? `to` is 0 when more than the file decides what becomes of it
 * BH_KIND_EXEC_ARGS  the whole exec: file, arguments, environment, and content if that is known
 * BH_KIND_FILE_OPEN  access: one BH_ACCESS_* bit
 * BH_KIND_FILE_RENAME  may a directory of this name be moved? asked after writing to it was allowed
 * BH_KIND_MMAP_EXEC  may this file be mapped as code?
 * BH_KIND_CONNECT    address, port, protocol
 * BH_KIND_UNIX_CONNECT  path of a unix socket
 * BH_ASK_*           see there
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

/* The texts of a question. What its kind does not ask about may be NULL. */
struct bh_asked {
	const char *text; /* a path, or a name the way it is written */
	const uint8_t *args,
		*env; /* blocks of question.args_length and env_length bytes, unless that is more than may be */
};

struct bh_engine {
	const char *name;
	/* Fills text_length, reason, to and rule. 0; -EINVAL for a kind it cannot be asked; other negative errno. */
	int (*ask)(void *data, struct bh_question *question, const struct bh_asked *asked);
	void *data;
};

/* data: a struct bh_exam. The native build of the kernel's own code over the compiled tables. */
int bh_ask_tables(void *data, struct bh_question *question, const struct bh_asked *asked);

/* data: a struct bh_exam. Rule by rule, from what policy.md says, without any table. */
int bh_ask_definition(void *data, struct bh_question *question, const struct bh_asked *asked);

/* Lays the texts out as the verdict code reads them, and sets text_length: host names back to front, in small letters. */
void bh_asked_lay(struct bh_question *question, const struct bh_asked *asked, struct bh_texts *ret_texts);

/* Does the rule, of whatever scope, speak of this path (exec and file rules) or endpoint (net rules)? By definition. */
bool bh_rule_speaks_of_path(const struct bh_rule *rule, const char *path);
bool bh_rule_speaks_of_endpoint(const struct bh_rule *rule, uint8_t family, const uint8_t *address, uint16_t port,
				uint8_t protocol);

/* The address that the kernel connects by: an IPv4-mapped one becomes IPv4. Returns the family. */
uint8_t bh_judged_address(uint8_t family, const uint8_t address[16], uint8_t ret_address[16]);

#endif
