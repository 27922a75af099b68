// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every packet of the sandbox's sockets, both ways: what calls did not show (sockets that another process made, sends without
 * an address, a policy that has changed) is judged here by the tool that made the socket, and by the same tables.
 */
#include "bpf/lib/packet.bpf.h"

#define BH_DROP 0
#define BH_PASS 1

static BH_INLINE struct bh_net_question *bh_packet_peer(struct bh_packet *packet, int egress)
{
	return egress ? &packet->to : &packet->from;
}

/* A packet whose peer is not the one that its socket was last let talk to. */
static BH_INLINE int bh_packet_judge(struct bh_packet_case *this, struct __sk_buff *skb)
{
	struct bh_net_question *peer = bh_packet_peer(&this->packet, this->egress);
	__u32 zero = 0, epoch = bh_epoch();
	struct bh_floor_net *floor = bpf_map_lookup_elem(&bh_floor, &zero);
	struct bh_answer answer = {};

	if (!bh_packet_subject(this, skb) || !floor)
		return BH_DROP;
	if (this->sandbox->flags & (BH_SANDBOX_STOPPED | BH_SANDBOX_FROZEN)) {
		__sync_fetch_and_add(&this->sandbox->denied, 1);
		return BH_DROP;
	}
	if (this->flow && this->policy && !this->begins &&
	    bh_flow_has(this->flow, peer, 0, bh_generation(this->policy))) {
		bh_flow_note(this->flow, peer, epoch, bh_generation(this->policy));
		return BH_PASS;
	}
	answer = bh_packet_answer(this, floor, peer);
	if (!answer.reason && this->flow && this->policy) {
		bh_flow_note(this->flow, peer, epoch, bh_generation(this->policy));
		return BH_PASS;
	}
	return bh_packet_close(this, skb, peer, answer) ? BH_PASS : BH_DROP;
}

static BH_INLINE int bh_packet(struct __sk_buff *skb, int egress)
{
	struct bh_packet_case this = { .egress = egress };
	struct bh_header header = {};
	__u32 length = skb->len;

	if (length > sizeof(header))
		length = sizeof(header);
	if (skb->sk)
		this.flow = bpf_sk_storage_get(&bh_flows, skb->sk, NULL, 0);
	BH_OPAQUE(length);
	length = ((length - 1) & (BH_HEADER_MAX - 1)) + 1; /* of 0 bytes nothing can be read */
	if (bpf_skb_load_bytes(skb, 0, &header, length))
		length = 0;
	if (!bh_packet_parse(&header, length, skb->len, &this.packet))
		this.packet.odd = 1;
	/* a socket that waits may be given new peers, but may not look for one itself */
	this.begins = egress && this.packet.opens && this.flow && this.flow->waits;
	if (this.flow && !this.begins && !this.packet.odd &&
	    bh_flow_has(this.flow, bh_packet_peer(&this.packet, egress), bh_epoch(), 0))
		return BH_PASS;
	return bh_packet_judge(&this, skb);
}

SEC("cgroup_skb/egress")
int bh_egress(struct __sk_buff *skb)
{
	return bh_packet(skb, 1);
}

SEC("cgroup_skb/ingress")
int bh_ingress(struct __sk_buff *skb)
{
	return bh_packet(skb, 0);
}
