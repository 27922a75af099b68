/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/query.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/address.h"

static const char *const names[BH_ACTIONS] = {
	[BH_ACTION_RUN] = "run",
	[BH_ACTION_READ] = "read",
	[BH_ACTION_WRITE] = "write",
	[BH_ACTION_LOAD] = "load",
	[BH_ACTION_RENAME] = "rename",
	[BH_ACTION_LINK] = "link",
	[BH_ACTION_CONNECT] = "connect",
	[BH_ACTION_DNS] = "dns",
	[BH_ACTION_UNIX] = "unix",
	[BH_ACTION_LISTEN] = "listen",
	[BH_ACTION_PRIVILEGE] = "privilege",
	[BH_ACTION_CAPABILITY] = "capability",
};

const char *bh_action_name(enum bh_action action)
{
	return names[action];
}

/* A copy of bytes; NULL for none, and then, with *failed, when out of memory. */
static void *own(const void *bytes, size_t length, bool *failed)
{
	void *copy = bytes && length ? malloc(length) : NULL;

	if (copy)
		memcpy(copy, bytes, length);
	*failed = *failed || (bytes && length && !copy);
	return copy;
}

static char *own_text(const char *text, bool *failed)
{
	return text ? own(text, strlen(text) + 1, failed) : NULL;
}

int bh_query_copy(const struct bh_query *query, struct bh_query *ret_query)
{
	struct bh_query copy = *query;
	bool failed = false;

	copy.path = own_text(query->path, &failed);
	copy.other = own_text(query->other, &failed);
	copy.host = own_text(query->host, &failed);
	copy.args.bytes = own(query->args.bytes, query->args.length, &failed);
	copy.variables.bytes = own(query->variables.bytes, query->variables.length, &failed);
	copy.sha256 = own(query->sha256, 32, &failed);
	if (failed)
		bh_query_done(&copy);
	*ret_query = copy;
	return failed ? -ENOMEM : 0;
}

