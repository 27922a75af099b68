/* SPDX-License-Identifier: GPL-2.0-only */
/* A sandbox of sockets: a cgroup with the programs on packets, servers outside it, and what was told. */
#ifndef TESTS_BPF_FLOWS_H
#define TESTS_BPF_FLOWS_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "kernel/host.h"
#include "tests/bpf/kernel.h"
#include "tests/bpf/policies.h"

#define SLOT 1
#define NUMBER 1
#define HEARD_MAX 256
#define WAIT_MS 5000 /* for what must come */
#define SILENCE_MS 150 /* for what must not, after it has been refused: only a wrong verdict could need the time */

struct flows {
	struct run run;
	struct bh_cgroup cgroup;
	struct bh_sandbox sandbox;
	pid_t server;
	int server_accepted;
	struct bh_event heard[HEARD_MAX];
	size_t heard_count;
};

static int outside_datagram = -1, outside_stream = -1;

static inline void says(struct flows *f, bool fine, const char *sentence)
{
	if (*sentence)
		say(&f->run, fine, sentence, NULL);
}

static inline void hear(void *data, const void *bytes, size_t length)
{
	struct flows *f = data;

	if (f->heard_count < HEARD_MAX && length >= BH_EVENT_FIXED)
		memcpy(&f->heard[f->heard_count++], bytes, BH_EVENT_FIXED);
}

static inline void listen_up(struct flows *f)
{
	f->heard_count = 0;
	bh_core_events_read(f->run.core, hear, f);
	bh_core_sandbox(f->run.core, NUMBER, &f->sandbox);
}

/* What was told before is of no interest. */
static inline void drained(struct flows *f)
{
	listen_up(f);
}

/* How many packets to the address were told of since the last time; port 0: to any port. */
static inline int told(struct flows *f, unsigned int reason, const char *address, unsigned int port)
{
	uint8_t bytes[16] = { 0 };
	int count = 0;

	listen_up(f);
	inet_pton(strchr(address, ':') ? AF_INET6 : AF_INET, address, bytes);
	for (size_t i = 0; i < f->heard_count; i++) {
		const struct bh_event *event = &f->heard[i];

		count += event->kind == BH_KIND_PACKET && event->reason == reason && event->sandbox == NUMBER &&
			 !memcmp(event->address, bytes, 16) && (!port || event->port == port);
	}
	return count;
}

static inline void publish(struct flows *f, const char *text, uint8_t mode)
{
	struct bh_compiled *compiled = NULL;
	struct bh_policy *policy;
	struct bh_err err = { 0 };

	if (compile_text(text, f->run.shipped, &compiled))
		return;
	policy = malloc(bh_policy_bytes(bh_compiled_tables(compiled)));
	if (policy) {
		memcpy(policy, bh_compiled_tables(compiled), bh_policy_bytes(bh_compiled_tables(compiled)));
		policy->head.mode = mode;
		if (bh_core_publish(f->run.core, SLOT, policy, &err))
			printf("# %s\n", err.text);
	}
	free(policy);
	bh_compiled_free(compiled);
}

static inline void without_reach(struct flows *f)
{
	publish(f,
		"apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: none}\nspec:\n  mode: enforce\n"
		"  entry: agent\n  tools:\n    agent: {binaries: [/bin/agent]}\n"
		"  respond: {floor: deny, network: deny}\n",
		BH_MODE_ENFORCE);
}

/* Writes the flags; the counters are the kernel's. */
static inline void set_sandbox(struct flows *f)
{
	__u32 number = NUMBER, zero = 0, serial = 0;
	int fd = bh_core_map(f->run.core, "bh_serial");

	bpf_map_update_elem(bh_core_map(f->run.core, "bh_sandboxes"), &number, &f->sandbox, BPF_ANY);
	if (!bpf_map_lookup_elem(fd, &zero, &serial)) {
		serial++;
		bpf_map_update_elem(fd, &zero, &serial, BPF_ANY);
	}
}

static inline void set_label(struct flows *f, int fd, unsigned int tool, int waits)
{
	struct bh_socket flow = {
		.sandbox = NUMBER, .cgroup = (uint32_t)f->cgroup.id, .tool = (uint8_t)tool, .waits = (uint8_t)waits
	};

	if (bpf_map_update_elem(bh_core_map(f->run.core, "bh_flows"), &fd, &flow, BPF_ANY))
		say(&f->run, false, "a socket is labelled", strerror(errno));
}

/* A socket that is made in the sandbox's cgroup by `tool`; 0: it has no label. */
static inline int make_socket(struct flows *f, int family, int type, int protocol, unsigned int tool)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		say(&f->run, false, "a socket is made", strerror(errno));
	else if (tool)
		set_label(f, fd, tool, 0);
	return fd;
}

