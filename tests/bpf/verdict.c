// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdict: the hooks' verdict code in the kernel (BPF_PROG_RUN): how policies are put into its maps, and that it answers to
 * the ends of what fits. Run in the tree, as root (else 77). Prints one line per question.
 */
#include "tests/bench/large.h"
#include "tests/bpf/kernel.h"

#define LARGE_RULES 8000u
#define LARGE_QUESTIONS 3000u

/* Paths of the lengths around the end of the buffer, and none at all. */
static void try_lengths(struct run *run)
{
	static const uint32_t lengths[] = { 0, 1, 2, 63, 64, 65, 4094, 4095, 4096, 4097, 4999 };
	struct subject s = { compile_file("rules/examples/quickstart.yaml", run->shipped), run->shipped };
	static struct question q = { .kind = BH_KIND_FILE_OPEN, .tool = 1, .access = BH_ACCESS_READ | BH_ACCESS_WRITE };
	struct bh_exam exam = { s.compiled, run->shipped, run->floor };
	uint32_t different = 0, allowed = 0;

	if (!s.compiled || bh_core_publish(run->core, 1, bh_compiled_tables(s.compiled), NULL))
		different++;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]) && !different; i++) {
		struct bh_question want, got;
		struct bh_asked asked;

		memset(q.path, 'x', sizeof(q.path));
		memcpy(q.path, "/tmp/bulkhead-demo/", lengths[i] < 19 ? lengths[i] : 19);
		q.path[lengths[i]] = '\0';
		want = question_of(&q);
		asked = texts_of(&q);
		different += bh_ask_tables(&exam, &want, &asked) || ask(run, 1, &q, &got) || !same_answer(&want, &got);
		allowed += !got.reason;
	}
	say(run, !different && allowed == 6, "paths from 63 to 4096 bytes are judged to their end, longer ones denied",
	    NULL);
	bh_compiled_free(s.compiled);
}

static const char old_text[] = "apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: old}\nspec:\n"
			       "  entry: a\n  tools: {a: {binaries: [/bin/a], files: {read: [/old/**]}}}\n";
static const char new_text[] = "apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: new}\nspec:\n"
			       "  entry: a\n  tools: {a: {binaries: [/bin/a], files: {read: [/new/**]}}}\n";

/* 1: the file is open, 0: it is not, negative: no answer. */
static int opens(struct run *run, uint32_t slot, const char *path)
{
	static struct question q = { .kind = BH_KIND_FILE_OPEN, .tool = 1, .access = BH_ACCESS_READ };
	struct bh_question answer;
	int result;

	snprintf(q.path, sizeof(q.path), "%s", path);
	result = ask(run, slot, &q, &answer);
	return result ? result : !answer.reason;
}

static void try_replacing(struct run *run)
{
	struct bh_compiled *old = NULL, *new = NULL;
	struct bh_policy *other = malloc(sizeof(*other));
	struct bh_err err = { 0 };
	bool made = !compile_text(old_text, run->shipped, &old) && !compile_text(new_text, run->shipped, &new) && other;

	say(run, opens(run, 77, "/old/x") < 0, "a slot without a policy gives no answer", NULL);
	say(run,
	    made && !bh_core_publish(run->core, 77, bh_compiled_tables(old), &err) && opens(run, 77, "/old/x") == 1 &&
		    opens(run, 77, "/new/x") == 0,
	    "a published policy answers", err.text);
	if (made) {
		*other = *bh_compiled_tables(new);
		other->head.abi++;
		say(run, bh_core_publish(run->core, 77, other, &err) == -EPROTO && opens(run, 77, "/old/x") == 1,
		    "a policy of another format is refused and the old one serves on", NULL);
		say(run, bh_core_publish(run->core, BH_POLICIES_MAX, bh_compiled_tables(new), &err) < 0 && err.text[0],
		    "a slot outside the table is refused in words", NULL);
	}
	say(run,
	    made && !bh_core_publish(run->core, 77, bh_compiled_tables(new), &err) && opens(run, 77, "/old/x") == 0 &&
		    opens(run, 77, "/new/x") == 1,
	    "replacing the policy in a slot replaces its answers", err.text);
	free(other);
	bh_compiled_free(old);
	bh_compiled_free(new);
}

static const uint32_t kinds[] = { BH_KIND_FILE_OPEN, BH_KIND_EXEC_ARGS, BH_KIND_CONNECT };

/* Does the slot's set of chunks with this key hold the policy's? */
static bool chunks_are(struct run *run, __u32 key, const struct bh_policy *policy)
{
	struct bh_chunk *chunk = malloc(sizeof(*chunk));
	__u32 id, number = 0;
	int fd = -1;
	bool same = chunk && !bpf_map_lookup_elem(bh_core_map(run->core, "bh_chunks"), &key, &id) &&
		    (fd = bpf_map_get_fd_by_id(id)) >= 0;

	for (; same && number + 1 < policy->head.blocks; number++)
		same = !bpf_map_lookup_elem(fd, &number, chunk) &&
		       !memcmp(chunk, (const struct bh_chunk *)(policy + 1) + number, sizeof(*chunk));
	same = same && bpf_map_lookup_elem(fd, &number, chunk) && errno == ENOENT;
	if (fd >= 0)
		close(fd);
	free(chunk);
	return same;
}

static bool chunks_gone(struct run *run, __u32 key)
{
	__u32 id;

	return bpf_map_lookup_elem(bh_core_map(run->core, "bh_chunks"), &key, &id) && errno == ENOENT;
}

