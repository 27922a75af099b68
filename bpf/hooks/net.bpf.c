// SPDX-License-Identifier: GPL-2.0-only
/* Sockets: which kinds may exist, and whom they may talk to. */
#include "bpf/lib/flow.bpf.h"
#include "bpf/lib/report.bpf.h"

#include <bpf/bpf_endian.h>

#define BH_AF_UNSPEC 0
#define BH_AF_UNIX 1
#define BH_AF_INET 2
#define BH_AF_INET6 10
#define BH_AF_NETLINK 16
#define BH_SOCK_STREAM 1
#define BH_SOCK_DGRAM 2
#define BH_IPPROTO_MPTCP 262
#define BH_NETLINK_ROUTE 0

#define BH_SOL_IP 0
#define BH_SOL_IPV6 41
#define BH_IP_OPTIONS 4
#define BH_IPV6_RTHDR 57
#define BH_IPV6_2292RTHDR 5
#define BH_IPV6_2292PKTOPTIONS 6

#define BH_NO_ADDRESS 0xffff /* nothing to judge: a disconnect, or a send to the peer that connect judged */

/* Fills the question from a socket address in kernel memory. Returns 0, BH_NO_ADDRESS or the reason to deny. */
static BH_INLINE __u32 bh_address_read(const struct sock *sk, const void *address, __u32 length, int sending,
				       struct bh_net_question *question)
{
	__u16 socket_family = sk->__sk_common.skc_family, family = 0, protocol = sk->sk_protocol, port = 0;

	if (length < sizeof(family) || bpf_probe_read_kernel(&family, sizeof(family), address))
		return BH_REASON_R1;
	if (family == BH_AF_UNSPEC) {
		if (!sending || socket_family == BH_AF_INET6)
			return BH_NO_ADDRESS;
		family = BH_AF_INET; /* sendto on an IPv4 socket takes it so */
	}
	if (family == BH_AF_INET) {
		question->family = 4;
		if (length < 8 || bpf_probe_read_kernel(question->address.bytes, 4, address + 4))
			return BH_REASON_N7;
	} else if (family == BH_AF_INET6) {
		question->family = 6;
		if (length < 24 || bpf_probe_read_kernel(question->address.bytes, 16, address + 8))
			return BH_REASON_N7;
	} else {
		return BH_REASON_N7;
	}
	if (bpf_probe_read_kernel(&port, sizeof(port), address + 2))
		return BH_REASON_R1;
	question->port = bpf_ntohs(port);
	question->protocol = protocol == BH_IPPROTO_MPTCP ? BH_PROTO_TCP : protocol;
	if (protocol == BH_PROTO_ICMP || protocol == BH_PROTO_ICMP6) { /* its ports are none */
		question->port = 0;
		question->protocol = BH_PROTO_ICMP;
	}
	return protocol > 255 && protocol != BH_IPPROTO_MPTCP ? BH_REASON_N6 : 0;
}

/* Was the socket made by another tool than asks, or by nobody in this sandbox? */
static BH_INLINE int bh_flow_foreign(const struct bh_socket *flow, const struct bh_subject *subject)
{
	return !flow || flow->sandbox != subject->number || flow->tool != subject->tool;
}

/* Does a datagram answer somebody who has sent to a port that the tool may wait on? */
static BH_INLINE int bh_flow_answers(const struct bh_case *this, const struct bh_socket *flow, const struct sock *sk,
				     const struct bh_net_question *peer)
{
	__u32 own_port = sk->__sk_common.skc_num;

	if (!flow || peer->protocol != BH_PROTO_UDP)
		return 0;
	return !bh_decide_listen(this->subject.policy, this->subject.tool, own_port, BH_PROTO_UDP).reason &&
	       bh_flow_sender(flow, peer, own_port, 0);
}

