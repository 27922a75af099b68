/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Verdicts about peers: addresses, host names, resolvers' answers, unix sockets, and ports to listen on. */
#ifndef BH_LIB_PEER_H
#define BH_LIB_PEER_H

#include "bpf/lib/address.h"
#include "bpf/lib/answer.h"

/* An address that a task wants to talk to. family 4 or 6; IPv4 in the first four bytes; port in host byte order. */
struct bh_net_question {
	struct bh_address address;
	__u16 port;
	__u8 family;
	__u8 protocol;
};

/* Has the tool a range of this protocol with this port, in the row? */
BH_ONCE __u32 bh_net_listed(const struct bh_policy *policy, __u32 tool, __u32 row_number, __u32 port, __u32 protocol)
{
	const struct bh_net_row *row;
	__u32 first, count, i;

	if (!policy)
		return 0;
	row = &policy->nets[row_number & (BH_NET_ROWS_MAX - 1)];
	first = row->range_first[bh_tool_slot(tool)];
	count = row->range_count[bh_tool_slot(tool)];
	for (i = 0; i < BH_RANGES_EACH; i++) {
		const struct bh_range *range = &policy->ranges[(first + i) & (BH_RANGES_MAX - 1)];

		if (i >= count)
			break;
		if (range->protocol == protocol && port >= range->low && port <= range->high)
			return 1;
	}
	return 0;
}

/* Accept id of an address. An IPv4-mapped one is judged as the IPv4 address it is, because the kernel connects there by IPv4. */
static BH_INLINE __u32 bh_address_accept(const struct bh_policy *policy, __u32 family, const struct bh_address *address,
					 __u32 net4_start, __u32 net6_start)
{
	struct bh_address ipv4 = {};

	if (family == 4)
		return bh_walk_address(policy, address, net4_start, 4);
	if (bh_hidden_ipv4(address->bytes, ipv4.bytes) == BH_HIDDEN_MAPPED)
		return bh_walk_address(policy, &ipv4, net4_start, 4);
	return bh_walk_address(policy, address, net6_start, 16);
}

/*
 * May `tool` send to this address? The floor comes first, whatever the policy says; then what the policy forbids to all.
 */
static BH_INLINE struct bh_answer bh_decide_net(const struct bh_policy *policy, const struct bh_floor_net *floor,
						__u32 tool, const struct bh_net_question *question)
{
	struct bh_answer answer = {};
	__u32 accept;

	if (question->family != 4 && question->family != 6) {
		answer.reason = BH_REASON_N7;
		return answer;
	}
	if (bh_floor_blocks(floor, question->family, &question->address, question->port)) {
		answer.reason = BH_REASON_N0;
		return answer;
	}
	accept = bh_address_accept(policy, question->family, &question->address, policy->head.net4_start,
				   policy->head.net6_start);
	answer.rule = policy->nets[accept & (BH_NET_ROWS_MAX - 1)].never_rule;
	if (answer.rule)
		answer.reason = BH_REASON_N10;
	else if (!bh_net_listed(policy, tool, accept, question->port, question->protocol))
		answer.reason = BH_REASON_N2;
	return answer;
}

/*
 * A host name lies back to front, in small letters and without a dot at its end, so that names that end alike begin alike.
 * Accept id of one.
 */
BH_ONCE __u32 bh_name_accept(const struct bh_policy *policy, const struct bh_path_bytes *name, __u32 length)
{
	if (!policy || !name || length > BH_NAME_MAX)
		return 0;
	return bh_state_accept(policy, bh_walk_path(policy, name, policy->head.names_start, 0, length));
}

static BH_INLINE const struct bh_net_row *bh_name_row(const struct bh_policy *policy, const struct bh_path_bytes *name,
						      __u32 length)
{
	return &policy->nets[bh_name_accept(policy, name, length) & (BH_NET_ROWS_MAX - 1)];
}

/* May `tool` talk to the host of this name? */
static BH_INLINE struct bh_answer bh_decide_host(const struct bh_policy *policy, __u32 tool,
						 const struct bh_path_question *name, __u32 port, __u32 protocol)
{
	struct bh_answer answer = {};
	__u32 accept = bh_name_accept(policy, name->path, name->length);

	if (policy->nets[accept & (BH_NET_ROWS_MAX - 1)].floor)
		answer.reason = BH_REASON_N0;
	else if (!bh_net_listed(policy, tool, accept, port, protocol))
		answer.reason = BH_REASON_N2;
	return answer;
}

