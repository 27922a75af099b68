/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "compile/artifact.h"
#include "compile/restore.h"
#include "policy/check.h"

#define NAMED_BYTES 5u /* of the magic: what makes a file one of ours */

/* A file and where its sections lie, in the order of their types. */
struct artifact {
	const uint8_t *bytes;
	size_t length;
	struct {
		const uint8_t *bytes;
		size_t length;
	} sections[BH_SECTION_END];
};

static int compile_again_hint(struct bh_err *err, int result)
{
	bh_err_hint(err, "compile the policy's source again with this program");
	return result;
}

static uint64_t number_at(const uint8_t *bytes, unsigned int width)
{
	uint64_t number = 0;

	for (unsigned int i = width; i-- > 0;)
		number = number << 8 | bytes[i];
	return number;
}

bool bh_artifact_is(const void *bytes, size_t length)
{
	return length >= NAMED_BYTES && memcmp(bytes, BH_ARTIFACT_MAGIC, NAMED_BYTES) == 0;
}

static bool hash_is(const uint8_t *bytes, size_t length, const uint8_t *wanted)
{
	uint8_t hash[BH_HASH_BYTES];

	bh_hash_bytes(bytes, length, hash);
	return memcmp(hash, wanted, sizeof(hash)) == 0;
}

/* Everything up to the directory. What is read here lies within the header, which is known to be there. */
static int check_header(const struct artifact *file, struct bh_err *err)
{
	const uint8_t *bytes = file->bytes;
	uint64_t format, length;

	if (file->length < BH_ARTIFACT_HEADER_BYTES)
		return bh_err_set(err, EINVAL, "it is cut off within its header");
	if (memcmp(bytes, BH_ARTIFACT_MAGIC, BH_ARTIFACT_MAGIC_BYTES) != 0)
		return bh_err_set(err, EINVAL, "it is damaged: its first bytes are not those of a compiled policy");
	format = number_at(bytes + BH_ARTIFACT_FORMAT_AT, 4);
	if (format != BH_FORMAT_VERSION)
		return compile_again_hint(err, bh_err_set(err, EINVAL, "it has format %u; this program reads format %d",
							  (unsigned int)format, BH_FORMAT_VERSION));
	length = number_at(bytes + BH_ARTIFACT_LENGTH_AT, 8);
	if (length != file->length)
		return bh_err_set(err, EINVAL, "it has %zu bytes and should have %llu: it was cut off or added to",
				  file->length, (unsigned long long)length);
	if (!hash_is(bytes + BH_ARTIFACT_HEADER_BYTES, file->length - BH_ARTIFACT_HEADER_BYTES,
		     bytes + BH_ARTIFACT_TABLES_HASH_AT))
		return bh_err_set(err, EINVAL, "it is damaged: the hash of its tables does not fit");
	if (number_at(bytes + BH_ARTIFACT_SECTIONS_AT, 4) != BH_SECTION_END - 1)
		return bh_err_set(err, EINVAL, "it has %u sections; there are %d",
				  (unsigned int)number_at(bytes + BH_ARTIFACT_SECTIONS_AT, 4), BH_SECTION_END - 1);
	return 0;
}

/* Known types once each and in order, each right behind the one before, up to the end of the file. */
static int find_sections(struct artifact *file, struct bh_err *err)
{
	size_t end = BH_ARTIFACT_HEADER_BYTES + (BH_SECTION_END - 1) * BH_SECTION_BYTES;

	if (file->length < end)
		return bh_err_set(err, EINVAL, "it is cut off within its directory");
	for (unsigned int type = BH_SECTION_HEAD; type < BH_SECTION_END; type++) {
		const uint8_t *row = file->bytes + BH_ARTIFACT_HEADER_BYTES + (type - 1) * BH_SECTION_BYTES;
		uint64_t record = number_at(row + BH_SECTION_RECORD_AT, 4);
		uint64_t length = record * number_at(row + BH_SECTION_COUNT_AT, 4);
		size_t start = (end + BH_SECTION_ALIGN - 1) / BH_SECTION_ALIGN * BH_SECTION_ALIGN;

		if (number_at(row, 8) != type || record != bh_section_record_bytes(type) ||
		    number_at(row + BH_SECTION_OFFSET_AT, 8) != start)
			return bh_err_set(err, EINVAL, "row %u of its directory is not that of section %u", type, type);
		if (start > file->length || length > file->length - start)
			return bh_err_set(err, EINVAL, "section %u reaches beyond the end of the file", type);
		file->sections[type].bytes = file->bytes + start;
		file->sections[type].length = (size_t)length;
		end = start + (size_t)length;
	}
	if (end != file->length)
		return bh_err_set(err, EINVAL, "it has %zu bytes behind its last section", file->length - end);
	return 0;
}

