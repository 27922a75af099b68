/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's verdict program beside the engines without a kernel: one set-up, one way to ask, one way to report. */
#ifndef TESTS_BPF_KERNEL_H
#define TESTS_BPF_KERNEL_H

#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#include "kernel/core.h"
#include "kernel/private.h"
#include "tests/bpf/difference.h"

struct run {
	struct bh_core *core;
	struct bh_shipped *shipped;
	struct bh_floor_net *floor;
	uint64_t asked[KIND_NUMBERS], allowed[KIND_NUMBERS], different[KIND_NUMBERS];
	char *first[KIND_NUMBERS]; /* the first difference of a kind, in words; owned */
	bool failed;
};

static inline void say(struct run *run, bool fine, const char *sentence, const char *detail)
{
	printf("%s - %s\n", fine ? "ok" : "not ok", sentence);
	if (!fine && detail && *detail)
		printf("# %s\n", detail);
	run->failed = run->failed || !fine;
}

/* Compiles the floor and loads the verdict program. 0; 77 when that needs root; 1 after a line that says so. */
static inline int run_begin(struct run *run)
{
	struct bh_err err = { 0 };
	int result;

	memset(run, 0, sizeof(*run));
	run->floor = calloc(1, sizeof(*run->floor));
	if (!run->floor || bh_shipped_load(&run->shipped, &err) || bh_floor_compile(run->shipped, run->floor, &err)) {
		printf("not ok - the shipped rules compile\n# %s\n", err.text);
		return 1;
	}
	result = bh_core_load_verdict(run->floor, &run->core, &err);
	if (result == -EOPNOTSUPP && geteuid() != 0) {
		printf("%s\n", err.text);
		return 77;
	}
	say(run, !result, "the verdict program loads", err.text);
	return result ? 1 : 0;
}

static inline void run_end(struct run *run)
{
	for (size_t i = 0; i < KIND_NUMBERS; i++)
		free(run->first[i]);
	bh_core_free(run->core);
	bh_shipped_free(run->shipped);
	free(run->floor);
}

/* The kernel's answer to one question. 0, or negative errno. */
static inline int ask(struct run *run, uint32_t slot, const struct question *q, struct bh_question *ret_answered)
{
	static struct bh_texts texts;
	struct bh_asked asked = texts_of(q);

	*ret_answered = question_of(q);
	ret_answered->slot = slot;
	bh_asked_lay(ret_answered, &asked, &texts);
	return bh_core_ask(run->core, ret_answered, &texts);
}

static inline void note(struct run *run, const struct question *q, const char *name, const struct bh_question *got,
			const struct bh_question *want)
{
	if (run->different[q->kind]++ || run->first[q->kind])
		return;
	run->first[q->kind] = malloc(8192);
	if (run->first[q->kind])
		describe_difference(q, name, got, want, run->first[q->kind], 8192);
}

/* A batch: the questions as they were made, and what was answered without the kernel. */
struct batch {
	struct question questions[BH_ASKED_MAX];
	struct bh_question answers[BH_ASKED_MAX];
};

static inline void compare_batch(struct run *run, struct batch *batch, const struct bh_ask_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct question *q = &batch->questions[i];

		run->asked[q->kind]++;
		run->allowed[q->kind] += !batch->answers[i].reason;
		if (entries[i].answered != 1 || !same_answer(&batch->answers[i], &entries[i].question))
			note(run, q, "the kernel", &entries[i].question, &batch->answers[i]);
	}
}

/*
 * Asks about the policy, which is in `slot`: the kernel must say what native code does, and that, unless the definition takes
 * too long for so many rules, what the definition does. 0 or negative errno.
 */
static inline int compare(struct run *run, uint32_t slot, const struct subject *s, const uint32_t *kinds,
			  size_t kinds_count, uint64_t questions, bool definition)
{
	static struct batch batch;
	struct bh_exam exam = { s->compiled, s->shipped, run->floor };
	struct bh_ask_entry *entries;
	size_t size, next = 0;
	int result = bh_core_entries(run->core, &entries, &size);

	while (questions && !result) {
		size_t count = questions < size ? (size_t)questions : size;

		for (size_t i = 0; i < count && !result; i++) {
			struct question *q = &batch.questions[i];
			struct bh_question want;
			struct bh_asked asked;

			random_question(s, kinds[next++ % kinds_count], q);
			asked = texts_of(q);
			want = batch.answers[i] = entries[i].question = question_of(q);
			entries[i].question.slot = slot;
			entries[i].answered = 0;
			bh_asked_lay(&entries[i].question, &asked, &entries[i].texts);
			result = bh_ask_tables(&exam, &batch.answers[i], &asked);
			if (!result && definition)
				result = bh_ask_definition(&exam, &want, &asked);
			if (!result && definition && !same_answer(&want, &batch.answers[i]))
				note(run, q, "native code", &batch.answers[i], &want);
		}
		if (!result)
			result = bh_core_ask_many(run->core, (uint32_t)count);
		if (!result)
			compare_batch(run, &batch, entries, count);
		questions -= count;
	}
	return result;
}

/* one in `part` at least must have been allowed: a comparison of nothing but denials proves little. 0: none need be. */
static inline void report(struct run *run, uint32_t kind, const char *about, uint64_t part)
{
	char sentence[200];
	bool fine = !run->different[kind] && run->asked[kind] &&
		    (!part || run->allowed[kind] > run->asked[kind] / part);

	snprintf(sentence, sizeof(sentence), "all answer alike about %s of %s", kind_text(kind), about);
	say(run, fine, sentence, run->first[kind]);
	printf("# %llu questions, %llu allowed, %llu answers differ\n", (unsigned long long)run->asked[kind],
	       (unsigned long long)run->allowed[kind], (unsigned long long)run->different[kind]);
	run->asked[kind] = run->allowed[kind] = run->different[kind] = 0;
}

#endif
