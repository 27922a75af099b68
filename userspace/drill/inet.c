// SPDX-License-Identifier: GPL-2.0-only
/* Ways to an IP address: by every call that can send, and by every notation that means the same host. */
#include "drill/try.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip_icmp.h>
#include <string.h>
#include <unistd.h>

#include "drill/peer.h"

static int connect_peer(const struct try_peer *peer)
{
	int fd = try_socket(peer->any.sa_family, SOCK_STREAM, 0);

	if (fd < 0)
		return try_failed("make a socket");
	if (connect(fd, &peer->any, peer->length))
		return try_failed("connect to %s", peer->text);
	return try_won("connect to %s", peer->text);
}

static int connect_tcp(char **args)
{
	struct try_peer peer;

	try_peer_parse(args, &peer);
	return connect_peer(&peer);
}

/* An IPv6 address that holds the IPv4 address of args at byte `at`, after the given prefix. */
static int connect_within(char **args, const char *prefix, size_t at)
{
	char text[INET6_ADDRSTRLEN];
	struct try_peer old, peer = { .length = sizeof(peer.v6) };

	try_peer_parse4(args, &old);
	memset(&peer.v6, 0, sizeof(peer.v6));
	peer.v6.sin6_family = AF_INET6;
	peer.v6.sin6_port = old.v4.sin_port;
	inet_pton(AF_INET6, prefix, &peer.v6.sin6_addr);
	memcpy(peer.v6.sin6_addr.s6_addr + at, &old.v4.sin_addr, sizeof(old.v4.sin_addr));
	peer.text = inet_ntop(AF_INET6, &peer.v6.sin6_addr, text, sizeof(text));
	return connect_peer(&peer);
}

static int connect_mapped(char **args)
{
	return connect_within(args, "::ffff:0.0.0.0", 12);
}

static int connect_compatible(char **args)
{
	return connect_within(args, "::", 12);
}

static int connect_nat64(char **args)
{
	return connect_within(args, "64:ff9b::", 12);
}

static int connect_6to4(char **args)
{
	return connect_within(args, "2002::1", 2);
}

static int sent(ssize_t bytes, const struct try_peer *peer)
{
	return bytes > 0 ? try_won("send to %s", peer->text) : try_failed("send to %s", peer->text);
}

static int connect_udp(char **args)
{
	struct try_peer peer;
	int fd;

	try_peer_parse(args, &peer);
	fd = try_socket(peer.any.sa_family, SOCK_DGRAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	if (connect(fd, &peer.any, peer.length))
		return try_failed("connect to %s", peer.text);
	return sent(send(fd, "x", 1, 0), &peer);
}

static int sendto_udp(char **args)
{
	struct try_peer peer;
	int fd;

	try_peer_parse(args, &peer);
	fd = try_socket(peer.any.sa_family, SOCK_DGRAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	return sent(sendto(fd, "x", 1, 0, &peer.any, peer.length), &peer);
}

static int sendmmsg_udp(char **args)
{
	char byte = 'x';
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct mmsghdr message = { 0 };
	struct try_peer peer;
	int fd;

	try_peer_parse(args, &peer);
	fd = try_socket(peer.any.sa_family, SOCK_DGRAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	message.msg_hdr.msg_name = &peer.any;
	message.msg_hdr.msg_namelen = peer.length;
	message.msg_hdr.msg_iov = &data;
	message.msg_hdr.msg_iovlen = 1;
	return sent(sendmmsg(fd, &message, 1, 0), &peer);
}

/* The kernel takes family 0 for IPv4 here: a check that looks at the family sees neither. */
static int sendto_unspecified(char **args)
{
	struct try_peer peer;
	int fd;

	try_peer_parse4(args, &peer);
	fd = try_socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	peer.any.sa_family = AF_UNSPEC;
	return sent(sendto(fd, "x", 1, 0, &peer.any, peer.length), &peer);
}

/* An IPv4 target through an IPv6 datagram socket. */
static int sendto_mapped(char **args)
{
	struct try_peer old, peer = { .length = sizeof(peer.v6) };
	int fd;

	try_peer_parse4(args, &old);
	memset(&peer.v6, 0, sizeof(peer.v6));
	peer.v6.sin6_family = AF_INET6;
	peer.v6.sin6_port = old.v4.sin_port;
	inet_pton(AF_INET6, "::ffff:0.0.0.0", &peer.v6.sin6_addr);
	memcpy(peer.v6.sin6_addr.s6_addr + 12, &old.v4.sin_addr, sizeof(old.v4.sin_addr));
	peer.text = old.text;
	fd = try_socket(AF_INET6, SOCK_DGRAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	return sent(sendto(fd, "x", 1, 0, &peer.any, peer.length), &peer);
}

/* Connects and sends in one call that is no connect. */
static int fast_open(char **args)
{
	struct try_peer peer;
	int fd;

	try_peer_parse(args, &peer);
	fd = try_socket(peer.any.sa_family, SOCK_STREAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	return sent(sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, &peer.any, peer.length), &peer);
}

/* A first connect to where it is allowed, then the association undone and another made. */
static int reconnect_udp(char **args)
{
	const struct sockaddr nowhere = { .sa_family = AF_UNSPEC };
	struct try_peer first, second;
	int fd;

	try_peer_parse(args, &first);
	try_peer_parse(args + 2, &second);
	fd = try_socket(second.any.sa_family, SOCK_DGRAM, 0);
	if (fd < 0)
		return try_failed("make a socket");
	if (connect(fd, &first.any, first.length) || connect(fd, &nowhere, sizeof(nowhere)))
		return try_failed("connect to %s and undo it", first.text);
	if (connect(fd, &second.any, second.length))
		return try_failed("connect to %s", second.text);
	return sent(send(fd, "x", 1, 0), &second);
}

/* No port that a list could hold, and no privilege needed. */
static int ping(char **args)
{
	char port[] = "1", *target[] = { args[0], port, NULL };
	struct icmphdr echo = { .type = ICMP_ECHO };
	struct try_peer peer;
	int fd;

	try_peer_parse4(target, &peer);
	fd = try_socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
	if (fd < 0)
		return try_failed("make a ping socket");
	if (sendto(fd, &echo, sizeof(echo), 0, &peer.any, peer.length) != sizeof(echo))
		return try_failed("send an echo to %s", peer.text);
	if (recv(fd, &echo, sizeof(echo), 0) <= 0)
		return try_failed("hear an echo from %s", peer.text);
	return try_won("hear an echo from %s", peer.text);
}

const struct try_trick try_inet[] = {
	{ "connect", "ADDRESS PORT", 2, connect_tcp },
	{ "connect-mapped", "IPV4 PORT", 2, connect_mapped },
	{ "connect-compatible", "IPV4 PORT", 2, connect_compatible },
	{ "connect-nat64", "IPV4 PORT", 2, connect_nat64 },
	{ "connect-6to4", "IPV4 PORT", 2, connect_6to4 },
	{ "connect-udp", "ADDRESS PORT", 2, connect_udp },
	{ "reconnect-udp", "ADDRESS PORT ADDRESS PORT", 4, reconnect_udp },
	{ "sendto-udp", "ADDRESS PORT", 2, sendto_udp },
	{ "sendto-mapped", "IPV4 PORT", 2, sendto_mapped },
	{ "connect-unspec-family", "IPV4 PORT", 2, sendto_unspecified },
	{ "sendmmsg-udp", "ADDRESS PORT", 2, sendmmsg_udp },
	{ "tfo", "ADDRESS PORT", 2, fast_open },
	{ "ping", "IPV4", 1, ping },
	{ 0 },
};
