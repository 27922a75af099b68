// SPDX-License-Identifier: GPL-2.0-only
/* The other side: serve KIND ADDRESS [PORT] listens, says "ready" and answers nobody until it is killed. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "drill/peer.h"
#include "drill/try.h"

static const struct kind {
	const char *name;
	int family, type, abstract;
} kinds[] = {
	{ "tcp", AF_INET, SOCK_STREAM, 0 },
	{ "udp", AF_INET, SOCK_DGRAM, 0 },
	{ "unix-stream", AF_UNIX, SOCK_STREAM, 0 },
	{ "unix-seqpacket", AF_UNIX, SOCK_SEQPACKET, 0 },
	{ "unix-dgram", AF_UNIX, SOCK_DGRAM, 0 },
	{ "unix-abstract", AF_UNIX, SOCK_STREAM, 1 },
	{ "unix-abstract-dgram", AF_UNIX, SOCK_DGRAM, 1 },
	{ 0 },
};

static int listen_unix(const struct kind *kind, const char *text)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(text);
	int fd = socket(AF_UNIX, kind->type | SOCK_CLOEXEC, 0);

	if (fd < 0 || length + 1 > sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path + kind->abstract, text, length);
	length += offsetof(struct sockaddr_un, sun_path) + 1;
	return bind(fd, (struct sockaddr *)&address, (socklen_t)length) ? -1 : fd;
}

static int listen_inet(const struct kind *kind, char **args)
{
	const int on = 1;
	struct try_peer here;
	int fd;

	try_peer_parse(args, &here);
	fd = socket(here.any.sa_family, kind->type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return bind(fd, &here.any, here.length) ? -1 : fd;
}

static void answer_nobody(int fd, int type)
{
	char byte;

	for (;;) {
		if (type == SOCK_DGRAM) {
			if (recv(fd, &byte, 1, 0) < 0 && errno != EINTR && errno != ECONNREFUSED)
				return;
		} else {
			int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

			if (peer < 0 && errno != EINTR && errno != ECONNABORTED)
				return;
			if (peer >= 0)
				close(peer);
		}
	}
}

int main(int argc, char **argv)
{
	const struct kind *kind = kinds;
	int fd;

	while (kind->name && (argc < 3 || strcmp(kind->name, argv[1])))
		kind++;
	if (!kind->name || (kind->family == AF_INET && argc < 4)) {
		fputs("usage: serve tcp|udp ADDRESS PORT\n"
		      "       serve unix-stream|unix-seqpacket|unix-dgram PATH\n"
		      "       serve unix-abstract|unix-abstract-dgram NAME\n",
		      stderr);
		return TRY_USAGE;
	}
	fd = kind->family == AF_UNIX ? listen_unix(kind, argv[2]) : listen_inet(kind, argv + 2);
	if (fd < 0 || (kind->type != SOCK_DGRAM && listen(fd, 16))) {
		perror("serve");
		return TRY_ERROR;
	}
	puts("ready");
	fflush(stdout);
	answer_nobody(fd, kind->type);
	return TRY_ERROR;
}
