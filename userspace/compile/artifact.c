/* SPDX-License-Identifier: GPL-2.0-only */
/* NAME.bhp: the compiled policy as bytes, least significant byte first, the same on every machine. */
#include "compile/artifact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "bpf/lib/chunk.h"
#include "compile/compiled.h"

static void add_head(struct bh_buf *out, const struct bh_policy_head *head)
{
	bh_buf_add_u32(out, head->abi);
	bh_buf_add(out, &head->mode, 1);
	bh_buf_add(out, &head->tools, 1);
	bh_buf_add(out, &head->entry, 1);
	bh_buf_add(out, &head->dns, 1);
	bh_buf_add(out, head->modes, sizeof(head->modes));
	bh_buf_add_u32(out, head->path_start);
	bh_buf_add_u32(out, head->net4_start);
	bh_buf_add_u32(out, head->net6_start);
	bh_buf_add_u32(out, head->self_start);
	bh_buf_add_u32(out, head->names_start);
	bh_buf_add_u32(out, head->abstract_start);
	for (size_t i = 0; i < BH_TOOL_SLOTS; i++)
		bh_buf_add_u32(out, head->obeyed_start[i]);
	bh_buf_add_u32(out, head->cells);
	bh_buf_add_u32(out, head->accepts);
	bh_buf_add_u32(out, head->edge_rows);
	bh_buf_add_u32(out, head->net_rows);
	bh_buf_add_u32(out, head->ranges);
	bh_buf_add_u32(out, head->choices);
	bh_buf_add_u32(out, head->hashes);
	bh_buf_add_u32(out, head->resolved);
	bh_buf_add_u32(out, head->jit);
	bh_buf_add_u32(out, head->load_listed);
	bh_buf_add_u32(out, head->listen_row);
	bh_buf_add_u32(out, head->chunks);
	bh_buf_add_u32(out, head->blocks);
	bh_buf_add_u32(out, head->more);
	bh_buf_add_u64(out, head->operations);
	bh_buf_add_u64(out, head->capabilities);
	bh_buf_add_u64(out, head->grace_until_ns);
	bh_buf_add(out, head->hash, sizeof(head->hash));
	bh_buf_add(out, head->respond, sizeof(head->respond));
}

static void add_accept(struct bh_buf *out, const struct bh_accept *accept)
{
	bh_buf_add_u32(out, accept->read);
	bh_buf_add_u32(out, accept->write);
	bh_buf_add_u32(out, accept->never_read);
	bh_buf_add_u32(out, accept->never_write);
	bh_buf_add_u32(out, accept->load);
	bh_buf_add_u32(out, accept->load_written);
	bh_buf_add_u32(out, accept->helper);
	bh_buf_add_u32(out, accept->image);
	bh_buf_add_u32(out, accept->unix_connect);
	bh_buf_add_u32(out, accept->unix_listen);
	bh_buf_add_u16(out, accept->edge_row);
	bh_buf_add(out, &accept->floor, 1);
	bh_buf_add(out, &accept->pad0, 1);
	bh_buf_add_u32(out, accept->never_read_rule);
	bh_buf_add_u32(out, accept->never_write_rule);
	bh_buf_add_u32(out, accept->never_run_rule);
}

static void add_edge_row(struct bh_buf *out, const struct bh_edge_row *row)
{
	for (size_t t = 0; t < BH_TOOL_SLOTS; t++)
		bh_buf_add_u16(out, row->to[t]);
}

static void add_choice(struct bh_buf *out, const struct bh_choice *choice)
{
	bh_buf_add_u32(out, choice->args_start);
	bh_buf_add_u32(out, choice->targets);
	bh_buf_add(out, &choice->args_any, 1);
	bh_buf_add(out, &choice->count, 1);
	bh_buf_add(out, choice->pad0, sizeof(choice->pad0));
	for (size_t w = 0; w < BH_WAYS; w++) {
		bh_buf_add_u32(out, choice->ways[w].env_start);
		bh_buf_add_u32(out, choice->ways[w].rule);
		bh_buf_add_u16(out, choice->ways[w].hash);
		bh_buf_add(out, &choice->ways[w].to, 1);
		bh_buf_add(out, &choice->ways[w].pad0, 1);
	}
}

static void add_net_row(struct bh_buf *out, const struct bh_net_row *row)
{
	for (size_t t = 0; t < BH_TOOL_SLOTS; t++)
		bh_buf_add_u16(out, row->range_first[t]);
	bh_buf_add(out, row->range_count, sizeof(row->range_count));
	bh_buf_add(out, row->resolved, sizeof(row->resolved));
	bh_buf_add_u32(out, row->never_rule);
	bh_buf_add(out, &row->floor, 1);
	bh_buf_add(out, row->pad0, sizeof(row->pad0));
}

static void add_range(struct bh_buf *out, const struct bh_range *range)
{
	bh_buf_add_u16(out, range->low);
	bh_buf_add_u16(out, range->high);
	bh_buf_add(out, &range->protocol, 1);
	bh_buf_add(out, range->pad0, sizeof(range->pad0));
}

/* All chunks, as one table. */
static void add_cells(struct bh_buf *out, const struct bh_cell *cells, uint32_t count)
{
	uint8_t block[4096];
	size_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t both = cells[i].check | (uint64_t)cells[i].next << 32;

		for (unsigned int byte = 0; byte < 8; byte++)
			block[used++] = (uint8_t)(both >> 8 * byte);
		if (used == sizeof(block) || i + 1 == count) {
			bh_buf_add(out, block, used);
			used = 0;
		}
	}
}

