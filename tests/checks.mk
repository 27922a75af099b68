# SPDX-License-Identifier: GPL-2.0-only
# Targets that test; included by the Makefile. The work is done by tests/lib/check and tests/vm/lib.

KINDS := build lint unit golden fuzz bpf attack reproducible vm
GUEST_SRC := $(sort $(wildcard tests/vm/programs/*.c))
GUEST_BIN := $(GUEST_SRC:%.c=$(O)/%)
BPF_TEST_BIN := $(patsubst %.c,$(O)/%,$(sort $(wildcard tests/bpf/*.c)))
export O

.PHONY: check $(KINDS:%=check-%) unit-programs guest-programs lint attack format vm print-flags
deps:
	@scripts/deps

check: deps
	@O=$(O) tests/lib/check

# The kinds that run the program need it built.
check-golden check-bpf check-attack check-vm: deps
	@$(MAKE) --no-print-directory -j2 O=$(O) all guest-programs
	@O=$(O) tests/lib/check $(@:check-%=%)

check-build check-lint check-unit check-fuzz check-reproducible: deps
	@O=$(O) tests/lib/check $(@:check-%=%)

lint: check-lint
attack: check-attack

unit-programs: $(UNIT_BIN)
guest-programs: $(GUEST_BIN) $(BPF_TEST_BIN) $(O)/tests/vm/programs/quota.img attack-programs

# Helpers of guest tests: static, so that they also run inside bare sandboxes.
$(GUEST_BIN): $(O)/%: %.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -std=gnu11 $(CFLAGS) $(WARN) -static -MMD -MP -MF $@.d -o $@ $<

# A file system with project quotas: guests have nothing to make one with.
$(O)/tests/vm/programs/quota.img:
	@mkdir -p $(@D); truncate -s 64M $@
	PATH="$$PATH:/usr/sbin:/sbin" mkfs.ext4 -q -O quota,project -E quotatype=prjquota $@

# Programs that ask the kernel, here and in guests.
$(BPF_TEST_BIN:%=%.o): | $(SKELETON)
$(BPF_TEST_BIN): %: %.o $(O)/libbulkhead.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

format:
	@git ls-files -co --exclude-standard '*.c' '*.h' | grep -v '^vmlinux/' | xargs -r clang-format -i

# One command as root in a guest kernel. `make` itself only tells 0 from not 0: scripts/vm has the exact status.
vm: deps
	@$(MAKE) --no-print-directory -s -j2 O=$(O) all guest-programs >&2
	@scripts/vm '$(or $(KERNEL),6.1)' '$(subst ','\'',$(CMD))'

include tests/fuzz/fuzz.mk

print-flags:
	@echo '$(subst ','\'',$(CPPFLAGS_ALL) -std=gnu11 $(WARN))'
