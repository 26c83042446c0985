# SPDX-License-Identifier: GPL-2.0-only
# The reader's statistics against SciPy's. CASES is small in `make check`.

CASES ?= 10000

.PHONY: check-stats
check-stats: $(BUILD)/tests/rankcat ## statistics against SciPy, 11,000 cases
	tests/stats/compare $< $(CASES)

$(BUILD)/tests/rankcat: tests/stats/rankcat.c $(BUILD)/userspace/stats/rank.o
	@mkdir -p $(@D)
	$(CC) $(READER_CPPFLAGS) $(READER_CFLAGS) $(CFLAGS) -o $@ $^ -lm
