// SPDX-License-Identifier: GPL-2.0-only
/* Artifacts made by hand, of policies that use the whole language: what no compiler wrote is refused. */
#include "tests/unit/compile/bytes.h"
#include "tests/unit/compile/full.h"

static struct bh_shipped shipped;
static struct bytes file;
static char *json; /* of the file */

static int make_file(void **state)
{
	struct bh_source_policy policy = full_policy(&shipped);
	struct bh_compiled *compiled = build_compile(&policy, &shipped, NULL, NULL);
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

/* The JSON with one piece of it replaced, everything else kept and sealed. */
static void refuse(const char *old, const char *new, const char *reason)
{
	char *at = strstr(json, old), *made;
	struct bytes copy;

	if (!at)
		print_error("not there: %s\nin %s\n", old, json);
	assert_non_null(at);
	assert_true(asprintf(&made, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old)) > 0);
	copy = bytes_with_json(&file, made, strlen(made));
	assert_refused(&copy, &shipped, reason);
	free(copy.at);
	free(made);
}

static const char not_canonical[] = "not in canonical form", not_ours[] = "not what this program makes";

static void the_same_json_is_accepted(void **state)
{
	struct bytes copy = bytes_with_json(&file, json, strlen(json));
	struct bh_err err;
	struct bh_compiled *compiled = bytes_read(&copy, &shipped, NULL, &err);

	if (!compiled)
		print_error("%s\n", err.text);
	assert_non_null(compiled);
	bh_compiled_free(compiled);
	free(copy.at);
}

static void every_cut_of_the_json_is_refused(void **state)
{
	for (size_t length = 0; length < strlen(json); length++) {
		struct bytes copy = bytes_with_json(&file, json, length);

		assert_refused(&copy, &shipped, not_canonical);
		free(copy.at);
	}
}

static void every_changed_byte_of_the_json_is_refused(void **state)
{
	static const char others[] = "\"{}[],:x0\\ ";

	for (size_t i = 0; i < strlen(json); i++) {
		char kept = json[i];
		struct bytes copy;

		json[i] = others[i % (sizeof(others) - 1)];
		copy = bytes_with_json(&file, json, strlen(json));
		if (json[i] != kept)
			assert_refused(&copy, &shipped, "");
		free(copy.at);
		json[i] = kept;
	}
}

static void arguments_are_read_strictly(void **state)
{
	static const char exact[] = "{\"exact\":[\"x\",\"y\"]}";

	refuse(exact, "{\"exact\":[\"y\",\"x\"]}", not_ours); /* of one rule, and not of the other */
	refuse(exact, "{\"exact\":[\"x\",\"y\"],\"first\":[]}", not_canonical);
	refuse(exact, "{\"exact\":\"x\"}", not_canonical);
	refuse(exact, "{}", not_canonical);
	refuse(exact, "{\"exact\":[\"x\",\"y\"],\"exact\":[]}", not_canonical);
	refuse(exact, "{\"exakt\":[]}", "has a key 'exakt'");
	refuse(exact, "\"exact\"", not_canonical);
	refuse("{\"any\":true,", "{\"any\":false,", not_canonical);
	refuse("{\"any\":true,", "{", not_ours);
	refuse("\"operands\":\"words\"", "\"operands\":\"some\"", "'some' is no kind of operands");
	refuse(",\"operands\":\"words\"", "", not_ours);
	refuse("\"options\":[\"-n:1\"]", "\"options\":[\"-n:1\",\"-n:1\"]", not_ours);
	refuse("\"args\":[", "\"args\":{", not_canonical);
	refuse("\"args\":[", "\"args\":\"[\",[", not_canonical);
}

static void environments_are_read_strictly(void **state)
{
	refuse("\"keep\":[\"HOME\"]", "\"keep\":[\"HOME\",\"PATH\"]", not_ours);
	refuse("\"keep\":[\"HOME\"],", "", "lacks 'keep'");
	refuse("\"require\":{\"A\":\"1\"}", "\"require\":{\"A\":1}", not_canonical);
	refuse("\"require\":{\"A\":\"1\"}", "\"require\":{\"A\":\"1\",\"A\":\"1\"}", not_canonical);
	refuse("\"require\":{\"A\":\"1\"}", "\"require\":{\"B\":\"1\",\"A\":\"1\"}", not_canonical);
	refuse("\"require\":{\"A\":\"1\"}", "\"require\":[]", not_canonical);
}

