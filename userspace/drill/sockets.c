// SPDX-License-Identifier: GPL-2.0-only
/* Sockets that are neither TCP nor UDP. A family or protocol that the kernel lacks is an error, not a refusal. */
#include "drill/try.h"

#include <arpa/inet.h>
#include <linux/if_alg.h>
#include <linux/if_ether.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static int make(int family, int type, int protocol, const char *what)
{
	return socket(family, type | SOCK_CLOEXEC, protocol) < 0 ? try_failed("make %s", what) :
								   try_won("make %s", what);
}

static int raw(char **args)
{
	return make(AF_INET, SOCK_RAW, IPPROTO_ICMP, "a raw socket");
}

static int raw6(char **args)
{
	return make(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6, "a raw IPv6 socket");
}

static int packet(char **args)
{
	return make(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL), "a packet socket");
}

static int sctp(char **args)
{
	return make(AF_INET, SOCK_STREAM, IPPROTO_SCTP, "an SCTP socket");
}

static int mptcp(char **args)
{
	return make(AF_INET, SOCK_STREAM, IPPROTO_MPTCP, "an MPTCP socket");
}

static int vsock(char **args)
{
	return make(AF_VSOCK, SOCK_STREAM, 0, "a vsock socket");
}

static int family(char **args)
{
	char what[64] = "a socket of family ";

	strncat(what, args[0], 8);
	return make((int)try_number(args[0], 0, 255), SOCK_DGRAM, 0, what);
}

static int netlink(char **args)
{
	struct sockaddr_nl here = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, (int)try_number(args[0], 0, 31));

	if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof(here)))
		return try_failed("make a netlink socket of family %s", args[0]);
	return try_won("make a netlink socket of family %s", args[0]);
}

static int alg(char **args)
{
	struct sockaddr_alg hash = { .salg_family = AF_ALG, .salg_type = "hash", .salg_name = "sha256" };
	int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&hash, sizeof(hash)))
		return try_failed("make a socket of the kernel's cryptography");
	return try_won("make a socket of the kernel's cryptography");
}

const struct try_trick try_sockets[] = {
	{ "raw-socket", "", 0, raw },
	{ "raw6-socket", "", 0, raw6 },
	{ "packet-socket", "", 0, packet },
	{ "netlink-socket", "FAMILY", 1, netlink },
	{ "family-socket", "NUMBER", 1, family },
	{ "sctp", "", 0, sctp },
	{ "mptcp", "", 0, mptcp },
	{ "vsock", "", 0, vsock },
	{ "alg", "", 0, alg },
	{ 0 },
};
