// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

#include <time.h>

/* agent -> git -> (helpers), agent -> remote with network. */
static struct bh_source_policy sample(void)
{
	static struct bh_tool tools[3];
	static struct bh_destination destinations[1];
	static struct bh_cidr cidrs[2];
	static struct bh_port_range ports[3];
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){ .name = "worker",
						   .binaries = "/usr/bin/node",
						   .may_run = "git remote",
						   .read = "/work/** /etc/*.conf",
						   .write = "/work/** /tmp/**" });
	tools[1] = build_tool((struct build_tool){
		.name = "git", .binaries = "/usr/bin/git", .helpers = "/usr/lib/git-core/**", .read = "/work/**" });
	tools[2] = build_tool((struct build_tool){
		.name = "remote", .binaries = "/usr/bin/git-remote", .read = "/work/a?c/**/x", .reach = "forge" });
	policy = build_policy(tools, 3);
	cidrs[0] = build_cidr("10.1.0.0", 16);
	cidrs[1] = build_cidr("2001:db8::", 32);
	ports[0] = (struct bh_port_range){ .low = 443, .high = 443 };
	ports[1] = (struct bh_port_range){ .low = 8000, .high = 8010 };
	ports[2] = (struct bh_port_range){ .low = 8011, .high = 8020 };
	destinations[0] = (struct bh_destination){
		.name = build_word("forge"), .cidrs = { cidrs, 2 }, .ports = { ports, 3 }, .protocol = IPPROTO_TCP
	};
	policy.destinations = destinations;
	policy.destinations_count = 1;
	return policy;
}

static struct bh_shipped *sample_shipped(void)
{
	static struct bh_preset presets[1];
	static struct bh_prohibition floors[1], guards[1];
	static struct bh_floor_address addresses[2];
	static struct bh_shipped shipped;
	static char base[] = "base", who[] = "metadata";

	presets[0] =
		(struct bh_preset){ .name = base, .version = 3, .read = build_words("/usr/lib/**"), .write = { 0 } };
	floors[0] =
		(struct bh_prohibition){ build_word("kernel"), build_words("/dev/mem"), build_words("/proc/sys/**") };
	guards[0] = (struct bh_prohibition){ build_word("ssh-keys"), build_words("/home/*/.ssh/**"),
					     build_words("/home/*/.ssh/** /work/.git/config") };
	addresses[0] = (struct bh_floor_address){ build_cidr("169.254.169.254", 32), 0, who, who };
	addresses[1] = (struct bh_floor_address){ build_cidr("168.63.129.16", 32), 53, who, who };
	shipped = (struct bh_shipped){ presets, 1, floors, 1, guards, 1, addresses, 2, 7 };
	return &shipped;
}

