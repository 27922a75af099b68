/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program that is about to start was given. Arguments and environment lie in its new memory, one string behind the
 * other: bprm->argc arguments, then the variables up to bprm->exec. It has not run yet, so nobody changes them.
 */
#ifndef BH_LIB_COMMAND_BPF_H
#define BH_LIB_COMMAND_BPF_H

#include "bpf/lib/path.bpf.h"

#define BH_STRINGS_MAX 131072 /* pieces of arguments or variables that are passed over; more ends the exec */
#define BH_PIECES_MAX 8192 /* pieces of the environment; more ends the exec */

/* A walk over the strings. */
struct bh_strings {
	struct bh_scratch *scratch;
	const struct bh_policy *policy;
	__u64 at, end;
	__u32 left; /* strings to go */
	__u32 used; /* bytes of arguments in the buffer */
	__u32 inside; /* the next piece continues a string that was longer than the buffer */
	__u32 result;
	__u32 obeyed; /* looked for is a variable that is obeyed, else one that no way takes */
	__u32 pad0;
	struct bh_environment environment;
};
#define BH_STRINGS_DONE 1u
#define BH_STRINGS_TOO_LONG 2u
#define BH_STRINGS_FOUND 3u

/* bpf_loop step: passes over one string, or one buffer full of it. Returns 1 to end. */
static long bh_pass_step(__u32 index, struct bh_strings *this)
{
	long length;

	if (!this->left) {
		this->result = BH_STRINGS_DONE;
		return 1;
	}
	length = bpf_probe_read_user_str(this->scratch->event.path, BH_PATH_MAX, (void *)this->at);
	if (length <= 0)
		return 1;
	if (length == BH_PATH_MAX) { /* cut: the last byte is a NUL of the helper's own */
		this->at += length - 1;
		return 0;
	}
	this->at += length;
	this->left--;
	return 0;
}

/* bpf_loop step: puts one argument behind the others in the buffer. */
static long bh_word_step(__u32 index, struct bh_strings *this)
{
	__u32 used = this->used;
	long length;

	if (!this->left) {
		this->result = BH_STRINGS_DONE;
		return 1;
	}
	this->result = BH_STRINGS_TOO_LONG;
	if (used >= BH_ARGS_MAX)
		return 1;
	length = bpf_probe_read_user_str(this->scratch->event.path + (used & (BH_PATH_MAX - 1)), BH_ARGS_WORD_MAX + 2,
					 (void *)this->at);
	if (length <= 0) {
		this->result = 0;
		return 1;
	}
	if (length > (long)BH_ARGS_WORD_MAX + 1 || used + length > BH_ARGS_MAX)
		return 1;
	this->used = used + length;
	this->at += length;
	this->left--;
	return 0;
}

/* bpf_loop step: a piece of the environment through its automata. */
static long bh_piece_step(__u32 index, struct bh_strings *this)
{
	__u64 left = this->end - this->at;
	__u32 length = left < BH_PATH_MAX ? left : BH_PATH_MAX;

	if (!left) {
		this->result = BH_STRINGS_DONE;
		return 1;
	}
	if (bpf_probe_read_user(this->scratch->event.path, length, (void *)this->at))
		return 1;
	bh_environment_walk(this->policy, &this->environment, (const struct bh_path_bytes *)this->scratch->event.path,
			    length);
	this->at += length;
	return 0;
}

/* bpf_loop step: walks one string, or one buffer full of it, to find the variable that makes the environment wrong. */
static long bh_variable_step(__u32 index, struct bh_strings *this)
{
	struct bh_scratch *scratch = this->scratch;
	long length;

	if (this->at >= this->end)
		return 1;
	length = bpf_probe_read_user_str(scratch->event.path, BH_PATH_MAX, (void *)this->at);
	if (length <= 0)
		return 1;
	if (length == BH_PATH_MAX) /* cut: the last byte is a NUL of the helper's own */
		length--;
	bh_environment_walk(this->policy, &this->environment, (const struct bh_path_bytes *)scratch->event.path,
			    length);
	if (bh_environment_wrong(&this->environment, this->obeyed)) {
		this->result = this->inside ? 0 : BH_STRINGS_FOUND;
		return 1;
	}
	this->inside = length == BH_PATH_MAX - 1;
	this->at += length;
	return 0;
}

/* The name of the variable that is to blame becomes the record's path, where one is. `this` stands where they begin. */
static BH_INLINE void bh_variable_name(struct bh_strings *this, __u32 reason)
{
	struct bh_event *event = &this->scratch->event;

	this->obeyed = reason == BH_REASON_X5;
	this->inside = 0;
	this->result = 0;
	bpf_loop(BH_STRINGS_MAX, bh_variable_step, this, 0);
	if (this->result != BH_STRINGS_FOUND)
		return;
	for (__u32 i = 0; i < 64; i++) {
		if (event->path[i] == '=' || !event->path[i]) {
			event->path[i] = '\0';
			event->path_length = i + 1;
			break;
		}
	}
}

