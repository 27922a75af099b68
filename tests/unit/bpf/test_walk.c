// SPDX-License-Identifier: GPL-2.0-only
/* The walk over cells: every length, every block boundary, and cells that nobody compiled. */
#include "tests/unit/compile/build.h"

static struct bh_path_bytes path;

static uint64_t seed = 11;

static uint32_t roll(uint32_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % sides;
}

static void set_path(const char *text)
{
	memset(path.bytes, 0, sizeof(path.bytes));
	memcpy(path.bytes, text, strlen(text));
}

/* One tool "job" (1) that reads `read`. */
static struct bh_compiled *reads(const char *read)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){ .name = "job", .binaries = "/bin/job", .read = read });
	policy = build_policy(tools, 1);
	return build_compile(&policy, NULL, NULL, NULL);
}

static bool readable(const struct bh_compiled *compiled, uint32_t length)
{
	const struct bh_policy *tables = bh_compiled_tables(compiled);
	uint32_t state = bh_walk_path(tables, &path, tables->head.path_start, 0, length);

	return tables->accepts[bh_state_accept(tables, state)].read & 1;
}

static void the_length_and_not_a_nul_ends_a_path(void **state)
{
	struct bh_compiled *compiled = reads("/a/b");

	set_path("/a/bcd");
	assert_true(readable(compiled, 4));
	assert_false(readable(compiled, 3));
	assert_false(readable(compiled, 5));
	bh_compiled_free(compiled);
}

static void an_empty_path_stays_at_the_start(void **state)
{
	struct bh_compiled *compiled = reads("/a");
	const struct bh_policy *tables = bh_compiled_tables(compiled);

	set_path("");
	assert_int_equal(bh_walk_path(tables, &path, tables->head.path_start, 0, 0), tables->head.path_start);
	assert_false(readable(compiled, 0));
	bh_compiled_free(compiled);
}

static void one_byte_is_walked(void **state)
{
	struct bh_compiled *compiled = reads("/");

	set_path("/x");
	assert_true(readable(compiled, 1));
	assert_false(readable(compiled, 0));
	assert_false(readable(compiled, 2));
	bh_compiled_free(compiled);
}

static void the_longest_paths_are_walked_to_their_last_byte(void **state)
{
	struct bh_compiled *compiled = reads("/a/**/*z");

	memset(path.bytes, 'x', sizeof(path.bytes));
	memcpy(path.bytes, "/a/", 3);
	path.bytes[4094] = 'z';
	assert_true(readable(compiled, 4095));
	assert_false(readable(compiled, 4096));
	path.bytes[4095] = 'z';
	assert_true(readable(compiled, 4096));
	bh_compiled_free(compiled);
}

static void longer_than_the_buffer_is_dead(void **state)
{
	struct bh_compiled *compiled = reads("/**");

	memset(path.bytes, 'x', sizeof(path.bytes));
	path.bytes[0] = '/';
	assert_true(readable(compiled, 4096));
	assert_false(readable(compiled, 4097));
	assert_false(readable(compiled, UINT32_MAX));
	bh_compiled_free(compiled);
}

static void a_walk_in_blocks_ends_where_a_walk_in_one_go_does(void **state)
{
	struct bh_compiled *compiled = reads("/a/**/b* /a/*/c /a?/**");
	const struct bh_policy *tables = bh_compiled_tables(compiled);
	uint32_t start = tables->head.path_start;

	for (uint32_t round = 0; round < 2000; round++) {
		uint32_t length = round < 300 ? round : roll(BH_PATH_MAX + 1), from = roll(length + 1), part;

		memcpy(path.bytes, "/a/x/c/b", 8);
		for (uint32_t i = roll(8); i < length; i++)
			path.bytes[i] = "/abcx"[roll(5)];
		part = bh_walk(tables->chunk.cells, BH_CHUNK_CELLS - 1, start, path.bytes, length, BH_PATH_MAX);
		assert_int_equal(bh_walk_path(tables, &path, start, 0, length), part);
		part = bh_walk_path(tables, &path, start, 0, from);
		assert_int_equal(bh_walk_path(tables, &path, part, from, length),
				 bh_walk_path(tables, &path, start, 0, length));
	}
	bh_compiled_free(compiled);
}

