/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside a sandbox neither way out of a project is open: its mark is changed by ioctl or file_setattr, which the kernel
 * programs refuse there (F6), and a file without the mark is neither renamed nor linked into the directory by the kernel.
 */
#include "kernel/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dqblk_xfs.h>
#include <linux/fs.h>
#include <linux/quota.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"

#define BH_PROJECT_OURS (1u << 30)
#define BH_QUOTA_BLOCK 1024u /* the unit of a hard limit */
#define BH_BYTES_OF_FILE 4096u
#define BH_FILES_LEAST 16u
#define BH_DEPTH_MOST 256

bool bh_disk_fits(uint64_t blocks, uint64_t block_bytes, uint64_t limit)
{
	uint64_t size;

	return blocks && !__builtin_mul_overflow(blocks, block_bytes, &size) && size <= limit;
}

uint32_t bh_disk_project(uint64_t inode)
{
	return BH_PROJECT_OURS | ((uint32_t)inode & (BH_PROJECT_OURS - 1));
}

static int bh_refuse(const char *path, struct bh_err *err, const char *why)
{
	return bh_err_set(err, EOPNOTSUPP, "cannot limit the disk space of %s: %s", path, why);
}

/* ---- Quotas of the file system ---- */

static int bh_quota(int directory, unsigned int command, uint32_t id, void *data)
{
	return syscall(SYS_quotactl_fd, directory, QCMD(command, PRJQUOTA), id, data) ? -errno : 0;
}

/* Counting alone is no limit: the file system must enforce as well. */
static bool bh_quota_enforced(int directory)
{
	struct fs_quota_statv state = { .qs_version = FS_QSTATV_VERSION1 };

	return !bh_quota(directory, Q_XGETQSTATV, 0, &state) && state.qs_flags & FS_QUOTA_PDQ_ENFD;
}

static int bh_quota_set(int directory, uint32_t project, uint64_t bytes)
{
	struct if_dqblk quota = { .dqb_bhardlimit = bytes / BH_QUOTA_BLOCK,
				  .dqb_ihardlimit = bytes ? bytes / BH_BYTES_OF_FILE + BH_FILES_LEAST : 0,
				  .dqb_valid = QIF_LIMITS };

	return bh_quota(directory, Q_SETQUOTA, project, &quota);
}

/* Reads it back: 0 when it is the limit, and not exceeded. */
static int bh_quota_check(int directory, uint32_t project, uint64_t bytes, const char *path, struct bh_err *err)
{
	struct if_dqblk quota = {};
	int result = bh_quota(directory, Q_GETQUOTA, project, &quota);

	if (result)
		return bh_refuse(path, err, strerror(-result));
	if (quota.dqb_bhardlimit != bytes / BH_QUOTA_BLOCK)
		return bh_refuse(path, err, "the file system took another limit");
	if (quota.dqb_curspace <= bytes)
		return 0;
	bh_err_set(err, EOPNOTSUPP, "%s holds %llu MiB already, more than spec.resources.caps.disk.size", path,
		   (unsigned long long)(quota.dqb_curspace >> 20));
	bh_err_hint(err, "take something out of it, or raise the limit");
	return -EOPNOTSUPP;
}

/* ---- Marks ---- */

/* Marks one open file or directory. -EEXIST: it belongs to another project. */
static int bh_mark(int fd, bool directory, uint32_t project)
{
	struct fsxattr attributes = {};

	if (ioctl(fd, FS_IOC_FSGETXATTR, &attributes))
		return -errno;
	if (attributes.fsx_projid && attributes.fsx_projid != project)
		return -EEXIST;
	if (attributes.fsx_projid == project && (!directory || attributes.fsx_xflags & FS_XFLAG_PROJINHERIT))
		return 0;
	attributes.fsx_projid = project;
	if (directory)
		attributes.fsx_xflags |= FS_XFLAG_PROJINHERIT;
	return ioctl(fd, FS_IOC_FSSETXATTR, &attributes) ? -errno : 0;
}

struct bh_marking {
	dev_t device;
	uint32_t project;
};

static int bh_mark_below(int fd, const struct bh_marking *marking, int depth);

