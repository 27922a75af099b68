/* SPDX-License-Identifier: GPL-2.0-only */
/* Constrained English: one sentence, one rule. The same document as YAML, and back. rules/english.def has the sentences. */
#ifndef BH_POLICY_ENGLISH_H
#define BH_POLICY_ENGLISH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "policy/model.h"
#include "policy/node.h"

/* Does the text begin as a sentence of ours does, comments aside? No YAML policy does. */
bool bh_english_begins(const char *text, size_t length);

/*
 * Makes the document that the sentences stand for. text must have passed bh_lexical_check. Findings (L001..L060, E101,
 * E102, E112) go to diags, at most 20 of them; a document from which sentences are missing is partial.
 * Returns 0 and fills *ret_document (bh_document_done frees it), or -ENOMEM.
 */
int bh_english_parse(const char *text, size_t length, struct bh_diags *diags, struct bh_document *ret_document);

/* The form of the sentence that sets the value at the end of these keys, "spec.entry"; NULL: none does. */
const char *bh_english_form_of(const char *way);

/*
 * Writes the policy as sentences that mean the same, and reads them. What is refused then has no sentence: an error in
 * diags (L050), without a place. Only a policy that was compiled, and so has no order any more, can have such a thing:
 * a warning that was accepted at a numbered place.
 * Returns 0 or -ENOMEM.
 */
int bh_english_print(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_buf *out,
		     struct bh_diags *diags);

#endif
