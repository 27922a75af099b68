/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "bpf/abi.h"
#include "policy/path.h"

#define READ BH_ACCESS_READ
#define WRITE BH_ACCESS_WRITE
#define EXEC BH_ACCESS_EXEC

static void a_path_has_exactly_the_form_the_kernel_prints(void **state)
{
	static const struct {
		const char *path, *code; /* NULL: fine */
	} rows[] = {
		{ "/usr/bin/git", NULL },
		{ "/a", NULL },
		{ "/srv/with space", NULL },
		{ "/usr/bin/[", NULL },
		{ "/srv/...", NULL },
		{ "/srv/.git", NULL },
		{ "/srv/a..b", NULL },
		{ "/srv/*", NULL },
		{ "/srv/**", NULL },
		{ "/srv/**/x", NULL },
		{ "/srv/*a?b*", NULL },
		{ "/srv/**/**/x", NULL },
		{ "", "E201" },
		{ "usr", "E201" },
		{ "~/x", "E201" },
		{ "/", "E202" },
		{ "//", "E202" },
		{ "//srv", "E202" },
		{ "/srv/", "E202" },
		{ "/srv//x", "E202" },
		{ "/./srv", "E202" },
		{ "/srv/..", "E202" },
		{ "/srv/../x", "E202" },
		{ "/srv/a\nb", "E202" },
		{ "/srv/\x7f", "E202" },
		{ "/srv/\xc3\xa9", "E202" },
		{ "/srv/a**", "E205" },
		{ "/srv/**a", "E205" },
		{ "/srv/***", "E205" },
		{ "/srv/a**/x", "E205" },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		struct bh_path_fault fault = bh_path_form(rows[i].path);

		if (rows[i].code ? !fault.code || strcmp(fault.code, rows[i].code) != 0 : fault.code != NULL)
			fail_msg("'%s': %s", rows[i].path, fault.code ? fault.code : "no fault");
	}
}

static void the_limits_of_length_and_depth_are_exact(void **state)
{
	char path[1100] = "/";

	memset(path + 1, 'a', 1023);
	assert_null(bh_path_form(path).code);
	path[1024] = 'a';
	assert_string_equal(bh_path_form(path).code, "E203");
	path[0] = '\0';
	for (int i = 0; i < 32; i++)
		strcat(path, "/a");
	assert_null(bh_path_form(path).code);
	assert_string_equal(bh_path_form(strcat(path, "/a")).code, "E204");
}

static void what_opens_everybodys_files_is_too_broad(void **state)
{
	static const struct {
		const char *path;
		uint32_t refused; /* BH_ACCESS_* bits for which it is too broad */
	} rows[] = {
		{ "/**", READ | WRITE | EXEC },
		{ "/*", READ | WRITE | EXEC },
		{ "/*/x", READ | WRITE | EXEC },
		{ "/**/x", READ | WRITE | EXEC },
		{ "/u?r/bin", READ | WRITE | EXEC },
		{ "/etc/**", READ | WRITE | EXEC },
		{ "/etc/*", READ | WRITE | EXEC },
		{ "/etc/?*", READ | WRITE | EXEC },
		{ "/home/*/**", READ | WRITE | EXEC },
		{ "/root/**", READ | WRITE | EXEC },
		{ "/var/**", READ | WRITE | EXEC },
		{ "/var/lib/**", READ | WRITE | EXEC },
		{ "/run/**", READ | WRITE | EXEC },
		{ "/usr/**", WRITE | EXEC },
		{ "/usr/bin/**", WRITE | EXEC },
		{ "/proc", READ | WRITE | EXEC },
		{ "/proc/1/mem", READ | WRITE | EXEC },
		{ "/sys/x", READ | WRITE | EXEC },
		{ "/dev/sda", READ | WRITE | EXEC },
		{ "/dev/**", READ | WRITE | EXEC },
		{ "/dev/shm/**", 0 },
		{ "/dev/shmx", READ | WRITE | EXEC },
		{ "/etc", 0 },
		{ "/etc/gitconfig", 0 },
		{ "/etc/ssl/**", 0 },
		{ "/home/me/**", 0 },
		{ "/home/*/src/**", 0 },
		{ "/usr/lib/git-core/**", 0 },
		{ "/procs/**", 0 },
		{ "/srv/**", 0 },
		{ "/tmp/**", 0 },
		{ "/run/app/**", 0 },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++)
		for (uint32_t access = READ; access <= EXEC; access <<= 1)
			if ((bh_path_breadth(rows[i].path, access).code != NULL) != ((rows[i].refused & access) != 0))
				fail_msg("'%s' with access %u", rows[i].path, access);
}

static void a_wildcard_makes_a_pattern(void **state)
{
	assert_true(bh_path_is_pattern("/a/*"));
	assert_true(bh_path_is_pattern("/a/b?"));
	assert_false(bh_path_is_pattern("/usr/bin/["));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_has_exactly_the_form_the_kernel_prints),
		cmocka_unit_test(the_limits_of_length_and_depth_are_exact),
		cmocka_unit_test(what_opens_everybodys_files_is_too_broad),
		cmocka_unit_test(a_wildcard_makes_a_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
