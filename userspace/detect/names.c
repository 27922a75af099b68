/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that are asked for: how many, and whether they carry something. */
#include <string.h>

#include "detect/private.h"

#define MEAN_LEAST 8u /* labels, before their mean says anything */
#define WINDOW_NS BH_MINUTE_NS
#define NAMES_MOST 24u
#define LABEL_LEAST 16u /* bytes of a label that carries something */
#define LABEL_ENTROPY 300u /* hundredths of a bit */
#define SHORT_SUFFIX 3u /* "co" of "co.uk": then the domain has a third label */

/* Start of the label that ends before `end`. */
static size_t label_start(const char *name, size_t end)
{
	const char *dot = end ? memrchr(name, '.', end) : NULL;

	return dot ? (size_t)(dot - name) + 1 : 0;
}

/* Where the domain begins that somebody owns: its last two labels, or three. */
static size_t domain_start(const char *name, size_t length)
{
	size_t last = label_start(name, length), second, third;

	if (!last)
		return 0;
	second = label_start(name, last - 1);
	if (!second || last - 1 - second > SHORT_SUFFIX)
		return second;
	third = label_start(name, second - 1);
	return third;
}

/* Is a label below the domain long, and random? */
static bool carries(const char *name, size_t domain)
{
	for (size_t end = domain; end > 1;) {
		size_t start = label_start(name, end - 1);

		if (end - 1 - start >= LABEL_LEAST && bh_entropy(name + start, end - 1 - start) >= LABEL_ENTROPY)
			return true;
		end = start;
	}
	return false;
}

_Static_assert(NAMES_MOST < BH_DIFFERENT, "they can be counted");

static void look_for_tunnel(struct bh_detect *detect, const struct bh_query *query, const char *name, size_t length)
{
	size_t start = domain_start(name, length);
	struct bh_cause cause = { .tool = query->tool,
				  .limit = NAMES_MOST,
				  .window_ms = WINDOW_NS / BH_NS_PER_MS,
				  .object = detect->object };

	if (!carries(name, start))
		return;
	cause.key = bh_key(0, name + start, length - start);
	cause.value =
		bh_tries_add(detect, detect->names, WINDOW_NS, cause.key, (uint32_t)(bh_key(1, name, start) >> 32));
	if (cause.value > NAMES_MOST)
		bh_detect_raise(detect, BH_DETECTION_dns_tunnel, &cause);
}

/* Every label below the domain; of a name that is nothing but a domain, its first. */
static void look_at_labels(struct bh_detect *detect, const struct bh_query *query, const char *name, size_t length)
{
	size_t end = domain_start(name, length);

	if (!end)
		end = strcspn(name, ".") + 1;
	while (end > 1) {
		size_t start = label_start(name, end - 1);

		bh_watch_mean(detect, BH_WATCH_network_dns_label_entropy, query->tool,
			      bh_entropy(name + start, end - 1 - start), MEAN_LEAST, detect->object);
		end = start;
	}
}

void bh_detect_names(struct bh_detect *detect, const struct bh_query *query)
{
	size_t length = query->length < BH_NAME_MAX ? query->length : BH_NAME_MAX;
	char *name = detect->object;

	memcpy(name, query->name, length);
	name[length] = '\0';
	bh_watch_count(detect, BH_WATCH_network_dns_queries, query->tool, 1, NULL);
	if (query->refused)
		bh_watch_count(detect, BH_WATCH_network_dns_refused, query->tool, 1, NULL);
	if (detect->first[BH_WATCH_network_dns_label_entropy])
		look_at_labels(detect, query, name, length);
	look_for_tunnel(detect, query, name, length);
}