void bh_query_done(struct bh_query *query)
{
	free((char *)query->path);
	free((char *)query->other);
	free((char *)query->host);
	free((uint8_t *)query->args.bytes);
	free((uint8_t *)query->variables.bytes);
	free((uint8_t *)query->sha256);
	memset(query, 0, sizeof(*query));
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_block(const struct bh_block *a, const struct bh_block *b)
{
	return a->length == b->length && (!a->length || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static bool same_net(const struct bh_net_question *a, const struct bh_net_question *b)
{
	return a->family == b->family && a->port == b->port && a->protocol == b->protocol &&
	       memcmp(a->address.bytes, b->address.bytes, sizeof(a->address.bytes)) == 0;
}

bool bh_query_same(const struct bh_query *a, const struct bh_query *b)
{
	return a->action == b->action && a->number == b->number && same_text(a->path, b->path) &&
	       same_text(a->other, b->other) && same_text(a->host, b->host) && same_net(&a->net, &b->net) &&
	       same_block(&a->args, &b->args) && same_block(&a->variables, &b->variables) && !a->sha256 == !b->sha256 &&
	       (!a->sha256 || memcmp(a->sha256, b->sha256, 32) == 0) && a->answers_count == b->answers_count &&
	       memcmp(a->answers, b->answers, a->answers_count * sizeof(a->answers[0])) == 0;
}

const char *bh_query_tool(const struct bh_query *query, const struct bh_compiled *compiled)
{
	const char *name = bh_compiled_tool_name(compiled, query->tool);

	return name ? name : "@entry";
}

uint32_t bh_args_length(const struct bh_block *args)
{
	size_t words = 0;
	bool fits = args->length <= BH_ARGS_MAX;

	BH_FOR_EACH_STRING(args, word)
	{
		fits = fits && ++words <= BH_ARGS_WORDS_MAX && strlen(word) <= BH_ARGS_WORD_MAX;
	}
	return fits ? (uint32_t)args->length : BH_ARGS_MAX + 1;
}

/* A word of a command line: in quotes where it could be taken for several, or for none. */
static void print_word(const char *word, struct bh_buf *out)
{
	if (*word && !strpbrk(word, " \"\\'")) {
		bh_buf_print(out, " %s", word);
		return;
	}
	bh_buf_print(out, " \"");
	for (; *word; word++)
		bh_buf_print(out, *word == '"' || *word == '\\' ? "\\%c" : "%c", *word);
	bh_buf_print(out, "\"");
}

static void print_run(const char *tool, const struct bh_query *query, struct bh_buf *out)
{
	const char *with = " with";

	bh_buf_print(out, "%s runs", tool);
	print_word(query->path, out);
	BH_FOR_EACH_STRING(&query->args, word)
	{
		print_word(word, out);
	}
	BH_FOR_EACH_STRING(&query->variables, variable)
	{
		bh_buf_print(out, "%s", with);
		print_word(variable, out);
		with = "";
	}
	if (!query->sha256)
		return;
	bh_buf_print(out, " of content ");
	for (size_t i = 0; i < 32; i++)
		bh_buf_print(out, "%02x", query->sha256[i]);
}

static void print_connect(const char *tool, const struct bh_query *query, struct bh_buf *out)
{
	char text[BH_ENDPOINT_TEXT];

	if (query->host) {
		bh_buf_print(out, "%s connects to %s:%u", tool, query->host, query->net.port);
	} else {
		bh_endpoint_text(&query->net, text);
		bh_buf_print(out, "%s connects to %s", tool, text);
	}
	if (query->net.protocol == IPPROTO_UDP)
		bh_buf_print(out, " by UDP");
	for (size_t i = 0; i < query->answers_count; i++) {
		bh_peer_address_text(&query->answers[i], text);
		bh_buf_print(out, "%s %s", i ? "," : " at", text);
	}
}

static void print_listen(const char *tool, const struct bh_query *query, struct bh_buf *out)
{
	if (query->path)
		bh_buf_print(out, "%s listens on the socket %s", tool, query->path);
	else
		bh_buf_print(out, "%s listens on port %u%s", tool, query->net.port,
			     query->net.protocol == IPPROTO_UDP ? " by UDP" : "");
}

void bh_query_print(const struct bh_query *query, const struct bh_compiled *compiled, struct bh_buf *out)
{
	const char *tool = bh_query_tool(query, compiled), *action = names[query->action];

	switch (query->action) {
	case BH_ACTION_RUN:
		print_run(tool, query, out);
		return;
	case BH_ACTION_RENAME:
	case BH_ACTION_LINK:
		bh_buf_print(out, "%s %ss %s to %s", tool, action, query->path, query->other);
		return;
	case BH_ACTION_CONNECT:
		print_connect(tool, query, out);
		return;
	case BH_ACTION_DNS:
		bh_buf_print(out, "%s asks for the name %s", tool, query->host);
		return;
	case BH_ACTION_UNIX:
		bh_buf_print(out, "%s connects to the socket %s", tool, query->path);
		return;
	case BH_ACTION_LISTEN:
		print_listen(tool, query, out);
		return;
	case BH_ACTION_PRIVILEGE:
		bh_buf_print(out, "%s uses the privilege %s", tool, bh_privilege_name(query->number));
		return;
	case BH_ACTION_CAPABILITY:
		bh_buf_print(out, "%s uses %s", tool, bh_capability_name(query->number));
		return;
	default:
		bh_buf_print(out, "%s %ss %s", tool, action, query->path);
	}
}

bool bh_endpoint_parse(const char *text, struct bh_net_question *ret_net)
{
	const char *colon = strrchr(text, ':');
	struct bh_net_question net = { .protocol = IPPROTO_TCP };
	size_t length = colon ? (size_t)(colon - text) : 0;
	bool brackets = length > 2 && text[0] == '[' && text[length - 1] == ']';
	char host[INET6_ADDRSTRLEN];
	struct bh_port_range port;

	if (brackets) {
		text++;
		length -= 2;
	}
	if (!length || length >= sizeof(host) || !bh_port_range_parse(colon + 1, &port) || port.low != port.high)
		return false;
	memcpy(host, text, length);
	host[length] = '\0';
	if (inet_pton(brackets ? AF_INET6 : AF_INET, host, net.address.bytes) != 1)
		return false;
	net.family = brackets ? 6 : 4;
	net.port = port.low;
	*ret_net = net;
	return true;
}

void bh_endpoint_text(const struct bh_net_question *net, char ret_text[BH_ENDPOINT_TEXT])
{
	char host[INET6_ADDRSTRLEN];

	inet_ntop(net->family == 4 ? AF_INET : AF_INET6, net->address.bytes, host, sizeof(host));
	snprintf(ret_text, BH_ENDPOINT_TEXT, net->family == 4 ? "%s:%u" : "[%s]:%u", host, net->port);
}

bool bh_peer_address_parse(const char *text, struct bh_peer_address *ret_address)
{
	struct bh_peer_address peer = { .family = strchr(text, ':') ? 6 : 4 };

	if (inet_pton(peer.family == 6 ? AF_INET6 : AF_INET, text, peer.address) != 1)
		return false;
	*ret_address = peer;
	return true;
}

void bh_peer_address_text(const struct bh_peer_address *peer, char ret_text[BH_ENDPOINT_TEXT])
{
	inet_ntop(peer->family == 6 ? AF_INET6 : AF_INET, peer->address, ret_text, BH_ENDPOINT_TEXT);
}
