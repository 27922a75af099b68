/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/judge.h"

#include <errno.h>
#include <string.h>

#include "compile/definition.h"
#include "verify/speaks.h"

/* One of the questions that make up a query. */
struct part {
	uint32_t kind, access;
	bool second; /* of two paths */
	const struct bh_peer_address *answer; /* of a name */
};

#define PARTS_MAX (4u + BH_ANSWERS_MAX)

static size_t add_part(struct part parts[PARTS_MAX], size_t count, struct part part)
{
	parts[count] = part;
	return count + 1;
}

static size_t parts_of_two(enum bh_action action, struct part parts[PARTS_MAX])
{
	size_t count = 0;

	for (unsigned int second = 0; second < 2; second++) {
		count = add_part(parts, count, (struct part){ BH_KIND_FILE_OPEN, BH_ACCESS_WRITE, second });
		if (action == BH_ACTION_RENAME)
			count = add_part(parts, count, (struct part){ BH_KIND_FILE_RENAME, BH_ACCESS_WRITE, second });
	}
	return count;
}

/* By name: may the tool reach it at all, and then each address that it has. */
static size_t parts_of_connect(const struct bh_query *query, struct part parts[PARTS_MAX])
{
	size_t count = 0;

	if (!query->host)
		return add_part(parts, 0, (struct part){ .kind = BH_KIND_CONNECT });
	count = add_part(parts, 0, (struct part){ .kind = BH_ASK_HOST });
	for (size_t i = 0; i < query->answers_count; i++)
		count = add_part(parts, count, (struct part){ .kind = BH_ASK_ANSWER, .answer = &query->answers[i] });
	return count;
}

static uint32_t socket_kind(const struct bh_query *query)
{
	if (!query->path)
		return BH_ASK_LISTEN;
	if (query->path[0] == '@')
		return BH_ASK_ABSTRACT;
	return query->action == BH_ACTION_LISTEN ? BH_ASK_UNIX_LISTEN : BH_KIND_UNIX_CONNECT;
}

static size_t parts_of(const struct bh_query *query, struct part parts[PARTS_MAX])
{
	static const struct part of[BH_ACTIONS] = {
		[BH_ACTION_RUN] = { .kind = BH_KIND_EXEC_ARGS },
		[BH_ACTION_READ] = { .kind = BH_KIND_FILE_OPEN, .access = BH_ACCESS_READ },
		[BH_ACTION_WRITE] = { .kind = BH_KIND_FILE_OPEN, .access = BH_ACCESS_WRITE },
		[BH_ACTION_LOAD] = { .kind = BH_KIND_MMAP_EXEC },
		[BH_ACTION_DNS] = { .kind = BH_ASK_DNS },
		[BH_ACTION_PRIVILEGE] = { .kind = BH_ASK_PRIVILEGE },
		[BH_ACTION_CAPABILITY] = { .kind = BH_ASK_CAPABILITY },
	};

	switch (query->action) {
	case BH_ACTION_RENAME:
	case BH_ACTION_LINK:
		return parts_of_two(query->action, parts);
	case BH_ACTION_CONNECT:
		return parts_of_connect(query, parts);
	case BH_ACTION_UNIX:
	case BH_ACTION_LISTEN:
		return add_part(parts, 0, (struct part){ .kind = socket_kind(query) });
	default:
		return add_part(parts, 0, of[query->action]);
	}
}

static void set_address(struct bh_question *question, uint8_t family, const uint8_t address[16])
{
	question->family = family;
	memcpy(question->address, address, sizeof(question->address));
}

static struct bh_question question_of(const struct bh_query *query, const struct part *part)
{
	struct bh_question question = { .kind = part->kind,
					.access = part->access,
					.tool = query->tool,
					.port = query->net.port,
					.protocol = query->net.protocol,
					.number = query->number };

	if (part->answer)
		set_address(&question, part->answer->family, part->answer->address);
	else if (part->kind == BH_KIND_CONNECT)
		set_address(&question, query->net.family, query->net.address.bytes);
	if (part->kind == BH_KIND_EXEC_ARGS) {
		question.args_length = bh_args_length(&query->args);
		question.env_length = (uint32_t)query->variables.length;
		question.content_known = query->sha256 != NULL;
		if (query->sha256)
			memcpy(question.sha256, query->sha256, sizeof(question.sha256));
	}
	return question;
}

/* The name that the question is about; an abstract socket's without the mark in front. */
static const char *text_of(const struct bh_query *query, const struct part *part)
{
	if (part->second)
		return query->other;
	if (part->kind == BH_ASK_ABSTRACT)
		return query->path + 1;
	return query->host ? query->host : query->path;
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
	struct bh_asked asked = { .text = text_of(query, part),
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

/* Which of the policy's own rules or of its presets' lets the query pass: by its id the first that speaks of it. */
static const struct bh_rule *granting_rule(const struct bh_compiled *compiled, const struct bh_query *query)
{
	const char *tool = bh_query_tool(query, compiled);
	const struct bh_rule *rule, *found = NULL;
	struct bh_speakers speakers;

	bh_speakers_begin(compiled, query, &speakers);
	while ((rule = bh_speakers_next(&speakers)))
		if (rule->then == BH_THEN_ALLOW && bh_rule_is_for(rule, tool) && bh_rule_speaks_of(rule, query) &&
		    (!found || strcmp(rule->id, found->id) < 0))
			found = rule;
	return found;
}

/* Of a refused exec: what does not fit, and what the rule is that comes nearest. */
static void explain_run(const struct bh_compiled *compiled, const struct bh_query *query, struct bh_reply *reply)
{
	struct bh_exec run = { .path = query->path,
			       .args = { query->args.bytes, bh_args_length(&query->args) },
			       .variables = query->variables,
			       .sha256 = query->sha256 };
	struct bh_exec_result result;

	bh_exec_decide(compiled, bh_compiled_tool_name(compiled, query->tool), &run, &result);
	if (result.reason == reply->reason)
		reply->misfit = result.misfit;
}

int bh_judge(const struct bh_judge *judge, const struct bh_query *query, struct bh_reply *ret_reply, struct bh_err *err)
{
	struct bh_reply reply = { 0 };
	struct part parts[PARTS_MAX];
	size_t count = parts_of(query, parts);

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
	else if (query->action == BH_ACTION_RUN)
		explain_run(judge->exam.compiled, query, &reply);
	*ret_reply = reply;
	return 0;
}

void bh_judge_cover(const struct bh_compiled *compiled, const struct bh_query *query, bool *used)
{
	const char *tool = bh_query_tool(query, compiled);
	struct bh_speakers speakers;
	const struct bh_rule *rule;

	bh_speakers_begin(compiled, query, &speakers);
	while ((rule = bh_speakers_next(&speakers)))
		if (rule->then == BH_THEN_ALLOW && bh_rule_is_for(rule, tool) && bh_rule_speaks_of(rule, query))
			used[rule - bh_compiled_rule(compiled, 0)] = true;
}