/* The records of one section. */
static void add_records(struct bh_buf *out, const struct bh_compiled *compiled, enum bh_section type)
{
	const struct bh_policy *tables = compiled->tables;

	switch (type) {
	case BH_SECTION_HEAD:
		add_head(out, &tables->head);
		break;
	case BH_SECTION_ACCEPTS:
		for (uint32_t i = 0; i < tables->head.accepts; i++)
			add_accept(out, bh_accept_at(tables, i));
		break;
	case BH_SECTION_EDGES:
		for (uint32_t i = 0; i < tables->head.edge_rows; i++)
			add_edge_row(out, &tables->edges[i]);
		break;
	case BH_SECTION_CHOICES:
		for (uint32_t i = 0; i < tables->head.choices; i++)
			add_choice(out, &tables->choices[i]);
		break;
	case BH_SECTION_HASHES:
		bh_buf_add(out, tables->hashes, tables->head.hashes * sizeof(tables->hashes[0]));
		break;
	case BH_SECTION_NETS:
		for (uint32_t i = 0; i < tables->head.net_rows; i++)
			add_net_row(out, &tables->nets[i]);
		break;
	case BH_SECTION_RANGES:
		for (uint32_t i = 0; i < tables->head.ranges; i++)
			add_range(out, &tables->ranges[i]);
		break;
	case BH_SECTION_RESOLVED:
		for (uint32_t i = 0; i < tables->head.resolved; i++) {
			bh_buf_add_u32(out, tables->resolved[i].net4_start);
			bh_buf_add_u32(out, tables->resolved[i].net6_start);
		}
		break;
	case BH_SECTION_CELLS:
		add_cells(out, (const struct bh_cell *)((const char *)tables + offsetof(struct bh_policy, chunk)),
			  tables->head.cells);
		break;
	case BH_SECTION_TOOLS:
		bh_buf_add(out, compiled->tool_names[1], compiled->tools * sizeof(compiled->tool_names[0]));
		break;
	case BH_SECTION_JSON:
		bh_buf_add(out, compiled->json, compiled->json_length);
		break;
	default:
		for (size_t i = 0; i < compiled->patterns_count; i++)
			bh_buf_add(out, compiled->patterns[i], strlen(compiled->patterns[i]) + 1);
		break;
	}
}

uint32_t bh_section_record_bytes(enum bh_section type)
{
	static const uint32_t bytes[BH_SECTION_END] = {
		[BH_SECTION_HEAD] = sizeof(struct bh_policy_head),
		[BH_SECTION_ACCEPTS] = sizeof(struct bh_accept),
		[BH_SECTION_EDGES] = sizeof(struct bh_edge_row),
		[BH_SECTION_CHOICES] = sizeof(struct bh_choice),
		[BH_SECTION_HASHES] = BH_HASH_BYTES,
		[BH_SECTION_NETS] = sizeof(struct bh_net_row),
		[BH_SECTION_RANGES] = sizeof(struct bh_range),
		[BH_SECTION_RESOLVED] = sizeof(struct bh_resolved),
		[BH_SECTION_CELLS] = sizeof(struct bh_cell),
		[BH_SECTION_TOOLS] = BH_TOOL_NAME_BYTES,
		[BH_SECTION_JSON] = 1,
		[BH_SECTION_PATTERNS] = 1,
	};

	return bytes[type];
}

static void add_header(struct bh_buf *out, const struct bh_compiled *compiled, const struct bh_buf *rest)
{
	uint8_t hash[BH_HASH_BYTES];

	bh_buf_add(out, BH_ARTIFACT_MAGIC, BH_ARTIFACT_MAGIC_BYTES);
	bh_buf_add_u32(out, BH_FORMAT_VERSION);
	bh_buf_add_u32(out, BH_SECTION_END - 1);
	bh_buf_add_u64(out, BH_ARTIFACT_HEADER_BYTES + rest->length);
	bh_buf_add(out, compiled->tables->head.hash, BH_HASH_BYTES);
	bh_hash_bytes(rest->bytes, rest->length, hash);
	bh_buf_add(out, hash, sizeof(hash));
	bh_buf_add_u64(out, 0);
}

int bh_artifact_write(const struct bh_compiled *compiled, uint8_t **ret_bytes, size_t *ret_length)
{
	struct bh_buf directory = { 0 }, records = { 0 }, out = { 0 };
	size_t base = BH_ARTIFACT_HEADER_BYTES + (BH_SECTION_END - 1) * BH_SECTION_BYTES;
	int result;

	for (unsigned int type = BH_SECTION_HEAD; type < BH_SECTION_END; type++) {
		size_t offset;

		bh_buf_align(&records, BH_SECTION_ALIGN);
		offset = records.length;
		add_records(&records, compiled, type);
		bh_buf_add_u32(&directory, type);
		bh_buf_add_u32(&directory, 0); /* no keys: records are found by index */
		bh_buf_add_u32(&directory, bh_section_record_bytes(type));
		bh_buf_add_u32(&directory, (uint32_t)((records.length - offset) / bh_section_record_bytes(type)));
		bh_buf_add_u64(&directory, base + offset);
	}
	bh_buf_add(&directory, records.bytes, records.length);
	if (!directory.error)
		add_header(&out, compiled, &directory);
	bh_buf_add(&out, directory.bytes, directory.length);
	result = directory.error || records.error || out.error ? -ENOMEM : 0;
	bh_buf_done(&directory);
	bh_buf_done(&records);
	if (result) {
		bh_buf_done(&out);
		return result;
	}
	*ret_bytes = out.bytes;
	*ret_length = out.length;
	return 0;
}
