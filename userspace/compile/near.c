/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/near.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/compiled.h"

#define HASH_BEGIN 0xcbf29ce484222325u

static uint64_t hash_byte(uint64_t hash, char byte)
{
	return (hash ^ (uint8_t)byte) * 0x100000001b3u;
}

static size_t slot_of(uint64_t hash, size_t table_size)
{
	return (hash ^ hash >> 29) & (table_size - 1);
}

/* A pattern's directory above its first wildcard, without the slash at its end; all of an exact path. */
static uint32_t beginning(const char *pattern)
{
	size_t length = strcspn(pattern, "*?");

	if (!pattern[length])
		return (uint32_t)length;
	while (length > 0 && pattern[length - 1] != '/')
		length--;
	return length ? (uint32_t)length - 1 : 0;
}

/* The place of the beginning in the table, or the free one where it belongs. */
static size_t find_slot(const struct bh_near_index *index, const struct bh_rule *rules, const char *text,
			uint32_t length, uint64_t hash)
{
	size_t slot = slot_of(hash, index->table_size);

	for (; index->table[slot]; slot = (slot + 1) & (index->table_size - 1)) {
		const struct bh_near_group *group = &index->groups[index->table[slot] - 1];

		if (group->length == length && memcmp(rules[index->numbers[group->first]].path, text, length) == 0)
			break;
	}
	return slot;
}

/* While the groups are found, `numbers` holds their first rule, at the number of the group. */
static void group_rules(struct bh_near_index *index, const struct bh_rule *rules, size_t count, uint32_t *group_of)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t hash = HASH_BEGIN;
		uint32_t length;
		size_t slot;

		if (!bh_rule_has_pattern(&rules[i]))
			continue;
		length = beginning(rules[i].path);
		for (uint32_t k = 0; k < length; k++)
			hash = hash_byte(hash, rules[i].path[k]);
		slot = find_slot(index, rules, rules[i].path, length, hash);
		if (!index->table[slot]) {
			index->numbers[index->count] = (uint32_t)i;
			index->groups[index->count] =
				(struct bh_near_group){ .first = (uint32_t)index->count, .length = length };
			index->table[slot] = (uint32_t)++index->count;
		}
		group_of[i] = index->table[slot];
		index->groups[group_of[i] - 1].count++;
	}
}

static void fill_numbers(struct bh_near_index *index, size_t count, const uint32_t *group_of)
{
	uint32_t first = 0;

	for (size_t g = 0; g < index->count; g++) {
		index->groups[g].first = first;
		first += index->groups[g].count;
		index->groups[g].count = 0;
	}
	for (size_t i = 0; i < count; i++) {
		struct bh_near_group *group = group_of[i] ? &index->groups[group_of[i] - 1] : NULL;

		if (group)
			index->numbers[group->first + group->count++] = (uint32_t)i;
	}
}

int bh_near_build(const struct bh_rule *rules, size_t count, struct bh_near_index *ret_index)
{
	BH_FREE uint32_t *group_of = calloc(count + 1, sizeof(*group_of));

	memset(ret_index, 0, sizeof(*ret_index));
	for (ret_index->table_size = 64; ret_index->table_size < 2 * count;)
		ret_index->table_size *= 2;
	ret_index->walls = calloc(count + 1, sizeof(*ret_index->walls));
	ret_index->numbers = calloc(count + 1, sizeof(*ret_index->numbers));
	ret_index->groups = calloc(count + 1, sizeof(*ret_index->groups));
	ret_index->table = calloc(ret_index->table_size, sizeof(*ret_index->table));
	if (!group_of || !ret_index->walls || !ret_index->numbers || !ret_index->groups || !ret_index->table)
		return -ENOMEM;
	group_rules(ret_index, rules, count, group_of);
	fill_numbers(ret_index, count, group_of);
	for (size_t i = 0; i < count; i++)
		if (rules[i].class == BH_RULE_EXEC ||
		    (rules[i].class == BH_RULE_FILE && rules[i].then == BH_THEN_NEVER))
			ret_index->walls[ret_index->walls_count++] = (uint32_t)i;
	return 0;
}

void bh_near_done(struct bh_near_index *index)
{
	free(index->walls);
	free(index->numbers);
	free(index->groups);
	free(index->table);
	memset(index, 0, sizeof(*index));
}

static void add_group(struct bh_near *near, const char *path, uint32_t length, uint64_t hash)
{
	const struct bh_near_index *index = &near->compiled->near;
	uint32_t number = index->table[find_slot(index, near->compiled->rules, path, length, hash)];

	if (!number)
		return;
	if (near->groups == BH_NEAR_GROUPS) {
		near->all = 1;
		return;
	}
	near->at[near->groups] = index->numbers + index->groups[number - 1].first;
	near->end[near->groups] = near->at[near->groups] + index->groups[number - 1].count;
	near->groups++;
}

void bh_near_begin(const struct bh_compiled *compiled, const char *path, struct bh_near *ret_near)
{
	uint64_t hash = HASH_BEGIN;
	uint32_t length = 0;

	ret_near->compiled = compiled;
	ret_near->groups = ret_near->all = 0;
	for (; path[length]; length++) {
		if (path[length] == '/')
			add_group(ret_near, path, length, hash);
		hash = hash_byte(hash, path[length]);
	}
	if (length)
		add_group(ret_near, path, length, hash);
}

const struct bh_rule *bh_near_next(struct bh_near *near)
{
	size_t least = 0;

	if (near->all)
		return bh_compiled_rule(near->compiled, near->all++ - 1);
	while (least < near->groups && near->at[least] == near->end[least])
		least++;
	if (least >= near->groups)
		return NULL;
	for (size_t i = least + 1; i < near->groups; i++)
		if (near->at[i] < near->end[i] && *near->at[i] < *near->at[least])
			least = i;
	return &near->compiled->rules[*near->at[least]++];
}

const struct bh_rule *bh_compiled_wall(const struct bh_compiled *compiled, size_t index)
{
	return index < compiled->near.walls_count ? &compiled->rules[compiled->near.walls[index]] : NULL;
}