static void tables_say_what_the_policy_says(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_compiled *compiled;
	const struct bh_accept *accept;
	const struct bh_policy *tables;
	unsigned int worker, git, remote;

	policy.presets = build_words("base");
	compiled = build_compile(&policy, sample_shipped(), NULL, NULL);
	tables = bh_compiled_tables(compiled);
	worker = bh_compiled_tool_id(compiled, "worker");
	git = bh_compiled_tool_id(compiled, "git");
	remote = bh_compiled_tool_id(compiled, "remote");
	assert_int_equal(worker, 1);
	assert_int_equal(git, 2);
	assert_int_equal(remote, 3);

	accept = build_ask(compiled, "/work/abc/x");
	assert_int_equal(accept->read, 7);
	assert_int_equal(accept->write, 1);
	assert_int_equal(build_ask(compiled, "/work/abc/q/r/x")->read, 7);
	assert_int_equal(build_ask(compiled, "/work/abc/y")->read, 3);
	assert_int_equal(build_ask(compiled, "/work")->read, 3);
	assert_int_equal(build_ask(compiled, "/work")->write, 0);
	assert_int_equal(build_ask(compiled, "/work-evil/x")->read, 0);
	assert_int_equal(build_ask(compiled, "/etc/a.conf")->read, 1);
	assert_int_equal(build_ask(compiled, "/usr/lib/x")->read, 7);
	assert_int_equal(build_ask(compiled, "/dev/mem")->floor, BH_FLOOR_READ);
	assert_int_equal(build_ask(compiled, "/proc/sys/x")->floor, BH_FLOOR_WRITE | BH_FLOOR_PINNED);

	accept = build_ask(compiled, "/work/.git/config");
	assert_int_equal(accept->never_write, 7);
	assert_int_equal(accept->never_read, 0);
	assert_string_equal(bh_compiled_rule(compiled, accept->never_write_rule - 1)->path, "/work/.git/config");
	assert_int_equal(accept->never_read_rule, 0);

	assert_int_equal(tables->edges[build_ask(compiled, "/usr/bin/node")->edge_row].to[0], worker);
	assert_int_equal(tables->edges[build_ask(compiled, "/usr/bin/node")->edge_row].to[worker], 0);
	assert_int_equal(tables->edges[build_ask(compiled, "/usr/bin/git")->edge_row].to[worker], git);
	assert_int_equal(tables->edges[build_ask(compiled, "/usr/bin/git")->edge_row].to[git], 0);
	assert_int_equal(tables->edges[build_ask(compiled, "/usr/lib/git-core/a/b")->edge_row].to[git], git);
	assert_int_equal(build_ask(compiled, "/usr/bin/git-remote-x")->edge_row, 0);

	assert_true(build_reaches(compiled, remote, "10.1.255.3", 443));
	assert_true(build_reaches(compiled, remote, "10.1.255.3", 8020));
	assert_false(build_reaches(compiled, remote, "10.1.255.3", 8021));
	assert_false(build_reaches(compiled, remote, "10.2.0.0", 443));
	assert_false(build_reaches(compiled, worker, "10.1.255.3", 443));
	assert_true(build_reaches(compiled, remote, "2001:db8:1::1", 8005));
	assert_false(build_reaches(compiled, remote, "2001:db9::1", 443));
	assert_int_equal(tables->head.ranges, 3); /* 443 and 8000-8020 behind the unused first */
	bh_compiled_free(compiled);
}

/* The expected text and hashes were made by another program (a JSON dump with sorted keys, SHA-256). */
static void a_small_policy_has_its_golden_json(void **state)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	size_t length;

	tools[0] = build_tool(
		(struct build_tool){ .name = "job", .binaries = "/bin/job", .helpers = "/bin/h*", .read = "/in" });
	policy = build_policy(tools, 1);
	compiled = build_compile(&policy, NULL, NULL, NULL);
	assert_string_equal(
		bh_compiled_json(compiled, &length),
		"{\"compiler\":{\"floor\":0,\"presets\":{},\"semantics\":2},\"entry\":\"job\",\"format\":2,"
		"\"mode\":\"enforce\","
		"\"name\":\"sample\",\"respond\":{\"args\":\"task\",\"exec\":\"deny\",\"files\":\"deny\",\"floor\":\"kill\","
		"\"network\":\"deny\","
		"\"privileges\":\"deny\"},\"rules\":["
		"{\"class\":\"exec\",\"id\":\"r-5f7b3d6bd650\",\"if\":{\"path\":\"/bin/"
		"job\",\"to\":\"job\"},\"scope\":\"@entry\",\"then\":\"allow\"},"
		"{\"class\":\"exec\",\"id\":\"r-25575ca824f6\",\"if\":{\"helper\":true,\"path\":\"/bin/"
		"h*\",\"to\":\"job\"},\"scope\":\"job\",\"then\":\"allow\"},"
		"{\"class\":\"file\",\"id\":\"r-c6fac7e32b95\",\"if\":{\"op\":\"read\",\"path\":\"/"
		"in\"},\"scope\":\"job\",\"then\":\"allow\"}"
		"],\"scopes\":{\"job\":{}}}");
	assert_int_equal(length, strlen(bh_compiled_json(compiled, NULL)));
	assert_string_equal(bh_compiled_hash(compiled),
			    "0715d4247335f7c627ba549154e887ebcd801bfc0b1088ec13416c542d013efb");
	bh_compiled_free(compiled);
}

static uint64_t seed = 7;

static uint32_t roll(uint32_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % sides;
}

static void shuffle_words(struct bh_words *words)
{
	for (size_t i = words->count; i > 1; i--) {
		size_t k = roll((uint32_t)i);
		struct bh_word other = words->items[i - 1];

		words->items[i - 1] = words->items[k];
		words->items[k] = other;
	}
}

