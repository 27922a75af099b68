/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/parse.h"

static char folder[64], file[80];

static int make_folder(void **state)
{
	strcpy(folder, "/tmp/bh-source-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/p.yaml", folder);
	unsetenv("SUDO_UID");
	return 0;
}

static int remove_folder(void **state)
{
	unlink(file);
	return rmdir(folder);
}

static void write_file(size_t length, mode_t mode)
{
	BH_CLOSE int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)length), 0);
	assert_int_equal(fchmod(fd, mode), 0);
}

static int read_file(char **ret_text, size_t *ret_length)
{
	struct bh_err err = { 0 };
	int r = bh_source_read(file, BH_SOURCE_MAX, ret_text, ret_length, &err);

	if (r < 0)
		assert_true(err.text[0] != '\0');
	return r;
}

static void expect(int wanted)
{
	BH_FREE char *text = NULL;
	size_t length = 0;

	assert_int_equal(read_file(&text, &length), wanted);
	assert_true((text != NULL) == (wanted == 0));
}

static void a_file_up_to_the_limit_is_read_whole(void **state)
{
	BH_FREE char *text = NULL;
	size_t length = 0;

	write_file(BH_SOURCE_MAX, 0644);
	assert_int_equal(read_file(&text, &length), 0);
	assert_int_equal(length, BH_SOURCE_MAX);
	assert_int_equal(text[length], '\0');
	write_file(BH_SOURCE_MAX + 1, 0644);
	expect(-EFBIG);
	write_file(0, 0644);
	expect(0);
}

static void what_is_not_a_regular_file_is_refused(void **state)
{
	expect(-ENOENT);
	assert_int_equal(mkfifo(file, 0600), 0);
	expect(-EINVAL);
	unlink(file);
	assert_int_equal(mkdir(file, 0700), 0);
	expect(-EINVAL);
	rmdir(file);
	assert_int_equal(symlink("/dev/zero", file), 0);
	expect(-EINVAL);
}

static void root_refuses_a_file_that_others_may_write(void **state)
{
	if (geteuid() != 0)
		skip();
	write_file(10, 0664);
	expect(-EPERM);
	write_file(10, 0646);
	expect(-EPERM);
	write_file(10, 0644);
	expect(0);
}

static void root_refuses_a_file_of_somebody_else_but_not_of_the_caller_of_sudo(void **state)
{
	if (geteuid() != 0)
		skip();
	write_file(10, 0644);
	assert_int_equal(chown(file, 1234, 0), 0);
	expect(-EPERM);
	setenv("SUDO_UID", "1234", 1);
	expect(0);
	setenv("SUDO_UID", "12345", 1);
	expect(-EPERM);
	setenv("SUDO_UID", "1234x", 1);
	expect(-EPERM);
	setenv("SUDO_UID", "", 1);
	expect(-EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_up_to_the_limit_is_read_whole, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(what_is_not_a_regular_file_is_refused, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(root_refuses_a_file_that_others_may_write, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(root_refuses_a_file_of_somebody_else_but_not_of_the_caller_of_sudo,
						make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
