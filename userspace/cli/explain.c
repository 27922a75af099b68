/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead explain: the kernel's own verdict code, asked about one thing, with the rule behind the answer. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/lib/decide.h"
#include "cli/explain.h"
#include "compile/definition.h"
#include "event/event.h"

enum bh_ask_kind {
	BH_ASK_NONE = 0,
	BH_ASK_RUN,
	BH_ASK_READ,
	BH_ASK_WRITE,
	BH_ASK_CONNECT,
};

/* The question as asked, and everything that is needed to answer it. */
struct bh_ask {
	enum bh_ask_kind kind;
	const char *object, *tool;
	bool json;
	struct bh_opened opened;
	unsigned int tool_id;
	struct bh_net_question net;
	char path[BH_PATH_MAX]; /* of the program or file */
	/* the answer */
	struct bh_answer answer;
	uint32_t verdict;
	const struct bh_rule *rule;
};

static const char *const bh_ask_verbs[] = { NULL, "run", "read", "write", "connect to" };

/* "ADDRESS:PORT" or "[V6]:PORT". */
static int bh_ask_address(struct bh_ask *ask)
{
	const char *colon = strrchr(ask->object, ':');
	char host[INET6_ADDRSTRLEN + 2], *end;
	size_t length = colon ? (size_t)(colon - ask->object) : 0;
	unsigned long port;

	if (!colon || !length || length >= sizeof(host))
		return -EINVAL;
	snprintf(host, sizeof(host), "%.*s", (int)length, ask->object);
	port = strtoul(colon + 1, &end, 10);
	if (*end || end == colon + 1 || !port || port > 65535)
		return -EINVAL;
	if (host[0] == '[' && host[length - 1] == ']') {
		host[length - 1] = '\0';
		memmove(host, host + 1, length - 1);
	}
	ask->net.port = (uint16_t)port;
	ask->net.protocol = IPPROTO_TCP;
	if (inet_pton(AF_INET, host, ask->net.address.bytes) == 1)
		ask->net.family = 4;
	else if (inet_pton(AF_INET6, host, ask->net.address.bytes) == 1)
		ask->net.family = 6;
	return ask->net.family ? 0 : -EINVAL;
}

/* The first word of a command line is the program; the rest does not decide anything yet. */
static int bh_ask_path(struct bh_ask *ask)
{
	size_t length = ask->kind == BH_ASK_RUN ? strcspn(ask->object, " ") : strlen(ask->object);

	if (ask->object[0] != '/' || length >= sizeof(ask->path))
		return -EINVAL;
	memcpy(ask->path, ask->object, length);
	ask->path[length] = '\0';
	return 0;
}

static int bh_ask_net(struct bh_ask *ask)
{
	BH_FREE struct bh_floor_net *floor = calloc(1, sizeof(*floor));
	struct bh_err err = {};

	if (!floor)
		return -ENOMEM;
	if (bh_floor_compile(ask->opened.shipped, floor, &err)) {
		bh_fail(&err);
		return -EINVAL;
	}
	ask->answer = bh_decide_net(bh_compiled_tables(ask->opened.compiled), floor, ask->tool_id, &ask->net);
	if (!ask->answer.reason)
		ask->rule = bh_rule_for_net(ask->opened.compiled, ask->tool, ask->net.family, ask->net.address.bytes,
					    ask->net.port, ask->net.protocol);
	return 0;
}

static int bh_ask_file(struct bh_ask *ask)
{
	const struct bh_policy *policy = bh_compiled_tables(ask->opened.compiled);
	BH_FREE struct bh_path_bytes *bytes = calloc(1, sizeof(*bytes));
	struct bh_path_question question = { .path = bytes, .length = (__u32)strlen(ask->path) };
	uint8_t access = ask->kind == BH_ASK_WRITE ? BH_ACCESS_WRITE : BH_ACCESS_READ;

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes->bytes, ask->path, question.length);
	if (ask->kind == BH_ASK_RUN) {
		ask->answer = bh_decide_exec(policy, ask->tool_id, &question);
		ask->rule = bh_rule_for_exec(ask->opened.compiled, ask->tool_id ? ask->tool : NULL, ask->path);
	} else {
		ask->answer = bh_decide_file(policy, ask->tool_id, access, &question);
		ask->rule = bh_rule_for_file(ask->opened.compiled, ask->tool, access, ask->path);
	}
	return 0;
}

static void bh_ask_print(const struct bh_ask *ask)
{
	const struct bh_rule *rule = ask->rule;
	const char *to = bh_compiled_tool_name(ask->opened.compiled, ask->answer.to);

	if (!ask->answer.reason)
		printf("ALLOW  tool '%s' may %s %s", ask->tool, bh_ask_verbs[ask->kind], ask->object);
	else
		printf("%s  tool '%s' may not %s %s\n       reason %s: %s",
		       ask->verdict == BH_VERDICT_KILL ? "KILL" : "DENY", ask->tool, bh_ask_verbs[ask->kind],
		       ask->object, bh_reason_code(ask->answer.reason), bh_reason_text(ask->answer.reason));
	if (to && !ask->answer.reason)
		printf(" and becomes tool '%s'", to);
	putchar('\n');
	if (!rule)
		return;
	if (rule->loc.line)
		printf("       rule %s  %s:%u:%u\n", rule->id, bh_diags_name(ask->opened.diags), rule->loc.line,
		       rule->loc.column);
	else if (rule->from)
		printf("       rule %s  %s\n", rule->id, rule->from);
	else /* a compiled policy does not know its source */
		printf("       rule %s\n", rule->id);
}