static void order_of_the_source_changes_nothing(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_shipped *shipped = sample_shipped();
	struct bh_compiled *first = build_compile(&policy, shipped, NULL, NULL);
	uint8_t *first_bytes, *bytes;
	size_t first_length, length;

	assert_int_equal(bh_artifact_write(first, &first_bytes, &first_length), 0);
	for (int round = 0; round < 20; round++) {
		struct bh_tool *tools = policy.tools, other;
		size_t k = roll(3);
		struct bh_compiled *again;

		other = tools[0];
		tools[0] = tools[k];
		tools[k] = other;
		for (size_t t = 0; t < 3; t++) {
			shuffle_words(&tools[t].read);
			shuffle_words(&tools[t].write);
			shuffle_words(&tools[t].may_run);
		}
		shuffle_words(&shipped->guards[0].write);
		again = build_compile(&policy, shipped, NULL, NULL);
		assert_string_equal(bh_compiled_json(again, NULL), bh_compiled_json(first, NULL));
		assert_memory_equal(bh_compiled_tables(again), bh_compiled_tables(first),
				    bh_policy_bytes(bh_compiled_tables(first)));
		assert_int_equal(bh_artifact_write(again, &bytes, &length), 0);
		assert_int_equal(length, first_length);
		assert_memory_equal(bytes, first_bytes, length);
		free(bytes);
		bh_compiled_free(again);
	}
	free(first_bytes);
	bh_compiled_free(first);
}

static void an_alias_changes_tables_and_not_the_hash(void **state)
{
	static char listed[] = "/work/**", resolved[] = "/mnt/w/**";
	struct bh_alias alias = { listed, resolved };
	struct bh_aliases aliases = { &alias, 1 };
	struct bh_source_policy policy = sample();
	struct bh_compiled *plain = build_compile(&policy, NULL, NULL, NULL);
	struct bh_compiled *with = build_compile(&policy, NULL, &aliases, NULL);

	assert_string_equal(bh_compiled_hash(plain), bh_compiled_hash(with));
	assert_int_equal(build_ask(plain, "/mnt/w/x")->read, 0);
	assert_int_equal(build_ask(with, "/mnt/w/x")->read, 3);
	assert_int_equal(build_ask(with, "/mnt/w")->read, 3);
	assert_int_equal(build_ask(with, "/work/x")->write, 1);
	bh_compiled_free(plain);
	bh_compiled_free(with);
}

static void writable_programs_are_refused(void **state)
{
	static struct bh_tool tools[2];
	struct bh_source_policy policy;

	tools[0] = build_tool(
		(struct build_tool){ .name = "a", .binaries = "/bin/a", .may_run = "b", .write = "/opt/*/bin/*" });
	tools[1] = build_tool((struct build_tool){ .name = "b", .binaries = "/opt/x/bin/tool" });
	policy = build_policy(tools, 2);
	assert_finding(&policy, NULL, "E132", "binary '/opt/x/bin/tool' of tool 'b' can be written by tool 'a'",
		       tools[1].binaries.items[0].word.loc.line);
	tools[0].write = build_words("/opt/*/lib/*");
	assert_finding(&policy, NULL, "E132", NULL, 0);
	tools[0].write = build_words("/opt/*");
	assert_finding(&policy, NULL, "E132", "lies beneath a directory that can be exchanged", 0);
	tools[0].write = build_words("/opt/y*/**");
	assert_finding(&policy, NULL, "E132", NULL, 0);
	tools[1].helpers = build_words("/opt/?ello/*");
	assert_finding(&policy, NULL, "E132", "helper '/opt/?ello/*'", tools[1].helpers.items[0].loc.line);
}

static void ambiguous_edges_are_refused(void **state)
{
	static struct bh_tool tools[3];
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){ .name = "a", .binaries = "/bin/a", .may_run = "b c" });
	tools[1] = build_tool((struct build_tool){ .name = "b", .binaries = "/bin/same" });
	tools[2] = build_tool((struct build_tool){ .name = "c", .binaries = "/bin/same" });
	policy = build_policy(tools, 3);
	assert_finding(&policy, NULL, "E141", "could become tool 'b' or tool 'c'", tools[0].may_run.items[1].loc.line);
	tools[2].binaries = build_binaries("/bin/other");
	assert_finding(&policy, NULL, "E141", NULL, 0);
	tools[0].helpers = build_words("/bin/oth*");
	assert_finding(&policy, NULL, "E142", "helper '/bin/oth*' of tool 'a'", tools[0].helpers.items[0].loc.line);
	tools[0].may_run = build_words("b");
	assert_finding(&policy, NULL, "E142", NULL, 0);
}

