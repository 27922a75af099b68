/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* IPv4 addresses that hide in IPv6 ones (policy.md 3.1): every form that some host, router or gateway turns back into IPv4. */
#ifndef BH_LIB_ADDRESS_H
#define BH_LIB_ADDRESS_H

#include "bpf/lib/walk.h"

#define BH_HIDDEN_MAPPED 1u /* ::ffff:a.b.c.d: the kernel itself connects by IPv4 */
#define BH_HIDDEN_OTHER 2u

static BH_INLINE __u32 bh_word(const __u8 *bytes)
{
	return (__u32)bytes[0] << 24 | (__u32)bytes[1] << 16 | (__u32)bytes[2] << 8 | bytes[3];
}

static BH_INLINE __u32 bh_ipv4_put(__u32 word, __u32 form, __u8 ipv4[4])
{
	ipv4[0] = word >> 24;
	ipv4[1] = word >> 16;
	ipv4[2] = word >> 8;
	ipv4[3] = word;
	return form;
}

/* Finds the IPv4 address inside a 16-byte IPv6 address. Returns BH_HIDDEN_* and fills ipv4, or 0. Prefixes: RFC 4291, 6052, 8215, 2765, 3056, 4380, 5214. */
static BH_INLINE __u32 bh_hidden_ipv4(const __u8 address[16], __u8 ipv4[4])
{
	__u32 a = bh_word(address), b = bh_word(address + 4), c = bh_word(address + 8), d = bh_word(address + 12);

	if (a == 0 && b == 0 && c == 0x0000ffff)
		return bh_ipv4_put(d, BH_HIDDEN_MAPPED, ipv4);
	if (a == 0 && b == 0 && c == 0 && d > 1) /* ::a.b.c.d, but not :: and ::1 */
		return bh_ipv4_put(d, BH_HIDDEN_OTHER, ipv4);
	if (a == 0 && b == 0 && c == 0xffff0000) /* SIIT ::ffff:0:a.b.c.d */
		return bh_ipv4_put(d, BH_HIDDEN_OTHER, ipv4);
	if (a == 0x0064ff9b && b == 0 && c == 0) /* NAT64 well-known */
		return bh_ipv4_put(d, BH_HIDDEN_OTHER, ipv4);
	if (a == 0x0064ff9b && b >> 16 == 1) /* NAT64 local 64:ff9b:1::/48, as a /96 */
		return bh_ipv4_put(d, BH_HIDDEN_OTHER, ipv4);
	if (a >> 16 == 0x2002) /* 6to4 */
		return bh_ipv4_put(a << 16 | b >> 16, BH_HIDDEN_OTHER, ipv4);
	if (a == 0x20010000) /* Teredo: the client's address, inverted */
		return bh_ipv4_put(~d, BH_HIDDEN_OTHER, ipv4);
	if ((c & 0xfcffffff) == 0x00005efe) /* ISATAP, with or without the universal bits */
		return bh_ipv4_put(d, BH_HIDDEN_OTHER, ipv4);
	return 0;
}

/*
 * The other places where a translator for a prefix inside 64:ff9b:1::/48 may keep the IPv4 address (RFC 6052 section 2.2:
 * prefixes of 48, 56 and 64 bits, octet 8 left out). layout 0..2; 0 when the address is no such one.
 */
static BH_INLINE __u32 bh_hidden_nat64(const __u8 address[16], __u32 layout, __u8 ipv4[4])
{
	__u32 a = bh_word(address), b = bh_word(address + 4), c = bh_word(address + 8), d = bh_word(address + 12);

	if (a != 0x0064ff9b || b >> 16 != 1)
		return 0;
	if (layout == 0)
		return bh_ipv4_put((b & 0xffff) << 16 | (c >> 8 & 0xffff), BH_HIDDEN_OTHER, ipv4);
	if (layout == 1)
		return bh_ipv4_put((b & 0xff) << 24 | (c & 0xffffff), BH_HIDDEN_OTHER, ipv4);
	return bh_ipv4_put((c & 0xffffff) << 8 | d >> 24, BH_HIDDEN_OTHER, ipv4);
}

static BH_INLINE int bh_floor_hit(const struct bh_floor_net *floor, __u32 start, const struct bh_address *address,
				  __u32 length, __u32 port)
{
	__u32 accept = bh_walk_floor(floor, address, start, length);

	return accept == 1 || (accept >= 2 && floor->except_port[(accept - 2) & 15] != port);
}

/* Whether an address of family 4 or 6 is always blocked, in any form. port: host byte order. */
static BH_INLINE int bh_floor_blocks(const struct bh_floor_net *floor, __u32 family, const struct bh_address *address,
				     __u32 port)
{
	struct bh_address ipv4 = {};

	if (family == 4)
		return bh_floor_hit(floor, floor->net4_start, address, 4, port);
	if (bh_floor_hit(floor, floor->net6_start, address, 16, port))
		return 1;
	if (bh_hidden_ipv4(address->bytes, ipv4.bytes) && bh_floor_hit(floor, floor->net4_start, &ipv4, 4, port))
		return 1;
	for (__u32 layout = 0; layout < 3; layout++) {
		if (bh_hidden_nat64(address->bytes, layout, ipv4.bytes) &&
		    bh_floor_hit(floor, floor->net4_start, &ipv4, 4, port))
			return 1;
	}
	return 0;
}

/* First `bits` of an address' first word. */
static BH_INLINE int bh_word_begins(__u32 word, __u32 prefix, __u32 bits)
{
	return !((word ^ prefix) >> (32 - bits));
}

/* Can this be the address of somebody on the internet? Not private, shared, reserved, documentation's, multicast (RFC 6890). */
static BH_INLINE int bh_is_global_ipv4(__u32 word)
{
	return !(bh_word_begins(word, 0x00000000, 8) || bh_word_begins(word, 0x0a000000, 8) ||
		 bh_word_begins(word, 0x64400000, 10) || bh_word_begins(word, 0x7f000000, 8) ||
		 bh_word_begins(word, 0xa9fe0000, 16) || bh_word_begins(word, 0xac100000, 12) ||
		 bh_word_begins(word, 0xc0000000, 24) || bh_word_begins(word, 0xc0000200, 24) ||
		 bh_word_begins(word, 0xc0586300, 24) || bh_word_begins(word, 0xc0a80000, 16) ||
		 bh_word_begins(word, 0xc6120000, 15) || bh_word_begins(word, 0xc6336400, 24) ||
		 bh_word_begins(word, 0xcb007100, 24) || bh_word_begins(word, 0xe0000000, 3));
}

/*
 * Of IPv6 only 2000::/3 without what is the IETF's, documentation's, or hides an IPv4 address. An IPv4-mapped address is what
 * it is mapped from.
 */
static BH_INLINE int bh_is_global(__u32 family, const struct bh_address *address)
{
	__u32 word = bh_word(address->bytes);
	struct bh_address ipv4 = {};

	if (family == 4)
		return bh_is_global_ipv4(word);
	if (bh_hidden_ipv4(address->bytes, ipv4.bytes) == BH_HIDDEN_MAPPED)
		return bh_is_global_ipv4(bh_word(ipv4.bytes));
	return bh_word_begins(word, 0x20000000, 3) && !bh_word_begins(word, 0x20010000, 23) && word != 0x20010db8 &&
	       !bh_word_begins(word, 0x20020000, 16) && !bh_word_begins(word, 0x3fff0000, 20);
}

#endif
