// SPDX-License-Identifier: GPL-2.0-only
/*
 * What common calls cost, in nanoseconds of CLOCK_MONOTONIC for each: in a guest that counts instructions (one nanosecond is
 * one instruction) that is the number of instructions that the whole call takes. Prints "NAME MEDIAN" lines.
 * usage: cost DIRECTORY; run in the tests/bench guest, where nothing else runs.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BATCHES 11

extern char **environ;
static char *self;
static char file[4096], made[4096];
static int written = -1;

static void fail(const char *what)
{
	fprintf(stderr, "cost: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void call_open(void)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(file);
	close(fd);
}

static void call_open_write(void)
{
	int fd = open(file, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fail(file);
	close(fd);
}

static void call_write(void)
{
	if (pwrite(written, "0123456789abcdef", 16, 0) != 16)
		fail("pwrite");
}

static void call_create(void)
{
	int fd = open(made, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		fail(made);
	close(fd);
	unlink(made);
}

static void call_rename(void)
{
	char other[sizeof(file) + 2];

	snprintf(other, sizeof(other), "%s2", file);
	if (rename(file, other) || rename(other, file))
		fail("rename");
}

static void call_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fail("socket");
	close(fd);
}

/* Refused at once by the kernel's own routing where nobody listens: the hook and the look-up, not the handshake. */
static void call_connect(void)
{
	struct sockaddr_in peer = { .sin_family = AF_INET,
				    .sin_port = htons(9),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || !connect(fd, (struct sockaddr *)&peer, sizeof(peer)) || errno != ECONNREFUSED)
		fail("connect");
	close(fd);
}

static void reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		fail("child");
}

static void call_fork(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	reap(pid);
}

static void call_spawn(void)
{
	char nothing[] = "--nothing", *arguments[] = { self, nothing, NULL };
	pid_t pid;

	errno = posix_spawn(&pid, self, NULL, NULL, arguments, environ);
	if (errno)
		fail(self);
	reap(pid);
}

static const struct {
	const char *name;
	void (*call)(void);
	int times;
} calls[] = {
	{ "getppid", call_getppid, 1000 },
	{ "open_close", call_open, 300 },
	{ "open_close_rw", call_open_write, 300 },
	{ "pwrite", call_write, 500 },
	{ "create_unlink", call_create, 100 },
	{ "rename_twice", call_rename, 100 },
	{ "socket_close", call_socket, 200 },
	{ "tcp_connect", call_connect, 100 },
	{ "fork_wait", call_fork, 30 },
	{ "spawn_static", call_spawn, 20 },
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t measure(void (*call)(void), int times)
{
	int64_t costs[BATCHES];

	for (int i = 0; i < times / 4 + 2; i++)
		call();
	for (int batch = 0; batch < BATCHES; batch++) {
		int64_t start = now();

		for (int i = 0; i < times; i++)
			call();
		costs[batch] = (now() - start) / times;
	}
	qsort(costs, BATCHES, sizeof(costs[0]), by_value);
	return costs[BATCHES / 2];
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--nothing"))
		return 0;
	if (argc != 2)
		return 2;
	self = argv[0];
	snprintf(file, sizeof(file), "%s/a/directory/of/usual/depth/file.txt", argv[1]);
	snprintf(made, sizeof(made), "%s/made", argv[1]);
	written = open(file, O_RDWR | O_CLOEXEC);
	if (written < 0)
		fail(file);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		printf("%s %lld\n", calls[i].name, (long long)measure(calls[i].call, calls[i].times));
	return 0;
}
