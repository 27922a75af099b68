// SPDX-License-Identifier: GPL-2.0-only
/* Artifacts made by somebody who knows the format and fixes every length and hash. */
#include "tests/unit/compile/bytes.h"

static char base_name[] = "base", metadata[] = "metadata";
static struct bh_preset preset;
static struct bh_prohibition floors[1], guards[2];
static struct bh_floor_address addresses[1];

static struct bh_shipped sample_shipped(void)
{
	preset = (struct bh_preset){ base_name, 3, build_words("/usr/lib/**"), { 0 } };
	floors[0] = (struct bh_prohibition){ build_word("kernel"), build_words("/dev/mem"), build_words("/dev/mem") };
	guards[0] = (struct bh_prohibition){ build_word("keys"), build_words("/r/key"), build_words("/w/key") };
	guards[1] = (struct bh_prohibition){ build_word("more"), build_words("/r/more"), build_words("/w/more") };
	addresses[0] = (struct bh_floor_address){ build_cidr("169.254.169.254", 32), 0, metadata, metadata };
	return (struct bh_shipped){ &preset, 1, floors, 1, guards, 2, addresses, 1, 7 };
}

static struct bh_compiled *sample(const struct bh_shipped *shipped)
{
	static struct bh_tool tools[2];
	static struct bh_destination destination;
	static struct bh_cidr cidr;
	static struct bh_port_range port = { .low = 443, .high = 443 };
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){
		.name = "one", .binaries = "/b/1", .may_run = "two", .read = "/r/**", .reach = "far" });
	tools[1] = build_tool(
		(struct build_tool){ .name = "two", .binaries = "/b/2", .helpers = "/b/h", .write = "/w/**" });
	cidr = build_cidr("10.0.0.0", 8);
	destination = (struct bh_destination){
		.name = build_word("far"), .cidrs = { &cidr, 1 }, .ports = { &port, 1 }, .protocol = IPPROTO_TCP
	};
	policy = build_policy(tools, 2);
	policy.presets = build_words("base");
	policy.destinations = &destination;
	policy.destinations_count = 1;
	policy.never_run = build_words("/b/h?");
	return build_compile(&policy, shipped, NULL, NULL);
}

static struct bh_shipped shipped;
static struct bytes file;
static char *json; /* of the file */

static int make_file(void **state)
{
	struct bh_compiled *compiled;

	shipped = sample_shipped();
	compiled = sample(&shipped);
	file = bytes_of(compiled);
	json = strdup(bh_compiled_json(compiled, NULL));
	assert_non_null(json);
	bh_compiled_free(compiled);
	return 0;
}

static int drop_file(void **state)
{
	free(file.at);
	free(json);
	return 0;
}

/* Writes a number at `at` of the header and seals nothing. */
static void refuse_header(size_t at, unsigned int width, uint64_t number, const char *reason)
{
	struct bytes copy = bytes_copy(&file);

	bytes_set(copy.at + at, width, number);
	assert_refused(&copy, &shipped, reason);
	free(copy.at);
}

static void another_format_is_refused(void **state)
{
	refuse_header(BH_ARTIFACT_FORMAT_AT, 4, BH_FORMAT_VERSION + 1, "it has format 3; this program reads format 2");
	refuse_header(BH_ARTIFACT_FORMAT_AT, 4, 0, "it has format 0");
	refuse_header(BH_ARTIFACT_FORMAT_AT, 4, UINT32_MAX, "it has format 4294967295");
}

static void a_header_that_lies_is_refused(void **state)
{
	refuse_header(BH_ARTIFACT_LENGTH_AT, 8, file.length - 1, "cut off or added to");
	refuse_header(BH_ARTIFACT_LENGTH_AT, 8, UINT64_MAX, "cut off or added to");
	refuse_header(BH_ARTIFACT_SECTIONS_AT, 4, 8, "it has 8 sections");
	refuse_header(BH_ARTIFACT_SECTIONS_AT, 4, UINT32_MAX, "it has 4294967295 sections");
	refuse_header(BH_ARTIFACT_HEADER_BYTES - 8, 8, 1, "must be zero");
	refuse_header(5, 1, 'x', "first bytes");
}

