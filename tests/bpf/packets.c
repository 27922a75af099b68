// SPDX-License-Identifier: GPL-2.0-only
/*
 * packets: the programs on packets without any hook: sockets are given their labels from here, as the hooks would. In a
 * network namespace whose loopback has all addresses. As root (else 77). Prints one line per question.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <libgen.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "kernel/host.h"
#include "tests/bpf/flows.h"

static const char policy_text[] =
	"apiVersion: bulkhead.dev/v1\n"
	"kind: SandboxPolicy\n"
	"metadata: {name: packets}\n"
	"spec:\n"
	"  mode: enforce\n"
	"  entry: agent\n"
	"  tools:\n"
	"    agent:\n"
	"      binaries: [/bin/agent]\n"
	"      may_run: [other]\n"
	"      reach: [web, clock, gateway]\n"
	"      listen: [{port: 7003}, {port: 7004, protocol: udp}]\n"
	"    other:\n"
	"      binaries: [/bin/other]\n"
	"  egress:\n"
	"    destinations:\n"
	"      web: {cidrs: [10.9.0.0/24, \"2001:db9::/32\"], ports: [7001]}\n"
	"      clock: {cidrs: [10.9.0.0/24, \"2001:db9::/32\"], ports: [7001], protocol: udp}\n"
	"      gateway: {cidrs: [10.9.0.1/32], protocol: icmp-echo}\n"
	"  respond: {floor: deny, network: deny}\n";

static void try_datagrams(struct flows *f)
{
	int fd = make_socket(f, AF_INET, SOCK_DGRAM, 0, 1), fd6 = make_socket(f, AF_INET6, SOCK_DGRAM, 0, 1);

	says(f, send_to(fd, "10.9.0.1", 7001) == 0, "a datagram goes where a rule of its tool lists");
	says(f, answered(fd), "and its answer comes back");
	says(f, send_to(fd6, "2001:db9::1", 7001) == 0 && answered(fd6), "and so by IPv6");
	says(f, send_to(fd6, "::ffff:10.9.0.1", 7001) == 0 && answered(fd6), "and to an IPv4 address in IPv6 notation");
	drained(f);
	says(f, send_to(fd, "10.9.0.1", 7002) == EPERM, "to another port it does not leave");
	says(f, told(f, BH_REASON_N2, "10.9.0.1", 7002) == 1, "and that is told once");
	for (int i = 0; i < 50; i++)
		send_to(fd, "10.9.0.1", 7002);
	says(f, !told(f, BH_REASON_N2, "10.9.0.1", 7002) && f->sandbox.denied >= 51,
	     "fifty more of the same are only counted");
	says(f, send_to(fd, "10.8.0.1", 7001) == EPERM && told(f, BH_REASON_N2, "10.8.0.1", 7001) == 1,
	     "to another address it does not leave");
	says(f, send_to(fd6, "2001:dba::1", 7001) == EPERM, "nor by IPv6");
	says(f, send_to(fd, "10.9.0.1", 7001) == 0 && answered(fd), "what was refused changes nothing for the rest");
	says(f, send_bytes(fd, "10.9.0.1", 7001, 30000) == 0 && answered(fd),
	     "a large datagram leaves in fragments, and one comes back");
	drained(f);
	for (int port = 8000; port < 8100; port++)
		send_to(fd, "10.9.0.1", port);
	says(f, told(f, BH_REASON_N2, "10.9.0.1", 0) < 40 && f->sandbox.lost >= 60,
	     "a socket that tries many tells of some, and the others are counted");
	close(fd);
	close(fd6);
}

static void try_owners(struct flows *f)
{
	int other = make_socket(f, AF_INET, SOCK_DGRAM, 0, 2), none = make_socket(f, AF_INET, SOCK_DGRAM, 0, 0);

	drained(f);
	says(f, send_to(other, "10.9.0.1", 7001) == EPERM && told(f, BH_REASON_N2, "10.9.0.1", 7001) == 1,
	     "a socket of another tool is judged by that tool");
	says(f, send_to(none, "10.9.0.1", 7001) == EPERM && told(f, BH_REASON_N5, "10.9.0.1", 7001) == 1,
	     "a socket that no tool made sends nothing");
	close(other);
	close(none);
}

/* An IPv4 header with whatever behind; the kernel fills in length and sum. */
static int send_raw(int fd, const char *address, uint8_t protocol, uint16_t offset, uint8_t header_words)
{
	struct {
		struct iphdr ip;
		uint8_t rest[60];
	} packet = { .ip = { .version = 4,
			     .ihl = header_words,
			     .ttl = 64,
			     .protocol = protocol,
			     .frag_off = htons(offset),
			     .saddr = htonl(0x0a090002) } };
	struct sockaddr_in to = { .sin_family = AF_INET };

	inet_pton(AF_INET, address, &to.sin_addr);
	packet.ip.daddr = to.sin_addr.s_addr;
	memset(packet.rest, 1, 40); /* as options: no-ops */
	((struct udphdr *)packet.rest)->dest = htons(7001);
	return sendto(fd, &packet, 20 + 40, 0, (struct sockaddr *)&to, sizeof(to)) < 0 ? errno : 0;
}

