/* SPDX-License-Identifier: GPL-2.0-only */
/* Peers by address and by name on their way into the tables: rows of what each tool may reach, and the automata over them. */
#ifndef BH_COMPILE_NETS_H
#define BH_COMPILE_NETS_H

#include "compile/compiled.h"

/* Networks in which answers for a name may lie; each list once. */
struct bh_net_resolved {
	struct bh_cidr *items; /* sorted, each once */
	size_t count, capacity;
};

/* Rows under construction. [0] is nothing. */
struct bh_net_rows {
	struct bh_compile *compile;
	struct bh_net_row *rows;
	size_t count, capacity;
	uint32_t *number; /* final one; 0: not met yet */
	uint32_t numbered;
	struct bh_range *list; /* of one tool at one place */
	size_t list_count, list_capacity;
	struct bh_net_resolved *resolved; /* [0] is empty */
	size_t resolved_count, resolved_capacity;
};

int bh_net_rows_init(struct bh_net_rows *rows, struct bh_compile *c); /* 0 or -ENOMEM; done in any case */
void bh_net_rows_done(struct bh_net_rows *rows);

/* The ports and protocol of the rule join the list. 0 or -ENOMEM. */
int bh_net_rows_list(struct bh_net_rows *rows, const struct bh_rule *rule);

/* The list, which is then empty, becomes what the tool may reach in this row. 0, -EINVAL, -ENOMEM. */
int bh_net_rows_take(struct bh_net_rows *rows, struct bh_net_row *row, unsigned int tool);

/* The number of a list of networks; takes it over. 0, -EINVAL, -ENOMEM. */
int bh_net_rows_resolve(struct bh_net_rows *rows, struct bh_net_resolved *list, uint8_t *ret_number);

/* The number of a row, a new one if there is none like it. 0, -EINVAL, -ENOMEM. */
int bh_net_rows_find(struct bh_net_rows *rows, const struct bh_net_row *row, uint32_t *ret_row);

/* Rows get their final numbers in the order in which they are asked for. Begin, then each. */
int bh_net_rows_number(struct bh_net_rows *rows); /* 0 or -ENOMEM */
uint32_t bh_net_rows_final(struct bh_net_rows *rows, uint32_t row);

/* Places the automata of the lists of networks. 0, -E2BIG, -ENOMEM. */
int bh_net_rows_place(struct bh_net_rows *rows, struct bh_comb *comb);

/* The automaton of host names, back to front; meanings are row numbers. 0, -EINVAL, -ENOMEM. */
int bh_hosts_build(struct bh_compile *c, struct bh_net_rows *rows, struct bh_machine *ret_machine);

/* The automaton of abstract socket names, into cells and accepts. 0, -EINVAL, -ENOMEM. */
int bh_compile_abstract(struct bh_compile *c, struct bh_comb *comb);

#endif
