/* SPDX-License-Identifier: GPL-2.0-only */
/* Artifacts taken apart and put together again by somebody who knows how, hashes included. */
#ifndef TESTS_UNIT_COMPILE_BYTES_H
#define TESTS_UNIT_COMPILE_BYTES_H

#include "base/hash.h"
#include "compile/artifact.h"
#include "compile/load.h"
#include "tests/unit/compile/build.h"

struct bytes {
	uint8_t *at;
	size_t length;
};

static inline uint64_t bytes_number(const uint8_t *at, unsigned int width)
{
	uint64_t number = 0;

	while (width-- > 0)
		number = number << 8 | at[width];
	return number;
}

static inline void bytes_set(uint8_t *at, unsigned int width, uint64_t number)
{
	for (unsigned int i = 0; i < width; i++)
		at[i] = (uint8_t)(number >> 8 * i);
}

/* A section's row of the directory. */
static inline uint8_t *bytes_row(const struct bytes *file, unsigned int type)
{
	return file->at + BH_ARTIFACT_HEADER_BYTES + (type - 1) * BH_SECTION_BYTES;
}

/* A section's content; *ret_length (may be NULL) in bytes. */
static inline uint8_t *bytes_section(const struct bytes *file, unsigned int type, size_t *ret_length)
{
	const uint8_t *row = bytes_row(file, type);

	if (ret_length)
		*ret_length = bytes_number(row + BH_SECTION_RECORD_AT, 4) * bytes_number(row + BH_SECTION_COUNT_AT, 4);
	return file->at + bytes_number(row + BH_SECTION_OFFSET_AT, 8);
}

/* Makes length and hashes fit, as far as there is something to hash. */
static inline void bytes_seal(struct bytes *file)
{
	const uint8_t *row = bytes_row(file, BH_SECTION_JSON);
	uint64_t length, offset;

	if (file->length < BH_ARTIFACT_HEADER_BYTES + (BH_SECTION_END - 1) * BH_SECTION_BYTES)
		return;
	length = bytes_number(row + BH_SECTION_COUNT_AT, 4);
	offset = bytes_number(row + BH_SECTION_OFFSET_AT, 8);
	bytes_set(file->at + BH_ARTIFACT_LENGTH_AT, 8, file->length);
	if (offset <= file->length && length <= file->length - offset)
		bh_hash_bytes(file->at + offset, length, file->at + BH_ARTIFACT_POLICY_HASH_AT);
	bh_hash_bytes(file->at + BH_ARTIFACT_HEADER_BYTES, file->length - BH_ARTIFACT_HEADER_BYTES,
		      file->at + BH_ARTIFACT_TABLES_HASH_AT);
}

static inline struct bytes bytes_of(const struct bh_compiled *compiled)
{
	struct bytes file = { 0 };

	assert_int_equal(bh_artifact_write(compiled, &file.at, &file.length), 0);
	return file;
}

/* Of the exact length, so that a sanitizer sees one byte too many. */
static inline struct bytes bytes_copy(const struct bytes *file)
{
	struct bytes copy = { malloc(file->length + !file->length), file->length };

	assert_non_null(copy.at);
	memcpy(copy.at, file->at, file->length);
	return copy;
}

/* A file like this one with other JSON: every other section is kept, all offsets follow, hashes fit. */
static inline struct bytes bytes_with_json(const struct bytes *file, const char *json, size_t json_length)
{
	struct bytes made = { calloc(1, file->length + json_length + 64), 0 };
	size_t end = BH_ARTIFACT_HEADER_BYTES + (BH_SECTION_END - 1) * BH_SECTION_BYTES;

	assert_non_null(made.at);
	memcpy(made.at, file->at, end);
	for (unsigned int type = BH_SECTION_HEAD; type < BH_SECTION_END; type++) {
		size_t length;
		const uint8_t *content = bytes_section(file, type, &length);

		if (type == BH_SECTION_JSON) {
			content = (const uint8_t *)json;
			length = json_length;
			bytes_set(bytes_row(&made, type) + BH_SECTION_COUNT_AT, 4, length);
		}
		end = (end + BH_SECTION_ALIGN - 1) / BH_SECTION_ALIGN * BH_SECTION_ALIGN;
		bytes_set(bytes_row(&made, type) + BH_SECTION_OFFSET_AT, 8, end);
		memcpy(made.at + end, content, length);
		end += length;
	}
	made.length = end;
	bytes_seal(&made);
	return made;
}

/* Reads; NULL when refused, then *ret_err says why. Nothing may be returned with a refusal, and nothing said otherwise. */
static inline struct bh_compiled *bytes_read(const struct bytes *file, const struct bh_shipped *shipped,
					     struct bh_source_policy **ret_policy, struct bh_err *ret_err)
{
	static const struct bh_shipped nothing;
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	int result;

	memset(ret_err, 0, sizeof(*ret_err));
	result = bh_artifact_read(file->at, file->length, shipped ? shipped : &nothing, ret_err, &policy, &compiled);
	assert_int_equal(result, compiled ? 0 : -EINVAL);
	assert_true(!compiled == !policy);
	assert_true(!compiled == (ret_err->text[0] != '\0'));
	if (ret_policy)
		*ret_policy = policy;
	else
		bh_source_policy_free(policy);
	return compiled;
}

/* It is refused, and the reason holds this text. */
static inline void assert_refused(const struct bytes *file, const struct bh_shipped *shipped, const char *reason)
{
	struct bh_err err;
	struct bh_compiled *compiled = bytes_read(file, shipped, NULL, &err);

	assert_null(compiled);
	if (!strstr(err.text, reason))
		print_error("said: %s\nnot:  %s\n", err.text, reason);
	assert_non_null(strstr(err.text, reason));
	for (const char *at = err.text; *at; at++)
		assert_in_range(*at, 0x20, 0x7e);
}

#endif
