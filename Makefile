# SPDX-License-Identifier: GPL-2.0-only
# mmlockstat: records mmap_lock in the kernel, prints before/after tables.
#
# Each folder brings its own rules in NAME.mk; targets that people call carry
# a `## text` that `make help` prints.

VERSION := $(shell cat VERSION)
BUILD   ?= $(CURDIR)/build
KDIR    ?= /lib/modules/$(shell uname -r)/build

.DEFAULT_GOAL := all
.PHONY: all tools help clean
.DELETE_ON_ERROR:

all: tools ## the reader and the workloads

FRAGMENTS := module/module.mk userspace/userspace.mk workloads/workloads.mk \
	     lab/lab.mk tests/tests.mk tests/style/style.mk tests/matrix/matrix.mk \
	     tests/bench/bench.mk tests/kernel/kernel.mk
include $(wildcard $(FRAGMENTS))

help: ## this list
	@sed -nE 's/^([a-z][a-z0-9-]*):.*## (.*)/\1\t\2/p' \
		Makefile $(wildcard $(FRAGMENTS)) | sort | \
		awk -F'\t' '{ printf "  %-14s %s\n", $$1, $$2 }'

clean: ## remove what was built (roots and guests: lab/clean)
	rm -rf $(BUILD)
