/* SPDX-License-Identifier: GPL-2.0-only */
/* Networks and ports as a policy writes them. Pure functions; no name is ever resolved. */
#ifndef BH_POLICY_ADDRESS_H
#define BH_POLICY_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/model.h"

/* What is wrong with a network. code NULL: nothing. */
struct bh_address_fault {
	const char *code; /* static */
	const char *text; /* static; goes behind the quoted word */
	char hint[96]; /* empty: none */
};

/* Reads "ADDRESS/PREFIX" into *ret_cidr (its loc is left alone): E310, and E312 unless any_breadth. */
struct bh_address_fault bh_cidr_parse(const char *text, bool any_breadth, struct bh_cidr *ret_cidr);

/* Reads a single address, with the prefix of one, as bh_cidr_parse: E310. */
struct bh_address_fault bh_address_parse(const char *text, struct bh_cidr *ret_cidr);

/* Reads "443" or "8000-8010". Returns false when it is neither, out of 1..65535 or backwards. */
bool bh_port_range_parse(const char *text, struct bh_port_range *ret_range);

#define BH_CIDR_TEXT 56u
/* "10.1.0.0/16" */
void bh_cidr_text(const struct bh_cidr *cidr, char ret_text[BH_CIDR_TEXT]);

/* Does outer hold every address of inner? Never across families. */
bool bh_cidr_covers(const struct bh_cidr *outer, const struct bh_cidr *inner);

/* The IPv4 network that an IPv6 one is another spelling of (mapped, compatible, SIIT, NAT64); false when it is none. */
bool bh_cidr_hidden_ipv4(const struct bh_cidr *cidr, struct bh_cidr *ret_ipv4);

#endif