/* Two states in two chunks, each of which leads to the other on every byte. */
static void a_walk_may_change_the_chunk_at_every_byte(void **state)
{
	struct bh_policy *tables = calloc(1, sizeof(*tables) + sizeof(struct bh_chunk));
	uint32_t here = 300, there = BH_CHUNK_CELLS + 70000;

	assert_non_null(tables);
	tables->head.chunks = tables->head.blocks = 2;
	tables->head.path_start = tables->head.self_start = here;
	tables->chunk.cells[here] = (struct bh_cell){ BH_CELL_HEAD | 1, there };
	((struct bh_chunk *)(tables + 1))->cells[70000] = (struct bh_cell){ BH_CELL_HEAD | 2, here };
	for (uint32_t length = 0; length <= BH_PATH_MAX; length++)
		assert_int_equal(bh_path_accept_id(tables, &path, length, 0), 1 + length % 2);
	assert_int_equal(bh_path_accept_id(tables, &path, BH_PATH_MAX + 1, 0), 0);
	assert_int_equal(bh_walk_path(tables, &path, there, 4000, 4001), here);
	tables->chunk.cells[here].next = 2 * BH_CHUNK_CELLS + 1; /* a chunk that is not there */
	assert_int_equal(bh_path_accept_id(tables, &path, 1, 0), 0);
	assert_int_equal(bh_path_accept_id(tables, &path, 2, 0), 0);
	free(tables);
}

static void the_dead_state_leads_nowhere(void **state)
{
	struct bh_compiled *compiled = reads("/a/**");
	const struct bh_policy *tables = bh_compiled_tables(compiled);

	for (unsigned int byte = 0; byte < 256; byte++) {
		path.bytes[0] = (uint8_t)byte;
		assert_int_equal(bh_walk_path(tables, &path, BH_STATE_DEAD, 0, 1), BH_STATE_DEAD);
	}
	assert_int_equal(bh_state_accept(tables, BH_STATE_DEAD), 0);
	bh_compiled_free(compiled);
}

static void nothing_is_asked_of_missing_tables(void **state)
{
	struct bh_compiled *compiled = reads("/a");
	const struct bh_policy *tables = bh_compiled_tables(compiled);
	struct bh_address address = { { 0 } };

	assert_int_equal(bh_walk_path(NULL, &path, 1, 0, 1), BH_STATE_DEAD);
	assert_int_equal(bh_walk_path(tables, NULL, 1, 0, 1), BH_STATE_DEAD);
	assert_int_equal(bh_walk_path_block(NULL, &path, 1, 0, 1), BH_STATE_DEAD);
	assert_int_equal(bh_walk_far(NULL, &path, 1, 0, 1), BH_STATE_DEAD);
	assert_int_equal(bh_walk_chunk_block(NULL, &path, 1, 0, 9), 9ull << 32);
	assert_int_equal(bh_state_accept(NULL, 1), 0);
	assert_int_equal(bh_walk_address(NULL, &address, 1, 4), 0);
	assert_int_equal(bh_walk_address(tables, NULL, 1, 4), 0);
	assert_int_equal(bh_walk_floor(NULL, &address, 1, 4), 0);
	bh_compiled_free(compiled);
}

/* On heap blocks of exactly their size: the sanitizers see every read outside. */
static void no_cells_lead_out_of_their_table(void **state)
{
	uint32_t size = 1024;
	struct bh_cell *cells = malloc(size * sizeof(*cells));
	uint8_t *bytes = malloc(64);

	assert_true(cells && bytes);
	for (int round = 0; round < 2000; round++) {
		for (uint32_t i = 0; i < size; i++)
			cells[i] = (struct bh_cell){ roll(3) ? i - roll(256) : roll(UINT32_MAX), roll(UINT32_MAX) };
		for (uint32_t i = 0; i < 64; i++)
			bytes[i] = (uint8_t)roll(256);
		(void)bh_accept_of(cells, size - 1, bh_walk(cells, size - 1, roll(UINT32_MAX), bytes, roll(66), 64));
	}
	free(cells);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_length_and_not_a_nul_ends_a_path),
		cmocka_unit_test(an_empty_path_stays_at_the_start),
		cmocka_unit_test(one_byte_is_walked),
		cmocka_unit_test(the_longest_paths_are_walked_to_their_last_byte),
		cmocka_unit_test(longer_than_the_buffer_is_dead),
		cmocka_unit_test(a_walk_in_blocks_ends_where_a_walk_in_one_go_does),
		cmocka_unit_test(a_walk_may_change_the_chunk_at_every_byte),
		cmocka_unit_test(the_dead_state_leads_nowhere),
		cmocka_unit_test(nothing_is_asked_of_missing_tables),
		cmocka_unit_test(no_cells_lead_out_of_their_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
