/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a sandbox connects to, or tries to: many ports, many addresses, even intervals. */
#include <string.h>
#include <sys/socket.h>

#include "detect/private.h"

#define WINDOW_NS BH_MINUTE_NS
#define PORTS_MOST 15u
#define HOSTS_MOST 20u
#define NET4_BYTES 3u /* an IPv4 network is a /24, an IPv6 network a /64 */
#define NET6_BYTES 8u

#define SAME_NS BH_NS_PER_S /* connections so close together are one */
#define EVEN_LEAST_NS (5 * BH_NS_PER_S)
#define EVEN_MOST_NS (60 * BH_MINUTE_NS)
#define EVEN_RUN 7u /* intervals that are like the one before: nine connections */

static bool is_loopback(const struct bh_event *event)
{
	static const uint8_t loopback6[16] = { [15] = 1 };

	return event->family == AF_INET ? event->address[0] == 127 :
					  memcmp(event->address, loopback6, sizeof(loopback6)) == 0;
}

/* An address of one's own network: what is asked there at even intervals is a neighbour's health. */
static bool is_near(const struct bh_event *event)
{
	const uint8_t *a = event->address;

	if (is_loopback(event))
		return true;
	if (event->family == AF_INET6)
		return (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && (a[1] & 0xc0) == 0x80);
	return a[0] == 10 || (a[0] == 172 && (a[1] & 0xf0) == 16) || (a[0] == 192 && a[1] == 168) ||
	       (a[0] == 169 && a[1] == 254) || (a[0] == 100 && (a[1] & 0xc0) == 64);
}

static void look_for_scans(struct bh_detect *detect, const struct bh_event *event)
{
	size_t bytes = bh_address_bytes(event->family), net = bytes == 4 ? NET4_BYTES : NET6_BYTES;
	uint64_t address = bh_key(event->family, event->address, bytes);
	uint64_t network = bh_key(event->port, event->address, net);
	struct bh_cause cause = { .event = event, .tool = event->tool, .window_ms = WINDOW_NS / BH_NS_PER_MS };

	cause.value = bh_tries_add(detect, detect->ports, WINDOW_NS, address, event->port);
	cause.limit = PORTS_MOST;
	cause.key = address;
	if (cause.value > PORTS_MOST)
		bh_detect_raise(detect, BH_DETECTION_port_scan, &cause);
	cause.value = bh_tries_add(detect, detect->hosts, WINDOW_NS, network, (uint32_t)(address >> 32));
	cause.limit = HOSTS_MOST;
	cause.key = network;
	if (cause.value > HOSTS_MOST)
		bh_detect_raise(detect, BH_DETECTION_host_sweep, &cause);
}

static struct bh_beacon *beacon_of(struct bh_detect *detect, uint64_t key)
{
	struct bh_beacon *row = &detect->beacons[(key >> 16) % (BH_BEACONS / BH_KEY_WAYS) * BH_KEY_WAYS], *oldest = row;

	for (size_t i = 0; i < BH_KEY_WAYS; i++) {
		if (row[i].key == key)
			return &row[i];
		if (row[i].last_ns < oldest->last_ns)
			oldest = &row[i];
	}
	*oldest = (struct bh_beacon){ .key = key };
	return oldest;
}

static void look_for_beacon(struct bh_detect *detect, const struct bh_event *event)
{
	uint64_t key =
		bh_key((uint64_t)event->tool << 16 | event->port, event->address, bh_address_bytes(event->family));
	struct bh_beacon *beacon = beacon_of(detect, key);
	uint64_t interval = beacon->last_ns ? detect->now_ns - beacon->last_ns : 0, off;
	struct bh_cause cause = { .event = event, .key = key, .tool = event->tool };

	if (beacon->last_ns && interval < SAME_NS)
		return;
	off = interval > beacon->interval_ns ? interval - beacon->interval_ns : beacon->interval_ns - interval;
	if (beacon->interval_ns && interval >= EVEN_LEAST_NS && interval <= EVEN_MOST_NS &&
	    off <= beacon->interval_ns / 10)
		beacon->run++;
	else
		beacon->run = 0;
	beacon->interval_ns = interval;
	beacon->last_ns = detect->now_ns;
	if (beacon->run >= EVEN_RUN)
		bh_detect_raise(detect, BH_DETECTION_beaconing, &cause);
}

void bh_detect_connections(struct bh_detect *detect, const struct bh_moment *moment)
{
	if (!moment->connects)
		return;
	/* test suites talk to servers of their own, on any port */
	if (moment->refused || !is_loopback(moment->event))
		look_for_scans(detect, moment->event);
	if (moment->event->kind == BH_KIND_CONNECT && !moment->refused && !is_near(moment->event))
		look_for_beacon(detect, moment->event);
	if (moment->new_peer && detect->config.learning_ns &&
	    detect->now_ns - detect->began_ns > detect->config.learning_ns)
		bh_detect_raise_event(detect, BH_DETECTION_new_destination, moment->event);
}
