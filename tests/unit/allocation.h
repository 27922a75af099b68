/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Allocations that fail when told to, for one test program: it replaces malloc and kin. Libraries allocate through the same
 * functions, so their failures are among them. Not under a sanitiser, which brings an allocator of its own: SANITISED.
 */
#ifndef BH_TESTS_UNIT_ALLOCATION_H
#define BH_TESTS_UNIT_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

/* glibc's own names */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static long left = -1; /* allocations until one fails; negative: none does */
static long alive __attribute__((unused)); /* blocks that nobody has freed */

#if defined(__SANITIZE_ADDRESS__)
#define SANITISED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITISED 1
#endif
#endif

#ifndef SANITISED
static bool fails(void)
{
	if (left < 0)
		return false;
	return left-- == 0;
}

static void *counted(void *block)
{
	alive += block != NULL;
	return block;
}

void *malloc(size_t size)
{
	return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
	if (fails())
		return NULL;
	return old ? __libc_realloc(old, size) : counted(__libc_malloc(size));
}

void free(void *old)
{
	alive -= old != NULL;
	__libc_free(old);
}
#endif

#endif
