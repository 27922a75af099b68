/* SPDX-License-Identifier: GPL-2.0-only */
/* The addresses that no policy can open. */
#include "compile/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/automaton.h"

#define BLOCKED 1u /* on every port; 2 + i: except on except_port[i] */
#define EXCEPTIONS (sizeof(((struct bh_floor_net *)NULL)->except_port) / sizeof(uint16_t))

static int compare_ports(const void *a, const void *b)
{
	return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* The different excepted ports, ascending. */
static int collect_ports(const struct bh_shipped *shipped, struct bh_floor_net *floor, struct bh_err *err)
{
	size_t count = 0;

	for (size_t i = 0; i < shipped->addresses_count; i++) {
		uint16_t port = shipped->addresses[i].except_port;
		size_t k = 0;

		while (k < count && floor->except_port[k] != port)
			k++;
		if (!port || k < count)
			continue;
		if (count == EXCEPTIONS)
			return bh_err_set(err, EINVAL, "the address floor excepts more than %zu different ports",
					  EXCEPTIONS);
		floor->except_port[count++] = port;
	}
	qsort(floor->except_port, count, sizeof(floor->except_port[0]), compare_ports);
	return 0;
}

static uint32_t id_of(const struct bh_floor_net *floor, uint16_t port)
{
	for (uint32_t i = 0; port && i < EXCEPTIONS; i++)
		if (floor->except_port[i] == port)
			return 2 + i;
	return BLOCKED;
}

/* Under two different exceptions each port is blocked by one of the rows. */
static uint32_t join(uint32_t a, uint32_t b)
{
	return !a || a == b ? b : BLOCKED;
}

/* by_pattern: what each pattern of the automaton means. */
static int add_addresses(const struct bh_shipped *shipped, const struct bh_floor_net *floor, uint8_t family,
			 struct bh_nfa *nfa, uint32_t *by_pattern)
{
	for (size_t i = 0; i < shipped->addresses_count; i++) {
		const struct bh_floor_address *address = &shipped->addresses[i];
		uint32_t pattern;

		if (address->cidr.family != family)
			continue;
		if (bh_nfa_add_cidr(nfa, &address->cidr, &pattern))
			return -ENOMEM;
		by_pattern[pattern] = join(by_pattern[pattern], id_of(floor, address->except_port));
	}
	return 0;
}

static void mean(const struct bh_nfa *nfa, struct bh_dfa *dfa, const uint32_t *by_pattern)
{
	for (size_t q = 0; q < dfa->states; q++)
		for (size_t i = dfa->set_first[q]; i < dfa->set_first[q + 1]; i++)
			if (nfa->states[dfa->set[i]].pattern)
				dfa->meaning[q] =
					join(dfa->meaning[q], by_pattern[nfa->states[dfa->set[i]].pattern - 1]);
}

static int add_family(const struct bh_shipped *shipped, uint8_t family, struct bh_floor_net *floor,
		      struct bh_comb *comb, uint32_t *ret_start)
{
	BH_FREE uint32_t *by_pattern = calloc(shipped->addresses_count + 1, sizeof(*by_pattern));
	struct bh_nfa nfa;
	struct bh_dfa dfa = { 0 };
	struct bh_machine machine = { 0 };
	int result = bh_nfa_init(&nfa);

	if (!by_pattern)
		result = -ENOMEM;
	if (!result)
		result = add_addresses(shipped, floor, family, &nfa, by_pattern);
	if (!result)
		result = bh_dfa_build(&nfa, &dfa);
	if (!result) {
		mean(&nfa, &dfa, by_pattern);
		result = bh_machine_build(&dfa, &machine);
	}
	if (!result)
		result = bh_comb_add(comb, &machine, ret_start);
	bh_machine_done(&machine);
	bh_dfa_done(&dfa);
	bh_nfa_done(&nfa);
	return result;
}

int bh_floor_compile(const struct bh_shipped *shipped, struct bh_floor_net *ret_floor, struct bh_err *err)
{
	struct bh_comb comb = { 0 };
	int result;

	memset(ret_floor, 0, sizeof(*ret_floor));
	ret_floor->abi = BH_ABI_VERSION;
	result = collect_ports(shipped, ret_floor, err);
	if (result)
		return result;
	result = bh_comb_init(&comb, BH_FLOOR_CELLS);
	if (!result)
		result = add_family(shipped, 4, ret_floor, &comb, &ret_floor->net4_start);
	if (!result)
		result = add_family(shipped, 6, ret_floor, &comb, &ret_floor->net6_start);
	if (!result)
		memcpy(ret_floor->cells, comb.cells, comb.used * sizeof(comb.cells[0]));
	bh_comb_done(&comb);
	if (result == -E2BIG)
		return bh_err_set(err, EINVAL, "the address floor needs more than its %u cells", BH_FLOOR_CELLS);
	return result ? bh_err_set(err, ENOMEM, "out of memory") : 0;
}
