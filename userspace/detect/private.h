/* SPDX-License-Identifier: GPL-2.0-only */
/* What the detectors of one sandbox share: their state, which is all there is from the start, and how an alert is raised. */
#ifndef BH_DETECT_PRIVATE_H
#define BH_DETECT_PRIVATE_H

#include <stdbool.h>

#include "detect/detect.h"

#define BH_NS_PER_MS UINT64_C(1000000)
#define BH_NS_PER_S UINT64_C(1000000000)
#define BH_MINUTE_NS (60 * BH_NS_PER_S)

/* ---- Catalogues (catalogue.c) ---- */
enum bh_detection {
#define BH_DETECTION(number, id, class, severity, mitre, needs, meaning, evasion) BH_DETECTION_##id = number,
#include "rules/detections.def"
#undef BH_DETECTION
	BH_DETECTIONS /* one more than the last */
};

struct bh_detection_entry {
	const char *name, *class, *severity, *mitre, *meaning; /* mitre: NULL none */
};
extern const struct bh_detection_entry bh_detections[]; /* by enum bh_detection */

enum bh_signal_number {
#define BH_SIGNAL(number, class, name, kind, text) BH_WATCH_##class##_##name = number,
#include "rules/signals.def"
#undef BH_SIGNAL
};
#define BH_WATCH_MOST 68u /* every number is lower */

enum bh_signal_form {
	BH_FORM_PERCENT = 1,
	BH_FORM_COUNT,
	BH_FORM_RATE,
	BH_FORM_BYTES_RATE,
	BH_FORM_BITS,
};

struct bh_signal_form_entry {
	const char *name, *class, *text; /* name: "network.denied"; NULL: no such signal */
	enum bh_signal_form form;
};
extern const struct bh_signal_form_entry bh_signal_forms[BH_WATCH_MOST];

/* ---- Sets and hashes (keys.c) ---- */
#define BH_KEY_WAYS 4u

/* Never 0. */
uint64_t bh_key(uint64_t seed, const void *bytes, size_t length);

/*
 * Puts the key into a set of `count` slots (a power of two, at least BH_KEY_WAYS) as the one used last. True: it was not
 * in it. Where its place is full, what was used longest ago goes.
 */
bool bh_keys_add(uint64_t *slots, size_t count, uint64_t key);
bool bh_keys_has(const uint64_t *slots, size_t count, uint64_t key);

struct bh_detect;
struct bh_tries;
/*
 * Notes one of several things under a key, in the window of this length that now lies in. Returns how many different ones
 * there were, at most BH_DIFFERENT.
 */
unsigned int bh_tries_add(const struct bh_detect *detect, struct bh_tries *table, uint64_t length_ns, uint64_t key,
			  uint32_t one);

/* A number of hundredths of a bit: the entropy of the label's bytes. At most 63 bytes are looked at. */
unsigned int bh_entropy(const char *label, size_t length);

/* ---- State ---- */

/* A threshold, and where it stands. */
struct bh_watch {
	struct bh_detect_threshold given;
	uint64_t bucket; /* index of the window + 1; 0: none yet */
	uint64_t count; /* in it */
	uint64_t sum; /* of means: what is divided by count */
	uint64_t since_ns; /* of states: over since then; 0: it is not */
	uint64_t said_ns; /* of the last alert of this episode; 0: none */
	uint32_t run; /* windows in a row before this one that were over */
	uint8_t next; /* watch of the same signal + 1; 0: the last */
	bool over; /* this window is */
	bool after_silence; /* the window before had nothing in it */
};

/* What is known of a process, by number. */
struct bh_process {
	uint64_t start_ns;
	uint64_t used_ns;
	uint64_t connected_ns; /* when it last connected; 0: never */
	uint32_t pid; /* 0: free */
	uint8_t tool;
	uint8_t depth; /* processes between it and the first */
};
#define BH_PROCESSES 256u

/* A rolling count in fixed windows. */
struct bh_window {
	uint64_t bucket; /* index + 1 */
	uint64_t count;
};

