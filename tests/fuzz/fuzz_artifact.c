// SPDX-License-Identifier: GPL-2.0-only
/*
 * A compiled policy made by an attacker. An input that begins like an artifact is one, whose length and hashes are made to
 * fit here, so that they hide nothing; any other input is the canonical JSON of one. What is accepted must be our own bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "compile/artifact.h"
#include "compile/load.h"
#include "policy/parse.h"
#include "tests/fuzz/shipped.h"

#define DIRECTORY_END (BH_ARTIFACT_HEADER_BYTES + (BH_SECTION_END - 1) * BH_SECTION_BYTES)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void set_number(uint8_t *at, unsigned int width, uint64_t number)
{
	for (unsigned int i = 0; i < width; i++)
		at[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t number_at(const uint8_t *at, unsigned int width)
{
	uint64_t number = 0;

	while (width-- > 0)
		number = number << 8 | at[width];
	return number;
}

static void seal(uint8_t *file, size_t length)
{
	const uint8_t *row = file + BH_ARTIFACT_HEADER_BYTES + (BH_SECTION_JSON - 1) * BH_SECTION_BYTES;
	uint64_t offset, count;

	if (length < DIRECTORY_END)
		return;
	offset = number_at(row + BH_SECTION_OFFSET_AT, 8);
	count = number_at(row + BH_SECTION_COUNT_AT, 4);
	set_number(file + BH_ARTIFACT_LENGTH_AT, 8, length);
	if (offset <= length && count <= length - offset)
		bh_hash_bytes(file + offset, count, file + BH_ARTIFACT_POLICY_HASH_AT);
	bh_hash_bytes(file + BH_ARTIFACT_HEADER_BYTES, length - BH_ARTIFACT_HEADER_BYTES,
		      file + BH_ARTIFACT_TABLES_HASH_AT);
}

/* A file with this JSON, a head that is all zero but for its layout, and nothing else: refused, but only after compiling. */
static uint8_t *wrap(const uint8_t *json, size_t json_length, size_t *ret_length)
{
	uint8_t *file = calloc(1, DIRECTORY_END + sizeof(struct bh_policy_head) + json_length + BH_SECTION_ALIGN);
	size_t end = DIRECTORY_END;

	if (!file)
		return NULL;
	memcpy(file, BH_ARTIFACT_MAGIC, BH_ARTIFACT_MAGIC_BYTES);
	set_number(file + BH_ARTIFACT_FORMAT_AT, 4, BH_FORMAT_VERSION);
	set_number(file + BH_ARTIFACT_SECTIONS_AT, 4, BH_SECTION_END - 1);
	for (unsigned int type = BH_SECTION_HEAD; type < BH_SECTION_END; type++) {
		uint8_t *row = file + BH_ARTIFACT_HEADER_BYTES + (type - 1) * BH_SECTION_BYTES;
		size_t count = type == BH_SECTION_HEAD ? 1 : type == BH_SECTION_JSON ? json_length : 0;

		end = (end + BH_SECTION_ALIGN - 1) / BH_SECTION_ALIGN * BH_SECTION_ALIGN;
		set_number(row, 4, type);
		set_number(row + BH_SECTION_RECORD_AT, 4, bh_section_record_bytes(type));
		set_number(row + BH_SECTION_COUNT_AT, 4, count);
		set_number(row + BH_SECTION_OFFSET_AT, 8, end);
		if (type == BH_SECTION_HEAD)
			set_number(file + end, 4, BH_ABI_VERSION);
		if (type == BH_SECTION_JSON && json_length)
			memcpy(file + end, json, json_length);
		end += count * bh_section_record_bytes(type);
	}
	*ret_length = end;
	return file;
}

static void try_file(const uint8_t *file, size_t length)
{
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	struct bh_err err = { 0 };
	uint8_t *own = NULL;
	size_t own_length = 0;
	int result = bh_artifact_read(file, length, fuzz_shipped(), &err, &policy, &compiled);

	if (!result != !!compiled || !result != !err.text[0])
		abort();
	for (const char *at = err.text; *at; at++)
		if (*at < ' ' || *at > '~')
			abort(); /* a file must not drive the terminal */
	if (compiled &&
	    (bh_artifact_write(compiled, &own, &own_length) || own_length != length || memcmp(own, file, length) != 0))
		abort();
	free(own);
	bh_compiled_free(compiled);
	bh_source_policy_free(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	uint8_t *file;

	if (bh_artifact_is(data, length)) {
		file = malloc(length);
		if (file)
			memcpy(file, data, length);
	} else {
		file = wrap(data, length, &length);
	}
	if (!file)
		return 0;
	seal(file, length);
	try_file(file, length);
	free(file);
	return 0;
}
