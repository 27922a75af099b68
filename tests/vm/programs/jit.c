// SPDX-License-Identifier: GPL-2.0-only
/*
 * jit WAY [FILE]: makes memory executable that is no file's, or no longer, and calls into it where it can. Says "ran",
 * or which call was refused and how; the status is 0 or 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES 4096u
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static int say(const char *call)
{
	if (!call) {
		puts("ran");
		return 0;
	}
	printf("%s: %s\n", call, errno == EPERM ? "EPERM" : strerror(errno));
	return 1;
}

/* x86: mov eax, 42; ret */
static int call_into(void *memory)
{
	static const unsigned char code[] = { 0xb8, 42, 0, 0, 0, 0xc3 };
	int (*function)(void);

	if (memcmp(memory, code, sizeof(code)) != 0)
		memcpy(memory, code, sizeof(code));
	memcpy(&function, &memory, sizeof(function));
	errno = ENOTRECOVERABLE;
	return function() == 42 ? say(NULL) : say("call");
}

static void *map(int prot, int flags, int fd)
{
	return mmap(NULL, BYTES, prot, flags, fd, 0);
}

static int anonymous(void)
{
	void *memory = map(PROT_READ | PROT_WRITE | PROT_EXEC, ANON, -1);

	return memory == MAP_FAILED ? say("mmap") : call_into(memory);
}

/* Written, then made executable; fd -1: no file. */
static int written(int fd)
{
	unsigned char *memory = map(PROT_READ | PROT_WRITE, fd < 0 ? ANON : MAP_PRIVATE, fd);

	if (memory == MAP_FAILED)
		return say("mmap");
	memcpy(memory, "\xb8\x2a\0\0\0\xc3", 6);
	return mprotect(memory, BYTES, PROT_READ | PROT_EXEC) ? say("mprotect") : call_into(memory);
}

/* A file's code that could be changed while it is code: at once, and later. */
static int changeable(int fd, int later)
{
	int prot = PROT_READ | PROT_EXEC;
	void *memory = map(later ? prot : prot | PROT_WRITE, MAP_PRIVATE, fd);

	if (memory == MAP_FAILED)
		return say("mmap");
	if (later && mprotect(memory, BYTES, prot | PROT_WRITE))
		return say("mprotect");
	return call_into(memory);
}

/* A file's code, changed behind its back: writable while it is not executable, then executable again. */
static int patched(int fd)
{
	unsigned char *memory = map(PROT_READ | PROT_EXEC, MAP_PRIVATE, fd);

	if (memory == MAP_FAILED || mprotect(memory, BYTES, PROT_READ | PROT_WRITE))
		return say("first");
	memcpy(memory, "\xb8\x2a\0\0\0\xc3", 6);
	return mprotect(memory, BYTES, PROT_READ | PROT_EXEC) ? say("mprotect") : call_into(memory);
}

static int stack(void)
{
	unsigned char here[2 * BYTES];
	unsigned char *page = here + BYTES - (unsigned long)here % BYTES;

	memcpy(page, "\xb8\x2a\0\0\0\xc3", 6);
	return mprotect(page, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC) ? say("mprotect") : call_into(page);
}

static int heap(void)
{
	unsigned char *memory = aligned_alloc(BYTES, BYTES);

	return mprotect(memory, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC) ? say("mprotect") : call_into(memory);
}

/* What every program does: the code of a file, as it is. */
static int plain(int fd)
{
	void *memory = map(PROT_READ, MAP_PRIVATE, fd);

	if (memory == MAP_FAILED || map(PROT_READ | PROT_EXEC, MAP_PRIVATE, fd) == MAP_FAILED)
		return say("mmap");
	return mprotect(memory, BYTES, PROT_READ | PROT_EXEC) ? say("mprotect") : say(NULL);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int fd = argc > 2 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;

	if (argc > 2 && fd < 0)
		return say("open");
	if (!strcmp(way, "anonymous"))
		return anonymous();
	if (!strcmp(way, "written"))
		return written(fd);
	if (!strcmp(way, "at-once") || !strcmp(way, "later"))
		return changeable(fd, way[0] == 'l');
	if (!strcmp(way, "patched"))
		return patched(fd);
	if (!strcmp(way, "stack"))
		return stack();
	if (!strcmp(way, "heap"))
		return heap();
	if (!strcmp(way, "plain"))
		return plain(fd);
	return 2;
}
