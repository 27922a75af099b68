/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What sockets carry: the network's part of bpf/abi.h, which includes this. */
#ifndef BH_FLOW_H
#define BH_FLOW_H

/*
 * What a socket carries from its making on: whose it is, and the peer that it was last let talk to. An accepted connection
 * begins with what the socket had that waited for it. Zero where it lies in no sandbox.
 */
struct bh_socket {
	__u32 sandbox; /* number */
	__u8 tool; /* that made it */
	__u8 waits; /* 1: it waits for connections, or is one that somebody else began */
	__u16 port; /* the peer's, host byte order */
	__u8 family, protocol;
	__u16 tellings; /* records of refused packets that it has sent */
	__u32 version; /* odd while the peer is being written */
	__u32 epoch; /* bh_serial when the peer was judged, or found to be judged by the policy in force; 0: there is no peer */
	__u32 generation; /* of the policy that judged the peer */
	__u8 peer[16];
	__u8 told[16]; /* the peer and port of the last refusal that was told */
	__u16 told_port;
	__u16 pad0;
	__u32 cgroup; /* the sandbox's, its id's lower half: numbers are given again */
};
#define BH_FLOW_TELLINGS 32u /* more are only counted */

/* Who may be answered by a socket that waits for datagrams: those who have sent to it. */
struct bh_sender {
	__u8 address[16];
	__u32 sandbox;
	__u16 port, own_port; /* theirs and ours, host byte order */
	__u8 family, tool;
	__u8 pad0[2];
	__u32 pad1;
};
#define BH_SENDERS_MAX 16384u

_Static_assert(sizeof(struct bh_socket) == 64, "abi");
_Static_assert(sizeof(struct bh_sender) == 32, "abi");

#endif
