/* SPDX-License-Identifier: GPL-2.0-only */
/* The layout of NAME.bhp (policy.md 6.4): header, directory of sections, sections. All numbers least significant byte first. */
#ifndef BH_COMPILE_ARTIFACT_H
#define BH_COMPILE_ARTIFACT_H

#include <stdint.h>

#define BH_FORMAT_VERSION 2

/* Header: magic, format, number of sections, length of the file, hash of the JSON, hash of all behind the header, zero. */
#define BH_ARTIFACT_MAGIC "BHPOL\0\0\1"
#define BH_ARTIFACT_MAGIC_BYTES 8u
#define BH_ARTIFACT_FORMAT_AT 8u
#define BH_ARTIFACT_SECTIONS_AT 12u
#define BH_ARTIFACT_LENGTH_AT 16u
#define BH_ARTIFACT_POLICY_HASH_AT 24u
#define BH_ARTIFACT_TABLES_HASH_AT 56u
#define BH_ARTIFACT_HEADER_BYTES 96u

/* A row of the directory: type, key bytes (0: records are found by index), record bytes, number of records, offset. */
#define BH_SECTION_RECORD_AT 8u
#define BH_SECTION_COUNT_AT 12u
#define BH_SECTION_OFFSET_AT 16u
#define BH_SECTION_BYTES 24u
#define BH_SECTION_ALIGN 8u

/* In this order, each once. */
enum bh_section {
	BH_SECTION_HEAD = 1,
	BH_SECTION_ACCEPTS,
	BH_SECTION_EDGES,
	BH_SECTION_CHOICES,
	BH_SECTION_HASHES,
	BH_SECTION_NETS,
	BH_SECTION_RANGES,
	BH_SECTION_RESOLVED,
	BH_SECTION_CELLS,
	BH_SECTION_TOOLS, /* names by tool id from 1, zero padded */
	BH_SECTION_JSON, /* canonical, without a NUL */
	BH_SECTION_PATTERNS, /* sorted, each with its NUL */
	BH_SECTION_END,
};

/* Bytes of one record; 1 where the section is a text. */
uint32_t bh_section_record_bytes(enum bh_section type);

#endif
