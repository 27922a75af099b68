// SPDX-License-Identifier: GPL-2.0-only
/* Tables of random bytes: answers may be wrong, but nothing is read outside of the policy. */
#include "sample.h"

#define ROUNDS 40
#define QUESTIONS 2500
#define CHUNKS 3u

static uint64_t seed = 99;

static uint64_t next(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed ^ seed >> 29;
}

static void fill(void *to, size_t length)
{
	for (size_t i = 0; i < length / 8; i++) {
		uint64_t value = next();

		memcpy((uint8_t *)to + 8 * i, &value, 8);
	}
}

/* Half of the rounds: cells that the walk takes for its own, so that it gets about, now and then beyond the last chunk. */
static void make_plausible(struct bh_policy *hostile)
{
	uint32_t i = 0;

	for (uint32_t k = 0; k < CHUNKS; k++) {
		struct bh_chunk *chunk = k ? (struct bh_chunk *)(hostile + 1) + (k - 1) : &hostile->chunk;

		for (uint32_t at = 0; at < BH_CHUNK_CELLS; at++, i++) {
			chunk->cells[at].check = i - 1 - (uint32_t)(next() % 256);
			chunk->cells[at].next = (uint32_t)(next() % ((CHUNKS + 1) * BH_CHUNK_CELLS));
		}
	}
}

static uint32_t ask_path(const struct bh_policy *hostile, const struct bh_path_bytes *path)
{
	struct bh_path_question question = { path, (uint32_t)next() % 5000, (uint32_t)next(), next() & 1 };
	uint32_t tool = (uint32_t)next() % 300, next_tool = (uint32_t)next() % 300, sum = 0;

	if (next() % 4)
		question.length %= 100;
	sum += bh_decide_file(hostile, tool, (uint32_t)next() % 16, &question).reason;
	sum += bh_decide_move(hostile, &question).reason;
	sum += bh_decide_exec(hostile, tool, &question).reason;
	sum += bh_decide_exec_open(hostile, tool, next_tool, &question).reason;
	sum += bh_decide_interpreter(hostile, next_tool, &question).reason;
	sum += bh_decide_load(hostile, tool, &question).reason;
	sum += bh_decide_jit(hostile, tool).reason;
	return sum;
}

/* Both on the heap, exactly as large as they are: the sanitizers see every read outside. */
static void random_tables_do_no_harm(void **state)
{
	size_t length = sizeof(struct bh_policy) + (CHUNKS - 1) * sizeof(struct bh_chunk);
	struct bh_policy *hostile = malloc(length);
	struct bh_floor_net *floor = malloc(sizeof(*floor));
	struct bh_path_bytes *path = malloc(sizeof(*path));
	uint32_t asked = 0, sum = 0;

	assert_true(hostile && floor && path);
	for (int round = 0; round < ROUNDS; round++) {
		fill(hostile, length);
		hostile->head.blocks = CHUNKS; /* native code knows only here how many there are */
		hostile->head.chunks = round % 4 < 2 ? CHUNKS - 1 : 0;
		fill(floor, sizeof(*floor));
		if (round % 2)
			make_plausible(hostile);
		for (int i = 0; i < QUESTIONS; i++, asked++) {
			struct bh_net_question net = { .port = (uint16_t)next(), .family = i % 2 ? 4 : 6 };

			if (i % 100 == 0)
				fill(path, sizeof(*path));
			memcpy(path->bytes, "/proc/12/", next() % 10);
			fill(net.address.bytes, sizeof(net.address.bytes));
			net.protocol = (uint8_t)next();
			sum += ask_path(hostile, path);
			sum += bh_decide_net(hostile, floor, (uint32_t)next() % 300, &net).reason;
			sum += bh_verdict_of(&hostile->head, (uint32_t)next() % 70, (uint32_t)next() % 70,
					     (uint32_t)next() % 4);
		}
	}
	assert_true(asked >= 100000 && sum > 0);
	free(hostile);
	free(floor);
	free(path);
}

static void an_empty_policy_allows_nothing(void **state)
{
	struct bh_policy *empty = calloc(1, sizeof(*empty));
	struct bh_net_question net = { { { 10, 1, 2, 3 } }, 443, 4, IPPROTO_TCP };

	assert_non_null(empty);
	for (uint32_t tool = 0; tool < 70; tool++) {
		const struct bh_path_question *path = at("/work/a", 0);

		assert_int_equal(bh_decide_file(empty, tool, BH_ACCESS_READ, path).reason, BH_REASON_F2);
		assert_int_equal(bh_decide_exec(empty, tool, path).reason, BH_REASON_X1);
		assert_int_equal(bh_decide_exec_open(empty, tool, tool, path).reason, BH_REASON_X1);
		assert_int_equal(bh_decide_interpreter(empty, tool, path).reason, BH_REASON_X6);
		assert_int_equal(bh_decide_load(empty, tool, path).reason, BH_REASON_X8);
		assert_int_equal(bh_decide_jit(empty, tool).reason, BH_REASON_X11);
		assert_int_equal(bh_decide_net(empty, &floor_net, tool, &net).reason, BH_REASON_N2);
	}
	assert_int_equal(bh_verdict_of(&empty->head, 1, BH_REASON_F2, empty->head.mode), BH_VERDICT_DENY);
	free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_tables_do_no_harm),
		cmocka_unit_test(an_empty_policy_allows_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
