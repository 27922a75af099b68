/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets and whom they talk to. A socket carries the tool that made it, and the peer that it was last let talk to, so that an
 * established flow costs one look-up. The hooks on calls and the programs on packets ask the same function about a peer.
 */
#ifndef BH_LIB_FLOW_BPF_H
#define BH_LIB_FLOW_BPF_H

#include "bpf/lib/header.h"
#include "bpf/lib/subject.bpf.h"

/* Keeps the compiler from moving reads and writes across; on x86 the processor does not either. */
#ifdef __TARGET_ARCH_x86
#define BH_ORDERED(word) (*(volatile __u32 *)&(word))
#else
#define BH_ORDERED(word) ((__u32)__sync_fetch_and_add(&(word), 0))
#endif

/* Changes whenever what was let through has to be looked at again. Never 0. */
static BH_INLINE __u32 bh_epoch(void)
{
	__u32 zero = 0, *serial = bpf_map_lookup_elem(&bh_serial, &zero);

	return serial ? *(volatile __u32 *)serial + 1 ?: 1 : 0;
}

/* Of the policy: by the same text the same peers are allowed, so what was judged by it holds when it is published anew. */
static BH_INLINE __u32 bh_generation(const struct bh_policy *policy)
{
	return bh_word(policy->head.hash);
}

/* Whatever was let through is judged again: the sandbox may have been stopped. */
static BH_INLINE void bh_epoch_end(void)
{
	__u32 zero = 0, *serial = bpf_map_lookup_elem(&bh_serial, &zero);

	if (serial)
		__sync_fetch_and_add(serial, 1);
}

static BH_INLINE int bh_peer_same(const __u8 *address, __u32 port, const struct bh_net_question *peer)
{
	const __u32 *a = (const __u32 *)address, *b = (const __u32 *)peer->address.bytes;

	return !((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (port ^ peer->port));
}

/* Is this the peer that the flow was last let talk to, in the epoch, or by the policy of the generation if epoch is 0? */
BH_ONCE int bh_flow_has(struct bh_socket *flow, const struct bh_net_question *peer, __u32 epoch, __u32 generation)
{
	__u32 version;

	if (!flow || !peer)
		return 0;
	version = BH_ORDERED(flow->version);
	if (version & 1 || !flow->epoch || (epoch ? flow->epoch != epoch : flow->generation != generation))
		return 0;
	if (flow->family != peer->family || flow->protocol != peer->protocol ||
	    !bh_peer_same(flow->peer, flow->port, peer))
		return 0;
	return BH_ORDERED(flow->version) == version;
}

/* Remembers a peer that was allowed. Of two at once one is not remembered. */
BH_ONCE int bh_flow_note(struct bh_socket *flow, const struct bh_net_question *peer, __u32 epoch, __u32 generation)
{
	__u32 version;

	if (!flow || !peer)
		return 0;
	version = BH_ORDERED(flow->version) & ~1u;
	if (__sync_val_compare_and_swap(&flow->version, version, version + 1) != version)
		return 0;
	flow->epoch = epoch;
	flow->generation = generation;
	flow->family = peer->family;
	flow->protocol = peer->protocol;
	flow->port = peer->port;
	__builtin_memcpy(flow->peer, peer->address.bytes, sizeof(flow->peer));
	__sync_fetch_and_add(&flow->version, 1);
	return 1;
}

/*
 * A datagram socket that waits answers those who have sent to it, and nobody else. note: this peer has; else: has it? From the
 * port own_port.
 */
BH_ONCE int bh_flow_sender(const struct bh_socket *flow, const struct bh_net_question *peer, __u32 own_port, int note)
{
	struct bh_sender sender = {};
	__u32 one = 1;

	if (!flow || !peer)
		return 0;
	__builtin_memcpy(sender.address, peer->address.bytes, sizeof(sender.address));
	sender.sandbox = flow->sandbox;
	sender.port = peer->port;
	sender.own_port = own_port;
	sender.family = peer->family;
	sender.tool = flow->tool;
	if (!note)
		return bpf_map_lookup_elem(&bh_senders, &sender) != NULL;
	return !bpf_map_update_elem(&bh_senders, &sender, &one, BPF_ANY);
}

/* What bh_peer_answer says, checked by itself: the reason, and in the upper half the rule. */
BH_ONCE __u64 bh_peer_judge(const struct bh_policy *policy, const struct bh_floor_net *floor, __u32 tool,
			    const struct bh_net_question *peer)
{
	struct bh_answer answer;

	if (!floor || !peer)
		return BH_REASON_R0;
	if (!policy)
		return bh_floor_blocks(floor, peer->family, &peer->address, peer->port) ? BH_REASON_N0 : BH_REASON_R0;
	answer = bh_decide_net(policy, floor, tool, peer);
	return answer.reason | (__u64)answer.rule << 32;
}

/* May `tool` talk to this peer? Without a policy only the floor is asked. */
static BH_INLINE struct bh_answer bh_peer_answer(const struct bh_policy *policy, const struct bh_floor_net *floor,
						 __u32 tool, const struct bh_net_question *peer)
{
	__u64 judged = bh_peer_judge(policy, floor, tool, peer);
	struct bh_answer answer = { .reason = (__u16)judged, .rule = judged >> 32 };

	return answer;
}

#endif
