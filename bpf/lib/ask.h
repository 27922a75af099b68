/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A question of any kind, put to the function that answers it: the same lines natively and in the verdict program. */
#ifndef BH_LIB_ASK_H
#define BH_LIB_ASK_H

#include "bpf/lib/decide.h"

static BH_INLINE const struct bh_path_bytes *bh_text_piece(const __u8 *bytes)
{
	return (const struct bh_path_bytes *)bytes;
}

/* The environment, piece by piece. */
BH_ONCE int bh_ask_environment(const struct bh_policy *policy, const struct bh_texts *texts, __u32 length,
			       struct bh_environment *environment)
{
	if (!policy || !texts || !environment)
		return 0;
	for (__u32 at = 0; at < BH_ENV_MAX; at += BH_PATH_MAX) {
		__u32 left;

		if (at >= length)
			break;
		left = length - at < BH_PATH_MAX ? length - at : BH_PATH_MAX;
		bh_environment_walk(policy, environment, bh_text_piece(&texts->env[at]), left);
	}
	return 0;
}

static BH_INLINE struct bh_answer bh_ask_run(const struct bh_policy *policy, const struct bh_question *question,
					     const struct bh_texts *texts, const struct bh_path_question *path)
{
	struct bh_answer answer = bh_decide_exec(policy, question->tool, path);
	struct bh_content content = { .known = question->content_known };
	struct bh_exec_facts facts = { .too_large = question->env_length > BH_ENV_MAX };

	if (answer.reason)
		return answer;
	__builtin_memcpy(content.sha256, question->sha256, sizeof(content.sha256));
	facts.content = bh_content_fits(policy, answer.next, &content);
	facts.arguments = bh_arguments_fit(policy, answer.next, bh_text_piece(texts->args), question->args_length);
	bh_environment_begin(policy, answer.next, facts.content & facts.arguments, &facts.environment);
	if (!facts.too_large)
		bh_ask_environment(policy, texts, question->env_length, &facts.environment);
	return bh_decide_exec_commit(policy, question->tool, answer.next, &facts);
}

static BH_INLINE struct bh_answer bh_ask_peer(const struct bh_policy *policy, const struct bh_floor_net *floor,
					      const struct bh_question *question, const struct bh_path_question *name)
{
	struct bh_net_question net = { .port = question->port,
				       .family = question->family,
				       .protocol = question->protocol };

	__builtin_memcpy(net.address.bytes, question->address, sizeof(net.address.bytes));
	switch (question->kind) {
	case BH_ASK_HOST:
		return bh_decide_host(policy, question->tool, name, question->port, question->protocol);
	case BH_ASK_DNS:
		return bh_decide_dns(policy, question->tool, name);
	case BH_ASK_ANSWER:
		return bh_decide_resolved(policy, floor, question->tool, name, &net);
	case BH_ASK_LISTEN:
		return bh_decide_listen(policy, question->tool, question->port, question->protocol);
	default:
		return bh_decide_net(policy, floor, question->tool, &net);
	}
}

static BH_INLINE struct bh_answer bh_ask_path(const struct bh_policy *policy, const struct bh_question *question,
					      const struct bh_path_question *path)
{
	switch (question->kind) {
	case BH_KIND_EXEC:
		return bh_decide_exec(policy, question->tool, path);
	case BH_KIND_FILE_OPEN:
		return bh_decide_file(policy, question->tool, question->access, path);
	case BH_KIND_FILE_RENAME:
		return bh_decide_move(policy, path);
	case BH_KIND_MMAP_EXEC:
		return bh_decide_load(policy, question->tool, path);
	case BH_ASK_ABSTRACT:
		return bh_decide_abstract(policy, question->tool, path);
	default:
		return bh_decide_unix(policy, question->tool, question->kind == BH_ASK_UNIX_LISTEN, path);
	}
}

/* Fills the answer. 0, or -1 for a kind that there is not. */
static BH_INLINE int bh_ask_answer(const struct bh_policy *policy, const struct bh_floor_net *floor,
				   struct bh_question *question, const struct bh_texts *texts)
{
	struct bh_path_question path = { .path = bh_text_piece(texts->text),
					 .length = question->text_length,
					 .self = question->self };
	struct bh_answer answer;

	switch (question->kind) {
	case BH_KIND_EXEC:
	case BH_KIND_FILE_OPEN:
	case BH_KIND_FILE_RENAME:
	case BH_KIND_MMAP_EXEC:
	case BH_KIND_UNIX_CONNECT:
	case BH_ASK_UNIX_LISTEN:
	case BH_ASK_ABSTRACT:
		answer = bh_ask_path(policy, question, &path);
		break;
	case BH_KIND_EXEC_ARGS:
		answer = bh_ask_run(policy, question, texts, &path);
		break;
	case BH_KIND_CONNECT:
	case BH_ASK_HOST:
	case BH_ASK_DNS:
	case BH_ASK_ANSWER:
	case BH_ASK_LISTEN:
		answer = bh_ask_peer(policy, floor, question, &path);
		break;
	case BH_ASK_PRIVILEGE:
		answer = bh_decide_privilege(policy, question->tool, question->number);
		break;
	case BH_ASK_CAPABILITY:
		answer = bh_decide_capability(policy, question->tool, question->number);
		break;
	case BH_ASK_JIT:
		answer = bh_decide_jit(policy, question->tool);
		break;
	default:
		return -1;
	}
	question->reason = answer.reason;
	question->to = answer.to;
	question->rule = answer.rule;
	return 0;
}

#endif
