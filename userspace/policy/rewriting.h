/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the rewriter share: the text, its tree, and the pieces to be put in and taken out. */
#ifndef BH_POLICY_REWRITING_H
#define BH_POLICY_REWRITING_H

#include "policy/rewrite.h"

#define BH_SPLICES_MAX 6u

/* In the old text: `remove` bytes from `at` on go, `insert` comes in their place. Places never overlap. */
struct bh_splice {
	size_t at, remove;
	struct bh_buf insert;
};

struct bh_rewriting {
	const char *text;
	size_t length;
	struct bh_document document; /* begin and end of its nodes in bytes */
	struct bh_splice splices[BH_SPLICES_MAX];
	size_t count;
	struct bh_err *err;
};

/* An item of a list, or a key with its value. */
struct bh_entry {
	const struct bh_node *first; /* the item or the key */
	size_t begin, end;
};

/* The entry that begins with this node of the container; first NULL when there is none. */
struct bh_entry bh_entry_at(const struct bh_node *container, const struct bh_node *first);
const struct bh_node *bh_entry_next(const struct bh_node *container, const struct bh_node *first);
struct bh_entry bh_entry_last(const struct bh_node *container);

/* Where the node's last word or bracket ends. */
size_t bh_node_end(const struct bh_node *node);

size_t bh_line_begin(const struct bh_rewriting *r, size_t at);
size_t bh_line_end(const struct bh_rewriting *r, size_t at); /* of the line end, or of the text */
bool bh_is_blank(const struct bh_rewriting *r, size_t from, size_t to); /* spaces and line ends only */

/* Notes a splice; its text may be added to until it is applied. NULL (and err) when there are too many. */
struct bh_buf *bh_splice(struct bh_rewriting *r, size_t at, size_t remove);

/* Says that the text is spelled in a way that is not changed here. Returns -EINVAL. */
int bh_rewriting_refuse(struct bh_rewriting *r, const char *why);

/* rewrite_flow.c, rewrite_block.c: put an entry at the end of a container, or take one away. 0; -EINVAL with err. */
int bh_flow_add(struct bh_rewriting *r, const struct bh_node *container, const char *entry);
int bh_flow_remove(struct bh_rewriting *r, const struct bh_node *container, const struct bh_node *first);
/* entry: of a mapping "key: value"; its line ends are followed by the right indentation. parent_key: of the container; may be NULL. */
int bh_block_add(struct bh_rewriting *r, const struct bh_node *container, const char *entry);
int bh_block_remove(struct bh_rewriting *r, const struct bh_node *container, const struct bh_node *parent_key,
		    const struct bh_node *first);

#endif