static void rules_of_every_class_are_read_strictly(void **state)
{
	refuse("\"sha256\":\"5f2b", "\"sha256\":\"5F2b", "is no SHA-256");
	refuse("\"sha256\":\"5f2b", "\"sha256\":\"5f2", "is no SHA-256");
	refuse("\"sha256\":\"5f2b", "\"sha256\":\"5f2bb", not_canonical);
	refuse("\"reason\":\"addon\"", "\"reason\":7", not_canonical);
	refuse("\"op\":\"load\"", "\"op\":\"map\"", "'map' is no operation on a file");
	refuse("\"host\":\"a.example\"", "\"cidr\":\"192.0.2.0/24\",\"host\":\"a.example\"", not_ours);
	refuse("\"resolves_to\":[\"10.0.0.0/8\"]", "\"resolves_to\":[\"10.0.0.0\"]", "has no prefix length");
	refuse("\"resolves_to\":[\"10.0.0.0/8\"]", "\"resolves_to\":[\"10.0.0.0/7\"]", "is broader than /8");
	refuse("\"resolves_to\":[\"10.0.0.0/8\"]", "\"resolves_to\":[]", not_ours);
	refuse("\"sni\":true", "\"sni\":false", not_canonical);
	refuse("\"ports\":[],\"proto\":\"icmp-echo\"", "\"ports\":[],\"proto\":\"tcp\"", "has no port");
	refuse("\"ports\":[],\"proto\":\"icmp-echo\"", "\"ports\":[7],\"proto\":\"icmp-echo\"", not_ours);
	refuse("\"ports\":[8080],\"proto\":\"tcp\"", "\"ports\":[],\"proto\":\"tcp\"", "has no port");
	refuse("\"ports\":[8080],\"proto\":\"tcp\"", "\"ports\":[8080],\"proto\":\"icmp-echo\"",
	       "no protocol to listen by");
	refuse("{\"cidr\":\"10.0.0.0/8\"}", "{\"cidr\":\"10.0.0.0/8\",\"ports\":[1]}", not_ours);
	refuse("{\"cidr\":\"10.0.0.0/8\"}", "{}", "is not a network");
	refuse("{\"name\":\"n\",\"op\":\"abstract\"}", "{\"name\":\"n\",\"op\":\"pathless\"}",
	       "no operation on a socket");
	refuse("{\"name\":\"n\",\"op\":\"abstract\"}", "{\"op\":\"abstract\",\"path\":\"n\"}", not_ours);
	refuse("\"op\":\"connect\",\"path\":\"/s\"", "\"op\":\"connect\",\"path\":\"s\"", "is not an absolute path");
	refuse("\"op\":\"connect\",\"path\":\"/s\"", "\"op\":\"connect\",\"path\":\"/**\"", "is too broad");
	refuse("\"scope\":\"@attach\"", "\"scope\":\"@attached\"", "'@attached' is not the name of a tool");
	refuse("\"/w/tree/.git/**\"", "\"/w/.git/**\"", not_ours);
}

static void scopes_are_read_strictly(void **state)
{
	refuse("\"load\":\"listed\"", "\"load\":\"derived\"", not_canonical);
	refuse("\"load\":\"listed\",", "", not_ours);
	refuse("\"procfs\":\"none\"", "\"procfs\":\"own\"", not_canonical);
	refuse("\"respond\":{\"exec\":\"kill\"}", "\"respond\":{\"exec\":\"deny\"}", not_ours);
	refuse("\"respond\":{\"exec\":\"kill\"}", "\"respond\":{\"exec\":\"alert\"}",
	       "responds to 'exec' with 'alert'");
	refuse("\"respond\":{\"exec\":\"kill\"}", "\"respond\":{\"exec\":\"task\"}", "responds to 'exec' with 'task'");
	refuse("\"respond\":{\"exec\":\"kill\"}", "\"respond\":{\"exec\":\"pause\"}", "'pause' is no response");
	refuse("\"respond\":{\"exec\":\"kill\"}", "\"respond\":{\"shell\":\"kill\"}", "'shell', which is no class");
	refuse("\"respond\":{\"args\":\"task\"", "\"respond\":{\"args\":\"deny\"", "responds to 'args' with 'deny'");
	refuse("\"respond\":{\"args\":\"task\",", "\"respond\":{", "lacks a response to 'args'");
}

static void sections_are_read_strictly(void **state)
{
	refuse("\"attach\":[\"two\"]", "\"attach\":[\"three\"]", not_ours);
	refuse("\"attach\":[\"two\"]", "\"attach\":[]", not_ours);
	refuse("\"attach\":[\"two\"]", "\"attach\":[\"two\",\"two\"]", not_ours);
	refuse("\"names\":\"listed\"", "\"names\":\"all\"", "'all' is no choice of names");
	refuse("\"names\":\"listed\"", "\"names\":\"none\"", not_ours);
	refuse("\"resolvers\":[\"10.96.0.10\"]", "\"resolvers\":[\"10.96.0.10/32\"]", not_canonical);
	refuse("\"resolvers\":[\"10.96.0.10\"]", "\"resolvers\":[\"far\"]", "is not a network");
	refuse("\"until\":1800000000", "\"until\":9007199254740992", not_canonical);
	refuse("\"until\":1800000000", "\"until\":-1", not_canonical);
	refuse("\"grace\":{\"until\":1800000000},", "", not_ours);
	refuse("\"mode\":\"grace\"", "\"mode\":\"enforce\"", not_ours);
	refuse("\"modes\":{\"files\":\"observe\"}", "\"modes\":{}", not_ours);
	refuse("\"modes\":{\"files\":\"observe\"}", "\"modes\":{\"disk\":\"observe\"}", "'disk', which is no class");
	refuse("\"operation\":\"ptrace\"", "\"operation\":7", not_canonical);
	refuse("\"capabilities\":[\"CAP_CHOWN\"]", "\"capabilities\":[\"CAP_CHOWN\",\"CAP_CHOWN\"]", not_ours);
	refuse("\"workspaces\":[\"/w/tree\"]", "\"workspaces\":[\"w\"]", "is not an absolute path");
	refuse("\"workspaces\":[\"/w/tree\"]", "\"workspaces\":[]", not_ours);
}

