/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

static int write_all(int fd, const char *bytes, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t count = write(fd, bytes + done, length - done);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return count ? -errno : -EIO;
		done += (size_t)count;
	}
	return fsync(fd) ? -errno : 0;
}

int bh_file_put(const char *path, const void *bytes, size_t length, struct bh_err *err)
{
	char beside[PATH_MAX];
	BH_CLOSE int fd = -EBADF;
	int result;

	if (snprintf(beside, sizeof(beside), "%s.new", path) >= (int)sizeof(beside))
		return bh_err_set(err, ENAMETOOLONG, "the file's name is too long");
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return bh_err_set(err, errno, "cannot write %s: %s", beside, strerror(errno));
	result = write_all(fd, bytes, length);
	if (!result && rename(beside, path))
		result = -errno;
	if (!result)
		return 0;
	unlink(beside);
	return bh_err_set(err, -result, "cannot write %s: %s", path, strerror(-result));
}

/* Still the same bytes? */
static int check_unchanged(int fd, const char *old, size_t length, struct bh_err *err)
{
	BH_FREE char *now = malloc(length + 1);
	size_t done = 0;
	ssize_t count = 1;

	while (now && done <= length && count > 0) {
		count = pread(fd, now + done, length + 1 - done, (off_t)done);
		if (count < 0 && errno == EINTR)
			count = 1;
		else if (count > 0)
			done += (size_t)count;
	}
	if (!now || count < 0)
		return bh_err_set(err, now ? errno : ENOMEM, "it cannot be read again");
	if (done != length || memcmp(now, old, length) != 0)
		return bh_err_set(err, EBUSY, "it was changed by someone else meanwhile");
	return 0;
}

/* The new file beside the old one, which it looks like from outside. */
static int write_beside(const char *beside, const struct stat *like, const void *bytes, size_t length,
			struct bh_err *err)
{
	BH_CLOSE int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int result;

	if (fd < 0) {
		bh_err_set(err, errno, "cannot make %s: %s", beside, strerror(errno));
		if (errno == EEXIST)
			bh_err_hint(err, "it was left behind, or another program edits the policy now");
		return -errno;
	}
	result = fchown(fd, like->st_uid, like->st_gid) || fchmod(fd, like->st_mode & 07777) ?
			 -errno :
			 write_all(fd, bytes, length);
	if (result) {
		unlink(beside);
		return bh_err_set(err, -result, "cannot write %s: %s", beside, strerror(-result));
	}
	return 0;
}

/* Without this the new name may be gone after a power cut. */
static void sync_folder(char *path)
{
	BH_CLOSE int fd = -EBADF;

	*(strrchr(path, '/') + 1) = '\0';
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		fsync(fd);
}

int bh_file_replace(const char *path, const void *old, size_t old_length, const void *bytes, size_t length,
		    struct bh_err *err)
{
	char real[PATH_MAX], beside[PATH_MAX];
	BH_CLOSE int fd = -EBADF;
	struct stat st;
	int result;

	if (!realpath(path, real))
		return bh_err_set(err, errno, "%s: %s", path, strerror(errno));
	if (snprintf(beside, sizeof(beside), "%s.new", real) >= (int)sizeof(beside))
		return bh_err_set(err, ENAMETOOLONG, "the file's name is too long");
	fd = open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || fstat(fd, &st))
		return bh_err_set(err, errno, "%s: %s", path, strerror(errno));
	result = write_beside(beside, &st, bytes, length, err);
	if (result)
		return result;
	result = check_unchanged(fd, old, old_length, err);
	if (!result && rename(beside, real))
		result = bh_err_set(err, errno, "cannot write %s: %s", path, strerror(errno));
	if (result) {
		unlink(beside);
		return bh_err_goal(err, result, "%s", path);
	}
	sync_folder(real);
	return 0;
}

int bh_file_put_in(const char *folder, const char *name, const char *ending, const void *bytes, size_t length,
		   struct bh_err *err)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending) >= (int)sizeof(path))
		return bh_err_set(err, ENAMETOOLONG, "the folder's name is too long");
	return bh_file_put(path, bytes, length, err);
}

int bh_artifacts_put(const struct bh_compiled *compiled, const char *folder, bool quiet, struct bh_err *err)
{
	BH_FREE uint8_t *bytes = NULL;
	size_t length = 0, json_length = 0;
	const char *name = bh_compiled_name(compiled), *json = bh_compiled_json(compiled, &json_length);
	int result;

	if (mkdir(folder, 0755) && errno != EEXIST)
		return bh_err_set(err, errno, "cannot make %s: %s", folder, strerror(errno));
	result = bh_artifact_write(compiled, &bytes, &length);
	if (result)
		return bh_err_set(err, -result, "cannot build the artifact: %s", strerror(-result));
	result = bh_file_put_in(folder, name, ".policy.json", json, json_length, err);
	if (!result)
		result = bh_file_put_in(folder, name, ".bhp", bytes, length, err);
	if (!result && !quiet)
		printf("wrote %s/%s.policy.json (%zu bytes), %s/%s.bhp (%zu bytes)\n", folder, name, json_length,
		       folder, name, length);
	return result;
}

json_t *bh_findings_json(const struct bh_diags *diags)
{
	static const char *const severities[] = { NULL, "note", "warning", "error" };
	json_t *array = json_array();

	for (size_t i = 0; i < bh_diags_count(diags); i++) {
		const struct bh_diag *diag = bh_diags_get(diags, i);
		json_t *one = json_pack("{s:s, s:s, s:i, s:i, s:s}", "severity", severities[diag->severity], "code",
					diag->code, "line", (int)diag->loc.line, "column", (int)diag->loc.column,
					"text", diag->text);

		if (diag->hint)
			json_object_set_new(one, "help", json_string(diag->hint));
		json_array_append_new(array, one);
	}
	return array;
}

void bh_json_print(json_t *object)
{
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}