static void grants_inside_a_wall_are_refused(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_shipped *shipped = sample_shipped();

	assert_finding(&policy, shipped, "E210", NULL, 0);
	policy.tools[1].read = build_words("/work/** /home/me/.ssh/**");
	assert_finding(&policy, shipped, "E210", "'/home/me/.ssh/**' lies wholly inside the guard 'ssh-keys'",
		       policy.tools[1].read.items[1].loc.line);
	policy.tools[1].read = build_words("/work/** /home/me/**");
	assert_finding(&policy, shipped, "E210", NULL, 0);
	policy.tools[1].read = build_words("/dev/mem");
	assert_finding(&policy, shipped, "E210", "always-blocked files 'kernel'", 0);
}

static void grants_inside_what_the_policy_forbids_are_refused(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_tool *tools = policy.tools;

	policy.never_read = build_words("/work/secret/**");
	assert_finding(&policy, NULL, "E210", NULL, 0);
	tools[1].read = build_words("/work/** /work/secret/a");
	assert_finding(&policy, NULL, "E210", "'/work/secret/a' lies wholly inside never.read '/work/secret/**'",
		       tools[1].read.items[1].loc.line);
	policy.never_write = policy.never_read;
	policy.never_read = build_words(NULL);
	assert_finding(&policy, NULL, "E210", NULL, 0);
	tools[0].write = build_words("/work/secret/?");
	assert_finding(&policy, NULL, "E210", "inside never.write '/work/secret/**'", tools[0].write.items[0].loc.line);
	tools[0].write = build_words("/tmp/**");
	policy.never_run = build_words("/usr/lib/git-core/git-daemon");
	assert_finding(&policy, NULL, "E210", NULL, 0);
	policy.never_run = build_words("/usr/bin/?it /usr/lib/**");
	assert_finding(&policy, NULL, "E210", "'/usr/bin/git' lies wholly inside never.run '/usr/bin/?it'",
		       tools[1].binaries.items[0].word.loc.line);
	policy.never_run = build_words("/usr/lib/**");
	assert_finding(&policy, NULL, "E210", "'/usr/lib/git-core/**' lies wholly inside never.run '/usr/lib/**'",
		       tools[1].helpers.items[0].loc.line);
}

static void what_the_policy_forbids_beats_every_grant(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_compiled *compiled;
	const struct bh_accept *accept;

	policy.never_read = build_words("/work/secret/** /etc/a*");
	policy.never_write = build_words("/work/a?");
	policy.never_run = build_words("/usr/lib/git-core/git-d*");
	compiled = build_compile(&policy, sample_shipped(), NULL, NULL);
	accept = build_ask(compiled, "/work/secret/x");
	assert_int_equal(accept->never_read, 7);
	assert_string_equal(bh_compiled_rule(compiled, accept->never_read_rule - 1)->path, "/work/secret/**");
	assert_int_equal(accept->never_write, 0);
	assert_int_equal(build_ask(compiled, "/work/secret")->never_read, 7); /* also listing it */
	assert_int_equal(build_ask(compiled, "/work/secrets")->never_read, 0);
	assert_int_equal(build_ask(compiled, "/etc/a.conf")->never_read, 7);
	assert_int_equal(build_ask(compiled, "/work/ab")->never_write, 7);
	assert_int_equal(build_ask(compiled, "/work/abc")->never_write, 0);
	accept = build_ask(compiled, "/usr/lib/git-core/git-daemon");
	assert_string_equal(bh_compiled_rule(compiled, accept->never_run_rule - 1)->path, "/usr/lib/git-core/git-d*");
	assert_int_equal(accept->edge_row, 0);
	assert_int_not_equal(build_ask(compiled, "/usr/lib/git-core/git-clone")->edge_row, 0);
	assert_int_equal(build_ask(compiled, "/usr/lib/git-core/git-clone")->never_run_rule, 0);
	bh_compiled_free(compiled);
}