/* Rules whose meanings do not fit the first table of them. */
static void try_prohibitions(struct run *run)
{
	struct large *large = large_new(LARGE_NEVER, LARGE_RULES);
	struct bh_diags *diags = bh_diags_new("large", "", 0);
	struct subject s = { NULL, run->shipped };
	struct bh_err err = { 0 };

	if (large && diags)
		bh_compile(&large->policy, run->shipped, NULL, diags, &s.compiled);
	say(run, s.compiled && bh_compiled_tables(s.compiled)->head.accepts > BH_ACCEPTS_FIRST,
	    "a policy of many prohibitions compiles", NULL);
	if (s.compiled) {
		say(run, !bh_core_publish(run->core, 202, bh_compiled_tables(s.compiled), &err), "it is published",
		    err.text);
		compare(run, 202, &s, kinds, 3, LARGE_QUESTIONS, false);
		report(run, BH_KIND_FILE_OPEN, "a policy of many prohibitions", 50);
	}
	bh_compiled_free(s.compiled);
	bh_diags_free(diags);
	if (large)
		large_free(large);
}

/* A policy of several chunks, published twice and then replaced by a small one. */
static void try_large(struct run *run)
{
	struct large *large = large_new(LARGE_MIXED, LARGE_RULES);
	struct bh_diags *diags = bh_diags_new("large", "", 0);
	struct subject s = { NULL, run->shipped };
	struct bh_compiled *small = NULL;
	const struct bh_policy *policy;
	struct bh_err err = { 0 };
	const __u32 slot = 200, key = 1 + 2 * slot;
	bool made = large && diags && !bh_compile(&large->policy, run->shipped, NULL, diags, &s.compiled) &&
		    !compile_text(new_text, run->shipped, &small);

	policy = made ? bh_compiled_tables(s.compiled) : NULL;
	say(run, made && policy->head.chunks > 1, "a policy of several chunks compiles", NULL);
	if (made) {
		say(run, !bh_core_publish(run->core, slot, policy, &err) && chunks_are(run, key, policy),
		    "the kernel holds its chunks", err.text);
		compare(run, slot, &s, kinds, 3, LARGE_QUESTIONS, false);
		say(run,
		    !bh_core_publish(run->core, slot, policy, &err) && chunks_are(run, key + 1, policy) &&
			    chunks_gone(run, key),
		    "a large policy in place of a large one takes the other key, and the old chunks go", err.text);
		compare(run, slot, &s, kinds, 3, LARGE_QUESTIONS, false);
		report(run, BH_KIND_FILE_OPEN, "a policy of several chunks", 50);
		say(run,
		    !bh_core_publish(run->core, slot, bh_compiled_tables(small), &err) && chunks_gone(run, key) &&
			    chunks_gone(run, key + 1) && opens(run, slot, "/new/x") == 1,
		    "a small policy in place of a large one leaves no chunks", err.text);
	}
	bh_compiled_free(s.compiled);
	bh_compiled_free(small);
	bh_diags_free(diags);
	if (large)
		large_free(large);
}

/* Two states in two chunks, each of which leads to the other: the longest walk there is. */
static void try_changing(struct run *run)
{
	struct bh_policy *policy = calloc(1, sizeof(*policy) + sizeof(struct bh_chunk));
	uint32_t there = BH_CHUNK_CELLS + 5, here = 7, wrong = 0;
	struct bh_err err = { 0 };
	bool made = policy;

	if (made) {
		policy->head =
			(struct bh_policy_head){ .abi = BH_ABI_VERSION, .path_start = here, .chunks = 2, .blocks = 2 };
		policy->accepts[1].read = 1;
		policy->chunk.cells[here] = (struct bh_cell){ BH_CELL_HEAD, there };
		((struct bh_chunk *)(policy + 1))->cells[5] = (struct bh_cell){ BH_CELL_HEAD | 1, here };
		made = !bh_core_publish(run->core, 201, policy, &err);
	}
	for (uint32_t length = 1; made && length <= BH_PATH_MAX; length += length < 200 ? 1 : 97) {
		char path[BH_PATH_MAX + 1];

		memset(path, '/', length);
		path[length] = '\0';
		wrong += opens(run, 201, path) != (int)(length % 2);
	}
	say(run, made && !wrong, "a walk may change the chunk at every byte", err.text);
	free(policy);
}

static void try_strange_kind(struct run *run)
{
	struct bh_question question = { .slot = 77, .kind = BH_KIND_EXIT, .tool = 1 };

	say(run, bh_core_ask(run->core, &question, NULL) == -EINVAL, "a question of another kind is refused", NULL);
}

static void try_floor(struct run *run)
{
	struct bh_floor_net *empty = calloc(1, sizeof(*empty));
	int fd = bh_core_map(run->core, "bh_floor");
	__u32 zero = 0;

	errno = 0;
	say(run, empty && bpf_map_update_elem(fd, &zero, empty, BPF_ANY) && errno == EPERM,
	    "the address floor is frozen: an update is refused", strerror(errno));
	say(run, empty && !bpf_map_lookup_elem(fd, &zero, empty) && !memcmp(empty, run->floor, sizeof(*empty)),
	    "the address floor in the kernel is the compiled one", NULL);
	free(empty);
}

int main(void)
{
	static struct run run;
	int result = run_begin(&run);

	if (!result) {
		try_lengths(&run);
		try_replacing(&run);
		try_large(&run);
		try_prohibitions(&run);
		try_changing(&run);
		try_strange_kind(&run);
		try_floor(&run);
		result = run.failed;
	}
	run_end(&run);
	return result;
}