/* Only files and directories can be marked; links and pipes hold no data to speak of, and new ones inherit the mark. */
static int bh_mark_entry(int directory, const struct dirent *entry, const struct bh_marking *marking, int depth)
{
	BH_CLOSE int fd = -EBADF;
	struct stat status;
	int result;

	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return 0;
	if (fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT))
		return errno == ENOENT ? 0 : -errno;
	if (status.st_dev != marking->device)
		return -EXDEV;
	if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return 0;
	fd = openat(directory, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	result = bh_mark(fd, S_ISDIR(status.st_mode), marking->project);
	return result || !S_ISDIR(status.st_mode) ? result : bh_mark_below(fd, marking, depth + 1);
}

static int bh_mark_below(int fd, const struct bh_marking *marking, int depth)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *directory = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	int result = depth > BH_DEPTH_MOST ? -ELOOP : 0;

	if (!directory) {
		result = -errno;
		bh_cleanup_close(&copy);
		return result;
	}
	while (!result && (entry = readdir(directory)))
		result = bh_mark_entry(fd, entry, marking, depth);
	closedir(directory);
	return result;
}

static const char *bh_mark_fault(int result)
{
	switch (result) {
	case -EEXIST:
		return "part of it belongs to another project quota";
	case -EXDEV:
		return "another file system is mounted below it";
	case -ELOOP:
		return "it is nested too deeply";
	default:
		return strerror(-result);
	}
}

static int bh_quota_limit(const char *path, const struct stat *status, uint64_t bytes, struct bh_disk *disk,
			  struct bh_err *err)
{
	struct bh_marking marking = { .device = status->st_dev, .project = bh_disk_project(status->st_ino) };
	int result;

	if (!bh_quota_enforced(disk->directory)) {
		bh_refuse(
			path, err,
			"it is no file system of its own that is small enough, and this one has no project quotas in force");
		bh_err_hint(
			err,
			"mount a file system of that size there (mount -t tmpfs -o size=...), or mount ext4 or xfs with "
			"the option prjquota (ext4: after tune2fs -O project,quota)");
		return -EOPNOTSUPP;
	}
	/* the limit first: what is marked meanwhile counts at once */
	result = bh_quota_set(disk->directory, marking.project, bytes);
	if (result)
		return bh_refuse(path, err, strerror(-result));
	disk->project = marking.project;
	result = bh_mark(disk->directory, true, marking.project);
	if (!result)
		result = bh_mark_below(disk->directory, &marking, 0);
	if (result)
		return bh_refuse(path, err, bh_mark_fault(result));
	return bh_quota_check(disk->directory, marking.project, bytes, path, err);
}

/* Is the directory the top of a file system that is no larger than the limit? */
static bool bh_disk_is_small(int directory, const struct stat *status, uint64_t bytes)
{
	struct stat parent;
	struct statfs fs;

	if (fstatat(directory, "..", &parent, 0) || parent.st_dev == status->st_dev || fstatfs(directory, &fs))
		return false;
	return bh_disk_fits((uint64_t)fs.f_blocks, (uint64_t)fs.f_frsize, bytes);
}

int bh_disk_limit(const char *path, uint64_t bytes, struct bh_disk *ret_disk, struct bh_err *err)
{
	struct stat status;

	ret_disk->project = 0;
	ret_disk->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ret_disk->directory < 0 || fstat(ret_disk->directory, &status)) {
		bh_refuse(path, err, strerror(errno));
		bh_err_hint(err, "make the directory of spec.resources.caps.disk first");
		return -EOPNOTSUPP;
	}
	if (flock(ret_disk->directory, LOCK_EX | LOCK_NB))
		return bh_refuse(path, err, "another sandbox has a limit there");
	if (bh_disk_is_small(ret_disk->directory, &status, bytes))
		return 0;
	return bh_quota_limit(path, &status, bytes, ret_disk, err);
}

void bh_disk_free(struct bh_disk *disk)
{
	if (disk->project)
		bh_quota_set(disk->directory, disk->project, 0);
	disk->project = 0;
	bh_cleanup_close(&disk->directory);
	disk->directory = -EBADF;
}
