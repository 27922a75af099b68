/* SPDX-License-Identifier: GPL-2.0-only */
/* One packet under judgement: whose it is, what is said about it, and the record of a refusal. */
#ifndef BH_LIB_PACKET_BPF_H
#define BH_LIB_PACKET_BPF_H

#include "bpf/lib/decide.h"
#include "bpf/lib/flow.bpf.h"
#include "bpf/lib/scratch.bpf.h"

#define BH_INET 2
#define BH_INET6 10

struct bh_packet_case {
	struct bh_packet packet;
	struct bh_socket *flow; /* NULL: the socket has no label */
	struct bh_sandbox *sandbox;
	struct bh_policy *policy; /* NULL: none in force */
	__u32 number; /* of the sandbox */
	int egress;
	int begins; /* opens a connection on a socket that waits for them */
};

/* The sandbox whose cgroup the socket was made in or under; 0: none. */
BH_ONCE __u32 bh_packet_cgroup(struct __sk_buff *skb)
{
	__u32 zero = 0, *number;
	struct bh_state *state = bpf_map_lookup_elem(&bh_state, &zero);

	for (int level = 0; state && level < (int)BH_DEPTH_MAX; level++) {
		__u64 id;

		if (!(state->levels >> level & 1))
			continue;
		id = bpf_skb_ancestor_cgroup_id(skb, level);
		number = bpf_map_lookup_elem(&bh_cgroups, &id);
		if (number)
			return *number;
	}
	return 0;
}

/* Fills sandbox and policy. 0: the socket is in no sandbox that is known, and the packet is counted. */
static BH_INLINE int bh_packet_subject(struct bh_packet_case *this, struct __sk_buff *skb)
{
	this->number = this->flow ? this->flow->sandbox : bh_packet_cgroup(skb);
	if (this->number)
		this->sandbox = bpf_map_lookup_elem(&bh_sandboxes, &this->number);
	if (!this->sandbox || (this->flow && this->flow->cgroup != (__u32)this->sandbox->cgroup_id)) {
		bh_count(BH_COUNT_STRAY_PACKET);
		return 0;
	}
	if (this->sandbox->flags & BH_SANDBOX_BOUND)
		this->policy = bh_policy_in(this->sandbox->policy);
	return 1;
}

/* Is it part of what somebody else has begun, on a port that the tool may listen on? */
static BH_INLINE int bh_packet_awaited(const struct bh_packet_case *this, const struct bh_net_question *peer)
{
	__u32 own_port = this->egress ? this->packet.from.port : this->packet.to.port;

	if (this->begins || bh_decide_listen(this->policy, this->flow->tool, own_port, peer->protocol).reason)
		return 0;
	if (peer->protocol == BH_PROTO_TCP)
		return this->flow->waits;
	return peer->protocol == BH_PROTO_UDP && bh_flow_sender(this->flow, peer, own_port, !this->egress);
}

static BH_INLINE struct bh_answer bh_packet_answer(const struct bh_packet_case *this, const struct bh_floor_net *floor,
						   const struct bh_net_question *peer)
{
	struct bh_answer answer = bh_peer_answer(this->policy, floor, this->flow ? this->flow->tool : 0, peer);

	if (answer.reason == BH_REASON_N0 || !this->policy)
		return answer;
	if (!this->flow)
		answer.reason = BH_REASON_N5;
	else if (answer.reason == BH_REASON_N2 && bh_packet_awaited(this, peer))
		answer.reason = 0;
	if (this->packet.odd || (peer->protocol == BH_PROTO_ICMP && this->packet.asks != this->egress))
		answer.reason = BH_REASON_N6;
	/* the other side learns that it is over; there was a connection, so it was allowed once */
	else if (this->flow && this->egress && this->packet.resets)
		answer.reason = 0;
	return answer;
}

/* Who sends, if that is the current task: packets also leave on behalf of one while another runs. */
BH_ONCE int bh_packet_who(struct bh_scratch *scratch, __u32 number)
{
	struct task_struct *task = (void *)bpf_get_current_task(), *parent;
	struct bh_label_head label = {};
	__u32 zero = 0;
	struct bh_state *state = bpf_map_lookup_elem(&bh_state, &zero);
	struct bh_event *event = &scratch->event;

	if (!scratch || !state || bh_label_walk(&label, state->cookie) != number)
		return 0;
	parent = BPF_CORE_READ(task, group_leader, real_parent);
	event->pid = BPF_CORE_READ(task, tgid);
	event->tid = BPF_CORE_READ(task, pid);
	event->uid = BPF_CORE_READ(task, cred, uid.val);
	event->ppid = BPF_CORE_READ(parent, tgid);
	event->start_ns = BPF_CORE_READ(task, group_leader, start_boottime);
	BPF_CORE_READ_STR_INTO(&event->comm, task, comm);
	return 1;
}

