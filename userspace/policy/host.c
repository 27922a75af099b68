/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/host.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "policy/embedded.h"

static struct bh_host_fault fault(const char *code, const char *text, const char *hint)
{
	struct bh_host_fault it = { .code = code, .text = text };

	snprintf(it.hint, sizeof(it.hint), "%s", hint);
	return it;
}

static bool is_wildcard(const char *host)
{
	return host[0] == '*' && host[1] == '.';
}

static bool is_address(const char *host)
{
	unsigned char bytes[16];
	const char *last = strrchr(host, '.');

	/* "10.1", "0x7f.1" and "2130706433" are addresses to some resolvers: a name never ends in a number. */
	last = last ? last + 1 : host;
	if (*last && last[strspn(last, "0123456789")] == '\0')
		return true;
	return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

/* What else people write where a name is meant. */
static struct bh_host_fault other_form(const char *host)
{
	size_t length = strlen(host);

	if (strstr(host, "://"))
		return fault("E302", "is a URL, not a name", "write only the host, and its port under 'ports'");
	if (is_address(host))
		return fault("E302", "is an address, not a name", "list it under 'cidrs'");
	if (strchr(host, '/'))
		return fault("E302", "is not a name", "paths cannot be ruled; write only the host");
	if (strchr(host, ':'))
		return fault("E302", "is not a name", "the port belongs under 'ports'");
	if (length && host[length - 1] == '.')
		return fault("E302", "ends with a dot", "names are always complete: leave the dot out");
	if (strpbrk(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		return fault("E302", "has upper-case letters", "write it in lower case");
	return fault(NULL, NULL, "");
}

static struct bh_host_fault label_form(const char *label, size_t length)
{
	if (length == 0)
		return fault("E302", "has an empty label", "write each dot once");
	if (length > BH_LABEL_BYTES_MAX)
		return fault("E302", "has a label of more than 63 bytes", "");
	if (memchr(label, '*', length))
		return fault("E302", "has a '*' that is not '*.' at its start",
			     "'*.example.com' stands for every name beneath");
	if (strspn(label, "abcdefghijklmnopqrstuvwxyz0123456789-") < length)
		return fault("E302", "is not the name of a host",
			     "lower-case letters, digits and '-'; international names in their 'xn--' form");
	if (label[0] == '-' || label[length - 1] == '-')
		return fault("E302", "has a label that begins or ends with '-'", "");
	return fault(NULL, NULL, "");
}

/* Does text lie beneath `end`? */
static bool beneath(const char *text, size_t length, const char *end)
{
	size_t end_length = strlen(end);

	return length > end_length && text[length - end_length - 1] == '.' &&
	       memcmp(text + length - end_length, end, end_length) == 0;
}

static bool same(const char *line, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(line, text, length) == 0;
}

/* What one line of the list says about a wildcard over the suffix. */
static struct bh_host_fault judge_line(const char *line, size_t length, const char *suffix)
{
	bool starred = length > 2 && line[0] == '*';
	struct bh_host_fault it;

	if (starred) {
		line += 2;
		length -= 2;
	}
	if (same(line, length, suffix) || (starred && same(line, length, strchr(suffix, '.') + 1)))
		return fault("E303", "is a wildcard where anybody can register a name",
			     "list the names that are meant");
	if (!beneath(line, length, suffix))
		return fault(NULL, NULL, "");
	it = fault("E303", "is a wildcard that covers names which anybody can register", "");
	snprintf(it.hint, sizeof(it.hint), "such as those of '%.*s'; list the names that are meant",
		 (int)(length < 80 ? length : 80), line);
	return it;
}

/* May anybody register a name beneath the suffix? */
static struct bh_host_fault suffix_breadth(const char *suffix)
{
	if (!strchr(suffix, '.'))
		return fault("E303", "is a wildcard over a whole top-level domain", "list the names that are meant");
	for (const char *line = bh_embedded_suffixes_start; line < bh_embedded_suffixes_end;) {
		size_t length = strcspn(line, "\n");
		struct bh_host_fault it = fault(NULL, NULL, "");

		if (length && line[0] != '#')
			it = judge_line(line, length, suffix);
		if (it.code)
			return it;
		line += length + (line[length] == '\n');
	}
	return fault(NULL, NULL, "");
}

struct bh_host_fault bh_host_form(const char *host)
{
	const char *name = is_wildcard(host) ? host + 2 : host;
	struct bh_host_fault it;

	if (strcmp(host, "*") == 0)
		return fault("E303", "stands for every name", "list the names that are meant");
	it = other_form(host);
	if (it.code)
		return it;
	if (strlen(name) > BH_HOST_MAX)
		return fault("E302", "is longer than 253 bytes", "");
	for (const char *label = name;;) {
		size_t length = strcspn(label, ".");

		it = label_form(label, length);
		if (it.code)
			return it;
		if (label[length] == '\0')
			break;
		label += length + 1;
	}
	return name == host ? it : suffix_breadth(name);
}

bool bh_host_matches(const char *pattern, const char *name)
{
	size_t length = strlen(name);

	if (!is_wildcard(pattern))
		return strcmp(pattern, name) == 0;
	return length >= strlen(pattern) && beneath(name, length, pattern + 2); /* a label in front is not empty */
}
