/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of restore.c share. All int functions return 0, -EINVAL with err, -ENOMEM with err. */
#ifndef BH_COMPILE_RESTORE_PARTS_H
#define BH_COMPILE_RESTORE_PARTS_H

#include "compile/compiled.h"
#include "compile/restore.h"
#include "compile/scan.h"

/* A policy on its way back. */
struct restore {
	struct bh_scan scan;
	const char *start;
	struct bh_source_policy *policy;
	const struct bh_shipped *shipped;
	struct bh_err *err;
	size_t patterns;
	const struct bh_tool *net_tool; /* whose network the last destination is */
};

/* Every refusal. Texts have been scanned, so they hold printable ASCII only. */
#define REFUSE(restore, ...) bh_err_set((restore)->err, EINVAL, __VA_ARGS__)
#define LITERAL(restore, text) bh_scan_literal(&(restore)->scan, text)
#define TEXT(restore, buffer) bh_scan_text(&(restore)->scan, buffer, sizeof(buffer))

/* What is returned when memory is short, and when the next characters are none that the writer would have put there. */
int bh_restore_no_memory(struct restore *r);
int bh_restore_not_canonical(struct restore *r);

/* A copy of the text. */
int bh_restore_word(struct restore *r, struct bh_word *word, const char *text);

/* Adds a word unless the list has it, and then counts it in *count, which may be NULL. */
int bh_restore_add_word(struct restore *r, struct bh_words *words, const char *text, size_t *count);

/* The tool of that name, made when it is the first time that it is named. */
int bh_restore_tool(struct restore *r, const char *name, struct bh_tool **ret_tool);

/* Does the policy, as far as it has been read, lift the guard? */
bool bh_restore_is_lifted(const struct bh_source_policy *policy, const char *guard);

/* restore_rule.c: reads one rule into the model. */
int bh_restore_rule(struct restore *r);

#endif