/* Has this refusal of this socket been told? Then, and when it has told too much already, it is only counted. */
BH_ONCE int bh_packet_told(struct bh_socket *flow, struct bh_sandbox *sandbox, const struct bh_net_question *peer)
{
	if (!flow || !sandbox || !peer)
		return 0;
	if (flow->tellings && bh_peer_same(flow->told, flow->told_port, peer))
		return 1;
	if (flow->tellings >= BH_FLOW_TELLINGS) {
		__sync_fetch_and_add(&sandbox->lost, 1);
		return 1;
	}
	flow->tellings++;
	__builtin_memcpy(flow->told, peer->address.bytes, sizeof(flow->told));
	flow->told_port = peer->port;
	return 0;
}

static BH_INLINE void bh_packet_send(struct bh_packet_case *this, struct bh_scratch *scratch,
				     const struct bh_answer *answer, __u32 verdict, __u32 wanted)
{
	struct bh_event *event = &scratch->event;
	void *ring;

	event->version = BH_EVENT_VERSION;
	event->verdict = verdict;
	event->wanted = wanted;
	event->reason = answer->reason;
	event->rule = answer->rule;
	event->sandbox = this->number;
	event->tool = this->flow ? this->flow->tool : 0;
	event->time_ns = bpf_ktime_get_boot_ns();
	event->length = BH_EVENT_FIXED;
	event->sequence = __sync_fetch_and_add(&this->sandbox->events, 1) + 1;
	if (this->egress)
		bh_packet_who(scratch, this->number);
	ring = bpf_map_lookup_elem(&bh_rings, &this->number);
	if (ring && !bpf_ringbuf_output(ring, event, BH_EVENT_FIXED, 0))
		return;
	bh_count(BH_COUNT_RING_FULL);
	__sync_fetch_and_add(&this->sandbox->lost, 1);
}

static BH_INLINE void bh_packet_record(struct bh_packet_case *this, struct __sk_buff *skb,
				       const struct bh_net_question *peer, const struct bh_answer *answer,
				       __u32 verdict, __u32 wanted)
{
	struct bh_scratch *scratch;

	if (bh_packet_told(this->flow, this->sandbox, peer))
		return;
	scratch = bh_scratch_claim();
	if (!scratch) {
		__sync_fetch_and_add(&this->sandbox->lost, 1);
		return;
	}
	__builtin_memset(&scratch->event, 0, BH_EVENT_FIXED);
	scratch->event.kind = BH_KIND_PACKET;
	scratch->event.family = peer->family == 4 ? BH_INET : peer->family == 6 ? BH_INET6 : 0;
	scratch->event.port = peer->port;
	scratch->event.protocol = peer->protocol;
	__builtin_memcpy(scratch->event.address, peer->address.bytes, sizeof(scratch->event.address));
	scratch->event.cgroup_id = bpf_skb_cgroup_id(skb);
	bh_packet_send(this, scratch, answer, verdict, wanted);
	bh_scratch_release(scratch);
}

/* Applies the answer and sends a record of a refusal. Returns 1 when the packet may pass. */
static BH_INLINE int bh_packet_close(struct bh_packet_case *this, struct __sk_buff *skb,
				     const struct bh_net_question *peer, struct bh_answer answer)
{
	__u32 verdict = BH_VERDICT_DENY, wanted = BH_VERDICT_DENY, tool = this->flow ? this->flow->tool : 0;
	const struct bh_policy *policy = this->policy;

	if (policy) {
		verdict = bh_verdict_of(&policy->head, tool, answer.reason, bh_mode_of(&policy->head, answer.reason));
		wanted = bh_verdict_of(&policy->head, tool, answer.reason, BH_MODE_ENFORCE);
	}
	if (answer.reason)
		bh_packet_record(this, skb, peer, &answer, verdict, wanted);
	if (verdict == BH_VERDICT_ALLOW)
		return 1;
	__sync_fetch_and_add(&this->sandbox->denied, 1);
	if (verdict == BH_VERDICT_KILL)
		__sync_fetch_and_or(&this->sandbox->flags, BH_SANDBOX_STOPPED);
	if (verdict == BH_VERDICT_FREEZE)
		__sync_fetch_and_or(&this->sandbox->flags, BH_SANDBOX_FROZEN);
	if (verdict == BH_VERDICT_KILL || verdict == BH_VERDICT_FREEZE)
		bh_epoch_end();
	return 0;
}

#endif
