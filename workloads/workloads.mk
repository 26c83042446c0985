# SPDX-License-Identifier: GPL-2.0-only
# mmlockload: every workload of the project in one program.

MMLOCKLOAD_SRC	:= $(sort $(wildcard workloads/*.c))
MMLOCKLOAD_OBJ	:= $(MMLOCKLOAD_SRC:%.c=$(BUILD)/%.o)
MMLOCKLOAD_CFLAGS = -std=gnu11 -O2 -g -pthread -D_GNU_SOURCE \
		    -DMMLOCKLOAD_VERSION='"$(VERSION)"' \
		    -Wall -Wextra -Werror -Wmissing-prototypes -Wshadow -MMD -MP

.PHONY: mmlockload check-load
tools: $(BUILD)/mmlockload
mmlockload: $(BUILD)/mmlockload ## the workloads

$(BUILD)/mmlockload: $(MMLOCKLOAD_OBJ)
	$(CC) $(LDFLAGS) -pthread -o $@ $^

$(BUILD)/workloads/%.o: workloads/%.c VERSION
	@mkdir -p $(@D)
	$(CC) $(MMLOCKLOAD_CFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/workloads/test-latency: workloads/tests/latency.c workloads/latency.c \
		workloads/latency.h workloads/frame.h
	@mkdir -p $(@D)
	$(CC) $(MMLOCKLOAD_CFLAGS) $(CFLAGS) -o $@ $<

check-load: $(BUILD)/mmlockload $(BUILD)/workloads/test-latency ## mmlockload: man page and arithmetic, on the host
	workloads/check-man $< docs/mmlockload.1.rst
	$(BUILD)/workloads/test-latency

-include $(MMLOCKLOAD_OBJ:.o=.d)
