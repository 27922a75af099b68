/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The head of an IP packet: from whom, to whom, and whether it has a form that a socket of a sandbox would give it. */
#ifndef BH_LIB_HEADER_H
#define BH_LIB_HEADER_H

#include "bpf/lib/peer.h"

#define BH_HEADER_MAX 64u /* bytes that are looked at: an IPv6 header and a TCP header fit */
#define BH_PROTO_ICMP 1u
#define BH_PROTO_TCP 6u
#define BH_PROTO_UDP 17u
#define BH_PROTO_ICMP6 58u
#define BH_ECHO_REQUEST 8u
#define BH_ECHO_REPLY 0u
#define BH_ECHO6_REQUEST 128u
#define BH_ECHO6_REPLY 129u
#define BH_TCP_SYN 2u
#define BH_TCP_RST 4u
#define BH_TCP_ACK 16u

struct bh_header {
	__u8 bytes[BH_HEADER_MAX];
};

struct bh_packet {
	struct bh_net_question from, to; /* of ICMP: port 0, protocol ICMP also by IPv6 */
	__u32 payload; /* of UDP: where it begins */
	__u8 odd; /* options, a fragment, an extension header, a protocol that no rule can name, ICMP but for echo */
	__u8 opens; /* TCP: asks for a connection */
	__u8 resets; /* TCP: ends one, and carries nothing */
	__u8 asks; /* ICMP: an echo request; else a reply */
};

static BH_INLINE __u32 bh_two_bytes(const __u8 *bytes)
{
	return (__u32)bytes[0] << 8 | bytes[1];
}

/* What follows the IP header at `at`, which is 20 or 40. total: of the packet. */
static BH_INLINE void bh_packet_transport(const struct bh_header *header, __u32 at, __u32 length, __u32 total,
					  __u32 protocol, struct bh_packet *packet)
{
	const __u8 *bytes = header->bytes + at;
	__u32 flags, type;

	packet->from.protocol = packet->to.protocol = protocol;
	packet->payload = at + 8;
	packet->odd = length < at + 8;
	if (packet->odd)
		return;
	if (protocol == BH_PROTO_TCP || protocol == BH_PROTO_UDP) {
		packet->from.port = bh_two_bytes(bytes);
		packet->to.port = bh_two_bytes(bytes + 2);
	}
	if (protocol == BH_PROTO_TCP && length >= at + 20) {
		flags = bytes[13];
		packet->opens = (flags & (BH_TCP_SYN | BH_TCP_ACK)) == BH_TCP_SYN;
		packet->resets = flags & BH_TCP_RST && total == at + (bytes[12] >> 4) * 4u;
	} else if (protocol == BH_PROTO_ICMP || protocol == BH_PROTO_ICMP6) {
		type = bytes[0];
		packet->from.protocol = packet->to.protocol = BH_PROTO_ICMP;
		packet->asks = type == (at == 40 ? BH_ECHO6_REQUEST : BH_ECHO_REQUEST);
		packet->odd = (protocol == BH_PROTO_ICMP6) != (at == 40) ||
			      (!packet->asks && type != (at == 40 ? BH_ECHO6_REPLY : BH_ECHO_REPLY));
	} else if (protocol != BH_PROTO_UDP) {
		packet->odd = 1;
	}
}

/*
 * Reads the head of a packet of `total` bytes, of which `length` are in header, the others 0. Fills *packet, which must be
 * zero. Returns 0 when that is no IP packet at all: its families are 0 then. An odd packet has no ports.
 */
BH_ONCE int bh_packet_parse(const struct bh_header *header, __u32 length, __u32 total, struct bh_packet *packet)
{
	const __u8 *bytes;

	if (!header || !packet)
		return 0;
	bytes = header->bytes;
	if (bytes[0] >> 4 == 4 && length >= 20) {
		packet->from.family = packet->to.family = 4;
		__builtin_memcpy(packet->from.address.bytes, bytes + 12, 4);
		__builtin_memcpy(packet->to.address.bytes, bytes + 16, 4);
		packet->from.protocol = packet->to.protocol = bytes[9];
		packet->odd = 1;
		if ((bytes[0] & 15) == 5 && !(bh_two_bytes(bytes + 6) & 0x3fff))
			bh_packet_transport(header, 20, length, total, bytes[9], packet);
		return 1;
	}
	if (bytes[0] >> 4 == 6 && length >= 40) {
		packet->from.family = packet->to.family = 6;
		__builtin_memcpy(packet->from.address.bytes, bytes + 8, 16);
		__builtin_memcpy(packet->to.address.bytes, bytes + 24, 16);
		bh_packet_transport(header, 40, length, total, bytes[6], packet);
		return 1;
	}
	return 0;
}

#endif
