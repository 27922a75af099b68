/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/query.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "policy/address.h"

static const char *const names[BH_ACTIONS] = {
	[BH_ACTION_RUN] = "run",       [BH_ACTION_READ] = "read", [BH_ACTION_WRITE] = "write",
	[BH_ACTION_RENAME] = "rename", [BH_ACTION_LINK] = "link", [BH_ACTION_CONNECT] = "connect",
};

const char *bh_action_name(enum bh_action action)
{
	return names[action];
}

const char *bh_query_tool(const struct bh_query *query, const struct bh_compiled *compiled)
{
	const char *name = bh_compiled_tool_name(compiled, query->tool);

	return name ? name : "@entry";
}

void bh_query_print(const struct bh_query *query, const struct bh_compiled *compiled, struct bh_buf *out)
{
	const char *tool = bh_query_tool(query, compiled), *action = names[query->action];
	char endpoint[BH_ENDPOINT_TEXT];

	switch (query->action) {
	case BH_ACTION_RENAME:
	case BH_ACTION_LINK:
		bh_buf_print(out, "%s %ss %s to %s", tool, action, query->path, query->other);
		return;
	case BH_ACTION_CONNECT:
		bh_endpoint_text(&query->net, endpoint);
		bh_buf_print(out, "%s connects to %s", tool, endpoint);
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