/* May `tool` ask a resolver for this name? */
static BH_INLINE struct bh_answer bh_decide_dns(const struct bh_policy *policy, __u32 tool,
						const struct bh_path_question *name)
{
	struct bh_answer answer = {};
	const struct bh_net_row *row = bh_name_row(policy, name->path, name->length);

	if (row->floor)
		answer.reason = BH_REASON_N0;
	else if (!bh_tool_known(policy, tool) || !name->length || name->length > BH_NAME_MAX ||
		 (policy->head.dns != BH_NAMES_ANY &&
		  (policy->head.dns != BH_NAMES_LISTED || !row->range_count[bh_tool_slot(tool)])))
		answer.reason = BH_REASON_N3;
	return answer;
}

/* May a resolver's answer for this name be this address? It then counts as the name's. */
static BH_INLINE struct bh_answer bh_decide_resolved(const struct bh_policy *policy, const struct bh_floor_net *floor,
						     __u32 tool, const struct bh_path_question *name,
						     const struct bh_net_question *net)
{
	struct bh_answer answer = {};
	const struct bh_net_row *row = bh_name_row(policy, name->path, name->length);
	const struct bh_resolved *resolved =
		&policy->resolved[row->resolved[bh_tool_slot(tool)] & (BH_RESOLVED_MAX - 1)];

	if (net->family != 4 && net->family != 6)
		answer.reason = BH_REASON_N7;
	else if (row->floor || bh_floor_blocks(floor, net->family, &net->address, 0))
		answer.reason = BH_REASON_N0;
	else if (!bh_is_global(net->family, &net->address) &&
		 !bh_address_accept(policy, net->family, &net->address, resolved->net4_start, resolved->net6_start))
		answer.reason = BH_REASON_N1;
	return answer;
}

/* May `tool` wait for connections or datagrams on this port? */
static BH_INLINE struct bh_answer bh_decide_listen(const struct bh_policy *policy, __u32 tool, __u32 port,
						   __u32 protocol)
{
	struct bh_answer answer = {};

	if (!bh_net_listed(policy, tool, policy->head.listen_row, port, protocol))
		answer.reason = BH_REASON_N8;
	return answer;
}

/* May `tool` connect to a socket with these rights, or wait behind it? */
static BH_INLINE struct bh_answer bh_answer_unix(const struct bh_accept *accept, __u32 tool, int listen)
{
	struct bh_answer answer = {};
	__u32 bit = bh_tool_bit(tool);

	if (accept->floor & (BH_FLOOR_READ | BH_FLOOR_WRITE)) {
		answer.reason = BH_REASON_U0;
	} else if (accept->never_write & bit) {
		answer.reason = BH_REASON_U1;
		answer.rule = accept->never_write_rule;
	} else if (accept->never_read & bit) {
		answer.reason = BH_REASON_U1;
		answer.rule = accept->never_read_rule;
	} else if (!((listen ? accept->unix_listen : accept->unix_connect) & bit)) {
		answer.reason = BH_REASON_U2;
	}
	return answer;
}

/* May `tool` connect to the socket of this path, or make it and wait behind it? */
static BH_INLINE struct bh_answer bh_decide_unix(const struct bh_policy *policy, __u32 tool, int listen,
						 const struct bh_path_question *path)
{
	return bh_answer_unix(bh_path_accept(policy, path), tool, listen);
}

BH_ONCE __u32 bh_abstract_accept(const struct bh_policy *policy, const struct bh_path_bytes *name, __u32 length)
{
	if (!policy || !name)
		return 0;
	return bh_state_accept(policy, bh_walk_path(policy, name, policy->head.abstract_start, 0, length));
}

/* May `tool` use the abstract socket name, on either side? name: without its leading NUL. */
static BH_INLINE struct bh_answer bh_decide_abstract(const struct bh_policy *policy, __u32 tool,
						     const struct bh_path_question *name)
{
	return bh_answer_unix(bh_accept_at(policy, bh_abstract_accept(policy, name->path, name->length)), tool, 0);
}

#endif
