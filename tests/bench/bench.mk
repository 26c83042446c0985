# SPDX-License-Identifier: GPL-2.0-only

.PHONY: bench bench-import

bench: $(BUILD)/bench/pairs ## what recording costs a lock, in instructions
	@lab/deps
	@BUILD='$(BUILD)' tests/bench/run

bench-import: $(BUILD)/mmlockstat $(BUILD)/tests/bare ## what importing a trace costs against a bare read
	@tests/bench/run-import $^

# Static: it runs in guests of other releases than the host's.
$(BUILD)/bench/pairs: tests/bench/pairs.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -static -o $@ $<
