# SPDX-License-Identifier: GPL-2.0-only
# The command line's tests, on a reader built with ASan and UBSan; speed is
# measured on the one that people get.

READER_ASAN_CMD	:= $(patsubst %.c,$(BUILD)/asan/%.o, \
		   $(filter userspace/cmd/%,$(READER_SRC)))

.PHONY: check-cli
.SECONDARY: $(READER_ASAN_CMD)
check-cli: $(BUILD)/asan/mmlockstat $(BUILD)/mmlockstat $(BUILD)/tests/bare ## the reader's command line
	MMLOCKSTAT=$(BUILD)/asan/mmlockstat QUICK=$(BUILD)/mmlockstat \
		BARE=$(BUILD)/tests/bare tests/cli/run $(CLI_TESTS)

$(BUILD)/tests/bare: tests/bench/bare.c
	@mkdir -p $(@D)
	$(CC) $(READER_PKG_CFLAGS) $(READER_CFLAGS) -o $@ $< $(READER_PKG_LIBS)

$(BUILD)/asan/mmlockstat: $(READER_ASAN_CMD) $(BUILD)/asan/reader.a
	$(CC) $(READER_ASAN) -o $@ $^ $(READER_LIBS)

-include $(READER_ASAN_CMD:.o=.d)
