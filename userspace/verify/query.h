/* SPDX-License-Identifier: GPL-2.0-only */
/* One question to a policy, as a scenario asks it. */
#ifndef BH_VERIFY_QUERY_H
#define BH_VERIFY_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "bpf/lib/decide.h"
#include "compile/fits.h"

enum bh_action {
	BH_ACTION_RUN = 1,
	BH_ACTION_READ,
	BH_ACTION_WRITE,
	BH_ACTION_LOAD,
	BH_ACTION_RENAME,
	BH_ACTION_LINK,
	BH_ACTION_CONNECT,
	BH_ACTION_DNS,
	BH_ACTION_UNIX,
	BH_ACTION_LISTEN,
	BH_ACTION_PRIVILEGE,
	BH_ACTION_CAPABILITY,
	BH_ACTIONS,
};

#define BH_ANSWERS_MAX 8u

/* What a resolver says that a name has. */
struct bh_peer_address {
	uint8_t family; /* 4 or 6 */
	uint8_t address[16]; /* network order */
};

struct bh_query {
	enum bh_action action;
	unsigned int tool; /* BH_TOOL_NONE: the sandbox before its first program */
	const char *path; /* of a file, program or socket; NULL: none. "@name": an abstract socket */
	const char *other; /* the second name of rename and link */
	const char *host; /* of connect by name, and of dns */
	struct bh_net_question net; /* of connect by address; of connect by name and listen port and protocol */
	struct bh_peer_address answers[BH_ANSWERS_MAX]; /* of connect by name */
	size_t answers_count;
	struct bh_block args, variables; /* of run: as they are, also when that is more than may be */
	const uint8_t *sha256; /* of the program's file; NULL: its content is not asked about */
	uint32_t number; /* BH_PRIVILEGE_* or CAP_* */
};

/* A query that owns what it points at. copy: returns 0 or -ENOMEM, then *ret_query is empty. */
int bh_query_copy(const struct bh_query *query, struct bh_query *ret_query);
void bh_query_done(struct bh_query *query);

/*
 * Reads a question as it is typed: a command line, a path, "HOST:PORT" with "/udp" behind it or not, a name, "@NAME" of an
 * abstract socket. Returns 0 (bh_query_done frees it), -EINVAL with err, -ENOMEM with err.
 */
int bh_query_parse(enum bh_action action, const char *text, struct bh_query *ret_query, struct bh_err *err);

/* Its parts: could this be asked for as a name? Is it such a name, a colon and a port? host is NULL then when out of memory. */
bool bh_is_queried_host(const char *text, size_t length);
bool bh_named_endpoint_parse(const char *text, struct bh_query *query);

/* The same question, whoever asks? */
bool bh_query_same(const struct bh_query *a, const struct bh_query *b);

/* The key that asks for this action: "run", "read" ... */
const char *bh_action_name(enum bh_action action);

/* "agent", "git", or "@entry". */
const char *bh_query_tool(const struct bh_query *query, const struct bh_compiled *compiled);

/* Adds "agent runs /usr/bin/git push". Two queries that differ print differently. */
void bh_query_print(const struct bh_query *query, const struct bh_compiled *compiled, struct bh_buf *out);

/* Calls back with each string of a block. */
#define BH_FOR_EACH_STRING(block, string)                                                                              \
	for (const char *string = (const char *)(block)->bytes;                                                        \
	     string && (const uint8_t *)string < (block)->bytes + (block)->length; string += strlen(string) + 1)

/* The block's length as the kernel takes it: more than BH_ARGS_MAX when any limit of arguments is exceeded. */
uint32_t bh_args_length(const struct bh_block *args);

#define BH_ENDPOINT_TEXT 64u

/* Reads "ADDRESS:PORT" or "[V6]:PORT", by TCP. False when it is neither. */
bool bh_endpoint_parse(const char *text, struct bh_net_question *ret_net);

/* Writes it the same way. */
void bh_endpoint_text(const struct bh_net_question *net, char ret_text[BH_ENDPOINT_TEXT]);

/* Reads an address alone. */
bool bh_peer_address_parse(const char *text, struct bh_peer_address *ret_address);
void bh_peer_address_text(const struct bh_peer_address *peer, char ret_text[BH_ENDPOINT_TEXT]);

/* By name: the number of an operation of rules/privileges.def, of a capability; and back. -1 and NULL: there is none. */
int bh_privilege_number(const char *name);
const char *bh_privilege_name(uint32_t number);
int bh_capability_number(const char *name);
const char *bh_capability_name(uint32_t number);

#endif