static void a_lifted_guard_is_gone_and_said(void **state)
{
	static struct bh_lift lift;
	struct bh_source_policy policy = sample();
	struct bh_shipped *shipped = sample_shipped();
	struct bh_compiled *compiled;
	struct bh_diags *diags;

	lift = (struct bh_lift){ build_word("ssh-keys"), build_word("it \"signs\"") };
	policy.tools[1].read = build_words("/work/** /home/me/.ssh/**");
	policy.never_write = build_words("/home/*/.ssh/**");
	assert_finding(&policy, shipped, "W150", NULL, 0);
	policy.lifts = &lift;
	policy.lifts_count = 1;
	compiled = build_compile(&policy, shipped, NULL, &diags);
	assert_non_null(compiled);
	assert_int_equal(bh_diags_warnings(diags), 1);
	assert_int_equal(build_finding(diags, "W150")->loc.line, lift.guard.loc.line);
	assert_string_equal(build_finding(diags, "W150")->text,
			    "guard 'ssh-keys' is lifted for every tool: it \"signs\"");
	assert_int_equal(build_ask(compiled, "/home/me/.ssh/id")->never_read, 0);
	assert_int_equal(build_ask(compiled, "/home/me/.ssh/id")->read, 2);
	assert_int_equal(build_ask(compiled, "/home/me/.ssh/id")->never_write, 7); /* the policy's own */
	assert_int_equal(build_ask(compiled, "/work/.git/config")->never_write, 0);
	assert_non_null(strstr(bh_compiled_json(compiled, NULL),
			       ",\"guards\":[{\"lift\":\"ssh-keys\",\"reason\":\"it \\\"signs\\\"\"}],\"mode\""));
	bh_compiled_free(compiled);
	bh_diags_free(diags);
}

static void an_accepted_warning_is_a_note(void **state)
{
	static struct bh_acceptance accept[2];
	struct bh_source_policy policy = sample();
	struct bh_compiled *compiled;
	struct bh_diags *diags;

	policy.tools[0].may_run = build_words("git"); /* nothing can start `remote` */
	accept[0] = (struct bh_acceptance){ build_word("W140"),
					    build_word("tools.remote"),
					    build_word("kept"),
					    { policy.tools[2].name.loc, { 9, 1, 1 } } };
	policy.acceptances = accept;
	policy.acceptances_count = 1;
	compiled = build_compile(&policy, NULL, NULL, &diags);
	assert_non_null(compiled);
	assert_int_equal(bh_diags_warnings(diags), 0);
	assert_int_equal(build_finding(diags, "W140")->severity, BH_SEVERITY_NOTE);
	assert_string_equal(build_finding(diags, "W140")->text, "nothing can start tool 'remote' (accepted: kept)");
	assert_non_null(strstr(bh_compiled_json(compiled, NULL),
			       "{\"accept\":[{\"at\":\"tools.remote\",\"code\":\"W140\","
			       "\"reason\":\"kept\"}],\"compiler\""));
	bh_compiled_free(compiled);
	bh_diags_free(diags);

	/* at another place, of another code, of no warning at all */
	accept[1] = accept[0];
	accept[1].places[0] = policy.tools[1].name.loc;
	policy.acceptances_count = 2;
	assert_finding(&policy, NULL, "E151", "there is no W140 at 'tools.remote' to accept", accept[1].at.loc.line);
	accept[1] = accept[0];
	accept[1].code = build_word("W211");
	assert_finding(&policy, NULL, "E151", "there is no W211", 0);
	accept[1].code = build_word("N145");
	assert_finding(&policy, NULL, "E151", "there is no N145", 0);
}

