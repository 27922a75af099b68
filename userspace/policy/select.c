/* SPDX-License-Identifier: GPL-2.0-only */
/* Which sandboxes a policy is for. What a key takes stands in rules/select.def. */
#include <string.h>

#include "policy/fields.h"
#include "policy/path.h"
#include "policy/quantity.h"

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

#define MOST_PRIORITY 1000u

/* What a value may be made of. */
struct form {
	const char *bytes;
	size_t least, most;
	const char *text; /* of it, for the hint */
};

static const struct form forms[] = {
	[BH_SELECT_NAME] = { LETTERS DIGITS "-_", 1, 63, "as given to bulkhead run: letters, digits, '-' and '_'" },
	[BH_SELECT_CGROUP] = { NULL, 1, BH_PATTERN_MAX,
			       "the path below the root of the cgroups, as in /a.slice/b-*.scope" },
	[BH_SELECT_UNIT] = { LETTERS DIGITS ":-_.\\@*", 1, 255, "as in agent@*.service" },
	[BH_SELECT_CONTAINER_LABEL] = { NULL, 0, 256, "any text" },
	[BH_SELECT_IMAGE] = { LETTERS DIGITS "-_./:@", 1, 512, "as in ghcr.io/acme/coder" },
	[BH_SELECT_DIGEST] = { NULL, 71, 71, "'sha256:' and 64 hexadecimal digits in lower case" },
	[BH_SELECT_RUNTIME_CLASS] = { LOWER DIGITS "-.", 1, 253, "lower-case letters, digits, '-' and '.'" },
	[BH_SELECT_NAMESPACE] = { LOWER DIGITS "-", 1, 63, "lower-case letters, digits and '-'" },
	[BH_SELECT_POD_LABEL] = { LETTERS DIGITS "-_.", 0, 63, "letters, digits, '-', '_' and '.'" },
	[BH_SELECT_POD_CONTAINER] = { LOWER DIGITS "-", 1, 63, "lower-case letters, digits and '-'" },
	[BH_SELECT_SERVICE_ACCOUNT] = { LOWER DIGITS "-.", 1, 253, "lower-case letters, digits, '-' and '.'" },
};

static const struct form label_form = { LETTERS DIGITS "-_./", 1, 317, "letters, digits, '-', '_', '.' and '/'" };

static bool has_form(const char *text, const struct form *form)
{
	size_t length = strlen(text);

	return length >= form->least && length <= form->most && (!form->bytes || strspn(text, form->bytes) == length) &&
	       !strpbrk(text, "\n\r\t");
}

static bool value_check(struct bh_reader *reader, const struct bh_node *node, const struct form *form, const char *what)
{
	if (has_form(node->text, form))
		return true;
	bh_refuse(reader, "E161", node, form->text, "'%.120s' is not %s", node->text, what);
	return false;
}

/* A cgroup's path is a path, but '**' stands only at its end; one that begins with a wildcard would take the machine. */
static bool cgroup_check(struct bh_reader *reader, const struct bh_node *node)
{
	struct bh_path_fault fault = bh_path_form(node->text);
	const char *stars = strstr(node->text, "**");

	if (fault.code) {
		bh_refuse(reader, "E161", node, fault.hint, "'%.200s' %s", node->text, fault.text);
		return false;
	}
	if (stars && stars[2]) {
		bh_refuse(reader, "E161", node, "write '*' for one component", "'%.200s' has '**' before its end",
			  node->text);
		return false;
	}
	if (strchr(node->text, '?')) {
		bh_refuse(reader, "E161", node, "only '*' stands for other bytes", "'%.200s' has a '?'", node->text);
		return false;
	}
	if (node->text[1] == '*') {
		bh_refuse(reader, "E161", node, "name the slice that is meant", "'%.200s' would take the whole machine",
			  node->text);
		return false;
	}
	return true;
}

static bool is_digest(const char *text)
{
	return strncmp(text, "sha256:", 7) == 0 && strspn(text + 7, DIGITS "abcdef") == strlen(text + 7);
}

