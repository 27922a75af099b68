/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/overlap.h"

#include <string.h>

#include "policy/path.h"

/* `/` and two stars at the end: the stars, each of which may be any byte. */
static bool is_all(const char *pattern, size_t at)
{
	return at > 0 && strcmp(pattern + at - 1, "/**") == 0;
}

/* May the byte at this place of a pattern be one that the star of the other gives? */
static bool star_gives(bool all, char byte)
{
	return byte && byte != '*' && (all || byte != '/');
}

static bool bytes_meet(char a, char b)
{
	if (!a || !b || a == '*' || b == '*')
		return false;
	return a == b || (a == '?' && b != '/') || (b == '?' && a != '/');
}

/* Where one can get to from a place in both patterns; rows[0] is of this place in `a`, rows[1] of the next. */
static void step(const char *a, size_t i, const char *b, size_t k, bool *rows[2])
{
	bool a_all = is_all(a, i), b_all = is_all(b, k), a_star = a_all || a[i] == '*', b_star = b_all || b[k] == '*';

	if (bytes_meet(a[i], b[k]))
		rows[1][k + 1] = true;
	if (a_star) {
		rows[1][k] = true; /* it ends here */
		if (b_star || star_gives(a_all, b[k]))
			rows[0][k + 1] = true;
	}
	if (b_star) {
		rows[0][k + 1] = true;
		if (a_star || star_gives(b_all, a[i]))
			rows[1][k] = true;
	}
}

bool bh_patterns_meet(const char *a, const char *b)
{
	bool first[BH_PATTERN_MAX + 2] = { true }, second[BH_PATTERN_MAX + 2], *rows[2] = { first, second };
	size_t lengths[2] = { strlen(a), strlen(b) };

	if (lengths[0] > BH_PATTERN_MAX || lengths[1] > BH_PATTERN_MAX)
		return true; /* not provable */
	for (size_t i = 0; i < lengths[0]; i++) {
		bool *next = rows[1];

		memset(next, 0, sizeof(first));
		for (size_t k = 0; k <= lengths[1]; k++)
			if (rows[0][k])
				step(a, i, b, k, rows);
		rows[1] = rows[0];
		rows[0] = next;
	}
	for (size_t k = 0; k < lengths[1]; k++) /* what is left of b may be nothing */
		if (rows[0][k] && (b[k] == '*' || is_all(b, k)))
			rows[0][k + 1] = true;
	return rows[0][lengths[1]];
}

static bool values_meet(uint8_t field, const struct bh_select_term *a, const struct bh_select_term *b)
{
	if (field == BH_SELECT_CGROUP || field == BH_SELECT_UNIT)
		return bh_patterns_meet(a->value.text, b->value.text);
	return strcmp(a->value.text, b->value.text) == 0;
}

/* A label has one value: other keys say nothing about each other. */
static bool is_label(uint8_t field)
{
	return field == BH_SELECT_CONTAINER_LABEL || field == BH_SELECT_POD_LABEL;
}

/* Can the term of one clause hold together with the other clause's terms of the same field? */
static bool term_fits(const struct bh_select_term *term, const struct bh_select_clause *clause)
{
	bool asked = false;

	for (size_t i = 0; i < clause->count; i++) {
		const struct bh_select_term *other = &clause->terms[i];

		if (other->field != term->field ||
		    (is_label(term->field) && strcmp(other->label.text, term->label.text) != 0))
			continue;
		if (values_meet(term->field, term, other))
			return true;
		asked = true;
	}
	return !asked;
}

/* Several values of one field are alternatives: one that fits is enough. Of labels each must fit. */
static bool field_fits(uint8_t field, const struct bh_select_clause *a, const struct bh_select_clause *b)
{
	bool asked = false;

	for (size_t i = 0; i < a->count; i++) {
		if (a->terms[i].field != field)
			continue;
		asked = true;
		if (term_fits(&a->terms[i], b) != is_label(field))
			return !is_label(field);
	}
	return !asked || is_label(field);
}

static bool clauses_meet(const struct bh_select_clause *a, const struct bh_select_clause *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!field_fits(a->terms[i].field, a, b))
			return false;
	return true;
}

const struct bh_select_clause *bh_select_meets(const struct bh_select *a, const struct bh_select *b)
{
	if (!a->given || !b->given || a->priority != b->priority)
		return NULL;
	for (size_t i = 0; i < b->count; i++)
		for (size_t k = 0; k < a->count; k++)
			if (clauses_meet(&a->any[k], &b->any[i]))
				return &b->any[i];
	return NULL;
}