static void an_interpreter_has_to_say_that_it_runs_code(void **state)
{
	static const char *const fed[] = { "/usr/bin/sh",	 "/usr/bin/python3.11", "/opt/x/python",
					   "/usr/bin/lua5.4",	 "/usr/bin/node-20",	"/bin/python3",
					   "/usr/bin/perl5.36.0" };
	static const char *const not_fed[] = { "/usr/bin/shred",   "/usr/bin/shx", "/usr/bin/pythonic", "/sh/git",
					       "/usr/bin/python-", "/usr/bin/xsh", "/usr/bin/sh-x" };
	static struct bh_tool tools[1];
	struct bh_shipped shipped = { .interpreters = build_words("lua node perl python sh") };
	struct bh_source_policy policy;
	char binaries[64];

	for (size_t i = 0; i < sizeof(fed) / sizeof(fed[0]); i++) {
		snprintf(binaries, sizeof(binaries), "/usr/bin/git %s", fed[i]);
		tools[0] = build_tool((struct build_tool){ .name = "job", .binaries = binaries });
		policy = build_policy(tools, 1);
		assert_finding(&policy, &shipped, "W131", fed[i], tools[0].name.loc.line);
		tools[0].runs_code = true;
		assert_finding(&policy, &shipped, "W131", NULL, 0);
	}
	for (size_t i = 0; i < sizeof(not_fed) / sizeof(not_fed[0]); i++) {
		tools[0] = build_tool((struct build_tool){ .name = "job", .binaries = not_fed[i] });
		policy = build_policy(tools, 1);
		assert_finding(&policy, &shipped, "W131", NULL, 0);
	}
}

static void jit_is_a_set_of_tools(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_compiled *compiled;

	policy.tools[2].jit = true;
	policy.tools[0].jit = policy.tools[0].runs_code = true;
	compiled = build_compile(&policy, NULL, NULL, NULL);
	assert_int_equal(bh_compiled_tables(compiled)->head.jit, 1u << 0 | 1u << 2);
	assert_non_null(strstr(bh_compiled_json(compiled, NULL), "\"scopes\":{\"git\":{},\"remote\":{\"jit\":true},"
								 "\"worker\":{\"jit\":true,\"runs_code\":true}}"));
	bh_compiled_free(compiled);
}

static void a_program_that_nobody_may_run_is_not_ambiguous(void **state)
{
	static struct bh_tool tools[2];
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){
		.name = "a", .binaries = "/bin/a", .may_run = "b", .helpers = "/opt/*", .write = "/w/**" });
	tools[1] = build_tool((struct build_tool){ .name = "b", .binaries = "/opt/b /bin/b" });
	policy = build_policy(tools, 2);
	assert_finding(&policy, NULL, "E142", "'/opt/*'", 0);
	policy.never_run = build_words("/opt/b");
	assert_finding(&policy, NULL, "E142", NULL, 0);
	assert_finding(&policy, NULL, "E210", "'/opt/b'", tools[1].binaries.items[0].word.loc.line);
}

static void what_is_unused_is_reported(void **state)
{
	struct bh_source_policy policy = sample();

	assert_finding(&policy, NULL, "W140", NULL, 0);
	assert_finding(&policy, NULL, "W320", NULL, 0);
	assert_finding(&policy, NULL, "N145", "worker -> remote gains network: forge",
		       policy.tools[0].may_run.items[1].loc.line);
	policy.tools[0].may_run = build_words("git");
	assert_finding(&policy, NULL, "W140", "nothing can start tool 'remote'", policy.tools[2].name.loc.line);
	assert_finding(&policy, NULL, "N145", NULL, 0);
	policy.tools[2].reach = build_words(NULL);
	assert_finding(&policy, NULL, "W320", "'forge'", policy.destinations[0].name.loc.line);
}

static void blocked_addresses_are_noted(void **state)
{
	struct bh_source_policy policy = sample();
	struct bh_shipped *shipped = sample_shipped();
	struct bh_destination *forge = &policy.destinations[0];

	assert_finding(&policy, shipped, "N311", NULL, 0);
	forge->cidrs.items[0] = build_cidr("169.254.0.0", 16);
	assert_finding(&policy, shipped, "N311", "169.254.0.0/16 contains 169.254.169.254/32",
		       forge->cidrs.items[0].loc.line);
	forge->cidrs.items[0] = build_cidr("169.254.169.254", 32);
	assert_finding(&policy, shipped, "E311", "169.254.169.254/32 is on the always-blocked list", 0);
	forge->cidrs.items[0] = build_cidr("168.63.129.16", 32);
	assert_finding(&policy, shipped, "E311", "168.63.129.16/32", 0);
	forge->ports.items[0] = (struct bh_port_range){ .low = 53, .high = 53 };
	forge->ports.count = 1;
	assert_finding(&policy, shipped, "E311", NULL, 0);
}

