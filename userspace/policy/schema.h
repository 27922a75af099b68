/* SPDX-License-Identifier: GPL-2.0-only */
/* The key table: every key that a file of ours may hold, where, of which kind, and who reads it. */
#ifndef BH_POLICY_SCHEMA_H
#define BH_POLICY_SCHEMA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "policy/model.h"
#include "policy/node.h"

/* What reading a document needs to know, and what it has counted so far. */
struct bh_reader {
	struct bh_diags *diags;
	const struct bh_node *root; /* of a policy: for words that name a place in it */
	const struct bh_shipped *shipped; /* names of presets, floor addresses; NULL while these are read themselves */
	bool ours; /* a file of rules/: breadth and procfs are our own decision */
	bool english; /* what was written are sentences */
	bool partial; /* as of the document: what is missing is no finding */
	bool out_of_memory;
	unsigned int patterns, networks, hosts; /* of the whole policy */
};

/* Where a value stands. */
struct bh_at {
	const char *label; /* "spec.tools.git": the mapping that holds the key; "" at the top */
	const struct bh_node *key;
	const struct bh_node *value;
	unsigned int number; /* of the row */
};

#define BH_LABEL_MAX 192u

/* Reads at->value into the field. Findings go to reader->diags. */
typedef void (*bh_key_read)(struct bh_reader *reader, const struct bh_at *at, void *field);

#define BH_KEY_REQUIRED 1u

struct bh_key {
	const char *where; /* name of the kind of mapping */
	const char *name;
	enum bh_node_kind kind;
	unsigned int flags;
	bh_key_read read;
	size_t offset; /* of the field in what the mapping fills */
	unsigned int number; /* for readers that serve several rows: which one this is, mostly of a catalogue in rules/ */
};

extern const struct bh_key bh_keys[];
extern const size_t bh_keys_count;

/*
 * Reads a mapping of the kind `where` into target: unknown (E110), wrong kind (E106) and missing required
 * keys (E107) are findings; every other value goes to its reader. label: as in struct bh_at. owner: the key whose value
 * the mapping is, NULL at the top.
 */
void bh_fields_read(struct bh_reader *reader, const char *where, const char *label, const struct bh_node *owner,
		    const struct bh_node *map, void *target);

/* The key of that name in a mapping; NULL: it is not there. */
const struct bh_node *bh_key_find(const struct bh_node *map, const char *name);

/* "LABEL.KEY", or "KEY" at the top, in buffer. */
const char *bh_label_join(char *buffer, size_t size, const char *label, const char *key);

/* Adds an error at a node, unless something was said about that node already. */
void bh_refuse(struct bh_reader *reader, const char *code, const struct bh_node *node, const char *hint,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Is the value of the wanted kind? Adds E106 if not; an absent value is reported at its key. */
bool bh_kind_check(struct bh_reader *reader, const struct bh_at *at, enum bh_node_kind wanted);

#endif
