// SPDX-License-Identifier: GPL-2.0-only
#include "drill/peer.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "drill/try.h"

static void no_address(const char *text)
{
	fprintf(stderr, "try: not an address: %s\n", text);
	exit(TRY_USAGE);
}

void try_peer_parse(char **args, struct try_peer *ret_peer)
{
	in_port_t port = htons((uint16_t)try_number(args[1], 1, 65535));
	char address[INET6_ADDRSTRLEN];
	char *scope;

	*ret_peer = (struct try_peer){ .text = args[0] };
	if (inet_pton(AF_INET, args[0], &ret_peer->v4.sin_addr) == 1) {
		ret_peer->v4.sin_family = AF_INET;
		ret_peer->v4.sin_port = port;
		ret_peer->length = sizeof(ret_peer->v4);
		return;
	}
	snprintf(address, sizeof(address), "%s", args[0]);
	scope = strchr(address, '%');
	if (scope)
		*scope++ = '\0';
	memset(&ret_peer->v6, 0, sizeof(ret_peer->v6));
	if (inet_pton(AF_INET6, address, &ret_peer->v6.sin6_addr) != 1)
		no_address(args[0]);
	ret_peer->v6.sin6_family = AF_INET6;
	ret_peer->v6.sin6_port = port;
	ret_peer->v6.sin6_scope_id = scope ? if_nametoindex(scope) : 0;
	ret_peer->length = sizeof(ret_peer->v6);
}

void try_peer_parse4(char **args, struct try_peer *ret_peer)
{
	try_peer_parse(args, ret_peer);
	if (ret_peer->any.sa_family != AF_INET)
		no_address(args[0]);
}

int try_socket(int family, int type, int protocol)
{
	const struct timeval limit = { .tv_sec = 3 };
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	}
	return fd;
}
