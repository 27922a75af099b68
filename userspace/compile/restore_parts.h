/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of restore.c share. All int functions return 0, -EINVAL with err, -ENOMEM with err. */
#ifndef BH_COMPILE_RESTORE_PARTS_H
#define BH_COMPILE_RESTORE_PARTS_H

#include "compile/compiled.h"
#include "compile/restore.h"
#include "compile/scan.h"
#include "policy/limits.h"
#include "policy/path.h"

/* A policy on its way back. */
struct restore {
	struct bh_scan scan;
	const char *start;
	struct bh_source_policy *policy;
	const struct bh_shipped *shipped;
	struct bh_err *err;
	size_t patterns, words, hosts, ports; /* counted in the whole policy */
	bool entered[BH_TOOLS_MAX]; /* by index of the tool: what its entry asks is known */
	const struct bh_tool *net_tool; /* whose network the last destination is */
};

/* Every refusal. Texts have been scanned, so they hold printable ASCII only. */
#define REFUSE(restore, ...) bh_err_set((restore)->err, EINVAL, __VA_ARGS__)
#define LITERAL(restore, text) bh_scan_literal(&(restore)->scan, text)
#define TEXT(restore, buffer) bh_scan_text(&(restore)->scan, buffer, sizeof(buffer))

#define BH_KEY_BYTES 256u /* of a key, its NUL included: the longest is a variable's name */

/* restore_json.c */

/* What is returned when memory is short, and when the next characters are none that the writer would have put there. */
int bh_restore_no_memory(struct restore *r);
int bh_restore_not_canonical(struct restore *r);

/* One key of an object. data: what the object fills. */
struct bh_restore_key {
	const char *key; /* NULL: every other key */
	int (*read)(struct restore *r, const char *key, void *data);
	bool required;
};

/* An object: keys in bytewise order, each once, none but these. Required ones must be there. */
int bh_restore_object(struct restore *r, const struct bh_restore_key *keys, size_t count, void *data);
#define OBJECT(restore, keys, data) bh_restore_object(restore, keys, sizeof(keys) / sizeof((keys)[0]), data)

/* A list of what `item` reads. */
int bh_restore_list(struct restore *r, int (*item)(struct restore *r, void *data), void *data);

/* A copy of the text; what the word holds is freed. */
int bh_restore_word(struct restore *r, struct bh_word *word, const char *text);
/* A list of texts, appended to the words. */
int bh_restore_words(struct restore *r, struct bh_words *words);
/* Appends, however often it is there; or unless it is there. */
int bh_restore_append(struct restore *r, struct bh_words *words, const char *text);
int bh_restore_add(struct restore *r, struct bh_words *words, const char *text);
/* Networks in their texts, appended. */
int bh_restore_blocks(struct restore *r, struct bh_cidrs *cidrs, bool addresses);
int bh_restore_block(struct restore *r, struct bh_cidrs *cidrs, const char *text, bool any_breadth);

/* The array with room for one more item, all of it zero; grows by doubling. NULL: no memory, err is set. */
void *bh_restore_grown(struct restore *r, void *array, size_t count, size_t size);
#define GROW(restore, array, count)                                                                                    \
	({                                                                                                             \
		void *grown_ = bh_restore_grown(restore, array, count, sizeof(*(array)));                              \
		if (grown_)                                                                                            \
			(array) = grown_;                                                                              \
		grown_ ? 0 : -ENOMEM;                                                                                  \
	})

/* A text of the table: its number. What it names goes into the refusal. */
struct bh_name;
int bh_restore_name(struct restore *r, const struct bh_name *names, const char *what, uint8_t *ret_number);

/* restore.c */

/* The tool of that name, made when it is the first time that it is named. */
int bh_restore_tool(struct restore *r, const char *name, struct bh_tool **ret_tool);
/* A class and its response, into an array by class. */
int bh_restore_response(struct restore *r, const char *class, void *respond);

/* restore_rule.c, restore_entry.c, restore_net.c */

/* A rule's condition as it stands there; what it does not have is empty. */
struct bh_restore_rule {
	char class[8], scope[BH_TOOL_NAME_BYTES], then[8];
	char path[BH_PATTERN_MAX + 1], to[BH_TOOL_NAME_BYTES], op[16], sha256[65], reason[BH_REASON_LIMIT + 1];
	bool helper, sni;
	struct bh_scan args, env; /* where their values begin; at NULL: there is none */
	char host[256], cidr[BH_CIDR_TEXT], proto[16];
	struct bh_port_range port;
	struct bh_scan resolves_to;
};

/* Reads one rule into the model. data: unused. */
int bh_restore_one_rule(struct restore *r, void *data);
/* A path in its form; access: 0 for what may be as broad as one likes. Counts it. */
int bh_restore_check_path(struct restore *r, const char *text, uint32_t access);

/* restore_guards.c: takes away what a guard that is in force forbids anyway. */
int bh_restore_drop_guarded(struct restore *r);

/* What the rule asks of whoever enters the tool, the first time that a rule leads there. */
int bh_restore_entry(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule);

int bh_restore_net(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule);
int bh_restore_listen(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule);
/* A list of one port or range; an empty one gives 0..65535. */
int bh_restore_ports(struct restore *r, struct bh_port_range *ret_port);

/* restore_sections.c, restore_select.c: values of top-level keys. data: unused. */
int bh_restore_lifts(struct restore *r, const char *key, void *data);
int bh_restore_acceptances(struct restore *r, const char *key, void *data);
int bh_restore_dns(struct restore *r, const char *key, void *data);
int bh_restore_privileges(struct restore *r, const char *key, void *data);
int bh_restore_resources(struct restore *r, const char *key, void *data);
int bh_restore_select(struct restore *r, const char *key, void *data);

#endif
