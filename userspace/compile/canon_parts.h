/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of canon.c share. Values are new references and NULL when out of memory. How it is written is said
 * nowhere twice: keys in bytewise order, sets in the order of compile/order.h, integers, no null, no false.
 */
#ifndef BH_COMPILE_CANON_PARTS_H
#define BH_COMPILE_CANON_PARTS_H

#include <jansson.h>

#include "compile/compiled.h"

/* canon_json.c */

/* The canonical text of a value; the caller frees it. NULL when out of memory. */
char *bh_canon_text(const json_t *json);
/* Sets a key, or appends, taking over the value. -ENOMEM also when the value is NULL. */
int bh_canon_put(json_t *object, const char *key, json_t *value);
int bh_canon_append(json_t *array, json_t *value);
/* The value, unless result says that it is not complete: then it is dropped, and NULL returned. */
json_t *bh_canon_finish(json_t *value, int result);
json_t *bh_canon_list(const struct bh_words *words); /* in their order */
json_t *bh_canon_set(const struct bh_words *words); /* sorted, each once */
json_t *bh_canon_blocks(const struct bh_cidrs *cidrs, bool addresses); /* a set; addresses: without prefix */
/* The values sorted by their texts, each once. Takes over the array. */
json_t *bh_canon_sorted(json_t *array);
json_t *bh_canon_number(uint64_t number);

/* canon_rule.c: a rule's `if`, as a value and as text; one argument clause as text. The caller frees texts. */
json_t *bh_canon_condition(const struct bh_rule *rule);
char *bh_canon_condition_text(const struct bh_rule *rule);
char *bh_canon_clause(const struct bh_args_clause *clause);

/* canon_sections.c, canon_select.c: whole values of top-level keys. */
json_t *bh_canon_lifts(const struct bh_source_policy *policy);
json_t *bh_canon_acceptances(const struct bh_source_policy *policy);
json_t *bh_canon_dns(const struct bh_dns *dns);
json_t *bh_canon_privileges(const struct bh_privileges *privileges);
json_t *bh_canon_resources(const struct bh_resources *resources);
json_t *bh_canon_select(const struct bh_select *select);

/* canon_policy.c: the whole policy's text, with `rules` as the text of its list. The caller frees it. NULL when out of memory. */
char *bh_canon_policy(const struct bh_compile *c, const char *rules, size_t *ret_length);

#endif