/* Writes a number into a section's row, or into the section itself, and seals. */
static void refuse_row(unsigned int type, size_t at, unsigned int width, uint64_t number, const char *reason)
{
	struct bytes copy = bytes_copy(&file);

	bytes_set(bytes_row(&copy, type) + at, width, number);
	bytes_seal(&copy);
	assert_refused(&copy, &shipped, reason);
	free(copy.at);
}

static void a_directory_that_lies_is_refused(void **state)
{
	uint64_t cells = bytes_number(bytes_row(&file, BH_SECTION_CELLS) + BH_SECTION_COUNT_AT, 4);
	uint64_t offset = bytes_number(bytes_row(&file, BH_SECTION_CELLS) + BH_SECTION_OFFSET_AT, 8);
	uint64_t before = bytes_number(bytes_row(&file, BH_SECTION_RESOLVED) + BH_SECTION_OFFSET_AT, 8);

	/* a type twice, none, unknown, with keys */
	refuse_row(BH_SECTION_EDGES, 0, 4, BH_SECTION_ACCEPTS, "row 3 of its directory");
	refuse_row(BH_SECTION_HEAD, 0, 4, 0, "row 1 of its directory");
	refuse_row(BH_SECTION_PATTERNS, 0, 4, 77, "row 12 of its directory");
	refuse_row(BH_SECTION_CELLS, 4, 4, 8, "row 9 of its directory");
	/* records of another size, of none */
	refuse_row(BH_SECTION_CELLS, BH_SECTION_RECORD_AT, 4, 16, "row 9 of its directory");
	refuse_row(BH_SECTION_CELLS, BH_SECTION_RECORD_AT, 4, 0, "row 9 of its directory");
	/* over the one before, with a gap, not aligned, far away */
	refuse_row(BH_SECTION_CELLS, BH_SECTION_OFFSET_AT, 8, before, "row 9 of its directory");
	refuse_row(BH_SECTION_CELLS, BH_SECTION_OFFSET_AT, 8, offset + 8, "row 9 of its directory");
	refuse_row(BH_SECTION_CELLS, BH_SECTION_OFFSET_AT, 8, offset + 1, "row 9 of its directory");
	refuse_row(BH_SECTION_CELLS, BH_SECTION_OFFSET_AT, 8, UINT64_MAX, "row 9 of its directory");
	/* more records than there are, fewer, none */
	refuse_row(BH_SECTION_CELLS, BH_SECTION_COUNT_AT, 4, UINT32_MAX, "section 9 reaches beyond the end");
	refuse_row(BH_SECTION_CELLS, BH_SECTION_COUNT_AT, 4, cells + 1, "row 10 of its directory");
	refuse_row(BH_SECTION_CELLS, BH_SECTION_COUNT_AT, 4, cells - 1, "row 10 of its directory");
	refuse_row(BH_SECTION_HEAD, BH_SECTION_COUNT_AT, 4, 0, "row 2 of its directory");
	refuse_row(BH_SECTION_PATTERNS, BH_SECTION_COUNT_AT, 4, 1, "bytes behind its last section");
}

static void sections_in_another_order_are_refused(void **state)
{
	struct bytes copy = bytes_copy(&file);
	uint8_t row[BH_SECTION_BYTES];

	memcpy(row, bytes_row(&copy, BH_SECTION_NETS), sizeof(row));
	memcpy(bytes_row(&copy, BH_SECTION_NETS), bytes_row(&copy, BH_SECTION_RANGES), sizeof(row));
	memcpy(bytes_row(&copy, BH_SECTION_RANGES), row, sizeof(row));
	bytes_seal(&copy);
	assert_refused(&copy, &shipped, "row 6 of its directory");
	free(copy.at);
}

static void bytes_behind_the_end_are_refused(void **state)
{
	struct bytes longer = { calloc(1, file.length + 8), file.length + 8 };

	assert_non_null(longer.at);
	memcpy(longer.at, file.at, file.length);
	assert_refused(&longer, &shipped, "cut off or added to");
	bytes_seal(&longer);
	assert_refused(&longer, &shipped, "8 bytes behind its last section");
	free(longer.at);
}

static void refuse_content(unsigned int type, size_t at, unsigned int width, uint64_t number, const char *reason)
{
	struct bytes copy = bytes_copy(&file);
	size_t length;
	uint8_t *content = bytes_section(&copy, type, &length);

	assert_true(at + width <= length);
	bytes_set(content + at, width, number);
	bytes_seal(&copy);
	assert_refused(&copy, &shipped, reason);
	free(copy.at);
}

