/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/path.h"

#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/abi.h"

#define FAULT(fault_code, fault_text, fault_hint)                                                                      \
	((struct bh_path_fault){ .code = (fault_code), .text = (fault_text), .hint = (fault_hint) })
#define NO_FAULT FAULT(NULL, NULL, NULL)

static bool is_wild(char byte)
{
	return byte == '*' || byte == '?';
}

/* One component, its length given, without the slashes around it. */
static struct bh_path_fault component_form(const char *component, size_t length)
{
	if (length == 0)
		return FAULT("E202", "has an empty component", "write each '/' once and none at the end");
	if ((length == 1 && component[0] == '.') || (length == 2 && component[0] == '.' && component[1] == '.'))
		return FAULT("E202", "has a '.' or '..' component", "write the path that it leads to");
	if (length == 2 && memcmp(component, "**", 2) == 0)
		return NO_FAULT;
	for (size_t i = 1; i < length; i++)
		if (component[i] == '*' && component[i - 1] == '*')
			return FAULT("E205", "has '**' inside a component",
				     "'**' stands alone between slashes; inside a component write '*'");
	return NO_FAULT;
}

struct bh_path_fault bh_path_form(const char *path)
{
	unsigned int components = 0;
	const char *at = path;

	if (path[0] != '/')
		return FAULT("E201", "is not an absolute path", "begin with '/'");
	if (strlen(path) > BH_PATTERN_MAX)
		return FAULT("E203", "is longer than 1024 bytes", NULL);
	for (const char *byte = path; *byte; byte++)
		if (*byte < 0x20 || *byte == 0x7f)
			return FAULT("E202", "has a line end or control character", NULL);
	while (*at == '/') {
		size_t length = strcspn(at + 1, "/");
		struct bh_path_fault fault = component_form(at + 1, length);

		if (fault.code)
			return fault;
		if (++components > BH_COMPONENTS_MAX)
			return FAULT("E204", "has more than 32 components", NULL);
		at += 1 + length;
	}
	return NO_FAULT;
}

bool bh_path_is_pattern(const char *path)
{
	return strpbrk(path, "*?") != NULL;
}

#define READ BH_ACCESS_READ
#define WRITE BH_ACCESS_WRITE
#define EXEC BH_ACCESS_EXEC

/* Trees that hold something of everybody: no rule may take one of them whole. */
static const struct {
	const char *tree;
	uint32_t access;
} whole_trees[] = {
	{ "/", READ | WRITE | EXEC },
	{ "/boot", WRITE | EXEC },
	{ "/etc", READ | WRITE | EXEC },
	{ "/home", READ | WRITE | EXEC },
	{ "/opt", WRITE },
	{ "/root", READ | WRITE | EXEC },
	{ "/run", READ | WRITE | EXEC },
	{ "/usr", WRITE | EXEC },
	{ "/usr/bin", WRITE | EXEC },
	{ "/usr/lib", WRITE | EXEC },
	{ "/usr/local", WRITE },
	{ "/usr/sbin", WRITE | EXEC },
	{ "/var", READ | WRITE | EXEC },
	{ "/var/lib", READ | WRITE | EXEC },
	{ "/var/run", READ | WRITE | EXEC },
};

/* Trees that are not ruled by path in a policy at all, with what is. */
static const struct {
	const char *tree;
	const char *except; /* beneath it all the same, or NULL */
	const char *hint;
} special_trees[] = {
	{ "/proc", NULL, "a process's own harmless entries come with the preset 'base'" },
	{ "/sys", NULL, "the processor topology comes with the preset 'base'" },
	{ "/dev", "/dev/shm/",
	  "the harmless devices come with the preset 'base'; shared memory lies beneath /dev/shm" },
};

static bool beneath_or_same(const char *path, const char *tree)
{
	size_t length = strlen(tree);

	return strncmp(path, tree, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* Length of the pattern without the components at its end that are nothing but wildcards. */
static size_t without_wild_end(const char *pattern)
{
	size_t length = strlen(pattern);

	while (length > 1) {
		size_t start = length;

		while (start > 0 && is_wild(pattern[start - 1]))
			start--;
		if (start == length || pattern[start - 1] != '/')
			break;
		length = start - 1;
	}
	return length;
}

struct bh_path_fault bh_path_breadth(const char *pattern, uint32_t access)
{
	size_t length = without_wild_end(pattern), first = 1 + strcspn(pattern + 1, "/");

	for (size_t i = 0; i < BH_COUNT_OF(special_trees); i++) {
		const char *except = special_trees[i].except;

		if (beneath_or_same(pattern, special_trees[i].tree) &&
		    !(except && strncmp(pattern, except, strlen(except)) == 0))
			return FAULT("E206", "is in a tree that policies do not rule by path", special_trees[i].hint);
	}
	if (strcspn(pattern, "*?") < first)
		return FAULT("E206", "is too broad: its first component is a wildcard",
			     "name the directory that is meant");
	for (size_t i = 0; i < BH_COUNT_OF(whole_trees); i++) {
		const char *tree = whole_trees[i].tree;

		if ((access & whole_trees[i].access) && length < strlen(pattern) && length == strlen(tree) &&
		    memcmp(pattern, tree, length) == 0)
			return FAULT("E206", "is too broad", "name the directories beneath it that are needed");
	}
	return NO_FAULT;
}
