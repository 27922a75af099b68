/* SPDX-License-Identifier: GPL-2.0-only */
/* The list itself. */
#include "verify/checks.h"

#include <stdlib.h>
#include <string.h>

#include "policy/path.h"

void bh_checks_done(struct bh_checks *checks)
{
	for (size_t i = 0; i < checks->count; i++)
		bh_query_done(&checks->items[i].query);
	free(checks->items);
	free(checks->table);
	memset(checks, 0, sizeof(*checks));
}

static uint64_t hash_more(uint64_t hash, const void *bytes, size_t length)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ at[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return text ? hash_more(hash, text, strlen(text) + 1) : hash;
}

/* Of what queries mostly differ by. */
static uint64_t hash_query(const struct bh_query *query)
{
	uint64_t hash = hash_more(0xcbf29ce484222325u, &query->tool, sizeof(query->tool));

	hash = hash_more(hash, &query->action, sizeof(query->action));
	hash = hash_text(hash, query->path);
	hash = hash_text(hash, query->other);
	hash = hash_text(hash, query->host);
	hash = hash_more(hash, query->args.bytes, query->args.length);
	hash = hash_more(hash, query->variables.bytes, query->variables.length);
	hash = hash_more(hash, query->net.address.bytes, sizeof(query->net.address.bytes));
	hash = hash_more(hash, &query->net.port, sizeof(query->net.port));
	hash = hash_more(hash, &query->number, sizeof(query->number));
	return hash ^ hash >> 32;
}

static bool is_query(const struct bh_query *a, const struct bh_query *b)
{
	return a->tool == b->tool && bh_query_same(a, b);
}

/* The place of the query, or the free one where it belongs. */
static size_t find_slot(const struct bh_checks *checks, const struct bh_query *query)
{
	size_t slot = hash_query(query) & (checks->table_size - 1);

	while (checks->table[slot] && !is_query(&checks->items[checks->table[slot] - 1].query, query))
		slot = (slot + 1) & (checks->table_size - 1);
	return slot;
}

/* At most half of the table is taken. */
static int make_room(struct bh_checks *checks)
{
	size_t size = checks->table_size ? 2 * checks->table_size : 1024;
	uint32_t *table;

	if (BH_RESERVE(checks->items, checks->capacity, checks->count + 1))
		return -ENOMEM;
	if (2 * (checks->count + 1) <= checks->table_size)
		return 0;
	table = calloc(size, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(checks->table);
	checks->table = table;
	checks->table_size = size;
	for (size_t i = 0; i < checks->count; i++)
		table[find_slot(checks, &checks->items[i].query)] = (uint32_t)i + 1;
	return 0;
}

void bh_checks_add(struct bh_checks *checks, const struct bh_query *query, const char *what, bool denied)
{
	struct bh_check check = { .what = what, .denied = denied };
	size_t slot;

	if (checks->error || make_room(checks)) {
		checks->error = -ENOMEM;
		return;
	}
	slot = find_slot(checks, query);
	if (checks->table[slot])
		return;
	checks->error = bh_query_copy(query, &check.query);
	if (checks->error)
		return;
	checks->items[checks->count++] = check;
	checks->table[slot] = (uint32_t)checks->count;
}

bool bh_checks_have(const struct bh_checks *checks, const struct bh_query *query)
{
	return checks->count && checks->table[find_slot(checks, query)];
}

/* Written into a file it must be readable again. */
static bool is_path(const char *path)
{
	return !bh_path_form(path).code && !bh_path_is_pattern(path);
}

void bh_checks_add_path(struct bh_checks *checks, enum bh_action action, unsigned int tool, const char *path,
			const char *other, const char *what, bool denied)
{
	struct bh_query query = { .action = action, .tool = tool, .path = path, .other = other };

	if (is_path(path) && (!other || is_path(other)))
		bh_checks_add(checks, &query, what, denied);
}

void bh_checks_add_run(struct bh_checks *checks, unsigned int tool, const char *path, const struct bh_buf *args,
		       const struct bh_buf *env)
{
	struct bh_query query = { .action = BH_ACTION_RUN,
				  .tool = tool,
				  .path = path,
				  .args = { args->bytes, args->length },
				  .variables = { env->bytes, env->length } };

	if (args->error || env->error)
		checks->error = -ENOMEM;
	else if (is_path(path))
		bh_checks_add(checks, &query, "boundary", false);
}

unsigned int bh_rule_tool(const struct bh_exam *exam, const struct bh_rule *rule)
{
	return bh_compiled_tool_id(exam->compiled, rule->scope);
}
