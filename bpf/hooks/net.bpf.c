// SPDX-License-Identifier: GPL-2.0-only
/* Sockets: which kinds may exist, and whom they may talk to. */
#include "bpf/lib/report.bpf.h"

#include <bpf/bpf_endian.h>

#define BH_AF_UNSPEC 0
#define BH_AF_UNIX 1
#define BH_AF_INET 2
#define BH_AF_INET6 10
#define BH_AF_NETLINK 16
#define BH_SOCK_STREAM 1
#define BH_SOCK_DGRAM 2
#define BH_IPPROTO_TCP 6
#define BH_IPPROTO_UDP 17
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
	question->protocol = protocol == BH_IPPROTO_MPTCP ? BH_IPPROTO_TCP : protocol;
	return protocol > 255 && protocol != BH_IPPROTO_MPTCP ? BH_REASON_N6 : 0;
}

static BH_INLINE int bh_judge_address(struct bh_case *this, const struct sock *sk, const void *address, __u32 length,
				      int sending)
{
	struct bh_event *event = &this->scratch->event;
	struct bh_net_question question = {};
	struct bh_floor_net *floor;
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
	return bh_case_close(this, bh_decide_net(this->subject.policy, floor, this->subject.tool, &question));
}

SEC("lsm/socket_connect")
int BPF_PROG(bh_connect, struct socket *sock, struct sockaddr *address, int addrlen, int ret)
{
	struct bh_case this = {};
	struct sock *sk = sock->sk;

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
	return bh_judge_address(&this, sk, address, addrlen, 0);
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
	if (!sk || !name)
		return 0;
	family = sk->__sk_common.skc_family;
	if (family == BH_AF_UNIX || family == BH_AF_NETLINK)
		return 0;
	switch (bh_case_open(&this, BH_KIND_SENDMSG)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	return bh_judge_address(&this, sk, name, message->msg_namelen, 1);
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
			return protocol == 0 || protocol == BH_IPPROTO_TCP || protocol == BH_IPPROTO_MPTCP;
		return type == BH_SOCK_DGRAM && (protocol == 0 || protocol == BH_IPPROTO_UDP);
	case BH_AF_NETLINK:
		return protocol == BH_NETLINK_ROUTE;
	}
	return 0;
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
	return bh_case_close(&this, bh_reason(BH_REASON_N6));
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

/* A name in the file system is judged where it is made (path_mknod); one without, that any process could connect to, is not given. */
static BH_INLINE int bh_bind_unix(const struct sock *sk, const void *address, __u32 length)
{
	__u8 first = 0;

	if (length > 2 && (bpf_probe_read_kernel(&first, 1, address + 2) || first))
		return 0;
	return bh_refuse_socket(sk, BH_KIND_BIND, BH_REASON_N8);
}

/* A port that others can send to. A stream may leave the choice to the kernel: listening on it is judged by itself. */
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
	if (sock->type == BH_SOCK_STREAM && addrlen >= 4 &&
	    !bpf_probe_read_kernel(&port, sizeof(port), (void *)address + 2) && !port)
		return 0;
	return bh_refuse_socket(sk, BH_KIND_BIND, BH_REASON_N8);
}

/*
 * A datagram socket can get a port without bind, by a send that fails. What it receives from whom it is not connected to
 * comes from anywhere; nobody may be connected to by UDP yet, so nothing may be received.
 */
SEC("lsm/socket_recvmsg")
int BPF_PROG(bh_recvmsg, struct socket *sock, struct msghdr *message, int size, int flags, int ret)
{
	struct sock *sk = sock->sk;

	if (ret)
		return ret;
	if (sock->type != BH_SOCK_DGRAM || !sk || !bh_is_inet(sk))
		return 0;
	return bh_refuse_socket(sk, BH_KIND_RECEIVE, BH_REASON_N8);
}

SEC("lsm/socket_listen")
int BPF_PROG(bh_listen, struct socket *sock, int backlog, int ret)
{
	struct sock *sk = sock->sk;

	if (ret)
		return ret;
	return sk && bh_is_inet(sk) ? bh_refuse_socket(sk, BH_KIND_BIND, BH_REASON_N8) : 0;
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
