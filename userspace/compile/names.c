/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/names.h"

#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

#include "compile/compile.h"

const struct bh_name bh_names_modes[] = { { "enforce", BH_MODE_ENFORCE },
					  { "grace", BH_MODE_GRACE },
					  { "observe", BH_MODE_OBSERVE },
					  { NULL, 0 } };

const struct bh_name bh_names_classes[] = { { "args", BH_CLASS_ARGS },
					    { "exec", BH_CLASS_EXEC },
					    { "files", BH_CLASS_FILES },
					    { "floor", BH_CLASS_FLOOR },
					    { "network", BH_CLASS_NETWORK },
					    { "privileges", BH_CLASS_PRIVILEGES },
					    { NULL, 0 } };

const struct bh_name bh_names_responses[] = { { "alert", BH_RESPOND_ALERT },   { "deny", BH_RESPOND_DENY },
					      { "freeze", BH_RESPOND_FREEZE }, { "kill", BH_RESPOND_KILL },
					      { "task", BH_RESPOND_TASK },     { NULL, 0 } };

const struct bh_name bh_names_protocols[] = { { "icmp-echo", IPPROTO_ICMP },
					      { "tcp", IPPROTO_TCP },
					      { "udp", IPPROTO_UDP },
					      { NULL, 0 } };

const struct bh_name bh_names_operands[] = { { "any", BH_OPERANDS_ANY },
					     { "none", BH_OPERANDS_NONE },
					     { "words", BH_OPERANDS_WORDS },
					     { NULL, 0 } };

const struct bh_name bh_names_dns[] = { { "any", BH_DNS_ANY },
					{ "listed", BH_DNS_LISTED },
					{ "none", BH_DNS_NONE },
					{ NULL, 0 } };

const struct bh_name bh_names_unix[] = { { "abstract", BH_UNIX_ABSTRACT },
					 { "connect", BH_UNIX_CONNECT },
					 { "listen", BH_UNIX_LISTEN },
					 { NULL, 0 } };

const struct bh_name bh_names_access[] = { { "load", BH_ACCESS_LOAD },
					   { "read", BH_ACCESS_READ },
					   { "write", BH_ACCESS_WRITE },
					   { NULL, 0 } };

const struct bh_name bh_names_caps[] = {
#define BH_CAP(number, id, key, unit, standard, english) { key, number },
#include "../../rules/caps.def"
#undef BH_CAP
	{ NULL, 0 }
};

const struct bh_name bh_names_signals[] = {
#define BH_SIGNAL(number, class, name, kind, text) { #class "." #name, number },
#include "../../rules/signals.def"
#undef BH_SIGNAL
	{ NULL, 0 }
};

/* A key without a group stands alone. */
#define SELECT_TEXT(group, key) (sizeof(group) > 1 ? group "." key : key)

const struct bh_name bh_names_select[] = {
#define BH_SELECT(number, id, group, key, kind, english) { SELECT_TEXT(group, key), number },
#include "../../rules/select.def"
#undef BH_SELECT
	{ NULL, 0 }
};

enum select_kind { WORD, LIST, LABELS, PATTERN };

bool bh_select_has_label(const char *field)
{
	switch (bh_name_number(bh_names_select, field)) {
#define BH_SELECT(number, id, group, key, kind, english)                                                               \
	case number:                                                                                                   \
		return (kind) == LABELS;
#include "../../rules/select.def"
#undef BH_SELECT
	default:
		return false;
	}
}

uint64_t bh_cap_standard(unsigned int cap)
{
	switch (cap) {
#define BH_CAP(number, id, key, unit, standard, english)                                                               \
	case number:                                                                                                   \
		return standard;
#include "../../rules/caps.def"
#undef BH_CAP
	default:
		return BH_UNLIMITED;
	}
}

uint64_t bh_cap_value(const struct bh_resources *resources, unsigned int cap)
{
	return resources->caps[cap].given ? resources->caps[cap].value : bh_cap_standard(cap);
}

const char *bh_name_text(const struct bh_name *names, unsigned int number)
{
	for (; names->text; names++)
		if (names->number == number)
			return names->text;
	return NULL;
}

unsigned int bh_name_number(const struct bh_name *names, const char *text)
{
	for (; names->text; names++)
		if (strcmp(names->text, text) == 0)
			return names->number;
	return 0;
}