static void tables_that_do_not_follow_from_the_policy_are_refused(void **state)
{
	const struct bh_policy *tables = NULL;

	/* used entries beyond the tables, a start beyond the cells, another entry, more tools */
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, cells), 4, BH_CHUNK_CELLS + 1,
		       "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, ranges), 4, UINT32_MAX, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, path_start), 4, BH_CHUNK_CELLS,
		       "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, self_start), 4, 1, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, chunks), 4, 2, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, blocks), 4, 2, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, more), 4, 1, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, entry), 1, 2, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, tools), 1, 64, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, mode), 1, BH_MODE_OBSERVE, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, jit), 4, 1, "'head' differs");
	refuse_content(BH_SECTION_HEAD, offsetof(struct bh_policy_head, abi), 4, BH_ABI_VERSION - 1, "have layout");
	/* a right too much, a floor taken away, an edge row that is not there */
	refuse_content(BH_SECTION_ACCEPTS, sizeof(tables->accepts[0]), 4, UINT32_MAX, "'accepts' differs");
	refuse_content(BH_SECTION_ACCEPTS, offsetof(struct bh_accept, edge_row), 2, 0xffff, "'accepts' differs");
	refuse_content(BH_SECTION_EDGES, sizeof(tables->edges[0]), 1, BH_TOOLS_MAX + 1, "'edges' differs");
	refuse_content(BH_SECTION_NETS, sizeof(tables->nets[0]) + 2, 2, 0xffff, "'nets' differs");
	refuse_content(BH_SECTION_RANGES, sizeof(tables->ranges[0]), 2, 0, "'ranges' differs");
	/* a state beyond the cells, an accept id beyond the accepts */
	refuse_content(BH_SECTION_CELLS, sizeof(struct bh_cell) + 4, 4, UINT32_MAX, "'cells' differs");
	refuse_content(BH_SECTION_CELLS, sizeof(struct bh_cell), 4, BH_CELL_HEAD | 0xffff, "'cells' differs");
	refuse_content(BH_SECTION_TOOLS, 2 * bh_section_record_bytes(BH_SECTION_TOOLS) - 1, 1, 'x', "'tools' differs");
	refuse_content(BH_SECTION_PATTERNS, 0, 1, 'x', "'patterns' differs");
}

/* The JSON with one piece of it replaced, everything else kept and sealed. */
static void refuse_json(const char *old, const char *new, const char *reason)
{
	char *at = strstr(json, old), *made;
	struct bytes copy;

	assert_non_null(at);
	assert_true(asprintf(&made, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old)) > 0);
	copy = bytes_with_json(&file, made, strlen(made));
	assert_refused(&copy, &shipped, reason);
	free(copy.at);
	free(made);
}

static void refuse_whole_json(const char *text, const char *reason)
{
	struct bytes copy = bytes_with_json(&file, text, strlen(text));

	assert_refused(&copy, &shipped, reason);
	free(copy.at);
}

static void the_same_json_is_accepted(void **state)
{
	struct bytes copy = bytes_with_json(&file, json, strlen(json));
	struct bh_err err;
	struct bh_compiled *compiled = bytes_read(&copy, &shipped, NULL, &err);

	assert_non_null(compiled);
	bh_compiled_free(compiled);
	free(copy.at);
}

static void what_is_no_policy_is_refused(void **state)
{
	static const char *const texts[] = { "", "{", "[", "null", "\"x\"", "[1,2]", "\n", "{\"a\"}", "{,}" };
	char deep[5000];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refuse_whole_json(texts[i], "not in canonical form");
	refuse_whole_json("{}", "lacks 'compiler'");
	refuse_whole_json("{}{}", "lacks 'compiler'");
	refuse_whole_json("{\"a\":1}", "has a key 'a' that this program does not know");
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	refuse_whole_json(deep, "not in canonical form");
}

static void every_cut_of_the_json_is_refused(void **state)
{
	for (size_t length = 0; length < strlen(json); length++) {
		struct bytes copy = bytes_with_json(&file, json, length);

		assert_refused(&copy, &shipped, "not in canonical form");
		free(copy.at);
	}
}

