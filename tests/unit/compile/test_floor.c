// SPDX-License-Identifier: GPL-2.0-only
/* The address floor and the artifact. */
#include "build.h"

#include "base/hash.h"
#include "compile/artifact.h"

static uint32_t ask(const struct bh_floor_net *floor, const char *address)
{
	bool six = strchr(address, ':');
	uint8_t bytes[16] = { 0 };

	assert_int_equal(inet_pton(six ? AF_INET6 : AF_INET, address, bytes), 1);
	return bh_accept_of(floor->cells, BH_FLOOR_CELLS - 1,
			    bh_walk(floor->cells, BH_FLOOR_CELLS - 1, six ? floor->net6_start : floor->net4_start,
				    bytes, six ? 16 : 4, 16));
}

static void floor_addresses_are_found_and_their_neighbours_not(void **state)
{
	static struct bh_floor_net floor;
	struct bh_floor_address rows[] = {
		{ build_cidr("169.254.169.254", 32), 0, NULL, NULL },
		{ build_cidr("168.63.129.16", 32), 53, NULL, NULL },
		{ build_cidr("100.64.0.0", 10), 22, NULL, NULL },
		{ build_cidr("100.100.0.0", 16), 53, NULL, NULL },
		{ build_cidr("fd00:ec2::254", 128), 0, NULL, NULL },
	};
	struct bh_shipped shipped = { .addresses = rows, .addresses_count = sizeof(rows) / sizeof(rows[0]) };
	struct bh_err err = { 0 };

	assert_int_equal(bh_floor_compile(&shipped, &floor, &err), 0);
	assert_int_equal(floor.abi, BH_ABI_VERSION);
	assert_int_equal(floor.except_port[0], 22);
	assert_int_equal(floor.except_port[1], 53);
	assert_int_equal(ask(&floor, "169.254.169.254"), 1);
	assert_int_equal(ask(&floor, "169.254.169.253"), 0);
	assert_int_equal(ask(&floor, "168.63.129.16"), 3);
	assert_int_equal(ask(&floor, "100.64.0.0"), 2);
	assert_int_equal(ask(&floor, "100.127.255.255"), 2);
	assert_int_equal(ask(&floor, "100.128.0.0"), 0);
	assert_int_equal(ask(&floor, "100.100.1.1"), 1); /* two different exceptions: nothing is left open */
	assert_int_equal(ask(&floor, "fd00:ec2::254"), 1);
	assert_int_equal(ask(&floor, "fd00:ec2::255"), 0);
}

static void an_empty_floor_blocks_nothing(void **state)
{
	static struct bh_floor_net floor;
	struct bh_shipped shipped = { 0 };

	assert_int_equal(bh_floor_compile(&shipped, &floor, NULL), 0);
	assert_int_equal(ask(&floor, "169.254.169.254"), 0);
	assert_int_equal(ask(&floor, "::1"), 0);
}

static void too_many_excepted_ports_are_refused(void **state)
{
	static struct bh_floor_net floor;
	struct bh_floor_address rows[17];
	struct bh_shipped shipped = { .addresses = rows, .addresses_count = 17 };
	struct bh_err err = { 0 };

	for (unsigned int i = 0; i < 17; i++)
		rows[i] = (struct bh_floor_address){ build_cidr("10.0.0.1", 32), (uint16_t)(i + 1), NULL, NULL };
	assert_int_equal(bh_floor_compile(&shipped, &floor, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 16"));
	shipped.addresses_count = 16;
	assert_int_equal(bh_floor_compile(&shipped, &floor, &err), 0);
}

static uint64_t little(const uint8_t *bytes, unsigned int count)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < count; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

static void the_artifact_has_its_header_and_sections(void **state)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	char text[BH_HASH_TEXT];
	uint8_t *bytes, hash[BH_HASH_BYTES];
	size_t length, json_length, end = 96 + 12 * 24;
	const char *json;

	tools[0] = build_tool((struct build_tool){ .name = "job", .binaries = "/bin/job", .read = "/b/** /a" });
	policy = build_policy(tools, 1);
	compiled = build_compile(&policy, NULL, NULL, NULL);
	json = bh_compiled_json(compiled, &json_length);
	assert_int_equal(bh_artifact_write(compiled, &bytes, &length), 0);
	assert_memory_equal(bytes, "BHPOL\0\0\1", 8);
	assert_int_equal(little(bytes + 8, 4), 2);
	assert_int_equal(little(bytes + 12, 4), 12);
	assert_int_equal(little(bytes + 16, 8), length);
	bh_hash_text(bytes + 24, text);
	assert_string_equal(text, bh_compiled_hash(compiled));
	bh_hash_bytes(bytes + 96, length - 96, hash);
	assert_memory_equal(bytes + 56, hash, sizeof(hash));
	for (unsigned int i = 0; i < 12; i++) {
		const uint8_t *section = bytes + 96 + 24 * i;
		size_t offset = little(section + 16, 8), size = little(section + 8, 4) * little(section + 12, 4);

		assert_int_equal(little(section, 4), i + 1);
		assert_int_equal(offset % 8, 0);
		assert_true(offset >= end && offset < end + 8 && offset + size <= length);
		end = offset + size;
		if (i + 1 == BH_SECTION_JSON) {
			assert_int_equal(size, json_length);
			assert_memory_equal(bytes + offset, json, size);
		}
		if (i + 1 == BH_SECTION_PATTERNS)
			assert_memory_equal(bytes + offset, "/a\0/b/**\0/bin/job", 18);
		if (i + 1 == BH_SECTION_TOOLS)
			assert_string_equal((const char *)bytes + offset, "job");
	}
	assert_int_equal(end, length);
	bh_hash_bytes(bytes, length, hash);
	bh_hash_text(hash, text);
	assert_string_equal(text, "450ecaf77663f64cf3a2227fdbef3c321d3f2f708ddc684b5a09e473084d774e");
	free(bytes);
	bh_compiled_free(compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floor_addresses_are_found_and_their_neighbours_not),
		cmocka_unit_test(an_empty_floor_blocks_nothing),
		cmocka_unit_test(too_many_excepted_ports_are_refused),
		cmocka_unit_test(the_artifact_has_its_header_and_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
