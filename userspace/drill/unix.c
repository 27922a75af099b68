// SPDX-License-Identifier: GPL-2.0-only
/* Ways to a unix socket of somebody else. */
#include "drill/try.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "drill/peer.h"

/* Fills address for a path, or, with abstract, for a name. Returns its length; 0: too long. */
static socklen_t name(struct sockaddr_un *address, const char *text, int abstract)
{
	size_t length = strlen(text);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (length + 1 > sizeof(address->sun_path))
		return 0;
	memcpy(address->sun_path + abstract, text, length);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

static int connect_to(const char *text, int type, int abstract)
{
	struct sockaddr_un address;
	socklen_t length = name(&address, text, abstract);
	int fd = try_socket(AF_UNIX, type, 0);

	if (!length || fd < 0)
		return try_failed("make a socket for %s", text);
	if (connect(fd, (struct sockaddr *)&address, length))
		return try_failed("connect to %s", text);
	return try_won("connect to %s", text);
}

static int send_to(const char *text, int abstract)
{
	struct sockaddr_un address;
	socklen_t length = name(&address, text, abstract);
	int fd = try_socket(AF_UNIX, SOCK_DGRAM, 0);

	if (!length || fd < 0)
		return try_failed("make a socket for %s", text);
	if (sendto(fd, "x", 1, 0, (struct sockaddr *)&address, length) != 1)
		return try_failed("send to %s", text);
	return try_won("send to %s", text);
}

static int stream(char **args)
{
	return connect_to(args[0], SOCK_STREAM, 0);
}

static int abstract_stream(char **args)
{
	return connect_to(args[0], SOCK_STREAM, 1);
}

static int seqpacket(char **args)
{
	return connect_to(args[0], SOCK_SEQPACKET, 0);
}

static int datagram(char **args)
{
	return send_to(args[0], 0);
}

static int abstract_datagram(char **args)
{
	return send_to(args[0], 1);
}

/* The socket's file by descriptor: the address names no path that a list could hold. */
static int stream_procfd(char **args)
{
	char alias[64];
	int fd = open(args[0], O_PATH | O_CLOEXEC);

	if (fd < 0)
		return try_failed("open %s as a path", args[0]);
	snprintf(alias, sizeof(alias), "/proc/self/fd/%d", fd);
	return connect_to(alias, SOCK_STREAM, 0);
}

const struct try_trick try_unix[] = {
	{ "unix-stream", "PATH", 1, stream },
	{ "unix-seqpacket", "PATH", 1, seqpacket },
	{ "unix-dgram", "PATH", 1, datagram },
	{ "unix-abstract", "NAME", 1, abstract_stream },
	{ "unix-abstract-dgram", "NAME", 1, abstract_datagram },
	{ "unix-via-procfd", "PATH", 1, stream_procfd },
	{ 0 },
};
