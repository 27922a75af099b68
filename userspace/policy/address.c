/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define BROADEST_IPV4 8u
#define BROADEST_IPV6 32u

static struct bh_address_fault fault(const char *code, const char *text)
{
	struct bh_address_fault it = { .code = code, .text = text };

	return it;
}

static unsigned int family_bits(const struct bh_cidr *cidr)
{
	return cidr->family == 4 ? 32 : 128;
}

/* Decimal without sign or leading zero, at most `most`. */
static bool small_number(const char *text, size_t length, unsigned int most, unsigned int *ret_number)
{
	unsigned int number = 0;

	if (length == 0 || length > 5 || (text[0] == '0' && length > 1))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		number = number * 10 + (unsigned int)(text[i] - '0');
	}
	if (number > most)
		return false;
	*ret_number = number;
	return true;
}

/* Sets the bits beyond the prefix to zero; returns whether one was set. */
static bool clear_host_bits(struct bh_cidr *cidr)
{
	bool any = false;

	for (unsigned int bit = cidr->prefix; bit < family_bits(cidr); bit++) {
		uint8_t mask = (uint8_t)(0x80 >> bit % 8);

		any = any || (cidr->bytes[bit / 8] & mask);
		cidr->bytes[bit / 8] &= (uint8_t)~mask;
	}
	return any;
}

static void hint_network(struct bh_address_fault *it, const struct bh_cidr *cidr)
{
	char address[INET6_ADDRSTRLEN];

	inet_ntop(cidr->family == 4 ? AF_INET : AF_INET6, cidr->bytes, address, sizeof(address));
	snprintf(it->hint, sizeof(it->hint), "write %s/%u", address, cidr->prefix);
}

static bool parse_address(const char *text, size_t length, struct bh_cidr *cidr)
{
	char address[INET6_ADDRSTRLEN];

	if (length >= sizeof(address))
		return false;
	memcpy(address, text, length);
	address[length] = '\0';
	memset(cidr->bytes, 0, sizeof(cidr->bytes));
	if (inet_pton(AF_INET, address, cidr->bytes) == 1)
		cidr->family = 4;
	else if (inet_pton(AF_INET6, address, cidr->bytes) == 1)
		cidr->family = 6;
	else
		return false;
	return true;
}

struct bh_address_fault bh_cidr_parse(const char *text, bool any_breadth, struct bh_cidr *ret_cidr)
{
	struct bh_cidr cidr = { .loc = ret_cidr->loc }, ipv4;
	size_t length = strcspn(text, "/");
	struct bh_address_fault it = { 0 };
	unsigned int prefix;

	if (!parse_address(text, length, &cidr)) {
		it = fault("E310", "is not a network");
		snprintf(it.hint, sizeof(it.hint), "write it as 10.1.0.0/16 or 2001:db8::/48");
		return it;
	}
	cidr.prefix = (uint8_t)family_bits(&cidr);
	if (text[length] == '\0') {
		it = fault("E310", "has no prefix length");
		hint_network(&it, &cidr);
		return it;
	}
	if (!small_number(text + length + 1, strlen(text + length + 1), family_bits(&cidr), &prefix))
		return fault("E310", cidr.family == 4 ? "has a prefix length outside 0..32" :
							"has a prefix length outside 0..128");
	cidr.prefix = (uint8_t)prefix;
	if (clear_host_bits(&cidr)) {
		it = fault("E310", "has bits set beyond its prefix");
		hint_network(&it, &cidr);
		return it;
	}
	if (!any_breadth && prefix < (cidr.family == 4 ? BROADEST_IPV4 : BROADEST_IPV6))
		return fault("E312", cidr.family == 4 ? "is broader than /8" : "is broader than /32");
	/* The kernel judges such a connection by its IPv4 address, so the rule would never match. */
	if (!any_breadth && bh_cidr_hidden_ipv4(&cidr, &ipv4) && memcmp(cidr.bytes + 10, "\xff\xff", 2) == 0) {
		it = fault("E310", "is an IPv4 network in IPv6 spelling");
		hint_network(&it, &ipv4);
		return it;
	}
	*ret_cidr = cidr;
	return it;
}

struct bh_address_fault bh_address_parse(const char *text, struct bh_cidr *ret_cidr)
{
	struct bh_cidr cidr = { .loc = ret_cidr->loc }, ipv4;
	struct bh_address_fault it = { 0 };
	char address[INET6_ADDRSTRLEN];

	if (!parse_address(text, strlen(text), &cidr)) {
		it = fault("E310", "is not an address");
		snprintf(it.hint, sizeof(it.hint), "write it as 10.1.0.1 or 2001:db8::1");
		return it;
	}
	cidr.prefix = (uint8_t)family_bits(&cidr);
	if (bh_cidr_hidden_ipv4(&cidr, &ipv4)) {
		it = fault("E310", "is an IPv4 address in IPv6 spelling");
		inet_ntop(AF_INET, ipv4.bytes, address, sizeof(address));
		snprintf(it.hint, sizeof(it.hint), "write %s", address);
		return it;
	}
	*ret_cidr = cidr;
	return it;
}

bool bh_port_range_parse(const char *text, struct bh_port_range *ret_range)
{
	const char *dash = strchr(text, '-');
	size_t length = dash ? (size_t)(dash - text) : strlen(text);
	unsigned int low, high;

	if (!small_number(text, length, 65535, &low) || low == 0)
		return false;
	high = low;
	if (dash && (!small_number(dash + 1, strlen(dash + 1), 65535, &high) || high < low))
		return false;
	ret_range->low = (uint16_t)low;
	ret_range->high = (uint16_t)high;
	return true;
}

bool bh_cidr_covers(const struct bh_cidr *outer, const struct bh_cidr *inner)
{
	if (outer->family != inner->family || outer->prefix > inner->prefix)
		return false;
	for (unsigned int bit = 0; bit < outer->prefix; bit++)
		if ((outer->bytes[bit / 8] ^ inner->bytes[bit / 8]) & (0x80 >> bit % 8))
			return false;
	return true;
}

bool bh_cidr_hidden_ipv4(const struct bh_cidr *cidr, struct bh_cidr *ret_ipv4)
{
	static const uint8_t forms[][12] = {
		{ 0 }, /* ::/96 compatible */
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, /* ::ffff:0:0/96 mapped */
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0 }, /* ::ffff:0:0:0/96 SIIT */
		{ 0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0 }, /* 64:ff9b::/96 NAT64 */
	};

	if (cidr->family != 6 || cidr->prefix < 96)
		return false;
	for (size_t i = 0; i < BH_COUNT_OF(forms); i++) {
		if (memcmp(cidr->bytes, forms[i], sizeof(forms[i])) != 0)
			continue;
		*ret_ipv4 = (struct bh_cidr){ .family = 4, .prefix = (uint8_t)(cidr->prefix - 96), .loc = cidr->loc };
		memcpy(ret_ipv4->bytes, cidr->bytes + 12, 4);
		return true;
	}
	return false;
}

void bh_cidr_text(const struct bh_cidr *cidr, char ret_text[BH_CIDR_TEXT])
{
	size_t length;

	inet_ntop(cidr->family == 4 ? AF_INET : AF_INET6, cidr->bytes, ret_text, BH_CIDR_TEXT);
	length = strlen(ret_text);
	snprintf(ret_text + length, BH_CIDR_TEXT - length, "/%u", cidr->prefix);
}
