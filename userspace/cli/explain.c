/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead explain: the kernel's own verdict code, asked about one thing, with the rule behind the answer. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/explain.h"
#include "cli/explain_ask.h"

#define BH_OPTION_ENV 1
#define BH_OPTION_WHO 2
#define BH_OPTION_ACTION 256 /* and the number of an action */

static const struct option bh_ask_options[] = {
	{ "tool", required_argument, NULL, 't' },
	{ "run", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_RUN },
	{ "env", required_argument, NULL, BH_OPTION_ENV },
	{ "read", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_READ },
	{ "write", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_WRITE },
	{ "load", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_LOAD },
	{ "connect", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_CONNECT },
	{ "dns", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_DNS },
	{ "unix", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_UNIX },
	{ "listen", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_LISTEN },
	{ "privilege", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_PRIVILEGE },
	{ "capability", required_argument, NULL, BH_OPTION_ACTION + BH_ACTION_CAPABILITY },
	{ "who-can", required_argument, NULL, BH_OPTION_WHO },
	{ "english", no_argument, NULL, 'e' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{},
};

/* "connect github.com:443": the action is the first word. */
static int bh_take_who(struct bh_ask *ask, const char *text)
{
	size_t length = strcspn(text, " ");

	for (unsigned int action = 1; action < BH_ACTIONS; action++) {
		const char *name = bh_action_name((enum bh_action)action);

		if (strlen(name) == length && strncmp(name, text, length) == 0) {
			ask->who = text;
			ask->action = (enum bh_action)action;
			ask->object = text + length + strspn(text + length, " ");
			return 0;
		}
	}
	return bh_usage(&bh_command_explain, "--who-can begins with run, read, write, connect or the like, not '%s'",
			text);
}

static int bh_ask_option(struct bh_ask *ask, int option, const char *value)
{
	switch (option) {
	case 't':
		ask->tool = value;
		return 0;
	case 'j':
		ask->json = true;
		return 0;
	case 'e':
		ask->english = true;
		return 0;
	case BH_OPTION_ENV:
		bh_buf_add(&ask->env, value, strlen(value) + 1);
		return strchr(value, '=') && value[0] != '=' ?
			       0 :
			       bh_usage(&bh_command_explain, "--env takes NAME=VALUE, not '%s'", value);
	default:
		break;
	}
	if (ask->action)
		return bh_usage(&bh_command_explain, "more than one question");
	if (option == BH_OPTION_WHO)
		return bh_take_who(ask, value);
	if (option <= BH_OPTION_ACTION)
		return bh_usage(&bh_command_explain, "bad option");
	ask->action = (enum bh_action)(option - BH_OPTION_ACTION);
	ask->object = value;
	return 0;
}

/* The question as it was typed becomes one that can be asked. */
static int bh_ask_understand(struct bh_ask *ask)
{
	struct bh_err err = {};

	if (ask->english && (ask->action || ask->tool || ask->env.length))
		return bh_usage(&bh_command_explain, "--english prints the whole policy and takes no question");
	if (ask->english)
		return 0;
	if (!ask->action || !ask->tool == !ask->who)
		return bh_usage(&bh_command_explain,
				"a question is needed, and --tool or --who-can; or --english alone");
	if (ask->env.length && ask->action != BH_ACTION_RUN)
		return bh_usage(&bh_command_explain, "--env goes with --run");
	if (bh_query_parse(ask->action, ask->object, &ask->query, &err))
		return bh_usage(&bh_command_explain, "%s", err.text);
	ask->query.variables = (struct bh_block){ BH_TAKE(ask->env.bytes), ask->env.length };
	return 0;
}

static int bh_explain_main(int argc, char **argv)
{
	struct bh_ask ask = {};
	int option, code = 0;

	optind = 1;
	opterr = 0;
	while (!code && (option = getopt_long(argc, argv, "h", bh_ask_options, NULL)) >= 0) {
		if (option == 'h') {
			bh_ask_done(&ask);
			return bh_help(&bh_command_explain);
		}
		code = bh_ask_option(&ask, option, optarg);
	}
	if (!code && optind + 1 != argc)
		code = bh_usage(&bh_command_explain, "one policy is needed");
	if (!code)
		code = bh_ask_understand(&ask);
	if (!code && ask.english) {
		code = bh_explain_english(argv[optind], ask.json);
	} else if (!code) {
		ask.policy_path = argv[optind];
		code = bh_ask_open(&ask);
		if (!code)
			code = ask.who ? bh_ask_who(&ask) : bh_ask_answer(&ask);
	}
	bh_ask_done(&ask);
	return code;
}

const struct bh_command bh_command_explain = {
	.name = "explain",
	.synopsis = "POLICY (--tool T QUESTION [--env NAME=VALUE] | --who-can 'VERB OBJECT' | --english) [--json]",
	.summary = "ask a policy what it would decide, and why",
	.help = "  --tool T           who asks; @entry: the sandbox before its first program\n"
		"  --run 'CMD'        may T run this command line, and what does it become?\n"
		"  --env NAME=VALUE   of --run, also several times: the environment, which is empty otherwise\n"
		"  --read PATH        may T open PATH for reading?\n"
		"  --write PATH       may T create or change PATH?\n"
		"  --load PATH        may T map PATH as code?\n"
		"  --connect H:P      may T talk to port P of an address, or of a name, by TCP? by UDP: H:P/udp\n"
		"  --dns NAME         may T ask for the addresses of NAME?\n"
		"  --unix S           may T connect to the socket S, a path, or @NAME in the abstract name space?\n"
		"  --listen P         may T wait on port P (P/udp), or behind a socket?\n"
		"  --privilege NAME   may T do the privileged operation NAME?\n"
		"  --capability NAME  may T use CAP_NAME?\n"
		"  --who-can 'V O'    which tools may? 'connect example.com:443', 'read /x', 'write /x', 'run /bin/x' ...\n"
		"  --english          print the whole policy in constrained English\n"
		"  --json             one JSON object\n\n"
		"Needs no root. Paths are taken as the kernel prints them, with symbolic links resolved. Exit status: 0 allowed, some\n"
		"tool may, or all is said; 1 denied, none may, or something has no sentence.\n",
	.main = bh_explain_main,
};
