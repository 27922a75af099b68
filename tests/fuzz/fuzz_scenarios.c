// SPDX-License-Identifier: GPL-2.0-only
/* A scenario file as a stranger may write it: parsed, its findings printed, and when it has none, verified. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tests/fuzz/shipped.h"
#include "verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static const char policy_text[] =
	"apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: sample}\nspec:\n  entry: a\n  tools:\n"
	"    a: {binaries: [/bin/a], may_run: [git], helpers: [/h/**], files: {read: [/w/**, /q/**/x], write: [/w/**]}}\n"
	"    git: {binaries: [/bin/git], files: {read: [/w/*]}, reach: [d]}\n"
	"  egress: {destinations: {d: {cidrs: [10.0.0.0/8, \"2001:db8::/32\"], ports: [443, 8000-8010]}}}\n";

/* The policy that all inputs are about, made at the first call and kept to the end. */
static struct bh_exam *fuzz_exam(void)
{
	static struct bh_floor_net floor_net;
	static struct bh_exam exam;
	struct bh_source_policy *source = NULL;
	struct bh_compiled *compiled = NULL;
	struct bh_diags *diags;

	if (exam.compiled)
		return &exam;
	diags = bh_diags_new("policy", policy_text, strlen(policy_text));
	if (!diags || bh_policy_parse(policy_text, strlen(policy_text), fuzz_shipped(), diags, &source) ||
	    bh_compile(source, fuzz_shipped(), NULL, diags, &compiled) ||
	    bh_floor_compile(fuzz_shipped(), &floor_net, NULL))
		abort();
	bh_source_policy_free(source);
	bh_diags_free(diags);
	exam = (struct bh_exam){ compiled, fuzz_shipped(), &floor_net };
	return &exam;
}

static void print_findings(const struct bh_diags *diags)
{
	BH_FREE char *printed = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&printed, &size);

	if (!out)
		abort();
	bh_diags_print(diags, out, false);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		if ((printed[i] < ' ' && printed[i] != '\n') || printed[i] == 0x7f)
			abort(); /* a source must not drive the terminal */
}

/* Whatever is asked, the tables answer what the definition does. */
static void verify(struct bh_exam *exam, const struct bh_scenario_set *set)
{
	struct bh_engine engine = { "host", bh_ask_tables, exam };
	struct bh_judge judge = { *exam, &engine, 1 };
	struct bh_checks none = { 0 };
	static struct bh_report report;
	struct bh_err err = { 0 };

	if (bh_verify(&judge, set, &none, &none, &report, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	if (report.passed + report.failed != set->count)
		abort();
	bh_report_done(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct bh_exam *exam = fuzz_exam();
	struct bh_scenario_set set = { 0 };
	char *text = malloc(length + 1);
	struct bh_diags *diags;

	if (!text)
		return 0;
	if (length)
		memcpy(text, data, length);
	text[length] = '\0';
	diags = bh_diags_new("fuzz.yaml", text, length);
	if (diags && !bh_scenarios_parse(text, length, exam->compiled, diags, &set))
		verify(exam, &set);
	if (diags)
		print_findings(diags);
	bh_scenario_set_done(&set);
	bh_diags_free(diags);
	free(text);
	return 0;
}
