# SPDX-License-Identifier: GPL-2.0-only
# Bulkhead. `make` builds, `make demo` shows, `make check` proves; `make help` lists the rest.

O ?= build
CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
BPF_CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
LLVM_STRIP ?= llvm-strip
ARCH := $(shell uname -m)
VERSION := 0.1.0

# ---- flags -----------------------------------------------------------------------------------------------------
LIBS := libbpf yaml-0.1 jansson libcap-ng libmd
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla \
	-Wno-unused-parameter -Wno-missing-field-initializers
CFLAGS ?= -O2 -g
HARDEN := -fstack-protector-strong -fPIE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
ifeq ($(SAN),1)
HARDEN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -fPIE
LDSAN := -fsanitize=address,undefined
endif
ifeq ($(COV),1)
# without optimisation gcc guesses at lengths it would otherwise know
HARDEN := --coverage -O0 -Wno-format-truncation -fPIE
LDSAN := --coverage
endif
CPPFLAGS_ALL = -D_GNU_SOURCE -DBH_VERSION='"$(VERSION)"' -I. -Iuserspace -I$(O)/gen $(shell pkg-config --cflags $(LIBS) 2>/dev/null)
CFLAGS_ALL = -std=gnu11 $(CFLAGS) $(WARN) $(HARDEN) -ffile-prefix-map=$(CURDIR)=. -fno-common
LDFLAGS_ALL = $(LDFLAGS) $(LDSAN) -pie -Wl,-z,relro,-z,now -Wl,--build-id=none
LDLIBS_ALL = $(shell pkg-config --libs $(LIBS) 2>/dev/null)
BPF_CFLAGS = -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(if $(filter x86_64,$(ARCH)),x86,arm64) \
	-Wall -Wextra -Werror -Wno-unused-parameter -Wno-missing-declarations -Wno-address-of-packed-member -std=gnu11 -ffile-prefix-map=$(CURDIR)/= -fdebug-compilation-dir=. \
	-I. -Ivmlinux/$(ARCH) -I/usr/include/$(ARCH)-linux-gnu

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# ---- sources ---------------------------------------------------------------------------------------------------
LIB_SRC := $(filter-out userspace/cli/%,$(sort $(wildcard userspace/*/*.c exporters/*.c)))
CLI_SRC := $(sort $(wildcard userspace/cli/*.c))
BPF_SRC := $(sort $(wildcard bpf/hooks/*.bpf.c))
RULES := $(sort $(wildcard rules/*.yaml rules/*.txt rules/*/*.yaml rules/*.def))
UNIT_SRC := $(sort $(wildcard tests/unit/*/*.c))

LIB_OBJ := $(LIB_SRC:%.c=$(O)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(O)/%.o)
BPF_OBJ := $(BPF_SRC:%.bpf.c=$(O)/%.bpf.o)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(O)/tests/unit/%)
SKELETON := $(O)/gen/bulkhead.skel.h

.PHONY: all clean help deps
all: $(O)/bulkhead

# A change of compiler or flags rebuilds everything: the stamp changes only when its text does.
STAMP := $(O)/flags.stamp
STAMP_TEXT = $(CC) $(CFLAGS_ALL) $(CPPFLAGS_ALL) $(LDFLAGS_ALL) $(BPF_CLANG) $(BPF_CFLAGS)
$(STAMP): FORCE
	@mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(STAMP_TEXT))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(STAMP_TEXT))' >$@
.PHONY: FORCE
FORCE:

# ---- kernel side -----------------------------------------------------------------------------------------------
$(O)/%.bpf.o: %.bpf.c $(STAMP)
	@mkdir -p $(@D)
	$(BPF_CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@.tmp
	@$(LLVM_STRIP) -g $@.tmp && mv $@.tmp $@

$(O)/gen/bulkhead.bpf.o: $(BPF_OBJ)
	@mkdir -p $(@D)
	$(BPFTOOL) gen object $@ $^

$(SKELETON): $(O)/gen/bulkhead.bpf.o
	$(BPFTOOL) gen skeleton $< name bulkhead_bpf >$@.tmp && mv $@.tmp $@

# ---- userspace -------------------------------------------------------------------------------------------------
$(O)/%.o: %.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

# Only userspace/kernel knows the skeleton; only the embedding file holds rules/.
$(filter $(O)/userspace/kernel/%,$(LIB_OBJ)): | $(SKELETON)
$(O)/userspace/policy/embedded.o: $(RULES)

$(O)/libbulkhead.a: $(LIB_OBJ)
	rm -f $@; ar rcsD $@ $^

$(O)/bulkhead: $(CLI_OBJ) $(O)/libbulkhead.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

$(O)/tests/unit/%: $(O)/tests/unit/%.o $(O)/libbulkhead.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ -lcmocka $(LDLIBS_ALL) -lm

-include $(shell find $(O) -name '*.d' 2>/dev/null)

include tests/checks.mk
-include tests/attack/attack.mk
include tests/bench/bench.mk

.PHONY: demo
demo: deps
	@$(MAKE) --no-print-directory -s -j2 O=$(O) all
	@O=$(O) scripts/demo

help:
	@sed -n 's/^#?  //p' Makefile

#?  make                 build/bulkhead (O=dir for another place)
#?  make demo            the main job on this machine: a sandboxed session, real denials, a kill
#?  make check           every test on every kernel; ends with "N passed, N failed, N skipped"
#?  make check-KIND      one kind: build lint unit golden fuzz bpf attack reproducible vm
#?                       (KERNELS="6.1 new" with check-vm: only these)
#?  make bench           what calls cost alone, beside a sandbox and inside one, in instructions (KERNEL=6.1)
#?  make bench-compile   what compiling 100, 5,000 and 100,000 rules takes: seconds, memory, table sizes
#?  make bench-detect    how many recorded events are read, and detected, in a second
#?  make fuzz            every fuzz target for FUZZ_SECONDS=600 seconds, then FUZZ_QUESTIONS=100000000 to three engines
#?  make vm KERNEL=6.1 CMD='...'   a command as root in a guest (5.10 6.1 6.12 new), in this tree; also MEM= LSM=
#?                       APPEND= SYSTEMD=1 HYBRID=1 ICOUNT=1
#?  make lint, format    the lints; reformat all C
#?  make deps            install the Debian packages that all this needs
#?  make clean

clean:
	rm -rf $(O)