/* epoch: from before the policy was looked up; not 0: the answer holds for the packets that follow. */
static BH_INLINE int bh_judge_address(struct bh_case *this, struct sock *sk, const void *address, __u32 length,
				      int sending, __u32 epoch)
{
	struct bh_event *event = &this->scratch->event;
	struct bh_socket *flow = bpf_sk_storage_get(&bh_flows, sk, NULL, 0);
	struct bh_net_question question = {};
	struct bh_floor_net *floor;
	struct bh_answer answer;
	__u32 zero = 0, reason;

	reason = bh_address_read(sk, address, length, sending, &question);
	if (reason == BH_NO_ADDRESS) {
		bh_scratch_release(this->scratch);
		return 0;
	}
	event->family = question.family == 4 ? BH_AF_INET : question.family == 6 ? BH_AF_INET6 : 0;
	event->port = question.port;
	event->protocol = question.protocol;
	__builtin_memcpy(event->address, question.address.bytes, sizeof(event->address));
	floor = bpf_map_lookup_elem(&bh_floor, &zero);
	if (reason)
		return bh_case_close(this, bh_reason(reason));
	if (!this->subject.policy || !floor)
		return bh_case_close(this, bh_reason(BH_REASON_R0));
	answer = bh_peer_answer(this->subject.policy, floor, this->subject.tool, &question);
	if (answer.reason == BH_REASON_N2 && sending && bh_flow_answers(this, flow, sk, &question))
		answer.reason = 0;
	if (!answer.reason && bh_flow_foreign(flow, &this->subject))
		answer.reason = BH_REASON_S1;
	if (!answer.reason && flow && epoch) {
		flow->waits = 0;
		bh_flow_note(flow, &question, epoch, bh_generation(this->subject.policy));
	}
	return bh_case_close(this, answer);
}