static int check_head(const struct artifact *file, struct bh_err *err)
{
	uint32_t abi;

	if (file->sections[BH_SECTION_HEAD].length != sizeof(struct bh_policy_head))
		return bh_err_set(err, EINVAL, "it has no head, or several");
	abi = (uint32_t)number_at(file->sections[BH_SECTION_HEAD].bytes, 4);
	if (abi != BH_ABI_VERSION)
		return compile_again_hint(
			err, bh_err_set(err, EINVAL, "its tables have layout %u; this program's kernel side has %u",
					abi, BH_ABI_VERSION));
	if (!hash_is(file->sections[BH_SECTION_JSON].bytes, file->sections[BH_SECTION_JSON].length,
		     file->bytes + BH_ARTIFACT_POLICY_HASH_AT))
		return bh_err_set(err, EINVAL, "it is damaged: the hash of its policy does not fit");
	return 0;
}

static int open_artifact(struct artifact *file, struct bh_err *err)
{
	int result = check_header(file, err);

	if (!result)
		result = find_sections(file, err);
	return result ? result : check_head(file, err);
}

/* Checks the model as that of a source, and compiles it. Warnings were for whoever compiled the source; an error means that it was no compiler. */
static int compile_again(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_err *err,
			 struct bh_compiled **ret_compiled)
{
	struct bh_diags *diags = bh_diags_new("", "", 0);
	const struct bh_diag *diag = NULL;
	int result = -ENOMEM;

	if (diags) {
		bh_policy_check(policy, shipped, diags);
		result = bh_diags_errors(diags) ? -EINVAL : bh_compile(policy, shipped, NULL, diags, ret_compiled);
	}
	for (size_t i = 0; result == -EINVAL && i < bh_diags_count(diags) && !diag; i++)
		if (bh_diags_get(diags, i)->severity == BH_SEVERITY_ERROR)
			diag = bh_diags_get(diags, i);
	if (diag)
		bh_err_set(err, EINVAL, "its policy does not compile: %s: %s", diag->code, diag->text);
	else if (result) /* also when a finding could not be kept */
		result = bh_err_set(err, ENOMEM, "out of memory");
	bh_diags_free(diags);
	return result;
}

static bool same_section(const struct artifact *a, const struct artifact *b, unsigned int type)
{
	const uint8_t *left = a->sections[type].bytes, *right = b->sections[type].bytes;
	size_t length = a->sections[type].length;

	return left && right && length == b->sections[type].length && memcmp(left, right, length) == 0;
}

/* Says in which section the two differ. */
static int say_difference(const struct artifact *file, const struct artifact *own, struct bh_err *err)
{
	static const char *const names[BH_SECTION_END] = {
		[BH_SECTION_HEAD] = "head",	  [BH_SECTION_ACCEPTS] = "accepts", [BH_SECTION_EDGES] = "edges",
		[BH_SECTION_CHOICES] = "choices", [BH_SECTION_HASHES] = "hashes",   [BH_SECTION_RESOLVED] = "resolved",
		[BH_SECTION_NETS] = "nets",	  [BH_SECTION_RANGES] = "ranges",   [BH_SECTION_CELLS] = "cells",
		[BH_SECTION_TOOLS] = "tools",	  [BH_SECTION_JSON] = "policy",	    [BH_SECTION_PATTERNS] = "patterns",
	};

	if (!same_section(file, own, BH_SECTION_JSON))
		return bh_err_set(err, EINVAL,
				  "its policy is not what this program makes of these rules, presets and guards");
	for (unsigned int type = BH_SECTION_HEAD; type < BH_SECTION_END; type++)
		if (!same_section(file, own, type))
			return bh_err_set(err, EINVAL, "its tables do not follow from its policy: section '%s' differs",
					  names[type]);
	return bh_err_set(err, EINVAL, "bytes that must be zero are not");
}

/* The one check that matters: are these our own bytes? */
static int compare(const struct artifact *file, const struct bh_compiled *compiled, struct bh_err *err)
{
	BH_FREE uint8_t *bytes = NULL;
	struct artifact own = { 0 };
	int result;

	if (bh_artifact_write(compiled, &bytes, &own.length))
		return bh_err_set(err, ENOMEM, "out of memory");
	own.bytes = bytes;
	if (own.length == file->length && memcmp(own.bytes, file->bytes, own.length) == 0)
		return 0;
	result = find_sections(&own, err);
	return compile_again_hint(err, result ? result : say_difference(file, &own, err));
}

int bh_artifact_read(const void *bytes, size_t length, const struct bh_shipped *shipped, struct bh_err *err,
		     struct bh_source_policy **ret_policy, struct bh_compiled **ret_compiled)
{
	struct artifact file = { .bytes = bytes, .length = length };
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	int result = open_artifact(&file, err);

	if (!result)
		result = bh_policy_restore((const char *)file.sections[BH_SECTION_JSON].bytes,
					   file.sections[BH_SECTION_JSON].length, shipped, err, &policy);
	if (!result)
		result = compile_again(policy, shipped, err, &compiled);
	if (!result)
		result = compare(&file, compiled, err);
	if (result) {
		bh_compiled_free(compiled);
		bh_source_policy_free(policy);
		return result;
	}
	*ret_policy = policy;
	*ret_compiled = compiled;
	return 0;
}