/* Different things of one: ports tried at an address, addresses tried at a port, names of a domain; in one window. */
#define BH_DIFFERENT 25u /* as many as any detection counts */
struct bh_tries {
	uint64_t key; /* 0: free */
	uint64_t bucket;
	uint32_t count;
	uint32_t different[BH_DIFFERENT];
};
#define BH_TRIES 32u

/* Connections to one destination. */
struct bh_beacon {
	uint64_t key;
	uint64_t last_ns, interval_ns;
	uint32_t run; /* intervals in a row that were like this one */
	uint32_t pad0;
};
#define BH_BEACONS 64u

/* Bytes sent to one destination, counted for one threshold or for bulk_upload. */
struct bh_sent {
	uint64_t key;
	uint64_t bucket;
	uint64_t bytes;
	uint64_t used_ns;
};
#define BH_SENT 128u

/* An alert that was raised lately. */
struct bh_raised {
	uint64_t key;
	uint64_t until_ns;
};
#define BH_RAISED 256u

#define BH_SEEN_PROGRAMS 512u
#define BH_SEEN_PEERS 512u
#define BH_WRITTEN 1024u
#define BH_OBJECT_ROOM 272u

struct bh_detect {
	struct bh_detect_config config;
	uint64_t now_ns; /* real time of the last input; never falls */
	uint64_t began_ns; /* of the first; 0: none yet */
	uint64_t sequence; /* of alerts */
	uint64_t suppressed;
	struct bh_watch watches[BH_DETECT_THRESHOLDS_MAX];
	uint8_t first[BH_WATCH_MOST]; /* by signal: watch + 1 */
	size_t watches_count;
	uint64_t honey[BH_DETECT_HONEY_MAX]; /* keys of the paths */
	struct bh_process processes[BH_PROCESSES];
	uint32_t first_pid; /* of the first process that was seen */
	uint64_t programs[BH_SEEN_PROGRAMS];
	uint64_t peers[BH_SEEN_PEERS];
	uint64_t written[BH_WRITTEN];
	struct bh_tries ports[BH_TRIES], hosts[BH_TRIES], names[BH_TRIES];
	struct bh_beacon beacons[BH_BEACONS];
	struct bh_sent sent[BH_SENT];
	struct bh_raised raised[BH_RAISED];
	struct bh_window said[BH_DETECTIONS]; /* alerts in a minute, by detection */
	struct bh_window refusals, hops, burst;
	uint64_t last_event_ns;

	struct bh_sample before; /* the last known value of each counter; time: of the last sample */
	uint64_t known_ns[BH_SAMPLE_FIELDS]; /* when it was known */
	struct bh_sample minute; /* the totals when this minute began: miner_profile */
	uint64_t minute_ns;
	unsigned int mining_minutes;
	char object[BH_OBJECT_ROOM]; /* for an alert without a record */
};

_Static_assert(sizeof(struct bh_detect) <= BH_DETECT_BYTES, "bounded memory per sandbox");

/* ---- Alerts (raise.c) ---- */

/* What tipped a detection, or what it is about. */
struct bh_cause {
	const struct bh_event *event; /* NULL: no record */
	uint64_t key; /* of the object: one alert for each in ten minutes. 0: the sandbox */
	uint64_t value, limit;
	uint32_t window_ms;
	uint8_t tool;
	const char *object;
};

void bh_detect_raise(struct bh_detect *detect, enum bh_detection what, const struct bh_cause *cause);
/* With the record as cause, its path or its destination as the object. */
void bh_detect_raise_event(struct bh_detect *detect, enum bh_detection what, const struct bh_event *event);
void bh_detect_raise_watch(struct bh_detect *detect, const struct bh_watch *watch, uint64_t value,
			   const struct bh_event *event, const char *object);

/* ---- Signals (watch.c) ---- */

/* So many more of a rate; tool: whose, 0: nobody's in particular. event may be NULL. */
void bh_watch_count(struct bh_detect *detect, unsigned int signal, unsigned int tool, uint64_t more,
		    const struct bh_event *event);
