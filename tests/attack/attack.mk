# SPDX-License-Identifier: GPL-2.0-only
# The attackers' programs: static, so that they run in any sandbox and any root. `try` plays one trick per call,
# `serve` is the peer that network tricks aim at.

ATTACK_LIB := $(filter-out tests/attack/lib/try.c tests/attack/lib/serve.c,$(sort $(wildcard tests/attack/lib/*.c)))
ATTACK_CFLAGS := -std=gnu11 -O2 -g $(WARN) -D_GNU_SOURCE -I. -ffile-prefix-map=$(CURDIR)/=

.PHONY: attack-programs
attack-programs: $(O)/tests/attack/try $(O)/tests/attack/serve

$(O)/tests/attack/lib/%.o: tests/attack/lib/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ATTACK_CFLAGS) -MMD -MP -c $< -o $@

$(O)/tests/attack/try: $(O)/tests/attack/lib/try.o $(ATTACK_LIB:%.c=$(O)/%.o)
	$(CC) -static -pthread -Wl,--build-id=none -o $@ $^

$(O)/tests/attack/serve: $(O)/tests/attack/lib/serve.o $(O)/tests/attack/lib/peer.o $(O)/tests/attack/lib/report.o
	$(CC) -static -Wl,--build-id=none -o $@ $^