static void resources_are_read_strictly(void **state)
{
	refuse("\"memory\":2147483648", "\"memory\":2147483648.0", not_canonical);
	refuse("\"memory\":2147483648", "\"memory\":9007199254740992", not_canonical);
	refuse("\"memory\":2147483648", "\"memory\":02147483648", not_canonical);
	refuse("\"memory\":2147483648", "\"memory\":1,\"memory\":2147483648", not_canonical);
	refuse("\"memory\":2147483648", "\"mem\":2147483648", "has a limit 'mem'");
	refuse("\"disk.path\":\"/d\"", "\"disk.path\":7", not_canonical);
	refuse("\"over\":20", "\"over\":-20", not_canonical);
	refuse("\"signal\":\"network.denied\"", "\"signal\":\"network.nothing\"", "'network.nothing' is no signal");
	refuse("\"respond\":\"alert\"", "\"respond\":\"shout\"", "'shout' is no response");
	refuse("\"window_ms\":60000", "\"window_ms\":4294967296", not_canonical);
	refuse("\"window_ms\":60000", "\"window_ms\":0", not_ours);
	refuse("\"for_ms\":0,", "", "lacks 'for_ms'");
	refuse("\"signal\":\"network.denied\",", "\"signal\":\"network.denied\",\"tool\":\"Two\",",
	       "'Two' is not the name of a tool");
	refuse("\"signal\":\"network.denied\",", "\"signal\":\"network.denied\",\"tool\":\"two\",\"tool\":\"two\",",
	       not_canonical);
}

static void selectors_are_read_strictly(void **state)
{
	refuse("{\"name\":[\"coder\"]}", "{\"name\":\"coder\"}", not_canonical);
	refuse("{\"name\":[\"coder\"]}", "{\"name\":[]}", not_ours);
	refuse("{\"name\":[\"coder\"]}", "{\"comm\":[\"coder\"]}", "selects by 'comm'");
	refuse("[\"app=x\"]", "[\"app\"]", "'app' is no label");
	refuse("[\"app=x\"]", "[\"app=x\",\"app=x\"]", not_ours);
	refuse("\"priority\":7", "\"priority\":7.5", not_canonical);
	refuse("\"priority\":7", "\"priority\":4294967296", not_canonical);
	refuse("\"any\":[", "\"any\":[{},", not_ours);
}

static void what_no_source_may_say_is_refused(void **state)
{
	refuse("\"host\":\"a.example\"", "\"host\":\"*\"", "does not compile: E303");
	refuse("\"host\":\"a.example\"", "\"host\":\"*.com\"", "does not compile: E303");
	refuse("\"options\":[\"-n:1\"]", "\"options\":[\"n\"]", "does not compile: E173");
	refuse("\"first\":[\"push\"]", "\"first\":[\"--push\"]", "does not compile: E173");
	refuse("\"refuse\":[\"b\"]", "\"refuse\":[\"a\"]", "does not compile: E171");
	refuse("\"keep\":[\"HOME\"]", "\"keep\":[\"*\"]", "does not compile: E174");
	refuse("\"require\":{\"A\":\"1\"}", "\"require\":{\"A=B\":\"1\"}", "does not compile: E174");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_json_is_accepted),
		cmocka_unit_test(every_cut_of_the_json_is_refused),
		cmocka_unit_test(every_changed_byte_of_the_json_is_refused),
		cmocka_unit_test(arguments_are_read_strictly),
		cmocka_unit_test(environments_are_read_strictly),
		cmocka_unit_test(rules_of_every_class_are_read_strictly),
		cmocka_unit_test(scopes_are_read_strictly),
		cmocka_unit_test(sections_are_read_strictly),
		cmocka_unit_test(resources_are_read_strictly),
		cmocka_unit_test(selectors_are_read_strictly),
		cmocka_unit_test(what_no_source_may_say_is_refused),
	};

	return cmocka_run_group_tests(tests, make_file, drop_file);
}
