/* SPDX-License-Identifier: GPL-2.0-only */
/* A question as it is typed. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "policy/host.h"
#include "policy/limits.h"
#include "verify/query.h"

static int out_of_memory(struct bh_err *err)
{
	return bh_err_set(err, ENOMEM, "out of memory");
}

static int keep_text(const char *text, const char **ret_text, struct bh_err *err)
{
	*ret_text = strdup(text);
	return *ret_text ? 0 : out_of_memory(err);
}

/* The word that begins here, without its quotes, and its NUL. NULL: a quote is not closed. */
static const char *take_word(const char *at, struct bh_buf *block)
{
	char quote = '\0';

	for (; *at && (quote || *at != ' '); at++) {
		if (quote == *at)
			quote = '\0';
		else if (!quote && (*at == '"' || *at == '\''))
			quote = *at;
		else
			bh_buf_add(block, at, 1);
	}
	bh_buf_add(block, "", 1);
	return quote ? NULL : at;
}

/* Words between spaces; quotes keep spaces inside. */
static int take_run(const char *text, struct bh_query *query, struct bh_err *err)
{
	BH_CLEANUP(bh_buf_done) struct bh_buf block = { 0 };
	size_t program;

	for (text += strspn(text, " "); text && *text; text = text ? text + strspn(text, " ") : NULL)
		text = take_word(text, &block);
	if (block.error)
		return out_of_memory(err);
	if (!text || !block.length || block.bytes[0] != '/')
		return bh_err_set(err, EINVAL, "a command line begins with an absolute path, and quotes are closed");
	program = strlen((char *)block.bytes) + 1;
	if (program > BH_PATH_MAX)
		return bh_err_set(err, EINVAL, "a path has at most %u bytes", BH_PATH_MAX - 1);
	if (keep_text((char *)block.bytes, &query->path, err))
		return -ENOMEM;
	if (block.length == program)
		return 0;
	query->args.length = block.length - program;
	query->args.bytes = malloc(query->args.length);
	if (!query->args.bytes)
		return out_of_memory(err);
	memcpy((uint8_t *)query->args.bytes, block.bytes + program, query->args.length);
	return 0;
}

static int take_path(const char *text, struct bh_query *query, struct bh_err *err)
{
	if (text[0] != '/' || strlen(text) >= BH_PATH_MAX)
		return bh_err_set(err, EINVAL, "'%.200s' is not an absolute path of at most %u bytes", text,
				  BH_PATH_MAX - 1);
	return keep_text(text, &query->path, err);
}

static int take_socket(const char *text, struct bh_query *query, struct bh_err *err)
{
	if (text[0] != '@')
		return take_path(text, query, err);
	if (strlen(text) < 2 || strlen(text) > BH_ABSTRACT_LIMIT + 1)
		return bh_err_set(err, EINVAL, "the name of an abstract socket has 1 to %u bytes", BH_ABSTRACT_LIMIT);
	return keep_text(text, &query->path, err);
}

/* Takes "/udp" or "/tcp" from the end. */
static void take_protocol(char *text, struct bh_query *query)
{
	size_t length = strlen(text);

	query->net.protocol = IPPROTO_TCP;
	if (length < 4 || (strcmp(text + length - 4, "/udp") != 0 && strcmp(text + length - 4, "/tcp") != 0))
		return;
	if (strcmp(text + length - 4, "/udp") == 0)
		query->net.protocol = IPPROTO_UDP;
	text[length - 4] = '\0';
}

bool bh_named_endpoint_parse(const char *text, struct bh_query *query)
{
	const char *colon = strrchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	struct bh_port_range port;

	if (!bh_is_queried_host(text, length) || text[strspn(text, "0123456789.:")] == '\0' ||
	    !bh_port_range_parse(colon + 1, &port) || port.low != port.high)
		return false;
	query->net.port = port.low;
	query->host = strndup(text, length);
	return true;
}

bool bh_is_queried_host(const char *text, size_t length)
{
	return length && length <= BH_HOST_MAX + 1 && text[0] != '.' &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") >= length;
}

static int take_connect(char *text, struct bh_query *query, struct bh_err *err)
{
	struct bh_net_question net;

	take_protocol(text, query);
	if (bh_endpoint_parse(text, &net)) {
		net.protocol = query->net.protocol;
		query->net = net;
		return 0;
	}
	if (!bh_named_endpoint_parse(text, query))
		return bh_err_set(err, EINVAL, "'%.200s' is not ADDRESS:PORT, [IPV6]:PORT or NAME:PORT", text);
	return query->host ? 0 : out_of_memory(err);
}

static int take_listen(char *text, struct bh_query *query, struct bh_err *err)
{
	struct bh_port_range port;

	if (text[0] == '/' || text[0] == '@')
		return take_socket(text, query, err);
	take_protocol(text, query);
	if (!bh_port_range_parse(text, &port) || port.low != port.high)
		return bh_err_set(err, EINVAL, "'%.200s' is not a port or the path of a socket", text);
	query->net.port = port.low;
	return 0;
}

static int take_number(const char *text, int number, struct bh_query *query, struct bh_err *err)
{
	if (number < 0)
		return bh_err_set(err, EINVAL, "unknown %s '%.64s'", bh_action_name(query->action), text);
	query->number = (uint32_t)number;
	return 0;
}

static int take_any(char *text, struct bh_query *query, struct bh_err *err)
{
	switch (query->action) {
	case BH_ACTION_RUN:
		return take_run(text, query, err);
	case BH_ACTION_CONNECT:
		return take_connect(text, query, err);
	case BH_ACTION_DNS:
		if (!bh_is_queried_host(text, strlen(text)))
			return bh_err_set(err, EINVAL, "'%.200s' is not the name of a host", text);
		return keep_text(text, &query->host, err);
	case BH_ACTION_UNIX:
		return take_socket(text, query, err);
	case BH_ACTION_LISTEN:
		return take_listen(text, query, err);
	case BH_ACTION_PRIVILEGE:
		return take_number(text, bh_privilege_number(text), query, err);
	case BH_ACTION_CAPABILITY:
		return take_number(text, bh_capability_number(text), query, err);
	case BH_ACTION_RENAME:
	case BH_ACTION_LINK:
		return bh_err_set(err, EINVAL, "two paths are asked about in a scenario file");
	default:
		return take_path(text, query, err);
	}
}

int bh_query_parse(enum bh_action action, const char *text, struct bh_query *ret_query, struct bh_err *err)
{
	struct bh_query query = { .action = action };
	BH_FREE char *copy = strdup(text);
	int result = copy ? take_any(copy, &query, err) : out_of_memory(err);

	if (result)
		bh_query_done(&query);
	*ret_query = query;
	return result;
}
