/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "policy/parse.h"

/* Root, or the person who called sudo: sudo sets SUDO_UID itself and drops what the caller had there. */
static bool trusted_owner(uid_t owner)
{
	const char *behind = getenv("SUDO_UID");
	char *end;
	unsigned long uid;

	if (owner == 0)
		return true;
	if (!behind || behind[0] < '0' || behind[0] > '9')
		return false;
	errno = 0;
	uid = strtoul(behind, &end, 10);
	return errno == 0 && *end == '\0' && uid == owner;
}

static int check_file(const struct stat *st, size_t limit, struct bh_err *err)
{
	if (!S_ISREG(st->st_mode))
		return bh_err_set(err, EINVAL, "it is not a regular file");
	if (st->st_size > (off_t)limit)
		return bh_err_set(err, EFBIG, "it has %lld bytes; at most %zu are possible", (long long)st->st_size,
				  limit);
	if (geteuid() != 0)
		return 0;
	if (!trusted_owner(st->st_uid)) {
		bh_err_set(err, EPERM, "it belongs to user %u; whoever writes a policy rules the sandbox", st->st_uid);
		bh_err_hint(err, "chown it to root");
		return -EPERM;
	}
	if (st->st_mode & (S_IWGRP | S_IWOTH)) {
		bh_err_set(err, EPERM, "group or others may write it (mode %04o)", st->st_mode & 07777);
		bh_err_hint(err, "chmod go-w it");
		return -EPERM;
	}
	return 0;
}

/* Reads to the end, one byte more than is allowed at most: the file may grow while it is read. */
static int read_all(int fd, size_t limit, struct bh_buf *buf, struct bh_err *err)
{
	char piece[16384];

	while (buf->length <= limit) {
		size_t room = limit + 1 - buf->length;
		ssize_t got = read(fd, piece, room < sizeof(piece) ? room : sizeof(piece));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return bh_err_set(err, errno, "it cannot be read: %s", strerror(errno));
		bh_buf_add(buf, piece, (size_t)got);
		if (buf->error)
			return bh_err_set(err, ENOMEM, "out of memory");
		if (got == 0)
			return 0;
	}
	return bh_err_set(err, EFBIG, "it has more than %zu bytes", limit);
}

int bh_source_read(const char *path, size_t limit, char **ret_text, size_t *ret_length, struct bh_err *err)
{
	/* Non-blocking: a FIFO in the place of the file must not hold us up. */
	BH_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	BH_CLEANUP(bh_buf_done) struct bh_buf buf = { 0 };
	struct stat st;
	int r;

	if (fd < 0)
		return bh_err_set(err, errno, "%s", strerror(errno));
	if (fstat(fd, &st) < 0)
		return bh_err_set(err, errno, "%s", strerror(errno));
	r = check_file(&st, limit, err);
	if (r < 0)
		return r;
	r = read_all(fd, limit, &buf, err);
	if (r < 0)
		return r;
	*ret_length = buf.length;
	*ret_text = (char *)BH_TAKE(buf.bytes);
	return 0;
}
