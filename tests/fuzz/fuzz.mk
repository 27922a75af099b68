# SPDX-License-Identifier: GPL-2.0-only
# Fuzz targets: each tests/fuzz/fuzz_NAME.c with the parts of userspace that need no kernel, all built by clang with the
# sanitizers in a folder of their own. tests/fuzz/run runs them.
FUZZ_O := $(O)-fuzz
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_BIN := $(FUZZ_SRC:%.c=$(O)/%)
FUZZ_LIB := $(filter $(foreach m,base policy compile verify event detect,$(O)/userspace/$(m)/%) $(O)/exporters/%,$(LIB_OBJ))
FUZZ_SECONDS ?= 600
FUZZ_QUESTIONS ?= 100000000

.PHONY: fuzz fuzz-build fuzz-programs
fuzz: fuzz-build
	@O=$(O) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run
	@$(MAKE) --no-print-directory -s -j2 O=$(O) $(O)/tests/bpf/differential
	@O=$(O) BH_QUESTIONS=$(FUZZ_QUESTIONS) tests/bpf/differential.sh

fuzz-build: deps
	@$(MAKE) --no-print-directory -s -j2 O=$(FUZZ_O) CC=clang SAN=1 CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' fuzz-programs

fuzz-programs: $(FUZZ_BIN)

$(FUZZ_BIN): $(O)/%: $(O)/%.o $(FUZZ_LIB)
	$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LDLIBS_ALL)
