// SPDX-License-Identifier: GPL-2.0-only
/* A policy source as a stranger may write it: parsed, its findings printed, compiled, written, read back. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/load.h"
#include "policy/parse.h"
#include "tests/fuzz/shipped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* What compiles must come back from its own bytes. */
static void read_back(const struct bh_compiled *compiled)
{
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *read = NULL;
	struct bh_err err = { 0 };
	uint8_t *bytes = NULL;
	size_t length = 0;

	if (bh_artifact_write(compiled, &bytes, &length))
		abort();
	if (bh_artifact_read(bytes, length, fuzz_shipped(), &err, &policy, &read)) {
		fprintf(stderr, "not read back: %s\n", err.text);
		abort();
	}
	bh_compiled_free(read);
	bh_source_policy_free(policy);
	free(bytes);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	char *text = malloc(length + 1);
	struct bh_diags *diags;

	if (!text)
		return 0;
	if (length)
		memcpy(text, data, length);
	text[length] = '\0';
	diags = bh_diags_new("fuzz.yaml", text, length);
	if (diags && !bh_policy_parse(text, length, fuzz_shipped(), diags, &policy) &&
	    !bh_compile(policy, fuzz_shipped(), NULL, diags, &compiled))
		read_back(compiled);
	if (diags)
		print_findings(diags);
	bh_compiled_free(compiled);
	bh_source_policy_free(policy);
	bh_diags_free(diags);
	free(text);
	return 0;
}
