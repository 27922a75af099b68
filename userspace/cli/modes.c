/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/modes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "compile/names.h"
#include "policy/amount.h"

#define BH_GRACE_LONGEST_S (14 * 24 * 3600)
#define BH_NS_PER_S 1000000000LL

/* The date of mode grace on the clock that the kernel programs read. */
static int bh_grace_begin(struct bh_session *session, struct bh_err *err)
{
	int64_t until = session->opened.source->grace_until, left;
	char date[BH_AMOUNT_TEXT];
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	left = until - now.tv_sec;
	if (left > BH_GRACE_LONGEST_S) {
		bh_err_set(err, ERANGE, "grace.until %s is more than 14 days away", bh_amount_date(until, date));
		bh_err_hint(err,
			    "mode grace is for the last days before enforcing; for longer there is 'mode: observe'");
		return -ERANGE;
	}
	if (left > 0) {
		session->grace_until_ns = bh_boot_now() + left * BH_NS_PER_S - now.tv_nsec;
		return 0;
	}
	session->mode = BH_MODE_ENFORCE;
	if (!session->quiet)
		fprintf(stderr, "bulkhead: grace ended %s: the policy is enforced\n", bh_amount_date(until, date));
	return 0;
}

int bh_session_modes(struct bh_session *session, struct bh_err *err)
{
	const struct bh_source_policy *source = session->opened.source;

	if (session->mode) /* of the command line, and for everything */
		return 0;
	session->mode = source->mode;
	for (unsigned int class = 0; class < BH_CLASSES; class ++)
		session->modes[class] = source->modes[class];
	return session->mode == BH_MODE_GRACE ? bh_grace_begin(session, err) : 0;
}

uint8_t bh_session_mode_of(const struct bh_session *session, unsigned int class)
{
	return session->modes[class] ? session->modes[class] : session->mode;
}

void bh_session_modes_put(const struct bh_session *session, struct bh_policy_head *head)
{
	head->mode = session->mode;
	memcpy(head->modes, session->modes, sizeof(head->modes));
	head->grace_until_ns = session->grace_until_ns;
}

void bh_session_modes_check(struct bh_session *session)
{
	struct bh_lifecycle ended = {
		.kind = "bind_policy", .verdict = "allow", .severity = "info", .latency_us = -1, .lost = -1
	};

	if (session->mode != BH_MODE_GRACE || (uint64_t)bh_boot_now() < session->grace_until_ns)
		return;
	/* the kernel programs have looked at the clock themselves */
	session->mode = session->context.mode = BH_MODE_ENFORCE;
	ended.message = "grace has ended: the policy is enforced";
	bh_session_say(session, &ended, true);
}

const char *bh_session_mode_name(const struct bh_session *session)
{
	return bh_name_text(bh_names_modes, session->mode);
}
