/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes by destination. */
#include <arpa/inet.h>
#include <string.h>

#include "detect/private.h"

#define UPLOAD_NS (60 * BH_MINUTE_NS)
#define UPLOAD_MOST (UINT64_C(256) << 20)

/* Adds to the count under key in the window of this length. Returns what it is now. */
static uint64_t sent_to(struct bh_detect *detect, uint64_t key, uint64_t length_ns, uint64_t bytes)
{
	struct bh_sent *row = &detect->sent[(key >> 16) % (BH_SENT / BH_KEY_WAYS) * BH_KEY_WAYS], *at = row;
	uint64_t bucket = bh_window_of(detect, length_ns);

	for (size_t i = 0; i < BH_KEY_WAYS; i++) {
		if (row[i].key == key) {
			at = &row[i];
			break;
		}
		if (row[i].used_ns < at->used_ns)
			at = &row[i];
	}
	if (at->key != key || at->bucket != bucket)
		*at = (struct bh_sent){ .key = key, .bucket = bucket };
	at->used_ns = detect->now_ns;
	if (__builtin_add_overflow(at->bytes, bytes, &at->bytes))
		at->bytes = UINT64_MAX;
	return at->bytes;
}

static void write_object(struct bh_detect *detect, const struct bh_flow *flow)
{
	char address[INET6_ADDRSTRLEN] = "?";

	if (bh_address_bytes(flow->family))
		inet_ntop(flow->family, flow->address, address, sizeof(address));
	snprintf(detect->object, sizeof(detect->object), flow->family == AF_INET6 ? "[%s]:%u" : "%s:%u", address,
		 flow->port);
}

void bh_detect_sent(struct bh_detect *detect, const struct bh_flow *flow)
{
	size_t bytes = bh_address_bytes(flow->family);
	uint64_t peer = bh_key((uint64_t)flow->protocol << 16 | flow->port, flow->address, bytes), value;
	struct bh_cause cause = { .key = peer,
				  .tool = flow->tool,
				  .limit = UPLOAD_MOST,
				  .window_ms = UPLOAD_NS / BH_NS_PER_MS,
				  .object = detect->object };
	unsigned int next = detect->first[BH_WATCH_network_bytes_out_per_dest];

	write_object(detect, flow);
	while (next) {
		struct bh_watch *watch = &detect->watches[next - 1];

		if (!watch->given.tool || watch->given.tool == flow->tool) {
			value = sent_to(detect, bh_key(next, &peer, sizeof(peer)),
					watch->given.window_ms * BH_NS_PER_MS, flow->bytes);
			bh_watch_reach(detect, watch, value, NULL, detect->object);
		}
		next = watch->next;
	}
	cause.value = sent_to(detect, bh_key(0, &peer, sizeof(peer)), UPLOAD_NS, flow->bytes);
	if (cause.value > UPLOAD_MOST)
		bh_detect_raise(detect, BH_DETECTION_bulk_upload, &cause);
}
