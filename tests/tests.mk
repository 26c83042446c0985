# SPDX-License-Identifier: GPL-2.0-only
# All tests; which there are and what they need: docs/testing.md.

CORE_UNIT	:= $(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/core_*.c)))
CORE_UNIT_BIN	:= $(CORE_UNIT:%=$(BUILD)/unit/%)
VM_PROGRAMS	:= $(patsubst tests/vm/prog/%.c,$(BUILD)/tests/vm/mlt-%, \
		   $(sort $(wildcard tests/vm/prog/*.c)))
TEST_CFLAGS	= -std=gnu11 -g -Wall -Wextra -Werror -Wmissing-prototypes -MMD -MP
# The kernel compares signed with unsigned, and so do its files that are included.
TEST_ASAN	= -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
		  -fno-omit-frame-pointer -Wno-sign-compare -Itests/unit/shim

.PHONY: check check-soak check-debug unit unit-core check-pair tests-vm

check: ## all tests: on the host, and in guests with 6.1, 6.12 and 7.x
	@BUILD='$(BUILD)' tests/run

check-soak: ## 200 loads and unloads under all of stress-ng's mm stressors
	@BUILD='$(BUILD)' tests/run soak

check-debug: ## the guests' tests on a kernel with KASAN, lockdep, kmemleak
	@BUILD='$(BUILD)' tests/run debug

unit: unit-core ## unit tests, under the address and undefined sanitizers
unit-core: $(CORE_UNIT_BIN)
	@bad=0; for t in $^; do $$t || bad=1; done; exit $$bad

$(BUILD)/unit/core_%: tests/unit/core_%.c tests/unit/core.h
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) $(TEST_ASAN) -o $@ $< $(shell pkg-config --cflags --libs cmocka)

check-pair: $(BUILD)/tests/oracle/pair ## the pairing against an independent one, over a recorded session
	@tests/oracle/run $<

$(BUILD)/tests/oracle/pair: tests/oracle/pair.c
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) $(TEST_ASAN) -o $@ $<

# Static: they run in guests of other releases than the host's.
tests-vm: $(VM_PROGRAMS)
$(BUILD)/tests/vm/mlt-%: tests/vm/prog/%.c
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -O2 -static -o $@ $<

-include $(CORE_UNIT_BIN:=.d) $(VM_PROGRAMS:=.d) $(BUILD)/tests/oracle/pair.d
