/* SPDX-License-Identifier: GPL-2.0-only */
/* An IP address and port as the command line gives it. */
#ifndef BH_DRILL_PEER_H
#define BH_DRILL_PEER_H

#include <netinet/in.h>
#include <sys/socket.h>

struct try_peer {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	};
	socklen_t length;
	const char *text; /* the address as given */
};

/* args[0]: an address, IPv6 also as ADDRESS%INTERFACE; args[1]: a port. Ends the program when they are none. */
void try_peer_parse(char **args, struct try_peer *ret_peer);

/* As before, IPv4 only. */
void try_peer_parse4(char **args, struct try_peer *ret_peer);

/* A socket whose calls give up after 3 seconds (EAGAIN, EINPROGRESS). -1 with errno. */
int try_socket(int family, int type, int protocol);

#endif