SEC("lsm/socket_connect")
int BPF_PROG(bh_connect, struct socket *sock, struct sockaddr *address, int addrlen, int ret)
{
	struct bh_case this = {};
	struct sock *sk = sock->sk;
	__u32 epoch = bh_epoch();

	if (ret)
		return ret;
	if (!sk || sk->__sk_common.skc_family == BH_AF_UNIX) /* judged by its peer, in unix_stream_connect */
		return 0;
	switch (bh_case_open(&this, BH_KIND_CONNECT)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	if (sk->__sk_common.skc_family == BH_AF_NETLINK) { /* its kinds are judged when made; the kernel is the peer */
		bh_scratch_release(this.scratch);
		return 0;
	}
	return bh_judge_address(&this, sk, address, addrlen, 0, epoch);
}

/* A send to the peer that connect judged: is it the socket's own tool that sends? */
static BH_INLINE int bh_judge_owner(struct sock *sk, __u32 kind)
{
	struct bh_socket *flow = bpf_sk_storage_get(&bh_flows, sk, NULL, 0);
	struct bh_case this = {};

	if (!flow || !bh_subject_who(&this.subject) || !bh_flow_foreign(flow, &this.subject))
		return 0; /* made outside: what a session is given as its standard input and output */
	if (bh_case_begin(&this, kind) == BH_REFUSE)
		return -BH_EPERM;
	this.scratch->event.family = sk->__sk_common.skc_family;
	this.scratch->event.protocol = sk->sk_protocol;
	return bh_case_close(&this, bh_reason(BH_REASON_S1));
}

SEC("lsm/socket_sendmsg")
int BPF_PROG(bh_sendmsg, struct socket *sock, struct msghdr *message, int size, int ret)
{
	struct bh_case this = {};
	struct sock *sk = sock->sk;
	void *name = message->msg_name;
	__u32 family;

	if (ret)
		return ret;
	if (!sk)
		return 0;
	family = sk->__sk_common.skc_family;
	if (family != BH_AF_INET && family != BH_AF_INET6)
		return name && family != BH_AF_UNIX && family != BH_AF_NETLINK ?
			       bh_refuse(BH_KIND_SENDMSG, BH_REASON_N7) :
			       0;
	if (!name)
		return bh_judge_owner(sk, BH_KIND_SENDMSG);
	switch (bh_case_open(&this, BH_KIND_SENDMSG)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	return bh_judge_address(&this, sk, name, message->msg_namelen, 1, 0);
}

/* Kinds of socket that a rule can speak about; everything else, and whatever the kernel learns next, is denied. */
static BH_INLINE int bh_socket_known(int family, int type, int protocol)
{
	switch (family) {
	case BH_AF_UNIX:
		return 1;
	case BH_AF_INET:
	case BH_AF_INET6:
		if (type == BH_SOCK_STREAM)
			return protocol == 0 || protocol == BH_PROTO_TCP || protocol == BH_IPPROTO_MPTCP;
		if (type != BH_SOCK_DGRAM)
			return 0;
		return protocol == 0 || protocol == BH_PROTO_UDP ||
		       protocol == (family == BH_AF_INET ? BH_PROTO_ICMP : BH_PROTO_ICMP6); /* echo, and nothing else */
	case BH_AF_NETLINK:
		return protocol == BH_NETLINK_ROUTE;
	}
	return 0;
}

/* May the tool have sockets to other parts of the kernel than the one that tells routes? Their peer is the kernel itself. */
static BH_INLINE int bh_socket_allowed(const struct bh_subject *subject, int family)
{
	return family == BH_AF_NETLINK && subject->policy &&
	       !bh_decide_privilege(subject->policy, subject->tool, BH_PRIVILEGE_NETLINK).reason;
}

SEC("lsm/socket_create")
int BPF_PROG(bh_socket_create, int family, int type, int protocol, int kern, int ret)
{
	struct bh_case this = {};

	if (ret)
		return ret;
	if (kern || bh_socket_known(family, type & 0xf, protocol))
		return 0;
	switch (bh_case_open(&this, BH_KIND_SOCKET)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.scratch->event.family = family;
	this.scratch->event.protocol = protocol;
	return bh_case_close(&this, bh_reason(bh_socket_allowed(&this.subject, family) ? 0 : BH_REASON_N6));
}

/* The socket is the tool's that makes it, until it ends. Whoever accepts a connection from it gets one of the same tool. */
SEC("lsm/socket_post_create")
int BPF_PROG(bh_socket_made, struct socket *sock, int family, int type, int protocol, int kern, int ret)
{
	struct sock *sk = sock->sk;
	struct bh_subject subject = {};
	struct bh_socket *flow;

	if (ret)
		return ret;
	if (!sk || (family != BH_AF_INET && family != BH_AF_INET6) || !bh_subject_who(&subject))
		return 0;
	flow = bpf_sk_storage_get(&bh_flows, sk, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!flow) {
		bh_count(BH_COUNT_LABEL_FAULT);
		return -BH_EPERM;
	}
	flow->sandbox = subject.number;
	flow->cgroup = subject.sandbox ? (__u32)subject.sandbox->cgroup_id : 0;
	flow->tool = subject.tool;
	return 0;
}

static BH_INLINE int bh_refuse_socket(const struct sock *sk, __u32 kind, __u32 reason)
{
	struct bh_case this = {};

	switch (bh_case_open(&this, kind)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.scratch->event.family = sk->__sk_common.skc_family;
	this.scratch->event.protocol = sk->sk_protocol;
	return bh_case_close(&this, bh_reason(reason));
}

static BH_INLINE int bh_is_inet(const struct sock *sk)
{
	return sk->__sk_common.skc_family == BH_AF_INET || sk->__sk_common.skc_family == BH_AF_INET6;
}

/* May the asking tool wait on this port of its own socket? waits: connections are going to be taken from it. */
static BH_INLINE int bh_judge_port(struct sock *sk, __u32 port, int waits)
{
	struct bh_socket *flow = bpf_sk_storage_get(&bh_flows, sk, NULL, 0);
	__u32 protocol = sk->sk_protocol == BH_IPPROTO_MPTCP ? BH_PROTO_TCP : sk->sk_protocol;
	struct bh_case this = {};
	struct bh_answer answer;
	int result;

	switch (bh_case_open(&this, BH_KIND_BIND)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.scratch->event.family = sk->__sk_common.skc_family;
	this.scratch->event.protocol = protocol;
	this.scratch->event.port = port;
	if (!this.subject.policy)
		return bh_case_close(&this, bh_reason(BH_REASON_R0));
	answer = bh_decide_listen(this.subject.policy, this.subject.tool, port, protocol);
	if (bh_flow_foreign(flow, &this.subject))
		answer.reason = BH_REASON_S1;
	result = bh_case_close(&this, answer);
	if (!result && flow && waits)
		flow->waits = 1;
	return result;
}

/* A name in the file system is judged where it is made (path_mknod); one without, that any process could connect to, is not given. */
static BH_INLINE int bh_bind_unix(const struct sock *sk, const void *address, __u32 length)
{
	__u8 first = 0;

	if (length > 2 && (bpf_probe_read_kernel(&first, 1, address + 2) || first))
		return 0;
	return bh_refuse_socket(sk, BH_KIND_BIND, BH_REASON_N8);
}

/*
 * A port that others can send to. The kernel's own choice is nobody's to know: what is not asked for does not get in, and
 * listening on it is judged by itself.
 */
SEC("lsm/socket_bind")
int BPF_PROG(bh_bind, struct socket *sock, struct sockaddr *address, int addrlen, int ret)
{
	struct sock *sk = sock->sk;
	__u16 port = 0;

	if (ret)
		return ret;
	if (sk && sk->__sk_common.skc_family == BH_AF_UNIX)
		return bh_bind_unix(sk, address, addrlen);
	if (!sk || !bh_is_inet(sk))
		return 0;
	if (addrlen < 4 || bpf_probe_read_kernel(&port, sizeof(port), (void *)address + 2))
		return bh_refuse_socket(sk, BH_KIND_BIND, BH_REASON_R1);
	return port ? bh_judge_port(sk, bpf_ntohs(port), 0) : 0;
}

/* What a socket that was made in the sandbox receives, the programs on packets have let in for the tool that made it. */
SEC("lsm/socket_recvmsg")
int BPF_PROG(bh_recvmsg, struct socket *sock, struct msghdr *message, int size, int flags, int ret)
{
	struct sock *sk = sock->sk;

	if (ret)
		return ret;
	if (!sk || !bh_is_inet(sk))
		return 0;
	if (sock->type == BH_SOCK_DGRAM && !bpf_sk_storage_get(&bh_flows, sk, NULL, 0))
		return bh_refuse_socket(sk, BH_KIND_RECEIVE, BH_REASON_S1);
	return bh_judge_owner(sk, BH_KIND_RECEIVE);
}

SEC("lsm/socket_listen")
int BPF_PROG(bh_listen, struct socket *sock, int backlog, int ret)
{
	struct sock *sk = sock->sk;

	if (ret)
		return ret;
	return sk && bh_is_inet(sk) ? bh_judge_port(sk, sk->__sk_common.skc_num, 1) : 0;
}

/* Source routes and routing headers: the packet goes to another address than the one that was judged. */
SEC("lsm/socket_setsockopt")
int BPF_PROG(bh_setsockopt, struct socket *sock, int level, int option, int ret)
{
	struct sock *sk = sock->sk;

	if (ret)
		return ret;
	if (!sk || !((level == BH_SOL_IP && option == BH_IP_OPTIONS) ||
		     (level == BH_SOL_IPV6 &&
		      (option == BH_IPV6_RTHDR || option == BH_IPV6_2292RTHDR || option == BH_IPV6_2292PKTOPTIONS))))
		return 0;
	return bh_refuse_socket(sk, BH_KIND_SOCKET, BH_REASON_N9);
}

/* Whether a socket was made inside this sandbox: its cgroup is the sandbox's or lies under it. */
static BH_INLINE int bh_sock_inside(const struct sock *sk, const struct bh_sandbox *sandbox)
{
	struct cgroup *cgroup = BPF_CORE_READ(sk, sk_cgrp_data.cgroup), *ancestor = NULL;
	__u32 level = sandbox->level;

	if (!cgroup || (__u32)BPF_CORE_READ(cgroup, level) < level || level >= BH_DEPTH_MAX)
		return 0;
	if (bpf_core_read(&ancestor, sizeof(ancestor), &cgroup->ancestors[level]) || !ancestor)
		return 0;
	return BPF_CORE_READ(ancestor, kn, id) == sandbox->cgroup_id;
}

static BH_INLINE int bh_judge_unix(const struct sock *other)
{
	struct bh_case this = {};

	switch (bh_case_open(&this, BH_KIND_UNIX_CONNECT)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.scratch->event.family = BH_AF_UNIX;
	if (this.subject.sandbox && bh_sock_inside(other, this.subject.sandbox)) {
		bh_scratch_release(this.scratch);
		return 0;
	}
	return bh_case_close(&this, bh_reason(BH_REASON_U2));
}

SEC("lsm/unix_stream_connect")
int BPF_PROG(bh_unix_stream, struct sock *sock, struct sock *other, struct sock *newsk, int ret)
{
	return ret ? ret : bh_judge_unix(other);
}

SEC("lsm/unix_may_send")
int BPF_PROG(bh_unix_send, struct socket *sock, struct socket *other, int ret)
{
	struct sock *peer = other->sk;

	if (ret)
		return ret;
	return peer ? bh_judge_unix(peer) : 0; /* without a sock it receives nothing */
}
