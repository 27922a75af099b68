/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead verify: a policy against what people expect of it, asked of every engine there is. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/output.h"
#include "cli/verification.h"
#include "compile/load.h"

static int bh_ask_kernel(void *data, struct bh_question *question, const struct bh_asked *asked)
{
	BH_FREE struct bh_texts *texts = calloc(1, sizeof(*texts));

	if (!texts)
		return -ENOMEM;
	bh_asked_lay(question, asked, texts);
	question->slot = BH_VERIFY_SLOT;
	return bh_core_ask(data, question, texts);
}

static int bh_kernel_load(struct bh_verification *v, struct bh_err *err)
{
	int result;

	if (geteuid() != 0)
		return bh_err_set(err, EOPNOTSUPP, "only root may load kernel programs");
	result = bh_core_load_verdict(v->floor, &v->core, err);
	if (!result)
		result = bh_core_publish(v->core, BH_VERIFY_SLOT, bh_compiled_tables(v->opened.compiled), err);
	if (result) {
		bh_core_free(v->core);
		v->core = NULL;
	}
	return result;
}

/* The kernel is asked when that is possible or was demanded. Returns an exit code. */
static int bh_engines_start(struct bh_verification *v)
{
	struct bh_err err = {};
	size_t count = 0;

	v->floor = calloc(1, sizeof(*v->floor));
	if (!v->floor || bh_floor_compile(v->opened.shipped, v->floor, &err)) {
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	v->judge.exam = (struct bh_exam){ v->opened.compiled, v->opened.shipped, v->floor };
	if (v->choice != BH_ENGINE_HOST && bh_kernel_load(v, &err)) {
		bh_err_goal(&err, 0, "the kernel %s asked", v->choice ? "cannot be" : "was not");
		bh_fail(&err);
		if (v->choice)
			return BH_EXIT_HOST;
	}
	if (v->choice != BH_ENGINE_BPF)
		v->engines[count++] = (struct bh_engine){ "host", bh_ask_tables, &v->judge.exam };
	if (v->core)
		v->engines[count++] = (struct bh_engine){ "bpf", bh_ask_kernel, v->core };
	v->judge.engines = v->engines;
	v->judge.engines_count = count;
	return BH_EXIT_OK;
}

void bh_verification_engines(const struct bh_verification *v, char ret_text[BH_ENGINES_TEXT])
{
	size_t used = 0;

	for (size_t i = 0; i < v->judge.engines_count; i++)
		used += (size_t)snprintf(ret_text + used, BH_ENGINES_TEXT - used, "%s+", v->judge.engines[i].name);
	snprintf(ret_text + used, BH_ENGINES_TEXT - used, "definition");
}

/* One file into the set. Returns an exit code. */
static int bh_scenarios_read(struct bh_verification *v, const char *path)
{
	BH_FREE char *text = NULL;
	struct bh_diags *diags;
	struct bh_err err = {};
	size_t length = 0;
	int result = bh_source_read(path, BH_SCENARIOS_MAX, &text, &length, &err);

	if (result) {
		bh_err_goal(&err, result, "%s", path);
		bh_fail(&err);
		return BH_EXIT_POLICY;
	}
	diags = bh_diags_new(path, text, length);
	result = diags ? bh_scenarios_parse(text, length, v->opened.compiled, diags, &v->scenarios) : -ENOMEM;
	bh_buf_add(&v->scenario_bytes, text, length);
	if (diags && v->json && bh_diags_count(diags))
		bh_json_print(json_pack("{s:i, s:s, s:b, s:o}", "schema_version", 1, "file", path, "ok", 0, "findings",
					bh_findings_json(diags)));
	else if (diags)
		bh_diags_print(diags, stderr, bh_colour(STDERR_FILENO));
	if (diags && bh_diags_errors(diags) && !v->json)
		fprintf(stderr, "bulkhead: %s: %zu error%s; nothing was verified\n", path, bh_diags_errors(diags),
			bh_diags_errors(diags) == 1 ? "" : "s");
	if (result == -ENOMEM)
		fprintf(stderr, "bulkhead: %s: out of memory\n", path);
	bh_diags_free(diags);
	return result == -ENOMEM ? BH_EXIT_INTERNAL : result ? BH_EXIT_POLICY : BH_EXIT_OK;
}

/* Each file is read, so that all errors are said at once. */
static int bh_scenarios_read_all(struct bh_verification *v)
{
	int code = BH_EXIT_OK;

	for (size_t i = 0; i < v->scenarios_count; i++) {
		int one = bh_scenarios_read(v, v->scenario_paths[i]);

		code = one > code ? one : code;
	}
	return code;
}

static int bh_boundary_put(struct bh_verification *v, struct bh_err *err)
{
	struct bh_buf text = {};
	int result = bh_boundary_write(&v->judge, &v->boundary, &text, err);

	if (!result)
		result = bh_file_put(v->boundary_path, text.bytes, text.length, err);
	bh_buf_done(&text);
	return result;
}

int bh_verification_ask(struct bh_verification *v, struct bh_err *err)
{
	int result = bh_checks_compulsory(&v->judge.exam, &v->compulsory);

	if (!result)
		result = bh_checks_boundary(&v->judge.exam, &v->boundary);
	if (result)
		return bh_err_set(err, -result, "out of memory");
	return bh_verify(&v->judge, &v->scenarios, &v->compulsory, &v->boundary, &v->report, err);
}

/* Asks, and leaves behind what was asked for. */
static int bh_verify_all(struct bh_verification *v, struct bh_err *err)
{
	int result = bh_verification_ask(v, err);

	if (!result && v->boundary_path)
		result = bh_boundary_put(v, err);
	if (!result && !v->report.failed)
		result = bh_verification_keep(v, NULL, err);
	if (!result && v->repair)
		result = bh_repair_find(v, err);
	return result;
}

static int bh_verification_run(struct bh_verification *v)
{
	struct bh_err err = {};
	int code = bh_opened_init(&v->opened, v->policy_path, v->json ? BH_FINDINGS_NONE : BH_FINDINGS_SERIOUS);

	if (code && v->json && v->opened.diags)
		bh_json_print(json_pack("{s:i, s:s, s:b, s:o}", "schema_version", 1, "file", v->policy_path, "ok", 0,
					"findings", bh_findings_json(v->opened.diags)));
	if (!code && v->apply)
		code = bh_apply_check(v);
	if (!code)
		code = bh_scenarios_read_all(v);
	if (!code)
		code = bh_engines_start(v);
	if (code)
		return code;
	if (bh_verify_all(v, &err)) {
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	if (v->apply && v->report.failed)
		return bh_proposal_apply(v);
	bh_verification_print(v);
	return v->report.failed ? BH_EXIT_NO : BH_EXIT_OK;
}

static void bh_verification_done(struct bh_verification *v)
{
	bh_repair_done(&v->found);
	bh_report_done(&v->report);
	bh_checks_done(&v->boundary);
	bh_checks_done(&v->compulsory);
	bh_scenario_set_done(&v->scenarios);
	bh_buf_done(&v->scenario_bytes);
	bh_core_free(v->core);
	free(v->floor);
	bh_opened_done(&v->opened);
	free(v);
}

static const struct option bh_verify_options[] = {
	{ "engine", required_argument, NULL, 'e' },
	{ "boundary", required_argument, NULL, 'b' },
	{ "output", required_argument, NULL, 'o' },
	{ "uncovered", no_argument, NULL, 'u' },
	{ "repair", no_argument, NULL, 'r' },
	{ "deep", no_argument, NULL, 'd' },
	{ "apply", required_argument, NULL, 'a' },
	{ "by", required_argument, NULL, 'B' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{},
};

/* One option; a usage error otherwise. */
static int bh_verify_option(struct bh_verification *v, int option, const char *value)
{
	switch (option) {
	case 'e':
		v->choice = !strcmp(value, "host") ? BH_ENGINE_HOST :
			    !strcmp(value, "bpf")  ? BH_ENGINE_BPF :
			    !strcmp(value, "all")  ? BH_ENGINE_ALL :
						     BH_ENGINE_DEFAULT;
		return v->choice ? 0 :
				   bh_usage(&bh_command_verify, "--engine is 'host', 'bpf' or 'all', not '%s'", value);
	case 'b':
		v->boundary_path = value;
		return 0;
	case 'o':
		v->folder = value;
		return 0;
	case 'u':
		v->uncovered = true;
		return 0;
	case 'r':
		v->repair = true;
		return 0;
	case 'd':
		v->deep = true;
		return 0;
	case 'a':
		v->apply = strlen(value) == 1 && *value >= '1' && *value <= '0' + (int)BH_PROPOSALS_MAX ?
				   (unsigned int)(*value - '0') :
				   0;
		return v->apply ?
			       0 :
			       bh_usage(&bh_command_verify, "--apply takes the number of a proposal, 1 to %u, not '%s'",
					BH_PROPOSALS_MAX, value);
	case 'B':
		v->by = value;
		return 0;
	case 'j':
		v->json = true;
		return 0;
	default:
		return bh_usage(&bh_command_verify, "bad option");
	}
}

/* What options need of each other. */
static int bh_verify_together(const struct bh_verification *v)
{
	if ((v->deep || v->apply) && !v->repair)
		return bh_usage(&bh_command_verify, "%s goes with --repair", v->apply ? "--apply" : "--deep");
	if (!v->apply != !v->by)
		return bh_usage(&bh_command_verify, "--apply and --by go together: who applies a proposal is recorded");
	return 0;
}

static int bh_verify_main(int argc, char **argv)
{
	struct bh_verification *v = calloc(1, sizeof(*v));
	int option, code = 0;

	if (!v)
		return BH_EXIT_INTERNAL;
	optind = 1;
	opterr = 0;
	while (!code && (option = getopt_long(argc, argv, "o:h", bh_verify_options, NULL)) >= 0) {
		if (option == 'h') {
			free(v);
			return bh_help(&bh_command_verify);
		}
		code = bh_verify_option(v, option, optarg);
	}
	if (!code)
		code = bh_verify_together(v);
	if (!code && optind >= argc)
		code = bh_usage(&bh_command_verify, "no policy");
	if (!code) {
		v->policy_path = argv[optind];
		v->scenario_paths = argv + optind + 1;
		v->scenarios_count = (size_t)(argc - optind - 1);
		code = bh_verification_run(v);
	}
	bh_verification_done(v);
	return code;
}

const struct bh_command bh_command_verify = {
	.name = "verify",
	.synopsis = "POLICY [SCENARIOS...] [--engine host|bpf|all] [--boundary FILE] [-o DIR] [--uncovered] "
		    "[--repair [--deep] [--apply N --by NAME]] [--json]",
	.summary = "ask a policy everything that is expected of it",
	.help = "  --engine E       host: the kernel's code natively; bpf: in the kernel (root); all: both, the default as root\n"
		"  --boundary FILE  write the grants and what lies just outside of them, with the answers, as scenarios\n"
		"  -o DIR           if all passes, write NAME.policy.json, NAME.bhp and NAME.lock into DIR\n"
		"  --uncovered      list what the policy allows and no scenario of SCENARIOS needed\n"
		"  --repair         if something is not as expected, propose the fewest edits that make it so; nothing is changed\n"
		"  --deep           try sets of up to 4 edits instead of 3\n"
		"  --apply N        edit POLICY, which is YAML, as proposal N says; refused in CI\n"
		"  --by NAME        who decided that; it is recorded in NAME.lock beside the policy, or in DIR\n"
		"  --json           one JSON object\n\n"
		"SCENARIOS are files of kind ScenarioSet. Beside them every policy is asked the compulsory questions: blocked\n"
		"addresses and files, guards, shells, the loader. Each answer comes from the policy's rules one by one, and every\n"
		"engine must give the same. A POLICY that is a NAME.bhp and passes gets its NAME.lock beside it. Exit status: 0 all\n"
		"is as expected, 1 something is not, 3 error in the policy or a scenario, 4 the kernel cannot be asked, 6 engines\n"
		"disagree.\n",
	.main = bh_verify_main,
};