/* A state has this value now. */
void bh_watch_state(struct bh_detect *detect, unsigned int signal, unsigned int tool, uint64_t value,
		    const struct bh_event *event);
/* One more value of a mean over a minute, which counts from `least` values on. */
void bh_watch_mean(struct bh_detect *detect, unsigned int signal, unsigned int tool, uint64_t value, uint64_t least,
		   const char *object);
/* Counts in the window that now lies in; starts at 0 in each. Returns the count. */
uint64_t bh_window_add(const struct bh_detect *detect, struct bh_window *window, uint64_t length_ns, uint64_t more);
/* Index + 1 of the window of this length that now lies in. */
uint64_t bh_window_of(const struct bh_detect *detect, uint64_t length_ns);

/*
 * For signals that keep their own counts: one of them stands at this value in the watch's window now. Says so if that, and
 * what was before, is enough.
 */
void bh_watch_reach(struct bh_detect *detect, struct bh_watch *watch, uint64_t value, const struct bh_event *event,
		    const char *object);

/* ---- Records ---- */

/* One record, and what every detector wants to know of it (moment.c). */
struct bh_moment {
	const struct bh_event *event;
	struct bh_process *process; /* as it was before; NULL: the record has none */
	const char *path; /* NULL: none */
	size_t path_length;
	uint64_t path_key; /* 0: none */
	bool refused; /* by enforce mode */
	bool starts; /* a program was started, and let through */
	bool writes; /* opens for writing or changes a name, or tries to */
	bool connects; /* speaks to an IP address, or tries to */
	bool hop; /* the start led into another tool */
	bool new_program, new_peer; /* of what was let through: not seen before */
	bool own_program; /* the file to be executed was written by the sandbox */
};

void bh_moment_make(struct bh_detect *detect, const struct bh_event *event, struct bh_moment *ret);
/* What the next record is to find. */
void bh_moment_keep(struct bh_detect *detect, const struct bh_moment *moment);

size_t bh_address_bytes(unsigned int family); /* of struct bh_event's address that count; 0: no IP address */
bool bh_is_shell(const char *path, size_t length); /* by its last component */

/* Each looks at one record, or at one other input. */
void bh_detect_signals(struct bh_detect *detect, const struct bh_moment *moment); /* signals.c */
void bh_detect_objects(struct bh_detect *detect, const struct bh_moment *moment); /* objects.c: by kind and path */
void bh_detect_programs(struct bh_detect *detect, const struct bh_moment *moment); /* programs.c */
void bh_detect_connections(struct bh_detect *detect, const struct bh_moment *moment); /* connections.c */
void bh_detect_rates(struct bh_detect *detect, const struct bh_moment *moment); /* rates.c */
void bh_detect_levels(struct bh_detect *detect, const struct bh_sample *sample); /* levels.c: signals */
void bh_detect_load(struct bh_detect *detect, const struct bh_sample *sample); /* load.c: detections */
void bh_detect_sent(struct bh_detect *detect, const struct bh_flow *flow); /* sent.c */
void bh_detect_names(struct bh_detect *detect, const struct bh_query *query); /* names.c */

/* By how much a total grew since it was last known. False: one of the two is not known. */
bool bh_sample_grown(const struct bh_detect *detect, const struct bh_sample *sample, enum bh_sample_field field,
		     uint64_t *ret_more, uint64_t *ret_elapsed_us);

/* Names that give a detection away (paths.c). 0: none. */
#define BH_TOUCH_ANY 1u
#define BH_TOUCH_WRITE 2u
#define BH_TOUCH_SOCKET 4u
enum bh_detection bh_path_detection(const char *path, size_t length, unsigned int touch);

/* ---- Processes (processes.c) ---- */

/*
 * The process of a record, as it was before it; made when it is new: with its parent's tool and one deeper. NULL: a record
 * without a process.
 */
struct bh_process *bh_process_of(struct bh_detect *detect, const struct bh_event *event);
void bh_process_end(struct bh_detect *detect, const struct bh_event *event);

#endif
