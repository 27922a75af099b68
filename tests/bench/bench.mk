# SPDX-License-Identifier: GPL-2.0-only
# make bench: what calls cost, in instructions, in a guest that counts them. Figures, no verdict.

BENCH_BIN := $(O)/tests/bench/cost

$(BENCH_BIN): $(O)/%: %.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -std=gnu11 $(CFLAGS) $(WARN) -static -MMD -MP -MF $@.d -o $@ $<

LARGE_BIN := $(O)/tests/bench/large

$(LARGE_BIN): $(O)/%: %.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -std=gnu11 $(CFLAGS) $(WARN) -MMD -MP -MF $@.d -o $@ $<

DETECT_BIN := $(O)/tests/bench/detect

$(DETECT_BIN): $(DETECT_BIN).o $(O)/libbulkhead.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

.PHONY: bench bench-compile bench-detect
bench-detect: deps
	@$(MAKE) --no-print-directory -s -j2 O=$(O) $(DETECT_BIN) >&2
	@$(DETECT_BIN) tests/golden/detect/*.jsonl

bench-compile: deps
	@$(MAKE) --no-print-directory -s -j2 O=$(O) all $(LARGE_BIN) >&2
	@tests/bench/compile.py $(O)/bulkhead $(LARGE_BIN)

bench: deps
	@$(MAKE) --no-print-directory -s -j2 O=$(O) all $(BENCH_BIN) >&2
	@echo 'instructions added to each call (kernel $(or $(KERNEL),6.1), one processor, emulated)'
	@ICOUNT=1 LIMIT=900 scripts/vm '$(or $(KERNEL),6.1)' tests/bench/guest
