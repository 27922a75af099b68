/* SPDX-License-Identifier: GPL-2.0-only */
/* What verify leaves behind: the boundary as scenarios, and the lock. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "verify/verify.h"

#define BH_HOST_TEXT 272u /* a name, a colon and a port */

/* In double quotes; the text is printable ASCII. */
static void add_quoted(struct bh_buf *out, const char *text)
{
	bh_buf_add(out, "\"", 1);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			bh_buf_add(out, "\\", 1);
		bh_buf_add(out, text, 1);
	}
	bh_buf_add(out, "\"", 1);
}

/* "WORD:PORT" and the protocol if it is not TCP. */
static void add_endpoint(struct bh_buf *out, const struct bh_query *query)
{
	char text[BH_HOST_TEXT];

	if (query->host)
		snprintf(text, sizeof(text), "%s:%u", query->host, query->net.port);
	else
		bh_endpoint_text(&query->net, text);
	add_quoted(out, text);
	if (query->net.protocol == IPPROTO_UDP)
		bh_buf_print(out, ", protocol: udp");
	for (size_t i = 0; i < query->answers_count; i++) {
		bh_buf_print(out, i ? ", " : ", answers: [");
		bh_peer_address_text(&query->answers[i], text);
		add_quoted(out, text);
	}
	if (query->answers_count)
		bh_buf_print(out, "]");
}

/* As a list: then the path may hold spaces. */
static void add_run(struct bh_buf *out, const struct bh_query *query)
{
	const char *between = ", env: {";

	bh_buf_print(out, "[");
	add_quoted(out, query->path);
	BH_FOR_EACH_STRING(&query->args, word)
	{
		bh_buf_print(out, ", ");
		add_quoted(out, word);
	}
	bh_buf_print(out, "]");
	BH_FOR_EACH_STRING(&query->variables, variable)
	{
		size_t name = strcspn(variable, "=");

		bh_buf_print(out, "%s\"%.*s\": ", between, (int)name, variable);
		add_quoted(out, variable[name] ? variable + name + 1 : "");
		between = ", ";
	}
	if (query->variables.length)
		bh_buf_print(out, "}");
	for (size_t i = 0; i < 32 && query->sha256; i++)
		bh_buf_print(out, "%s%02x", i ? "" : ", sha256: \"", query->sha256[i]);
	if (query->sha256)
		bh_buf_print(out, "\"");
}

static void add_question(struct bh_buf *out, const struct bh_query *query)
{
	bh_buf_print(out, "%s: ", bh_action_name(query->action));
	switch (query->action) {
	case BH_ACTION_RUN:
		add_run(out, query);
		return;
	case BH_ACTION_CONNECT:
		add_endpoint(out, query);
		return;
	case BH_ACTION_DNS:
		add_quoted(out, query->host);
		return;
	case BH_ACTION_PRIVILEGE:
		bh_buf_print(out, "%s", bh_privilege_name(query->number));
		return;
	case BH_ACTION_CAPABILITY:
		bh_buf_print(out, "%s", bh_capability_name(query->number));
		return;
	default:
		break;
	}
	if (query->other) {
		bh_buf_print(out, "[");
		add_quoted(out, query->path);
		bh_buf_print(out, ", ");
		add_quoted(out, query->other);
		bh_buf_print(out, "]");
	} else if (query->path) {
		add_quoted(out, query->path);
	} else {
		bh_buf_print(out, query->net.protocol == IPPROTO_UDP ? "%u, protocol: udp" : "%u", query->net.port);
	}
}

/* The id comes from the question: it stays the same when others come and go. */
static void add_id(struct bh_buf *out, const struct bh_query *query, const struct bh_compiled *compiled)
{
	char text[BH_HASH_TEXT];
	uint8_t hash[BH_HASH_BYTES];
	struct bh_buf question = { 0 };

	bh_query_print(query, compiled, &question);
	if (question.error) {
		out->error = question.error;
		return;
	}
	bh_hash_bytes(question.bytes, question.length, hash);
	bh_hash_text(hash, text);
	bh_buf_print(out, "b-%.12s", text);
	bh_buf_done(&question);
}

int bh_boundary_write(const struct bh_judge *judge, const struct bh_checks *boundary, struct bh_buf *out,
		      struct bh_err *err)
{
	const struct bh_compiled *compiled = judge->exam.compiled;

	bh_buf_print(
		out,
		"# The grants of policy %s and what lies just outside of them, with the answers it gave when this was\n"
		"# written. Read the answers: whoever keeps this file says that they are right.\n"
		"apiVersion: bulkhead.dev/v1\nkind: ScenarioSet\npolicy: %s\nscenarios:%s\n",
		bh_compiled_name(compiled), bh_compiled_name(compiled), boundary->count ? "" : " []");
	for (size_t i = 0; i < boundary->count; i++) {
		const struct bh_query *query = &boundary->items[i].query;
		struct bh_reply reply;
		int result = bh_judge(judge, query, &reply, err);

		if (result)
			return result;
		bh_buf_print(out, "  - {id: ");
		add_id(out, query, compiled);
		bh_buf_print(out, ", tool: ");
		add_quoted(out, bh_query_tool(query, compiled));
		bh_buf_print(out, ", ");
		add_question(out, query);
		bh_buf_print(out, ", expect: %s", reply.reason ? "deny" : "allow");
		if (!reply.reason && reply.to)
			bh_buf_print(out, ", to: %s", bh_compiled_tool_name(compiled, reply.to));
		bh_buf_print(out, "}\n");
	}
	return out->error ? bh_err_set(err, ENOMEM, "out of memory") : 0;
}
