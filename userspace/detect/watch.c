/* SPDX-License-Identifier: GPL-2.0-only */
/* Thresholds: counts in fixed windows, and states that last. */
#include "detect/private.h"

#define AGAIN_NS (10 * BH_MINUTE_NS) /* an episode that lasts is said again */
#define MEAN_NS BH_MINUTE_NS

uint64_t bh_window_of(const struct bh_detect *detect, uint64_t length_ns)
{
	return detect->now_ns / length_ns + 1;
}

uint64_t bh_window_add(const struct bh_detect *detect, struct bh_window *window, uint64_t length_ns, uint64_t more)
{
	uint64_t bucket = bh_window_of(detect, length_ns);

	if (window->bucket != bucket)
		*window = (struct bh_window){ .bucket = bucket };
	if (__builtin_add_overflow(window->count, more, &window->count))
		window->count = UINT64_MAX;
	return window->count;
}

static struct bh_watch *watch_at(struct bh_detect *detect, unsigned int index)
{
	return index ? &detect->watches[index - 1] : NULL;
}

static bool is_about(const struct bh_watch *watch, unsigned int tool)
{
	return !watch->given.tool || watch->given.tool == tool;
}

/* Brings the watch into the window that now lies in. */
static void roll(const struct bh_detect *detect, struct bh_watch *watch, uint64_t length_ns)
{
	uint64_t bucket = bh_window_of(detect, length_ns);

	if (watch->bucket == bucket)
		return;
	if (watch->over && bucket == watch->bucket + 1) {
		watch->run++;
	} else {
		watch->run = 0;
		watch->said_ns = 0;
	}
	watch->after_silence = watch->bucket && bucket > watch->bucket + 1;
	watch->bucket = bucket;
	watch->over = false;
	watch->count = 0;
	watch->sum = 0;
}

/* Once in an episode, and again while it lasts. */
static void say(struct bh_detect *detect, struct bh_watch *watch, uint64_t value, const struct bh_event *event,
		const char *object)
{
	if (watch->said_ns && detect->now_ns - watch->said_ns < AGAIN_NS)
		return;
	watch->said_ns = detect->now_ns;
	bh_detect_raise_watch(detect, watch, value, event, object);
}

/* Windows in a row that must be over the limit. */
static uint32_t windows_needed(const struct bh_watch *watch, uint32_t length_ms)
{
	uint64_t needed = ((uint64_t)watch->given.for_ms + length_ms - 1) / length_ms;

	return needed ? (uint32_t)needed : 1;
}

static void reach(struct bh_detect *detect, struct bh_watch *watch, uint32_t length_ms, uint64_t value,
		  const struct bh_event *event, const char *object)
{
	if (value <= watch->given.over)
		return;
	watch->over = true;
	if (watch->run + 1 >= windows_needed(watch, length_ms))
		say(detect, watch, value, event, object);
}

void bh_watch_reach(struct bh_detect *detect, struct bh_watch *watch, uint64_t value, const struct bh_event *event,
		    const char *object)
{
	roll(detect, watch, watch->given.window_ms * BH_NS_PER_MS);
	reach(detect, watch, watch->given.window_ms, value, event, object);
}

static void count(struct bh_detect *detect, struct bh_watch *watch, uint64_t more, const struct bh_event *event)
{
	roll(detect, watch, watch->given.window_ms * BH_NS_PER_MS);
	if (__builtin_add_overflow(watch->count, more, &watch->count))
		watch->count = UINT64_MAX;
	/* of a burst after silence only the first window can be one */
	if (watch->given.signal != BH_WATCH_behavioral_idle_then_burst || watch->after_silence)
		reach(detect, watch, watch->given.window_ms, watch->count, event, NULL);
}

void bh_watch_count(struct bh_detect *detect, unsigned int signal, unsigned int tool, uint64_t more,
		    const struct bh_event *event)
{
	struct bh_watch *watch = watch_at(detect, detect->first[signal]);

	for (; watch && more; watch = watch_at(detect, watch->next))
		if (is_about(watch, tool))
			count(detect, watch, more, event);
}

void bh_watch_state(struct bh_detect *detect, unsigned int signal, unsigned int tool, uint64_t value,
		    const struct bh_event *event)
{
	struct bh_watch *watch = watch_at(detect, detect->first[signal]);

	for (; watch; watch = watch_at(detect, watch->next)) {
		if (!is_about(watch, tool))
			continue;
		if (value <= watch->given.over) {
			watch->since_ns = 0;
			watch->said_ns = 0;
			continue;
		}
		if (!watch->since_ns)
			watch->since_ns = detect->now_ns;
		if (detect->now_ns - watch->since_ns >= watch->given.for_ms * BH_NS_PER_MS)
			say(detect, watch, value, event, NULL);
	}
}

void bh_watch_mean(struct bh_detect *detect, unsigned int signal, unsigned int tool, uint64_t value, uint64_t least,
		   const char *object)
{
	struct bh_watch *watch = watch_at(detect, detect->first[signal]);

	for (; watch; watch = watch_at(detect, watch->next)) {
		if (!is_about(watch, tool))
			continue;
		roll(detect, watch, MEAN_NS);
		watch->sum += value;
		watch->count++;
		if (watch->count >= least)
			reach(detect, watch, MEAN_NS / BH_NS_PER_MS, watch->sum / watch->count, NULL, object);
	}
}
