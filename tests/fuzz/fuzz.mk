# SPDX-License-Identifier: GPL-2.0-only
# Fuzzing of what the reader parses, by clang's libFuzzer. What it finds stays
# in $(BUILD)/fuzz; a seed worth keeping belongs into tests/fuzz/corpus, which
# the unit tests replay without clang.

FUZZ_TARGETS	:= recording snapshot trace
FUZZ_SECONDS	?= 300
FUZZ_CC		?= clang
FUZZ_CFLAGS	= -std=gnu11 -O1 -g -Wall -Wextra \
		  -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

.PHONY: fuzz fuzz-deps fuzz-seeds
fuzz: $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%) ## fuzz the parsers, FUZZ_SECONDS=300 each
	tests/fuzz/run $(BUILD)/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-deps:
	@FUZZ_CC=$(FUZZ_CC) tests/fuzz/deps

$(FUZZ_TARGETS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: tests/fuzz/%.c $(READER_LIB_SRC) \
		$(wildcard userspace/*/*.h) | fuzz-deps
	@mkdir -p $(@D)
	$(FUZZ_CC) $(READER_CPPFLAGS) $(FUZZ_CFLAGS) -o $@ $< $(READER_LIB_SRC) \
		$(READER_LIBS)

unit: fuzz-seeds
fuzz-seeds: $(FUZZ_TARGETS:%=$(BUILD)/fuzz/replay-%)
	@for t in $(FUZZ_TARGETS); do \
		$(BUILD)/fuzz/replay-$$t tests/fuzz/corpus/$$t/* || exit 1; done

$(FUZZ_TARGETS:%=$(BUILD)/fuzz/replay-%): $(BUILD)/fuzz/replay-%: tests/fuzz/%.c \
		tests/fuzz/replay.c $(BUILD)/asan/reader.a
	@mkdir -p $(@D)
	$(CC) $(READER_CPPFLAGS) $(READER_CFLAGS) -O1 $(READER_ASAN) -MF $@.d -o $@ \
		tests/fuzz/$*.c tests/fuzz/replay.c $(BUILD)/asan/reader.a $(READER_LIBS)