static void try_floor(struct flows *f)
{
	static const char *const hidden[] = { "fd00:ec2::254",	   "64:ff9b::a9fe:a9fe",   "::ffff:0:169.254.169.254",
					      "2002:a9fe:a9fe::1", "64:ff9b:1::a9fe:a9fe", "2001:0:1:2:3:4:5601:5601" };
	int fd = make_socket(f, AF_INET, SOCK_DGRAM, 0, 1), fd6 = make_socket(f, AF_INET6, SOCK_DGRAM, 0, 1);
	int raw = make_socket(f, AF_INET, SOCK_RAW, IPPROTO_RAW, 1), tcp = make_socket(f, AF_INET, SOCK_STREAM, 0, 1);
	int echo = make_socket(f, AF_INET, SOCK_DGRAM, IPPROTO_ICMP, 1);
	bool all = true;

	publish(f, policy_text, BH_MODE_OBSERVE);
	drained(f);
	says(f, send_to(fd, "169.254.169.254", 80) == EPERM && told(f, BH_REASON_N0, "169.254.169.254", 80) == 1,
	     "even when everything is only observed, the metadata service is never reached: by UDP");
	says(f,
	     start_connect(tcp, "169.254.169.254", 80) && told(f, BH_REASON_N0, "169.254.169.254", 80) == 1 &&
		     !f->server_accepted,
	     "by TCP");
	says(f, send_echo(echo, "169.254.169.254") == EPERM && told(f, BH_REASON_N0, "169.254.169.254", 0) == 1,
	     "by ICMP");
	says(f, send_to(fd6, "::ffff:169.254.169.254", 80) == EPERM, "by an IPv4 address in IPv6 notation");
	for (size_t i = 0; i < BH_COUNT_OF(hidden); i++) {
		all = all && send_to(fd6, hidden[i], 80) == EPERM && told(f, BH_REASON_N0, hidden[i], 80) == 1;
		if (!all && i < BH_COUNT_OF(hidden))
			printf("# %s\n", hidden[i]);
	}
	says(f, all, "by IPv6, and where translators hide an IPv4 address");
	says(f, send_raw(raw, "169.254.169.254", IPPROTO_UDP, 0, 5) == EPERM, "by a packet made by hand");
	says(f,
	     send_raw(raw, "169.254.169.254", IPPROTO_UDP, 0x2000, 5) == EPERM &&
		     send_raw(raw, "169.254.169.254", IPPROTO_UDP, 100, 5) == EPERM,
	     "by fragments made by hand, the first and a later one");
	says(f, send_raw(raw, "169.254.169.254", 47, 0, 5) == EPERM, "by another protocol");
	says(f, send_to(fd, "10.8.0.1", 7001) == 0, "while what no rule lists is let through");
	publish(f, policy_text, BH_MODE_ENFORCE);
	says(f, send_to(fd, "10.8.0.1", 7001) == EPERM, "until the policy is enforced: not for one packet more");
	says(f, send_raw(raw, "10.9.0.1", IPPROTO_UDP, 0, 5) == 0, "a well-formed packet to a listed address passes");
	says(f, send_raw(raw, "10.9.0.1", IPPROTO_UDP, 0x2000, 5) == EPERM, "a fragment does not");
	says(f, send_raw(raw, "10.9.0.1", IPPROTO_UDP, 0, 6) == EPERM, "nor one with options");
	says(f, send_raw(raw, "10.9.0.1", 47, 0, 5) == EPERM, "nor one of another protocol");
	close(fd);
	close(fd6);
	close(raw);
	close(tcp);
	close(echo);
}

