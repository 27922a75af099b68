/* SPDX-License-Identifier: GPL-2.0-only */
/* One question to a policy, as a scenario asks it. */
#ifndef BH_VERIFY_QUERY_H
#define BH_VERIFY_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "bpf/lib/decide.h"
#include "compile/fits.h"

enum bh_action {
	BH_ACTION_RUN = 1,
	BH_ACTION_READ,
	BH_ACTION_WRITE,
	BH_ACTION_RENAME,
	BH_ACTION_LINK,
	BH_ACTION_CONNECT,
	BH_ACTIONS,
};

struct bh_query {
	enum bh_action action;
	unsigned int tool; /* BH_TOOL_NONE: the sandbox before its first program */
	const char *path, *other; /* other: the second name of rename and link */
	struct bh_net_question net; /* of connect */
	struct bh_block args, variables; /* of run */
	const uint8_t *sha256; /* of the program's file; NULL: its content is not asked about */
};

/* The key that asks for this action: "run", "read" ... */
const char *bh_action_name(enum bh_action action);

/* "agent", "git", or "@entry". */
const char *bh_query_tool(const struct bh_query *query, const struct bh_compiled *compiled);

/* Adds "agent runs /usr/bin/git". */
void bh_query_print(const struct bh_query *query, const struct bh_compiled *compiled, struct bh_buf *out);

#define BH_ENDPOINT_TEXT 64u

/* Reads "ADDRESS:PORT" or "[V6]:PORT", by TCP. False when it is neither. */
bool bh_endpoint_parse(const char *text, struct bh_net_question *ret_net);

/* Writes it the same way. */
void bh_endpoint_text(const struct bh_net_question *net, char ret_text[BH_ENDPOINT_TEXT]);

#endif