static void bh_ask_print_json(const struct bh_ask *ask)
{
	static const char *const verdicts[] = { NULL, "allow", "deny", "kill", "freeze", "task" };
	const char *to = bh_compiled_tool_name(ask->opened.compiled, ask->answer.to);
	json_t *object = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s}", "schema_version", 1, "verdict",
				   verdicts[ask->verdict], "tool", ask->tool, "action", bh_ask_verbs[ask->kind],
				   "object", ask->object, "policy", bh_compiled_hash(ask->opened.compiled));

	if (ask->answer.reason) {
		json_object_set_new(object, "reason", json_string(bh_reason_code(ask->answer.reason)));
		json_object_set_new(object, "message", json_string(bh_reason_text(ask->answer.reason)));
	}
	if (to)
		json_object_set_new(object, "becomes", json_string(to));
	if (ask->rule) {
		json_object_set_new(object, "rule", json_string(ask->rule->id));
		if (ask->rule->loc.line)
			json_object_set_new(object, "line", json_integer(ask->rule->loc.line));
	}
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static int bh_ask_answer(struct bh_ask *ask, const char *path)
{
	const struct bh_policy *policy;
	int result, code = bh_opened_init(&ask->opened, path, ask->json ? BH_FINDINGS_NONE : BH_FINDINGS_SERIOUS);

	if (code)
		return code;
	ask->tool_id = bh_compiled_tool_id(ask->opened.compiled, ask->tool);
	if (!ask->tool_id && strcmp(ask->tool, "@entry") != 0)
		return bh_usage(&bh_command_explain, "policy '%s' has no tool '%s'",
				bh_compiled_name(ask->opened.compiled), ask->tool);
	result = ask->kind == BH_ASK_CONNECT ? bh_ask_net(ask) : bh_ask_file(ask);
	if (result)
		return BH_EXIT_INTERNAL;
	policy = bh_compiled_tables(ask->opened.compiled);
	ask->verdict = bh_verdict_of(&policy->head, ask->tool_id, ask->answer.reason, BH_MODE_ENFORCE);
	if (ask->json)
		bh_ask_print_json(ask);
	else
		bh_ask_print(ask);
	return ask->answer.reason ? BH_EXIT_NO : BH_EXIT_OK;
}

static const struct option bh_ask_options[] = {
	{ "tool", required_argument, NULL, 't' },
	{ "run", required_argument, NULL, BH_ASK_RUN },
	{ "read", required_argument, NULL, BH_ASK_READ },
	{ "write", required_argument, NULL, BH_ASK_WRITE },
	{ "connect", required_argument, NULL, BH_ASK_CONNECT },
	{ "english", no_argument, NULL, 'e' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{},
};

static int bh_explain_main(int argc, char **argv)
{
	struct bh_ask ask = {};
	bool english = false;
	int option, code;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", bh_ask_options, NULL)) >= 0) {
		if (option == 't') {
			ask.tool = optarg;
		} else if (option == 'e') {
			english = true;
		} else if (option == 'j') {
			ask.json = true;
		} else if (option == 'h') {
			return bh_help(&bh_command_explain);
		} else if (option >= BH_ASK_RUN && option <= BH_ASK_CONNECT && !ask.kind) {
			ask.kind = (enum bh_ask_kind)option;
			ask.object = optarg;
		} else {
			return bh_usage(&bh_command_explain, "bad option, or more than one question");
		}
	}
	if (english && optind + 1 == argc && !ask.tool && !ask.kind)
		return bh_explain_english(argv[optind], ask.json);
	if (english || optind + 1 != argc || !ask.tool || !ask.kind)
		return bh_usage(&bh_command_explain,
				"a policy is needed, and a tool with one question or --english alone");
	if (ask.kind == BH_ASK_CONNECT ? bh_ask_address(&ask) : bh_ask_path(&ask))
		return bh_usage(&bh_command_explain, "'%s' is not %s", ask.object,
				ask.kind == BH_ASK_CONNECT ? "ADDRESS:PORT or [IPV6]:PORT" :
							     "an absolute path of at most 4095 bytes");
	code = bh_ask_answer(&ask, argv[optind]);
	bh_opened_done(&ask.opened);
	return code;
}

const struct bh_command bh_command_explain = {
	.name = "explain",
	.synopsis =
		"POLICY (--tool T (--run 'CMD' | --read PATH | --write PATH | --connect ADDRESS:PORT) | --english) [--json]",
	.summary = "ask a policy what it would decide, and why",
	.help = "  --tool T          who asks; @entry: the sandbox before its first program\n"
		"  --run 'CMD'       may T execute CMD's program (an absolute path), and what does it become?\n"
		"  --read PATH       may T open PATH for reading?\n"
		"  --write PATH      may T create or change PATH?\n"
		"  --connect A:PORT  may T talk to this address by TCP?\n"
		"  --english         print the whole policy in constrained English\n"
		"  --json            one JSON object\n\n"
		"Needs no root. Paths are taken as the kernel prints them, with symbolic links resolved. Exit status: 0 allowed, or\n"
		"all is said; 1 denied, or something has no sentence.\n",
	.main = bh_explain_main,
};
