/* SPDX-License-Identifier: GPL-2.0-only */
/* Scope-bound ownership: what a function owns goes when it returns, unless it is handed on with BH_TAKE. */
#ifndef BH_BASE_CLEANUP_H
#define BH_BASE_CLEANUP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BH_CLEANUP(function) __attribute__((cleanup(function)))

static inline void bh_cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

/* errno survives, so that a failing path may close and still report. */
static inline void bh_cleanup_close(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

static inline void bh_cleanup_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

#define BH_FREE BH_CLEANUP(bh_cleanup_free)
#define BH_CLOSE BH_CLEANUP(bh_cleanup_close)
#define BH_FCLOSE BH_CLEANUP(bh_cleanup_fclose)

/* The pointer's value; the variable becomes NULL and owns nothing any more. */
#define BH_TAKE(pointer)                                                                                               \
	({                                                                                                             \
		__typeof__(pointer) taken_ = (pointer);                                                                \
		(pointer) = NULL;                                                                                      \
		taken_;                                                                                                \
	})

/* As BH_TAKE, for a descriptor. */
static inline int bh_take_fd(int *fd)
{
	int taken = *fd;

	*fd = -EBADF;
	return taken;
}

#define BH_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