static inline socklen_t address_of(const char *text, int port, struct sockaddr_storage *ret_address)
{
	struct sockaddr_in *v4 = (void *)ret_address;
	struct sockaddr_in6 *v6 = (void *)ret_address;

	memset(ret_address, 0, sizeof(*ret_address));
	if (strchr(text, ':')) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons((uint16_t)port);
		inet_pton(AF_INET6, text, &v6->sin6_addr);
		return sizeof(*v6);
	}
	v4->sin_family = AF_INET;
	v4->sin_port = htons((uint16_t)port);
	inet_pton(AF_INET, text, &v4->sin_addr);
	return sizeof(*v4);
}

/* 0 or errno. */
static inline int send_bytes(int fd, const char *address, int port, size_t length)
{
	static char bytes[65536];
	struct sockaddr_storage to;
	socklen_t size = address_of(address, port, &to);

	return sendto(fd, bytes, length, 0, (struct sockaddr *)&to, size) < 0 ? errno : 0;
}

static inline int send_to(int fd, const char *address, int port)
{
	return send_bytes(fd, address, port, 8);
}

static inline int send_echo(int fd, const char *address)
{
	struct icmphdr echo = { .type = ICMP_ECHO };
	struct sockaddr_storage to;
	socklen_t size = address_of(address, 0, &to);

	return sendto(fd, &echo, sizeof(echo), 0, (struct sockaddr *)&to, size) < 0 ? errno : 0;
}

static inline bool readable(int fd, int ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	char bytes[65536];

	return poll(&poll_fd, 1, ms) > 0 && recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0;
}

static inline bool answered(int fd)
{
	/* on loopback whatever comes at all is there when the call that caused it returns, but for the server's turn */
	return readable(fd, SILENCE_MS * 4);
}

static inline bool answered_late(int fd)
{
	return readable(fd, WAIT_MS);
}

static inline bool start_connect(int fd, const char *address, int port)
{
	struct sockaddr_storage to;
	socklen_t size = address_of(address, port, &to);

	fcntl(fd, F_SETFL, O_NONBLOCK);
	return connect(fd, (struct sockaddr *)&to, size) == 0 || errno == EINPROGRESS || errno == EPERM ||
	       errno == EISCONN;
}

static inline bool connected(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
	int error = 0;
	socklen_t size = sizeof(error);

	return poll(&poll_fd, 1, WAIT_MS) > 0 && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) && !error;
}

static inline int own_port(int fd)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	return getsockname(fd, (struct sockaddr *)&address, &size) ? -1 : ntohs(address.sin_port);
}

/* Binds to the port, of a stream also waits. */
static inline bool wait_on(int fd, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return false;
	return !listen(fd, 4) || errno == EOPNOTSUPP;
}

/* The outside, as 10.7.0.1, of whom no rule speaks. 0 or errno. */
static inline int outside_connects(int port)
{
	struct sockaddr_storage to;
	socklen_t size = address_of("10.9.0.2", port, &to);
	struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a070001) };
	struct pollfd poll_fd = { .events = POLLOUT };
	int error = 0;

	if (outside_stream >= 0)
		close(outside_stream);
	outside_stream = dup(outside_datagram + 1 + (port == 7005)); /* made before this process went inside */
	fcntl(outside_stream, F_SETFL, O_NONBLOCK);
	bind(outside_stream, (struct sockaddr *)&own, sizeof(own));
	poll_fd.fd = outside_stream;
	if (!connect(outside_stream, (struct sockaddr *)&to, size))
		return 0;
	size = sizeof(error);
	if (poll(&poll_fd, 1, port == 7005 ? SILENCE_MS : WAIT_MS) <= 0)
		return ETIMEDOUT;
	getsockopt(outside_stream, SOL_SOCKET, SO_ERROR, &error, &size);
	return error;
}

static inline bool outside_reads(void)
{
	return readable(outside_stream, WAIT_MS);
}

static inline int outside_port(void)
{
	return own_port(outside_datagram);
}

static inline bool outside_sends(int port)
{
	return send_to(outside_datagram, "10.9.0.2", port) == 0;
}