static const char *random_word(void)
{
	static const char *const words[] = { "python3.11", "site-packages", "node_modules", "dist",
					     "internal",   "cache",	    "requests",	    "certifi",
					     "locale",	   "share",	    "include",	    "vendor" };

	return words[roll(12)];
}

/* `count` typical paths: long, half of them shared. */
static char *many_paths(unsigned int count)
{
	char *text = calloc(count, 160), *at = text;

	assert_non_null(text);
	for (unsigned int i = 0; i < count; i++) {
		at += sprintf(at, "%s/usr/local/lib", i ? " " : "");
		for (unsigned int depth = 0; depth < 3; depth++)
			at += sprintf(at, "/%s", random_word());
		switch (roll(4)) {
		case 0:
			at += sprintf(at, "/module_%u/**", roll(100000));
			break;
		case 1:
			at += sprintf(at, "/lib%s", random_word());
			at += sprintf(at, "%u.so.*", roll(1000));
			break;
		default:
			at += sprintf(at, "/%s", random_word());
			at += sprintf(at, "-%u", roll(1000));
			at += sprintf(at, "/%s", random_word());
			at += sprintf(at, "_%u.json", roll(10000));
		}
	}
	return text;
}

static void measure(unsigned int paths, const char *extra)
{
	static struct bh_tool tools[2];
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	struct bh_compiled_size size;
	struct timespec from, to;
	char *text = many_paths(paths), *with = NULL;
	long ms;

	assert_true(asprintf(&with, "%s%s", extra, text) > 0);
	tools[0] = build_tool((struct build_tool){ .name = "a", .binaries = "/bin/a", .may_run = "b", .read = with });
	tools[1] =
		build_tool((struct build_tool){ .name = "b", .binaries = "/bin/b", .read = with, .write = "/tmp/**" });
	policy = build_policy(tools, 2);
	clock_gettime(CLOCK_MONOTONIC, &from);
	compiled = build_compile(&policy, sample_shipped(), NULL, NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	ms = (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
	bh_compiled_sizes(compiled, &size);
	print_message("%u paths%s: %zu rules, %zu states, %zu cells, %zu accepts, %ld ms\n", paths,
		      *extra ? " and wildcards everywhere" : "", size.rules, size.states, size.cells, size.accepts, ms);
	free(text);
	free(with);
	bh_compiled_free(compiled);
}

static void thousands_of_paths_fit(void **state)
{
	measure(350, "");
	measure(2000, "");
	measure(350, "/**/*.pem /**/.env* /usr/**/include/*.h ");
}

static void a_policy_past_the_tables_names_what_costs_most(void **state)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){
		.name = "a", .binaries = "/bin/a", .read = "/etc/passwd /srv/*x???????????????????????? /srv/*y??" });
	policy = build_policy(tools, 1);
	assert_finding(&policy, NULL, "E204", "'/srv/*x???", tools[0].read.items[1].loc.line);
	tools[0].read = build_words("/etc/passwd");
	assert_finding(&policy, NULL, "E204", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_say_what_the_policy_says),
		cmocka_unit_test(a_small_policy_has_its_golden_json),
		cmocka_unit_test(order_of_the_source_changes_nothing),
		cmocka_unit_test(an_alias_changes_tables_and_not_the_hash),
		cmocka_unit_test(writable_programs_are_refused),
		cmocka_unit_test(ambiguous_edges_are_refused),
		cmocka_unit_test(grants_inside_a_wall_are_refused),
		cmocka_unit_test(grants_inside_what_the_policy_forbids_are_refused),
		cmocka_unit_test(what_the_policy_forbids_beats_every_grant),
		cmocka_unit_test(a_lifted_guard_is_gone_and_said),
		cmocka_unit_test(an_accepted_warning_is_a_note),
		cmocka_unit_test(an_interpreter_has_to_say_that_it_runs_code),
		cmocka_unit_test(jit_is_a_set_of_tools),
		cmocka_unit_test(a_program_that_nobody_may_run_is_not_ambiguous),
		cmocka_unit_test(what_is_unused_is_reported),
		cmocka_unit_test(blocked_addresses_are_noted),
		cmocka_unit_test(thousands_of_paths_fit),
		cmocka_unit_test(a_policy_past_the_tables_names_what_costs_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
