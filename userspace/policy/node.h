/* SPDX-License-Identifier: GPL-2.0-only */
/* A strict YAML document as a tree of words with their places. Knows the syntax, nothing of what the words mean. */
#ifndef BH_POLICY_NODE_H
#define BH_POLICY_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

#define BH_DEPTH_LIMIT 12u /* mappings and lists inside each other */
#define BH_NODES_LIMIT 400000u /* words, lists and mappings: each takes about a hundred bytes */

enum bh_node_kind {
	BH_NODE_WORD = 1,
	BH_NODE_LIST,
	BH_NODE_MAP,
};

struct bh_node {
	enum bh_node_kind kind;
	struct bh_loc loc;
	bool empty; /* an absent value: `key:` and nothing after it */
	bool bad; /* a finding about it exists already; say nothing more */
	bool flow; /* a list in brackets, a mapping in braces */
	size_t begin,
		end; /* characters of the document before it, and up to its end; a container that is not flow has no end */
	struct bh_node *first, *last; /* children; of a mapping: key, value, key, value ... */
	struct bh_node *next; /* sibling */
	struct bh_node *older; /* made before this one: the chain that frees the tree */
	size_t count; /* children; of a mapping: pairs */
	size_t length;
	char text[]; /* of a word; NUL-terminated, without NUL inside */
};

struct bh_document {
	struct bh_node *root;
	struct bh_node *newest;
	unsigned int nodes; /* made so far */
	bool partial; /* something that was written is not in it: an error about that exists, and absence means nothing */
};

/* A node with a copy of the text, owned by the document, not yet anywhere in its tree. NULL: bh_node_none says why. */
struct bh_node *bh_node_new(struct bh_document *document, enum bh_node_kind kind, struct bh_loc loc, const char *text,
			    size_t length);

/* Why there was no node for what stands at loc: -ENOMEM, or -EINVAL after adding that the document has too many. */
int bh_node_none(const struct bh_document *document, struct bh_diags *diags, struct bh_loc loc);

/* Makes a node the last child: an item, a key, or the value of the key before it. */
void bh_node_append(struct bh_node *parent, struct bh_node *node);

/* All of a mapping is there: from now on it counts pairs. A key that is no word, or not the first of its name, is a finding. 0 or -ENOMEM. */
int bh_node_complete(struct bh_node *map, struct bh_diags *diags);

/*
 * Refuses bytes that could make a reader see something else than the parser: control characters, tabs, byte order and
 * bidirectional marks, Unicode line ends, broken UTF-8. Returns false after adding the findings to diags.
 */
bool bh_lexical_check(const char *text, size_t length, struct bh_diags *diags);

/*
 * Parses exactly one document. text must have passed bh_lexical_check. Findings go to diags; those that leave the tree
 * usable (duplicate keys, anchors, tags) do not stop it. Returns 0 and fills *ret_document (bh_document_done frees it);
 * -EINVAL when there is no usable tree; -ENOMEM.
 */
int bh_document_parse(const char *text, size_t length, struct bh_diags *diags, struct bh_document *ret_document);
void bh_document_done(struct bh_document *document);

#endif
