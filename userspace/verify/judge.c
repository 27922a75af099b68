/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/judge.h"

#include <errno.h>
#include <string.h>

#include "compile/definition.h"

/* One of the questions that make up a query. */
struct part {
	uint32_t kind, access;
	bool second;
};

#define PARTS_MAX 4u

static size_t parts_of(enum bh_action action, struct part parts[PARTS_MAX])
{
	static const struct part of[BH_ACTIONS][PARTS_MAX] = {
		[BH_ACTION_RUN] = { { BH_KIND_EXEC_ARGS, 0, false } },
		[BH_ACTION_READ] = { { BH_KIND_FILE_OPEN, BH_ACCESS_READ, false } },
		[BH_ACTION_WRITE] = { { BH_KIND_FILE_OPEN, BH_ACCESS_WRITE, false } },
		[BH_ACTION_RENAME] = { { BH_KIND_FILE_OPEN, BH_ACCESS_WRITE, false },
				       { BH_KIND_FILE_RENAME, BH_ACCESS_WRITE, false },
				       { BH_KIND_FILE_OPEN, BH_ACCESS_WRITE, true },
				       { BH_KIND_FILE_RENAME, BH_ACCESS_WRITE, true } },
		[BH_ACTION_LINK] = { { BH_KIND_FILE_OPEN, BH_ACCESS_WRITE, false },
				     { BH_KIND_FILE_OPEN, BH_ACCESS_WRITE, true } },
		[BH_ACTION_CONNECT] = { { BH_KIND_CONNECT, 0, false } },
	};
	size_t count = 0;

	memcpy(parts, of[action], sizeof(of[action]));
	while (count < PARTS_MAX && parts[count].kind)
		count++;
	return count;
}

static struct bh_question question_of(const struct bh_query *query, const struct part *part)
{
	struct bh_question question = { .kind = part->kind, .access = part->access, .tool = query->tool };

	if (part->kind == BH_KIND_CONNECT) {
		question.family = query->net.family;
		question.port = query->net.port;
		question.protocol = query->net.protocol;
		memcpy(question.address, query->net.address.bytes, sizeof(question.address));
	}
	if (part->kind == BH_KIND_EXEC_ARGS) {
		question.args_length = (uint32_t)query->args.length;
		question.env_length = (uint32_t)query->variables.length;
		question.content_known = query->sha256 != NULL;
		if (query->sha256)
			memcpy(question.sha256, query->sha256, sizeof(question.sha256));
	}
	return question;
}

static int say_disagreement(const struct bh_judge *judge, const struct bh_query *query, const struct bh_engine *engine,
			    const struct bh_question *want, const struct bh_question *got, struct bh_err *err)
{
	struct bh_buf text = { 0 };

	bh_query_print(query, judge->exam.compiled, &text);
	bh_err_set(
		err, EPROTO,
		"engine '%s' and the definition disagree: reason %u, tool %u, rule %u against reason %u, tool %u, rule %u: %s",
		engine->name, got->reason, got->to, got->rule, want->reason, want->to, want->rule,
		text.error ? "(out of memory)" : (const char *)text.bytes);
	bh_err_hint(err,
		    "this is an error of bulkhead, not of the policy; the policy must not be used until it is found");
	bh_buf_done(&text);
	return -EPROTO;
}

/* Asks all engines; *ret is what the definition says. */
static int ask_part(const struct bh_judge *judge, const struct bh_query *query, const struct part *part,
		    struct bh_question *ret, struct bh_err *err)
{
	struct bh_asked asked = { .text = part->second ? query->other : query->path,
				  .args = query->args.bytes,
				  .env = query->variables.bytes };
	struct bh_exam exam = judge->exam;

	*ret = question_of(query, part);
	if (bh_ask_definition(&exam, ret, &asked))
		return bh_err_set(err, EINVAL, "the definition has no answer to a question of kind %u", part->kind);
	for (size_t i = 0; i < judge->engines_count; i++) {
		const struct bh_engine *engine = &judge->engines[i];
		struct bh_question got = question_of(query, part);
		int result = engine->ask(engine->data, &got, &asked);

		if (result)
			return bh_err_set(err, -result, "engine '%s' failed: %s", engine->name, strerror(-result));
		if (got.reason != ret->reason || got.to != ret->to || got.rule != ret->rule)
			return say_disagreement(judge, query, engine, ret, &got, err);
	}
	return 0;
}

/* The rule behind an allowed query. */
static const struct bh_rule *granting_rule(const struct bh_compiled *compiled, const struct bh_query *query)
{
	const char *tool = bh_compiled_tool_name(compiled, query->tool);
	uint8_t address[16], family;

	if (query->action == BH_ACTION_RUN) {
		struct bh_exec run = { query->path, query->args, query->variables, query->sha256 };
		struct bh_exec_result result;

		bh_exec_decide(compiled, tool, &run, &result);
		return result.rule;
	}
	if (!tool)
		return NULL;
	if (query->action != BH_ACTION_CONNECT)
		return bh_rule_for_file(compiled, tool,
					query->action == BH_ACTION_READ ? BH_ACCESS_READ : BH_ACCESS_WRITE,
					query->path);
	family = bh_judged_address(query->net.family, query->net.address.bytes, address);
	return bh_rule_for_net(compiled, tool, family, address, query->net.port, query->net.protocol);
}

int bh_judge(const struct bh_judge *judge, const struct bh_query *query, struct bh_reply *ret_reply, struct bh_err *err)
{
	struct bh_reply reply = { 0 };
	struct part parts[PARTS_MAX];
	size_t count = parts_of(query->action, parts);

	for (size_t i = 0; i < count && !reply.reason; i++) {
		struct bh_question question;
		int result = ask_part(judge, query, &parts[i], &question, err);

		if (result)
			return result;
		reply.reason = (uint16_t)question.reason;
		reply.to = (uint8_t)question.to;
		reply.second = question.reason && parts[i].second;
		if (question.rule)
			reply.rule = bh_compiled_rule(judge->exam.compiled, question.rule - 1);
	}
	if (!reply.reason)
		reply.rule = granting_rule(judge->exam.compiled, query);
	*ret_reply = reply;
	return 0;
}

static bool speaks_of(const struct bh_rule *rule, const struct bh_query *query)
{
	uint8_t address[16], family;

	switch (query->action) {
	case BH_ACTION_RUN:
		return rule->class == BH_RULE_EXEC && bh_rule_speaks_of_path(rule, query->path);
	case BH_ACTION_READ:
		return rule->class == BH_RULE_FILE && rule->access == BH_ACCESS_READ &&
		       bh_rule_speaks_of_path(rule, query->path);
	case BH_ACTION_CONNECT:
		family = bh_judged_address(query->net.family, query->net.address.bytes, address);
		return bh_rule_speaks_of_endpoint(rule, family, address, query->net.port, query->net.protocol);
	default:
		return rule->class == BH_RULE_FILE && rule->access == BH_ACCESS_WRITE &&
		       (bh_rule_speaks_of_path(rule, query->path) ||
			(query->other && bh_rule_speaks_of_path(rule, query->other)));
	}
}

void bh_judge_cover(const struct bh_compiled *compiled, const struct bh_query *query, bool *used)
{
	const char *tool = bh_query_tool(query, compiled);

	for (size_t i = 0; i < bh_compiled_rules_count(compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(compiled, i);

		if (rule->then == BH_THEN_ALLOW && (strcmp(rule->scope, tool) == 0 || strcmp(rule->scope, "*") == 0) &&
		    speaks_of(rule, query))
			used[i] = true;
	}
}
