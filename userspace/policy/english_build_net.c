/* SPDX-License-Identifier: GPL-2.0-only */
/* Destinations, with or without a name of their own; ports to serve; who resolves names. */
#include <stdio.h>
#include <string.h>

#include "policy/english_build.h"

enum peers {
	HOSTS = 1,
	NETWORKS = 2,
};

/* A peer of a list: a host, a network, or "any subdomain of" a host. */
struct peer {
	struct bh_english_words words;
	const struct bh_english_word *word; /* the last */
	enum peers kind;
};

static bool next_peer(struct bh_english_words list, size_t *at, struct peer *ret_peer)
{
	const struct bh_english_word *first;

	if (!bh_english_next(list, at, &first))
		return false;
	ret_peer->words = (struct bh_english_words){ first, 1 };
	if (*at + 2 < list.count && bh_english_is(first, "any") && bh_english_is(first + 1, "subdomain") &&
	    bh_english_is(first + 2, "of")) {
		ret_peer->words.count = 4;
		*at += 3;
	}
	ret_peer->word = &first[ret_peer->words.count - 1];
	ret_peer->kind = strchr(ret_peer->word->text, '/') ? NETWORKS : HOSTS;
	return true;
}

/* The peers of a kind under their key. */
static void add_peers(struct bh_english_build *build, struct bh_node *destination, struct bh_english_words peers,
		      enum peers kind)
{
	struct bh_node *list;
	char text[300];
	struct peer peer;
	size_t at = 0;

	while (next_peer(peers, &at, &peer)) {
		struct bh_loc loc = bh_english_loc(peer.words);

		if (peer.kind != kind)
			continue;
		snprintf(text, sizeof(text), "%s%s", peer.words.count > 1 ? "*." : "", peer.word->text);
		list = bh_tree_open(build, destination, kind == NETWORKS ? "cidrs" : "names", BH_NODE_LIST, loc);
		bh_tree_item(build, list, BH_NODE_WORD, text, loc);
	}
}

static unsigned int kinds_of(struct bh_english_words peers)
{
	unsigned int kinds = 0;
	struct peer peer;
	size_t at = 0;

	while (next_peer(peers, &at, &peer))
		kinds |= peer.kind;
	return kinds;
}

static struct bh_node *begin_destination(struct bh_english_build *build, const char *name, struct bh_loc loc)
{
	struct bh_node *map = bh_tree_way(build, build->document->root, "spec.egress.destinations", BH_NODE_MAP, loc);

	return bh_tree_add(build, map, name, loc, BH_NODE_MAP, "", loc);
}

static void add_protocol(struct bh_english_build *build, struct bh_node *destination, const char *protocol)
{
	bh_tree_set(build, destination, "protocol", protocol, build->match->words.first->loc);
}

static void add_answers(struct bh_english_build *build, struct bh_node *destination, struct bh_english_words answers)
{
	if (answers.count > 0)
		bh_english_add_words(build,
				     bh_tree_open(build, destination, "resolves_to", BH_NODE_LIST, answers.first->loc),
				     answers);
}

/* What stands behind "on port(s)": slots from `slot` on. names: of hosts, or of whatever a person wrote. */
static void add_ports(struct bh_english_build *build, struct bh_node *destination, size_t slot, bool names)
{
	const struct bh_english_match *match = build->match;

	bh_english_add_words(build,
			     bh_tree_open(build, destination, "ports", BH_NODE_LIST, match->slots[slot].first->loc),
			     match->slots[slot]);
	if (match->choices[0])
		add_protocol(build, destination, "udp");
	if (match->choices[1] && names)
		bh_tree_set(build, destination, "sni", "true", match->words.first->loc);
	if (names)
		add_answers(build, destination, match->slots[slot + 1]);
}

/* A destination that only this sentence knows, reached by its tool. */
static struct bh_node *unnamed(struct bh_english_build *build, enum peers kind)
{
	struct bh_english_words peers = build->match->slots[0];
	struct bh_node *destination, *reach = bh_english_value(build, BH_NODE_LIST);
	char name[32];

	snprintf(name, sizeof(name), "destination-%u", ++build->destinations);
	bh_tree_item(build, reach, BH_NODE_WORD, name, peers.first->loc);
	destination = begin_destination(build, name, peers.first->loc);
	add_peers(build, destination, peers, kind);
	return destination;
}

/* Names and networks are two destinations; answers and TLS names belong to names, if there are any. */
void bh_english_build_reach(struct bh_english_build *build)
{
	unsigned int kinds = kinds_of(build->match->slots[0]);

	if (kinds & HOSTS)
		add_ports(build, unnamed(build, HOSTS), 1, true);
	if (kinds & NETWORKS)
		add_ports(build, unnamed(build, NETWORKS), 1, kinds == NETWORKS);
}

void bh_english_build_ping(struct bh_english_build *build)
{
	unsigned int kinds = kinds_of(build->match->slots[0]);

	for (unsigned int kind = HOSTS; kind <= NETWORKS; kind++) {
		struct bh_node *destination;

		if (!(kinds & kind))
			continue;
		destination = unnamed(build, kind);
		add_protocol(build, destination, "icmp-echo");
		if (kind == HOSTS || kinds == NETWORKS)
			add_answers(build, destination, build->match->slots[1]);
	}
}

static struct bh_node *named(struct bh_english_build *build)
{
	const struct bh_english_word *name = build->match->slots[0].first;
	struct bh_node *destination = begin_destination(build, name->text, name->loc);

	add_peers(build, destination, build->match->slots[1], HOSTS);
	add_peers(build, destination, build->match->slots[1], NETWORKS);
	return destination;
}

void bh_english_build_destination(struct bh_english_build *build)
{
	add_ports(build, named(build), 2, true);
}

void bh_english_build_destination_ping(struct bh_english_build *build)
{
	struct bh_node *destination = named(build);

	add_protocol(build, destination, "icmp-echo");
	add_answers(build, destination, build->match->slots[2]);
}

void bh_english_build_listen(struct bh_english_build *build)
{
	struct bh_node *list = bh_english_value(build, BH_NODE_LIST), *item;
	const struct bh_english_word *port;
	size_t at = 0;

	while (bh_english_next(build->match->slots[0], &at, &port)) {
		item = bh_tree_item(build, list, BH_NODE_MAP, "", port->loc);
		bh_english_set_word(build, item, "port", port);
		if (build->match->choices[0])
			bh_tree_set(build, item, "protocol", "udp", port->loc);
	}
}

void bh_english_build_dns(struct bh_english_build *build)
{
	const struct bh_english_match *match = build->match;
	struct bh_node *dns, *resolvers;

	bh_english_build_fixed(build);
	dns = bh_tree_way(build, build->document->root, "spec.egress.dns", BH_NODE_MAP, match->words.first->loc);
	resolvers = bh_tree_open(build, dns, "resolvers", BH_NODE_LIST, match->slots[0].first->loc);
	bh_english_add_words(build, resolvers, match->slots[0]);
	if (match->slots[1].count > 0)
		bh_english_set_word(build, dns, "reason", match->slots[1].first);
}
