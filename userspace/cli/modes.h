/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run enforces and what it only reports: of the command line or the policy, by class, and until when. */
#ifndef BH_CLI_MODES_H
#define BH_CLI_MODES_H

#include "cli/session.h"

/*
 * Decides the session's modes. A date of mode grace that is over means enforce, and is said; one more than 14 days ahead
 * is -ERANGE with err.
 */
int bh_session_modes(struct bh_session *session, struct bh_err *err);

uint8_t bh_session_mode_of(const struct bh_session *session, unsigned int class); /* class: BH_CLASS_* */
const char *bh_session_mode_name(const struct bh_session *session);

/* Puts them into a policy that is about to be published. */
void bh_session_modes_put(const struct bh_session *session, struct bh_policy_head *head);

/* Says so when the time of mode grace is over. */
void bh_session_modes_check(struct bh_session *session);

#endif