#define BH_SHOWN_MAX 256u /* bytes of arguments in a record */

/* The arguments in the buffer become the record's path, with spaces between them. */
static BH_INLINE void bh_arguments_show(struct bh_event *event, __u32 used)
{
	__u32 shown = used < BH_SHOWN_MAX ? used : BH_SHOWN_MAX;

	if (!shown)
		return;
	for (__u32 i = 0; i < BH_SHOWN_MAX; i++) {
		if (i + 1 >= shown)
			break;
		if (!event->path[i])
			event->path[i] = ' ';
	}
	event->path[(shown - 1) & (BH_SHOWN_MAX - 1)] = '\0';
	event->path_length = shown;
}

/*
 * Reads the arguments into the record's buffer: the last `words` of them, which the caller gave; for a script the kernel has
 * put the interpreter's in front (policy.md 4.2). this->at is then behind them. Returns 0, or the reason to end the exec.
 */
static BH_INLINE __u32 bh_arguments_read(struct bh_strings *this, struct linux_binprm *bprm, __u32 words)
{
	__u32 count = bprm->argc;

	if (words > count)
		return BH_REASON_R1;
	this->left = count - words;
	bpf_loop(BH_STRINGS_MAX, bh_pass_step, this, 0);
	if (this->result != BH_STRINGS_DONE)
		return BH_REASON_R1;
	this->left = words;
	this->result = words > BH_ARGS_WORDS_MAX ? BH_STRINGS_TOO_LONG : 0;
	if (!this->result)
		bpf_loop(BH_ARGS_WORDS_MAX + 1, bh_word_step, this, 0);
	if (this->result == BH_STRINGS_DONE)
		return 0;
	if (this->result != BH_STRINGS_TOO_LONG)
		return BH_REASON_R1;
	this->used = BH_ARGS_MAX + 1;
	this->result = 0;
	bpf_loop(BH_STRINGS_MAX, bh_pass_step, this, 0);
	return this->result == BH_STRINGS_DONE ? 0 : BH_REASON_R1;
}

/* Reads on through the environment. Returns 0, or the reason to end the exec. */
static BH_INLINE __u32 bh_environment_read(struct bh_strings *this, struct bh_exec_facts *facts)
{
	if (this->end < this->at)
		return BH_REASON_R1;
	facts->too_large = this->end - this->at > BH_ENV_MAX;
	if (facts->too_large)
		this->environment.ways = 0;
	this->result = 0;
	bpf_loop(BH_PIECES_MAX, bh_piece_step, this, 0);
	facts->environment = this->environment;
	return this->result == BH_STRINGS_DONE ? 0 : BH_REASON_R1;
}

/* Decides what becomes of the exec that the check let through as `next`. words: as the check counted them. */
static BH_INLINE struct bh_answer bh_command_judge(struct bh_case *this, struct linux_binprm *bprm, __u32 next,
						   __u32 words)
{
	struct bh_strings strings = {
		.scratch = this->scratch, .policy = this->subject.policy, .at = bprm->p, .end = bprm->exec
	};
	struct bh_exec_facts facts = { .content = (1u << BH_WAYS) - 1 };
	struct bh_event *event = &this->scratch->event;
	struct bh_answer answer = {};
	__u64 environment;
	__u32 used;

	if (!this->subject.policy)
		return bh_reason(BH_REASON_R0);
	answer.reason = bh_arguments_read(&strings, bprm, words);
	if (answer.reason)
		return answer;
	used = strings.used;
	environment = strings.at;
	facts.arguments = bh_arguments_fit(this->subject.policy, next, (const struct bh_path_bytes *)event->path, used);
	bh_environment_begin(this->subject.policy, next, facts.arguments, &strings.environment);
	facts.environment = strings.environment;
	answer = bh_decide_exec_commit(this->subject.policy, this->subject.tool, next, &facts);
	if (answer.reason == BH_REASON_X3) { /* the environment makes no difference, and the buffer still holds them */
		bh_arguments_show(event, used > BH_ARGS_MAX ? 0 : used);
		return answer;
	}
	answer.reason = bh_environment_read(&strings, &facts);
	if (answer.reason)
		return answer;
	answer = bh_decide_exec_commit(this->subject.policy, this->subject.tool, next, &facts);
	if (answer.reason) {
		bh_environment_begin(this->subject.policy, next, facts.arguments, &strings.environment);
		strings.at = environment;
		bh_variable_name(&strings, answer.reason);
	}
	return answer;
}

#endif