static void json_in_another_form_is_refused(void **state)
{
	refuse_json("\"compiler\":", "\"compiler\": ", "not in canonical form after 12 bytes");
	refuse_json("{\"compiler\"", "{\"aaa\":1,\"compiler\"", "has a key 'aaa'");
	refuse_json("/b/h", "/b/\\u0068", "not in canonical form");
	refuse_json("/b/h", "/b/\\/h", "not in canonical form");
	refuse_json("\"format\":2", "\"format\":1", "has format 1; this program reads format 2");
	refuse_json("\"format\":2", "\"format\":2,\"format\":2", "not in canonical form");
	refuse_json("\"floor\":7", "\"floor\":07", "not in canonical form");
	refuse_json("\"floor\":7", "\"floor\":99999999999999999999", "not in canonical form");
	refuse_json("\"floor\":7", "\"floor\":4294967296", "not in canonical form");
	refuse_json("\"id\":\"r-", "\"id\":\"r-0123456789abcdef", "not in canonical form");
	refuse_json("\"id\":\"r-", "\"id\":\"x-", "not what this program makes");
	refuse_json("\"then\":\"allow\"", "\"then\":\"never\"", "not what this program makes");
	refuse_json("{\"one\":{},\"two\":{}}", "{\"two\":{},\"one\":{}}", "not in canonical form");
	refuse_json("{\"one\":{},\"two\":{}}", "{\"one\":{}}", "not what this program makes");
	refuse_json("{\"one\":{},\"two\":{}}", "{\"one\":{},\"one\":{}}", "not in canonical form");
	refuse_json("{\"one\":{},\"two\":{}}", "{}", "not what this program makes");
	refuse_json("{\"one\":{},", "{\"one\":{\"runs_code\":true},", "'head' differs");
	refuse_json("{\"one\":{},", "{\"one\":{\"jit\":true,\"runs_code\":true},", "'head' differs");
	refuse_json("{\"one\":{},", "{\"one\":{\"runs_code\":true,\"jit\":true},", "not in canonical form");
	refuse_json("{\"one\":{},", "{\"one\":{,\"runs_code\":true},", "not in canonical form");
	refuse_json("{\"one\":{},", "{\"one\":{\"runs_code\":false},", "not in canonical form");
	refuse_json("{\"one\":{},", "{\"one\":true,", "not in canonical form");
	refuse_json("\"two\":{}}}", "\"two\":{}}} ", "not in canonical form");
}

static void a_policy_that_lacks_a_guard_is_refused(void **state)
{
	struct bh_shipped fewer = shipped;
	struct bh_compiled *compiled;
	struct bytes copy;

	fewer.guards_count = 1;
	compiled = sample(&fewer);
	copy = bytes_of(compiled);
	assert_refused(&copy, &shipped, "not what this program makes of these rules, presets and guards");
	bh_compiled_free(compiled);
	free(copy.at);
}

static void lifted_guards_are_read_strictly(void **state)
{
	static const char mode[] = ",\"mode\":";

	/* a guard that is lifted while its rules stay is a policy of its own; these are not its tables */
	refuse_json(mode, ",\"guards\":[],\"mode\":", "not what this program makes");
	refuse_json(mode, ",\"guards\":[{\"lift\":\"keys\",\"reason\":\"x\"}],\"mode\":", "'head' differs");
	refuse_json(mode, ",\"guards\":[{\"lift\":\"kyes\",\"reason\":\"x\"}],\"mode\":",
		    "lifts guard 'kyes', which this program does not ship");
	refuse_json(mode,
		    ",\"guards\":[{\"lift\":\"keys\",\"reason\":\"x\"},{\"lift\":\"keys\",\"reason\":\"x\"}],\"mode\":",
		    "lifts guard 'keys' twice");
	refuse_json(mode, ",\"guards\":[{\"lift\":\"keys\"}],\"mode\":", "lacks 'reason'");
	refuse_json(mode, ",\"guards\":[\"keys\"],\"mode\":", "not in canonical form");
}

