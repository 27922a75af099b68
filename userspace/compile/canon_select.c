/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which sandboxes a policy is for: clauses, of which one must match. A clause is an object with a set of texts for each
 * field, "kubernetes.namespaces" for the key in its group; a label is "key=value".
 */
#include "compile/canon_parts.h"

#include <errno.h>

#include "base/buf.h"
#include "compile/names.h"

static json_t *term_of(const struct bh_select_term *term)
{
	struct bh_buf text = { 0 };
	json_t *string = NULL;

	if (term->label.text)
		bh_buf_print(&text, "%s=", term->label.text);
	bh_buf_print(&text, "%s", term->value.text);
	if (!text.error)
		string = json_string((const char *)text.bytes);
	bh_buf_done(&text);
	return string;
}

static json_t *field_of(const struct bh_select_clause *clause, unsigned int field)
{
	json_t *array = json_array();
	int result = 0;

	for (size_t i = 0; i < clause->count && !result; i++)
		if (clause->terms[i].field == field)
			result = bh_canon_append(array, term_of(&clause->terms[i]));
	return bh_canon_sorted(bh_canon_finish(array, result));
}

static json_t *clause_of(const struct bh_select_clause *clause)
{
	json_t *object = json_object();
	int result = 0;

	for (const struct bh_name *field = bh_names_select; field->text && !result; field++) {
		json_t *terms = field_of(clause, field->number);

		if (!terms || json_array_size(terms))
			result = bh_canon_put(object, field->text, terms);
		else
			json_decref(terms);
	}
	return bh_canon_finish(object, result);
}

json_t *bh_canon_select(const struct bh_select *select)
{
	json_t *any = json_array();
	int result = 0;

	for (size_t i = 0; i < select->count && !result; i++)
		result = bh_canon_append(any, clause_of(&select->any[i]));
	return json_pack("{s:o, s:I}", "any", bh_canon_sorted(bh_canon_finish(any, result)), "priority",
			 (json_int_t)select->priority);
}
