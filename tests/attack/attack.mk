# SPDX-License-Identifier: GPL-2.0-only
# The attackers' programs: static, so that they run in any sandbox and any root. `try` plays one trick per call,
# `serve` is the peer that network tricks aim at.

ATTACK_LIB := $(sort $(wildcard userspace/drill/*.c))
ATTACK_CFLAGS := -std=gnu11 -O2 -g $(WARN) -D_GNU_SOURCE -I. -Iuserspace -ffile-prefix-map=$(CURDIR)/=

.PHONY: attack-programs
attack-programs: $(O)/tests/attack/try $(O)/tests/attack/serve

# Objects of their own: these are static, and the program is not.
$(O)/tests/attack/%.o: tests/attack/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ATTACK_CFLAGS) -MMD -MP -c $< -o $@

$(O)/tests/attack/drill/%.o: userspace/drill/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ATTACK_CFLAGS) -MMD -MP -c $< -o $@

$(O)/tests/attack/try: $(O)/tests/attack/lib/try.o $(ATTACK_LIB:userspace/%.c=$(O)/tests/attack/%.o)
	$(CC) -static -pthread -Wl,--build-id=none -o $@ $^

$(O)/tests/attack/serve: $(O)/tests/attack/lib/serve.o $(O)/tests/attack/drill/peer.o $(O)/tests/attack/drill/report.o
	$(CC) -static -Wl,--build-id=none -o $@ $^