static void accepted_warnings_are_read_strictly(void **state)
{
	static const char one[] = "{\"at\":\"x\",\"code\":\"W150\",\"reason\":\"y\"}";
	char text[256];

	refuse_json("{\"compiler\"", "{\"accept\":[],\"compiler\"", "not what this program makes");
	snprintf(text, sizeof(text), "{\"accept\":[%s],\"compiler\"", one);
	refuse_json("{\"compiler\"", text, "'head' differs");
	snprintf(text, sizeof(text), "{\"accept\":[%s]\"compiler\"", one);
	refuse_json("{\"compiler\"", text, "not in canonical form");
	snprintf(text, sizeof(text), "{\"accept\":[%s,],\"compiler\"", one);
	refuse_json("{\"compiler\"", text, "not in canonical form");
	refuse_json("{\"compiler\"", "{\"accept\":[{\"at\":\"x\",\"code\":\"E150\",\"reason\":\"y\"}],\"compiler\"",
		    "accepts 'E150'");
}

static void a_policy_of_another_release_is_refused(void **state)
{
	refuse_json("\"semantics\":2", "\"semantics\":1", "rules have meaning 1");
	refuse_json("\"floor\":7", "\"floor\":6", "compiled with floor 6; this program ships 7");
	refuse_json("\"base\":3", "\"base\":2", "compiled with preset 'base' 2; this program ships 3");
	refuse_json("\"base\":3", "\"best\":3", "preset 'best', which this program does not ship");
	refuse_json("\"base\":3", "", "not what this program makes");
}

static void words_that_no_source_may_hold_are_refused(void **state)
{
	refuse_json("\"/b/h\"", "\"b/h\"", "is not an absolute path");
	refuse_json("\"/b/h\"", "\"/b/../h\"", "'.' or '..'");
	refuse_json("\"/b/h\"", "\"/b/h\\n\"", "not in canonical form");
	refuse_json("\"/b/h\"", "\"/b/\\u00e9\"", "not in canonical form");
	refuse_json("\"/b/h\"", "\"\"", "is not an absolute path");
	refuse_json("\"/b/h\"", "7", "not in canonical form");
	refuse_json("\"/r/**\"", "\"/**\"", "too broad");
	refuse_json("\"/r/**\"", "\"/etc/**\"", "too broad");
	refuse_json("\"/b/1\"", "\"/b/*\"", "is a pattern");
	refuse_json("\"/b/h?\"", "\"b\"", "is not an absolute path");
	refuse_json("\"/b/h?\"", "\"/b/h?\",\"to\":\"one\"", "not what this program makes");
	refuse_json("\"/b/h?\"}", "\"/b/h?\",\"to\":}", "not in canonical form");
	refuse_json("\"/b/h?\"},\"scope\":\"*\"", "\"/b/h?\"},\"scope\":\"one\"", "'' is not the name of a tool");
	refuse_json("\"/b/h?\"},\"scope\":\"*\"", "\"/b/h?\"},\"scope\":\"@attach\"", "'' is not the name of a tool");
	refuse_json("\"to\":\"two\"", "\"to\":\"three\"", "not what this program makes");
	refuse_json("\"scope\":\"one\"", "\"scope\":\"@other\"", "'@other' is not the name of a tool");
	refuse_json("\"scope\":\"one\"", "\"scope\":[]", "not in canonical form");
	refuse_json("\"class\":\"net\"", "\"class\":\"nut\"", "'nut' is no class of rules");
	refuse_json("\"op\":\"read\",\"path\":\"/r/**\"", "\"op\":\"map\",\"path\":\"/r/**\"",
		    "'map' is no operation on a file");
	refuse_json("\"name\":\"sample\"", "\"name\":\"Sample\"", "no valid name");
	refuse_json("\"entry\":\"one\"", "\"entry\":\"three\"", "not what this program makes");
	refuse_json("\"mode\":\"enforce\"", "\"mode\":\"off\"", "'off' is no mode");
	refuse_json("\"privileges\":\"deny\"", "\"privileges\":\"allow\"", "'allow' is no response");
	refuse_json("{\"one\":{},\"two\":{}}", "{\"one\":{},\"two\":{},\"\033[31m\":{}}", "not in canonical form");
}