static void try_connections(struct flows *f)
{
	int fd = make_socket(f, AF_INET, SOCK_STREAM, 0, 1), wrong = make_socket(f, AF_INET, SOCK_STREAM, 0, 1);

	drained(f);
	says(f, start_connect(fd, "10.9.0.1", 7001) && connected(fd), "a connection goes where a rule lists");
	says(f, send(fd, "x", 1, MSG_NOSIGNAL) == 1 && answered(fd), "and carries data both ways");
	says(f, start_connect(wrong, "10.9.0.1", 7002) && told(f, BH_REASON_N2, "10.9.0.1", 7002) == 1,
	     "one to another port does not get away");
	publish(f, policy_text, BH_MODE_ENFORCE);
	says(f, send(fd, "x", 1, MSG_NOSIGNAL) == 1 && answered(fd), "the same policy published anew changes nothing");
	without_reach(f);
	drained(f);
	says(f, send(fd, "x", 1, MSG_NOSIGNAL) == 1 && told(f, BH_REASON_N2, "10.9.0.1", 7001) == 1 && !answered(fd),
	     "a rule that goes takes its connections with it");
	publish(f, policy_text, BH_MODE_ENFORCE);
	says(f, answered_late(fd), "and when it comes back in time they go on");
	f->sandbox.flags |= BH_SANDBOX_STOPPED;
	set_sandbox(f);
	drained(f);
	says(f, send(fd, "x", 1, MSG_NOSIGNAL) == 1 && !answered(fd), "of a stopped sandbox nothing leaves");
	f->sandbox.flags &= ~BH_SANDBOX_STOPPED;
	set_sandbox(f);
	close(fd);
	close(wrong);
}

static void try_waiting(struct flows *f)
{
	int fd = make_socket(f, AF_INET, SOCK_STREAM, 0, 1), wrong = make_socket(f, AF_INET, SOCK_STREAM, 0, 1);
	int datagram = make_socket(f, AF_INET, SOCK_DGRAM, 0, 1), accepted = -1;

	drained(f);
	says(f, wait_on(fd, 7003) && wait_on(wrong, 7005) && wait_on(datagram, 7004), "sockets wait");
	set_label(f, fd, 1, 1);
	set_label(f, wrong, 1, 1);
	says(f, outside_connects(7003) == 0 && (accepted = accept(fd, NULL, NULL)) >= 0,
	     "a connection from elsewhere is let in on a port that the tool may listen on");
	says(f, send(accepted, "x", 1, MSG_NOSIGNAL) == 1 && outside_reads(), "and what was accepted may answer");
	says(f, outside_connects(7005) != 0 && told(f, BH_REASON_N2, "10.7.0.1", 0) == 1, "on another it is not");
	says(f, send_to(datagram, "10.7.0.1", outside_port()) == EPERM, "a datagram socket that waits sends to nobody");
	says(f, outside_sends(7004) && answered(datagram), "who sends to it comes in");
	says(f, send_to(datagram, "10.7.0.1", outside_port()) == 0, "and is answered");
	says(f, send_to(datagram, "10.7.0.1", outside_port() + 1) == EPERM, "others are not");
	close(fd);
	close(wrong);
	close(datagram);
}

static void try_unasked(struct flows *f)
{
	int fd = make_socket(f, AF_INET, SOCK_DGRAM, 0, 1);

	says(f, wait_on(fd, 0) && outside_sends(own_port(fd)) && !answered(fd),
	     "a datagram that nobody asked for does not come in");
	close(fd);
}

static void try_echo(struct flows *f)
{
	int fd = make_socket(f, AF_INET, SOCK_DGRAM, IPPROTO_ICMP, 1);

	drained(f);
	says(f, send_echo(fd, "10.9.0.1") == 0 && answered(fd), "an echo goes where a rule lists, and comes back");
	says(f, send_echo(fd, "10.9.0.2") == EPERM && told(f, BH_REASON_N2, "10.9.0.2", 0) == 1,
	     "to another address it does not leave");
	close(fd);
}

int main(void)
{
	static struct flows f;
	int result = flows_begin(&f);

	if (result)
		return result;
	publish(&f, policy_text, BH_MODE_ENFORCE);
	try_datagrams(&f);
	try_owners(&f);
	try_floor(&f);
	try_connections(&f);
	try_waiting(&f);
	try_unasked(&f);
	try_echo(&f);
	flows_end(&f);
	return f.run.failed;
}
