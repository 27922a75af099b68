/* SPDX-License-Identifier: GPL-2.0-only */
/* A small policy of two tools, compiled against what ships. */
#ifndef TESTS_UNIT_VERIFY_SAMPLE_H
#define TESTS_UNIT_VERIFY_SAMPLE_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/parse.h"
#include "verify/verify.h"

#define WORKER 1u
#define GIT 2u

#define HEAD                                                                                                           \
	"apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: sample}\nspec:\n  entry: worker\n"         \
	"  tools:\n"
#define WORKER_TOOL                                                                                                    \
	"    worker: {binaries: [/usr/bin/worker], may_run: [git], helpers: [/usr/bin/cat],\n"                         \
	"             files: {read: [/work/**, /home/**/x], write: [/work/**]}}\n"
#define GIT_TOOL "    git: {binaries: [/usr/bin/git], files: {read: [/work/**]}, reach: [forge]}\n"
#define FORGE "  egress: {destinations: {forge: {cidrs: [10.1.0.0/16], ports: [443]}}}\n"
#define SAMPLE HEAD WORKER_TOOL GIT_TOOL FORGE

static struct bh_shipped *shipped;
static struct bh_floor_net floor_net;

static inline int set_up(void **state)
{
	if (bh_shipped_load(&shipped, NULL))
		return -1;
	return bh_floor_compile(shipped, &floor_net, NULL);
}

static inline int tear_down(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

/* Compiles a policy's text; the caller frees both. */
static inline void sample_compile(const char *text, struct bh_source_policy **ret_source,
				  struct bh_compiled **ret_compiled)
{
	struct bh_diags *diags = bh_diags_new("sample.yaml", text, strlen(text));

	*ret_source = NULL;
	*ret_compiled = NULL;
	assert_non_null(diags);
	if (bh_policy_parse(text, strlen(text), shipped, diags, ret_source) ||
	    bh_compile(*ret_source, shipped, NULL, diags, ret_compiled))
		bh_diags_print(diags, stderr, false);
	assert_non_null(*ret_compiled);
	bh_diags_free(diags);
}

/* The exam of a policy's text; exam_done lets go of it. */
static inline struct bh_exam exam_of(const char *text)
{
	struct bh_source_policy *source;
	struct bh_compiled *compiled;

	sample_compile(text, &source, &compiled);
	bh_source_policy_free(source);
	return (struct bh_exam){ compiled, shipped, &floor_net };
}

static inline void exam_done(struct bh_exam *exam)
{
	bh_compiled_free((struct bh_compiled *)exam->compiled);
	exam->compiled = NULL;
}

#define SET "apiVersion: bulkhead.dev/v1\nkind: ScenarioSet\npolicy: sample\nscenarios:\n"

/* Reads scenarios that must be right. */
static inline struct bh_scenario_set scenarios_of(const struct bh_exam *exam, const char *text)
{
	struct bh_diags *diags = bh_diags_new("scenarios.yaml", text, strlen(text));
	struct bh_scenario_set set = { 0 };

	assert_non_null(diags);
	if (bh_scenarios_parse(text, strlen(text), exam->compiled, diags, &set)) {
		bh_diags_print(diags, stderr, false);
		fail_msg("the scenarios have errors");
	}
	bh_diags_free(diags);
	return set;
}

/* Verifies the scenarios alone, or with what `compulsory` and `boundary` hold. */
static inline int verify(struct bh_exam *exam, const struct bh_scenario_set *set, const struct bh_checks *compulsory,
			 const struct bh_checks *boundary, struct bh_report *report)
{
	static const struct bh_checks none;
	struct bh_engine engine = { "host", bh_ask_tables, exam };
	struct bh_judge judge = { *exam, &engine, 1 };
	struct bh_err err = { 0 };
	int result;

	memset(report, 0, sizeof(*report));
	result = bh_verify(&judge, set, compulsory ? compulsory : &none, boundary ? boundary : &none, report, &err);
	if (result)
		print_error("%s\n", err.text);
	return result;
}

#endif