static void networks_that_no_source_may_hold_are_refused(void **state)
{
	refuse_json("10.0.0.0/8", "10.0.0.0/7", "is broader than /8");
	refuse_json("10.0.0.0/8", "10.0.0.1/8", "bits set beyond its prefix");
	refuse_json("10.0.0.0/8", "0.0.0.0/0", "is broader than /8");
	refuse_json("10.0.0.0/8", "far", "is not a network");
	refuse_json("10.0.0.0/8", "169.254.169.254/32", "does not compile: E311");
	refuse_json("\"ports\":[443]", "\"ports\":[0]", "not in canonical form");
	refuse_json("\"ports\":[443]", "\"ports\":[65536]", "not in canonical form");
	refuse_json("\"ports\":[443]", "\"ports\":[-1]", "not in canonical form");
	refuse_json("\"ports\":[443]", "\"ports\":[443,444]", "not in canonical form");
	refuse_json("\"ports\":[443]", "\"ports\":[\"9-8\"]", "not in canonical form");
	refuse_json("\"ports\":[443]", "\"ports\":443", "not in canonical form");
	refuse_json("\"ports\":[443]", "\"ports\":[\"443\"]", "not what this program makes");
	refuse_json("\"proto\":\"tcp\"", "\"proto\":\"sctp\"", "'sctp' is no protocol");
	refuse_json("\"proto\":\"tcp\"", "\"proto\":null", "not in canonical form");
}

static void rules_that_do_not_compile_are_refused(void **state)
{
	refuse_json("\"/w/**\"", "\"/b/**\"", "does not compile: E132");
	refuse_json("\"helper\":true", "\"helper\":false", "not in canonical form");
}

/* A policy with so many rules of one kind: the numbers go into the format. */
static void refuse_many(unsigned int count, const char *format, const char *reason)
{
	const char *at = strstr(json, "\"rules\":[") + strlen("\"rules\":[");
	char *made = calloc(1, strlen(json) + (size_t)count * 200), *end = made;
	struct bytes copy;

	assert_non_null(made);
	end += sprintf(end, "%.*s", (int)(at - json), json);
	for (unsigned int i = 0; i < count; i++)
		end += sprintf(end, format, i >> 8, i & 255); // NOLINT
	strcpy(end, at);
	copy = bytes_with_json(&file, made, strlen(made));
	assert_refused(&copy, &shipped, reason);
	free(copy.at);
	free(made);
}

static void more_than_a_source_may_hold_is_refused(void **state)
{
	refuse_many(
		132000,
		"{\"class\":\"file\",\"id\":\"\",\"if\":{\"op\":\"read\",\"path\":\"/q/%u/%u\"},\"scope\":\"one\",\"then\":\"allow\"},",
		"more than 131072 paths");
	refuse_many(
		2000,
		"{\"class\":\"net\",\"id\":\"\",\"if\":{\"cidr\":\"10.%u.%u.0/24\",\"ports\":[1],\"proto\":\"tcp\"},\"scope\":\"one\",\"then\":\"allow\"},",
		"more than 512 networks");
	refuse_many(
		5000,
		"{\"class\":\"net\",\"id\":\"\",\"if\":{\"cidr\":\"10.9.0.0/16\",\"ports\":[\"1%u-60%03u\"],\"proto\":\"tcp\"},\"scope\":\"one\",\"then\":\"allow\"},",
		"more than 4096 ports for one network");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_format_is_refused),
		cmocka_unit_test(a_header_that_lies_is_refused),
		cmocka_unit_test(a_directory_that_lies_is_refused),
		cmocka_unit_test(sections_in_another_order_are_refused),
		cmocka_unit_test(bytes_behind_the_end_are_refused),
		cmocka_unit_test(tables_that_do_not_follow_from_the_policy_are_refused),
		cmocka_unit_test(the_same_json_is_accepted),
		cmocka_unit_test(what_is_no_policy_is_refused),
		cmocka_unit_test(every_cut_of_the_json_is_refused),
		cmocka_unit_test(json_in_another_form_is_refused),
		cmocka_unit_test(a_policy_that_lacks_a_guard_is_refused),
		cmocka_unit_test(lifted_guards_are_read_strictly),
		cmocka_unit_test(accepted_warnings_are_read_strictly),
		cmocka_unit_test(a_policy_of_another_release_is_refused),
		cmocka_unit_test(words_that_no_source_may_hold_are_refused),
		cmocka_unit_test(networks_that_no_source_may_hold_are_refused),
		cmocka_unit_test(rules_that_do_not_compile_are_refused),
		cmocka_unit_test(more_than_a_source_may_hold_is_refused),
	};

	return cmocka_run_group_tests(tests, make_file, drop_file);
}