/* Answers whatever comes on port 7001, by UDP and TCP, until it is killed. */
static _Noreturn inline void serve(int ready)
{
	struct pollfd fds[64] = { { .fd = socket(AF_INET6, SOCK_DGRAM, 0), .events = POLLIN },
				  { .fd = socket(AF_INET6, SOCK_STREAM, 0), .events = POLLIN } };
	struct sockaddr_in6 own = { .sin6_family = AF_INET6, .sin6_port = htons(7001) };
	static char bytes[65536];
	nfds_t count = 2;

	for (int i = 0; i < 2; i++)
		if (bind(fds[i].fd, (struct sockaddr *)&own, sizeof(own)))
			_exit(1);
	listen(fds[1].fd, 16);
	if (write(ready, "", 1) != 1)
		_exit(1);
	while (poll(fds, count, -1) > 0) {
		struct sockaddr_storage from;
		socklen_t size = sizeof(from);
		ssize_t length;

		if (fds[0].revents) {
			length = recvfrom(fds[0].fd, bytes, sizeof(bytes), 0, (struct sockaddr *)&from, &size);
			if (length > 0)
				sendto(fds[0].fd, bytes, (size_t)length, 0, (struct sockaddr *)&from, size);
		}
		if (fds[1].revents && count < 64)
			fds[count++] = (struct pollfd){ .fd = accept(fds[1].fd, NULL, NULL), .events = POLLIN };
		for (nfds_t i = 2; i < count; i++) {
			length = fds[i].revents ? recv(fds[i].fd, bytes, sizeof(bytes), 0) : 0;
			if (fds[i].revents && (length <= 0 || send(fds[i].fd, bytes, (size_t)length, MSG_NOSIGNAL) < 0))
				fds[i].events = 0, fds[i].fd = -1;
		}
	}
	_exit(0);
}

/* A network of its own: the loopback has every address, and every network leads there. */
static inline bool flows_network(void)
{
	return !unshare(CLONE_NEWNET) &&
	       !system("ip link set lo up && ip addr add 10.9.0.1/8 dev lo && ip addr add 10.9.0.2/8 dev lo && "
		       "ip addr add 10.8.0.1/8 dev lo && ip addr add 10.7.0.1/8 dev lo && "
		       "ip addr add 169.254.169.254/32 dev lo && ip -6 addr add 2001:db9::1/128 dev lo && "
		       "ip -6 route add local ::/0 dev lo && "
		       "echo 0 2147483647 >/proc/sys/net/ipv4/ping_group_range");
}

/* 0; 77 when it needs root; 1 after a line that says why. */
static inline int flows_begin(struct flows *f)
{
	struct bh_host host;
	struct bh_err err = { 0 };
	uint32_t number;
	int ready[2], ring;
	char byte;

	if (geteuid())
		return 77;
	bh_host_read(&host);
	f->run.floor = calloc(1, sizeof(*f->run.floor));
	if (!f->run.floor || bh_shipped_load(&f->run.shipped, &err) ||
	    bh_floor_compile(f->run.shipped, f->run.floor, &err) ||
	    bh_core_load_packets(f->run.floor, &f->run.core, &err)) {
		printf("not ok - the programs on packets load\n# %s\n", err.text);
		return 1;
	}
	if (!flows_network() || pipe(ready)) {
		printf("not ok - there is a network to try it on\n");
		return 1;
	}
	f->server = fork();
	if (!f->server)
		serve(ready[1]);
	outside_datagram = socket(AF_INET, SOCK_DGRAM, 0);
	for (int i = 0; i < 2; i++)
		if (socket(AF_INET, SOCK_STREAM, 0) != outside_datagram + 1 + i)
			return 1;
	bind(outside_datagram,
	     (struct sockaddr *)&(struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a070001) },
	     sizeof(struct sockaddr_in));
	bh_cgroup_init(&f->cgroup, host.cgroup, "packets-test");
	if (bh_cgroup_make(&f->cgroup, &err) || (ring = bh_core_ring(f->run.core, &err)) < 0 ||
	    bh_core_bind(f->run.core, "packets-test", &f->cgroup, SLOT, ring, &number, &err) || number != NUMBER ||
	    bh_core_attach_packets(f->run.core, number, &f->cgroup, &err) ||
	    bh_cgroup_add(&f->cgroup, getpid(), &err) || read(ready[0], &byte, 1) != 1) {
		printf("not ok - the programs are attached\n# %s\n", err.text);
		return 1;
	}
	return 0;
}

static inline void flows_end(struct flows *f)
{
	struct bh_cgroup root = f->cgroup;
	struct bh_err err;

	kill(f->server, SIGKILL);
	waitpid(f->server, NULL, 0);
	dirname(dirname(root.path));
	bh_cgroup_add(&root, getpid(), &err);
	bh_cgroup_remove(&f->cgroup);
	rmdir(dirname(f->cgroup.path));
	run_end(&f->run);
}

#endif
