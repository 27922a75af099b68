/* SPDX-License-Identifier: GPL-2.0-only */
/* Which sandboxes a policy is for. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <string.h>

#include "compile/names.h"

/* Where the terms of one field go. */
struct field {
	struct bh_select_clause *clause;
	uint8_t number;
	bool labels;
};

/* A label's key has no '=', its value may. */
static int read_term(struct restore *r, void *data)
{
	const struct field *field = data;
	struct bh_select_clause *clause = field->clause;
	struct bh_select_term *term;
	char text[BH_PATTERN_MAX + 1], *value = text;

	if (clause->count == BH_NAMES_LIMIT)
		return REFUSE(r, "its policy has a clause of more than %u terms", BH_NAMES_LIMIT);
	if (!TEXT(r, text))
		return bh_restore_not_canonical(r);
	if (GROW(r, clause->terms, clause->count))
		return -ENOMEM;
	term = &clause->terms[clause->count++];
	term->field = field->number;
	if (field->labels) {
		value = strchr(text, '=');
		if (!value)
			return REFUSE(r, "its policy: '%.200s' is no label", text);
		*value++ = '\0';
		if (bh_restore_word(r, &term->label, text))
			return -ENOMEM;
	}
	return bh_restore_word(r, &term->value, value);
}

static int read_field(struct restore *r, const char *key, void *data)
{
	struct field field = { data, (uint8_t)bh_name_number(bh_names_select, key), bh_select_has_label(key) };

	if (!field.number)
		return REFUSE(r, "its policy selects by '%.64s', which this program does not know", key);
	return bh_restore_list(r, read_term, &field);
}

static int read_clause(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = { { NULL, read_field, false } };
	struct bh_select *select = &r->policy->select;

	if (select->count == BH_NAMES_LIMIT)
		return REFUSE(r, "its policy is for more than %u kinds of sandboxes", BH_NAMES_LIMIT);
	if (GROW(r, select->any, select->count))
		return -ENOMEM;
	return OBJECT(r, keys, &select->any[select->count++]);
}

static int read_any(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, read_clause, NULL);
}

static int read_priority(struct restore *r, const char *key, void *data)
{
	return bh_scan_number(&r->scan, &r->policy->select.priority) ? 0 : bh_restore_not_canonical(r);
}

int bh_restore_select(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "any", read_any, true },
		{ "priority", read_priority, true },
	};

	r->policy->select.given = true;
	return OBJECT(r, keys, NULL);
}
