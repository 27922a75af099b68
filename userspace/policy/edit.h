/* SPDX-License-Identifier: GPL-2.0-only */
/* One word more or less in a policy: in the model, in words, and in the text that its author wrote. */
#ifndef BH_POLICY_EDIT_H
#define BH_POLICY_EDIT_H

#include "base/buf.h"
#include "base/err.h"
#include "policy/model.h"

enum bh_edit_list {
	/* of a tool */
	BH_EDIT_BINARIES = 1,
	BH_EDIT_MAY_RUN,
	BH_EDIT_HELPERS,
	BH_EDIT_READ,
	BH_EDIT_WRITE,
	BH_EDIT_REACH,
	BH_EDIT_FIRST, /* and of one of its argument clauses */
	BH_EDIT_OPTIONS,
	/* of a destination */
	BH_EDIT_HOSTS,
	BH_EDIT_CIDRS,
	BH_EDIT_PORTS,
	/* of the policy */
	BH_EDIT_NEVER_READ,
	BH_EDIT_NEVER_WRITE,
	BH_EDIT_NEVER_RUN,
	BH_EDIT_NEVER_REACH,
	BH_EDIT_DESTINATIONS, /* a whole one: its name is the owner, its host or network the item */
	BH_EDIT_LISTS,
};

struct bh_edit {
	uint8_t list; /* enum bh_edit_list */
	bool add; /* else it is removed */
	const char *owner; /* the name of the tool or destination; NULL: the policy */
	size_t clause; /* of the tool's args */
	const char *item; /* as a policy spells it */
	uint16_t port; /* of a new destination */
	uint8_t protocol; /* the same: IPPROTO_* */
};

/* What was added has no place in the source: its words get lines from here on, so that findings tell them apart. */
#define BH_EDITED_LINE 0x40000000u

/*
 * Changes the model. number: of the edit among those of this policy, from 0.
 * Returns 0; -ENOENT when there is nothing to remove or the owner is not there; -EEXIST when it is there already; -EINVAL for
 * an item that is none; -ENOMEM. The model may be freed after any of them.
 */
int bh_edit_apply(struct bh_source_policy *policy, const struct bh_edit *edit, uint32_t number);

/* Adds "tools.bash.helpers -= /usr/bin/sed", the operator in this column when there is room. */
void bh_edit_describe(const struct bh_edit *edit, unsigned int column, struct bh_buf *out);

/*
 * Changes the text of a policy in place. The result is to be read again and compared with the edited model.
 * Returns 0 and fills a zeroed *ret_text, NUL-terminated; -ENOENT, -EINVAL or -ENOMEM with err.
 */
int bh_edit_text(const char *text, size_t length, const struct bh_edit *edit, struct bh_buf *ret_text,
		 struct bh_err *err);

#endif
