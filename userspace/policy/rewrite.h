/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small changes to a YAML text that leave everything else as its author wrote it: comments, order, quotes, line ends. Knows
 * the syntax, nothing of what the words mean.
 */
#ifndef BH_POLICY_REWRITE_H
#define BH_POLICY_REWRITE_H

#include "base/buf.h"
#include "base/err.h"
#include "policy/node.h"

enum bh_rewrite_kind {
	BH_REWRITE_ADD_ITEM = 1, /* at the end of a list, which is made if need be */
	BH_REWRITE_REMOVE_ITEM, /* every item that is the wanted one; a comment behind it in its line goes with it */
	BH_REWRITE_ADD_KEY, /* at the end of a mapping, which is made if need be */
	BH_REWRITE_REMOVE_KEY, /* with its value */
};

struct bh_rewrite {
	enum bh_rewrite_kind kind;
	const char *place; /* of the list or mapping: "spec.tools.git.args[0].first" */
	const char *key; /* of a key: its name */
	const char *yaml; /* of what is added: the item or value, in one line */
	bool (*is_wanted)(const struct bh_node *item, const void *wanted); /* of an item to remove */
	const void *wanted;
};

/*
 * Writes the changed text (which is NUL-terminated, like `text`) into *ret_text (zeroed to begin). Whoever calls this reads the result again and compares what it
 * means: where a text is spelled in a way that this does not know, it refuses.
 * Returns 0; -ENOENT with err when there is nothing to remove; -EINVAL with err; -ENOMEM with err.
 */
int bh_rewrite(const char *text, size_t length, const struct bh_rewrite *change, struct bh_buf *ret_text,
	       struct bh_err *err);

/* Adds a word of printable ASCII as YAML reads it back: bare where nothing can be misread, else in double quotes. */
void bh_rewrite_word(struct bh_buf *out, const char *word);

#endif
