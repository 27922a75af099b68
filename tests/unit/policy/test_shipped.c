/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fnmatch.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "policy/embedded.h"
#include "policy/host.h"
#include "policy/parse.h"

static struct bh_shipped *shipped;

static int load_shipped(void **state)
{
	struct bh_err err = { 0 };
	int r = bh_shipped_load(&shipped, &err);

	if (r < 0)
		print_error("%s\n", err.text);
	return r;
}

static int free_shipped(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

static const struct bh_preset *preset(const char *name)
{
	for (size_t i = 0; i < shipped->presets_count; i++)
		if (strcmp(shipped->presets[i].name, name) == 0)
			return &shipped->presets[i];
	fail_msg("no preset %s", name);
	return NULL;
}

/* Our patterns by the C library's means: "D/" and two stars is D and everything beneath; rules/ has no others. */
static bool matches(const char *pattern, const char *path)
{
	size_t length = strlen(pattern);
	char tree[256], part[256];

	if (length < 3 || strcmp(pattern + length - 3, "/**") != 0)
		return fnmatch(pattern, path, FNM_PATHNAME) == 0;
	snprintf(tree, sizeof(tree), "%.*s", (int)(length - 3), pattern);
	for (size_t end = 1; end <= strlen(path); end++) {
		snprintf(part, sizeof(part), "%.*s", (int)end, path);
		if ((path[end] == '/' || path[end] == '\0') && fnmatch(tree, part, FNM_PATHNAME) == 0)
			return true;
	}
	return false;
}

static bool any_matches(const struct bh_words *words, const char *path)
{
	for (size_t i = 0; i < words->count; i++)
		if (matches(words->items[i].text, path))
			return true;
	return false;
}

static void base_opens_what_every_program_needs(void **state)
{
	static const char *const paths[] = {
		"/usr/lib/x86_64-linux-gnu/libc.so.6",
		"/usr/lib64/ld-linux-x86-64.so.2",
		"/etc/ld.so.cache",
		"/etc/passwd",
		"/etc/nsswitch.conf",
		"/etc/ssl/openssl.cnf",
		"/usr/lib/locale/C.utf8/LC_CTYPE",
		"/usr/share/zoneinfo/Etc/UTC",
		"/dev/null",
		"/dev/urandom",
		"/proc/self/maps",
		"/proc/self/status",
		"/proc/filesystems",
		"/proc/sys/kernel/ngroups_max",
		"/sys/devices/system/cpu/online",
		"/usr/share/git-core/templates/info/exclude",
	};

	for (size_t i = 0; i < BH_COUNT_OF(paths); i++)
		if (!any_matches(&preset("base")->read, paths[i]))
			fail_msg("%s is missing", paths[i]);
	assert_true(any_matches(&preset("base")->write, "/dev/null"));
	assert_true(preset("base")->version >= 1);
}

static void no_preset_opens_a_secret(void **state)
{
	static const char *const paths[] = {
		"/etc/shadow",
		"/etc/gshadow",
		"/etc/sudoers",
		"/etc/ssl/private/key.pem",
		"/etc/pki/tls/private/key.pem",
		"/etc/ssh/ssh_host_rsa_key",
		"/root/.ssh/id_rsa",
		"/home/a/.aws/credentials",
		"/proc/self/environ",
		"/proc/self/mem",
		"/proc/self/clear_refs",
		"/proc/self/task/7/mem",
		"/proc/self/task/7/environ",
		"/proc/1/environ",
		"/proc/1/cmdline",
		"/proc/kcore",
		"/proc/kallsyms",
		"/dev/mem",
		"/dev/sda",
		"/var/run/docker.sock",
		"/run/secrets/kubernetes.io/serviceaccount/token",
		"/sys/kernel/debug/x",
	};

	for (size_t i = 0; i < BH_COUNT_OF(paths); i++)
		for (size_t k = 0; k < shipped->presets_count; k++)
			if (any_matches(&shipped->presets[k].read, paths[i]) ||
			    any_matches(&shipped->presets[k].write, paths[i]))
				fail_msg("%s opens %s", shipped->presets[k].name, paths[i]);
	assert_false(any_matches(&preset("base")->write, "/usr/lib/x"));
	assert_int_equal(preset("fonts")->write.count, 0);
	assert_int_equal(preset("locale")->write.count, 0);
	assert_int_equal(preset("tls-roots")->write.count, 0);
}

static const struct bh_floor_address *floor_of(const char *text)
{
	struct bh_cidr cidr = { 0 };

	assert_null(bh_cidr_parse(text, true, &cidr).code);
	for (size_t i = 0; i < shipped->addresses_count; i++)
		if (bh_cidr_covers(&shipped->addresses[i].cidr, &cidr))
			return &shipped->addresses[i];
	return NULL;
}

static void the_metadata_services_are_on_the_floor(void **state)
{
	static const char *const addresses[] = {
		"169.254.169.254/32",	  "fd00:ec2::254/128",	   "169.254.170.2/32",	  "169.254.170.23/32",
		"fd00:ec2::23/128",	  "fd20:ce::254/128",	   "169.254.169.252/32",  "168.63.129.16/32",
		"fd00:c1::a9fe:a9fe/128", "192.0.0.192/32",	   "100.100.100.200/32",  "169.254.42.42/32",
		"fd00:42::42/128",	  "fd00:a9fe:a9fe::1/128", "fe80::a9fe:a9fe/128", "169.254.0.23/32",
	};

	assert_int_equal(shipped->addresses_count, BH_COUNT_OF(addresses));
	for (size_t i = 0; i < BH_COUNT_OF(addresses); i++) {
		const struct bh_floor_address *floor = floor_of(addresses[i]);

		if (!floor)
			fail_msg("%s is missing", addresses[i]);
		assert_true(floor->who[0] && floor->source[0]);
	}
	assert_int_equal(floor_of("168.63.129.16/32")->except_port, 53);
	assert_int_equal(floor_of("169.254.169.254/32")->except_port, 0);
	assert_null(floor_of("169.254.169.253/32"));
	assert_true(shipped->floor_version >= 1);
}

static bool prohibited(const struct bh_prohibition *items, size_t count, const char *path, bool write)
{
	for (size_t i = 0; i < count; i++)
		if (any_matches(write ? &items[i].write : &items[i].read, path))
			return true;
	return false;
}

static void the_floor_holds_the_kernel_and_bulkhead(void **state)
{
	const struct bh_prohibition *floors = shipped->floors;
	size_t count = shipped->floors_count;

	assert_true(prohibited(floors, count, "/dev/mem", false));
	assert_true(prohibited(floors, count, "/proc/kcore", false));
	assert_true(prohibited(floors, count, "/sys/fs/bpf/x", false));
	assert_true(prohibited(floors, count, "/run/bulkhead/control", true));
	assert_true(prohibited(floors, count, "/proc/sys/kernel/core_pattern", true));
	assert_false(prohibited(floors, count, "/proc/sys/kernel/osrelease", false));
	assert_true(prohibited(floors, count, "/sys/fs/cgroup/x/cgroup.procs", true));
	assert_false(prohibited(floors, count, "/tmp/x", true));
}

static void the_guard_of_workspaces_only_forbids_to_write(void **state)
{
	const struct bh_prohibition *guard = &shipped->guards[shipped->guards_count - 1];

	assert_string_equal(guard->name.text, "repo-exec-files");
	assert_true(guard->below_workspaces);
	assert_int_equal(guard->read.count, 0);
	assert_true(any_matches(&guard->write, "/.git/config"));
	assert_true(any_matches(&guard->write, "/.git/hooks/pre-commit"));
	assert_true(any_matches(&guard->write, "/.vscode/tasks.json"));
	assert_true(any_matches(&guard->write, "/.bashrc"));
	assert_false(any_matches(&guard->write, "/.git/HEAD"));
}

#define GUARDS_OF_VARIABLES 6u

static void the_others_before_it_are_about_variables(void **state)
{
	const struct bh_prohibition *guard = &shipped->guards[shipped->guards_count - 1 - GUARDS_OF_VARIABLES];

	assert_string_equal(guard->name.text, "git-variables");
	for (size_t i = 0; i < GUARDS_OF_VARIABLES; i++, guard++) {
		assert_true(guard->programs.count > 0 && guard->variables.count > 0);
		assert_int_equal(guard->read.count + guard->write.count, 0);
	}
}

static void every_other_guard_forbids_reading_and_writing_the_same(void **state)
{
	static const char *const names[] = { "kubernetes-token", "cloud-token",	     "ssh-keys",     "cloud-cli",
					     "package-tokens",	 "browser-profiles", "shell-history" };

	assert_int_equal(shipped->guards_count, BH_COUNT_OF(names) + GUARDS_OF_VARIABLES + 1);
	for (size_t i = 0; i < BH_COUNT_OF(names); i++) {
		const struct bh_prohibition *guard = &shipped->guards[i];

		assert_string_equal(guard->name.text, names[i]);
		assert_true(guard->read.count > 0);
		assert_int_equal(guard->read.count, guard->write.count);
		for (size_t k = 0; k < guard->read.count; k++)
			assert_string_equal(guard->read.items[k].text, guard->write.items[k].text);
	}
	assert_true(prohibited(shipped->guards, shipped->guards_count, "/home/a/.ssh/id_ed25519", false));
	assert_true(prohibited(shipped->guards, shipped->guards_count, "/root/.aws/credentials", false));
	assert_true(prohibited(shipped->guards, shipped->guards_count, "/home/a/.npmrc", true));
}

static void fonts_and_locale_write_nothing(void **state)
{
	assert_true(any_matches(&preset("fonts")->read, "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"));
	assert_true(any_matches(&preset("locale")->read, "/usr/share/zoneinfo/Europe/Berlin"));
	assert_int_equal(preset("fonts")->write.count, 0);
	assert_int_equal(preset("locale")->write.count, 0);
}

/* Each line is a comment, empty, or a name of at least two labels, once. */
static void every_public_suffix_is_a_name(void **state)
{
	const char *line = bh_embedded_suffixes_start;
	size_t count = 0;

	while (line < bh_embedded_suffixes_end) {
		size_t length = strcspn(line, "\n");
		char text[300], again[304];

		assert_true(length < sizeof(text));
		snprintf(text, sizeof(text), "%.*s", (int)length, line);
		line += length + 1;
		if (!text[0] || text[0] == '#')
			continue;
		count++;
		snprintf(again, sizeof(again), "\n%s\n", text);
		if (bh_host_form(text[0] == '*' ? text + 2 : text).code || !strchr(text, '.'))
			fail_msg("'%s' is no suffix", text);
		if (strstr(line - 1, again))
			fail_msg("'%s' stands there twice", text);
	}
	assert_true(count > 300);
}

static void the_names_of_metadata_services_are_blocked(void **state)
{
	bool found = false;

	for (size_t i = 0; i < shipped->blocked_names.count; i++) {
		assert_null(bh_host_form(shipped->blocked_names.items[i].text).code);
		found = found || strcmp(shipped->blocked_names.items[i].text, "metadata.google.internal") == 0;
	}
	assert_true(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_opens_what_every_program_needs),
		cmocka_unit_test(no_preset_opens_a_secret),
		cmocka_unit_test(the_metadata_services_are_on_the_floor),
		cmocka_unit_test(the_floor_holds_the_kernel_and_bulkhead),
		cmocka_unit_test(the_guard_of_workspaces_only_forbids_to_write),
		cmocka_unit_test(the_others_before_it_are_about_variables),
		cmocka_unit_test(every_other_guard_forbids_reading_and_writing_the_same),
		cmocka_unit_test(fonts_and_locale_write_nothing),
		cmocka_unit_test(every_public_suffix_is_a_name),
		cmocka_unit_test(the_names_of_metadata_services_are_blocked),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
