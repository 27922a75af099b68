/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's verdict code, natively. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/lib/decide.h"
#include "verify/engine.h"

static struct bh_answer answer_connect(const struct bh_exam *exam, const struct bh_question *question)
{
	struct bh_net_question net = { .port = question->port,
				       .family = question->family,
				       .protocol = question->protocol };

	memcpy(net.address.bytes, question->address, sizeof(net.address.bytes));
	return bh_decide_net(bh_compiled_tables(exam->compiled), exam->floor, question->tool, &net);
}

static int answer_path(const struct bh_exam *exam, const struct bh_question *question, const char *path,
		       struct bh_answer *ret_answer)
{
	const struct bh_policy *policy = bh_compiled_tables(exam->compiled);
	BH_FREE struct bh_path_bytes *bytes = calloc(1, sizeof(*bytes));
	struct bh_path_question asked = { .path = bytes, .length = (uint32_t)strlen(path), .self = question->self };

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes->bytes, path, asked.length < BH_PATH_MAX ? asked.length : BH_PATH_MAX);
	if (question->kind == BH_KIND_EXEC)
		*ret_answer = bh_decide_exec(policy, question->tool, &asked);
	else if (question->kind == BH_KIND_FILE_OPEN)
		*ret_answer = bh_decide_file(policy, question->tool, question->access, &asked);
	else
		*ret_answer = bh_decide_move(policy, &asked);
	return 0;
}

int bh_ask_tables(void *data, struct bh_question *question, const char *path)
{
	const struct bh_exam *exam = data;
	struct bh_answer answer = { 0 };
	int result = 0;

	switch (question->kind) {
	case BH_KIND_CONNECT:
		answer = answer_connect(exam, question);
		break;
	case BH_KIND_EXEC:
	case BH_KIND_FILE_OPEN:
	case BH_KIND_FILE_RENAME:
		result = answer_path(exam, question, path, &answer);
		break;
	default:
		return -EINVAL;
	}
	question->reason = answer.reason;
	question->to = answer.to;
	question->rule = answer.rule;
	return result;
}