static bool term_check(struct bh_reader *reader, const struct bh_node *node, unsigned int number)
{
	static const char *const what[] = {
#define BH_SELECT(number, id, group, key, kind, english) [number] = key,
#include "../../rules/select.def"
#undef BH_SELECT
	};
	char text[64];

	if (number == BH_SELECT_CGROUP)
		return cgroup_check(reader, node);
	snprintf(text, sizeof(text), "a value for '%s'", what[number]);
	if (!value_check(reader, node, &forms[number], text))
		return false;
	if (number != BH_SELECT_DIGEST || is_digest(node->text))
		return true;
	bh_refuse(reader, "E161", node, forms[number].text, "'%.120s' is not %s", node->text, text);
	return false;
}

/* The clause has room for every word in it. */
static void take_term(struct bh_reader *reader, struct bh_select_clause *clause, unsigned int number,
		      const struct bh_node *label, const struct bh_node *value)
{
	struct bh_select_term *term = &clause->terms[clause->count];

	if (!clause->terms || !term_check(reader, value, number))
		return;
	if (label && (!value_check(reader, label, &label_form, "the key of a label") ||
		      !bh_word_take(reader, label, &term->label)))
		return;
	term->field = (uint8_t)number;
	clause->count++;
	bh_word_take(reader, value, &term->value);
}

void bh_read_select_word(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	take_term(reader, field, at->number, NULL, at->value);
}

static void refuse_empty(struct bh_reader *reader, const struct bh_at *at)
{
	char label[BH_LABEL_MAX];

	if (at->value->count == 0)
		bh_refuse(reader, "E113", at->value, "leave it out if it does not matter", "'%s' is empty",
			  bh_label_join(label, sizeof(label), at->label, at->key->text));
}

void bh_read_select_list(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	refuse_empty(reader, at);
	if (!bh_few_enough(reader, at, BH_NAMES_LIMIT))
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (bh_item_is_word(reader, at, item))
			take_term(reader, field, at->number, NULL, item);
}

void bh_read_select_labels(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	char label[BH_LABEL_MAX];

	refuse_empty(reader, at);
	if (!bh_few_enough(reader, at, BH_NAMES_LIMIT))
		return;
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		struct bh_at one = { .label = label, .key = key, .value = key->next };

		if (!key->bad && bh_kind_check(reader, &one, BH_NODE_WORD))
			take_term(reader, field, at->number, key, key->next);
	}
}

void bh_read_select_group(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	char label[BH_LABEL_MAX], where[32];

	refuse_empty(reader, at);
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	snprintf(where, sizeof(where), "select.%s", at->key->text);
	bh_fields_read(reader, where, label, at->key, at->value, field);
}

/* Words below a node that is a few levels deep. */
static size_t count_words(const struct bh_node *node)
{
	size_t count = node->kind == BH_NODE_WORD;

	for (const struct bh_node *child = node->first; child; child = child->next)
		count += count_words(child);
	return count;
}

static void read_clause(struct bh_reader *reader, const struct bh_node *item, struct bh_select_clause *clause)
{
	clause->loc = item->loc;
	if (item->count == 0)
		bh_refuse(reader, "E113", item, "name at least one thing", "an empty clause would match every sandbox");
	clause->terms = bh_reader_array(reader, count_words(item), sizeof(*clause->terms));
	bh_fields_read(reader, "select.", "spec.select.any", item, item, clause);
}

void bh_read_select_clauses(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_select *select = field;

	if (at->value->count == 0)
		bh_refuse(reader, "E113", at->value, "leave 'select' out if only bulkhead run uses the policy",
			  "'spec.select.any' is empty");
	if (!bh_few_enough(reader, at, BH_SELECT_LIMIT))
		return;
	select->any = bh_reader_array(reader, at->value->count, sizeof(*select->any));
	if (!select->any)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (bh_item_is_map(reader, at, item))
			read_clause(reader, item, &select->any[select->count++]);
}

void bh_read_priority(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	uint32_t *priority = field;
	uint64_t value = 0;
	const char *fault = bh_quantity_count(at->value->text, &value);

	if (!fault && value > MOST_PRIORITY)
		fault = "is more than 1000";
	if (fault)
		bh_refuse(reader, "E353", at->value, "a number within 0..1000; the highest wins", "'%.32s' %s",
			  at->value->text, fault);
	else
		*priority = (uint32_t)value;
}

void bh_read_select(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_select *select = field;

	select->given = true;
	bh_fields_read(reader, "select", "spec.select", at->key, at->value, select);
}
