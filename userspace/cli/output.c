/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
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
