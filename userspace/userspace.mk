# SPDX-License-Identifier: GPL-2.0-only
# mmlockstat, the reader: layers below userspace/, the commands on top.

READER_LIB_SRC	:= $(sort $(wildcard userspace/model/*.c userspace/stats/*.c \
		   userspace/source/*.c userspace/render/*.c))
READER_SRC	:= $(sort $(wildcard userspace/cmd/*.c)) $(READER_LIB_SRC)
READER_OBJ	:= $(READER_SRC:%.c=$(BUILD)/%.o)
JANSSON_CFLAGS	= $(shell pkg-config --cflags jansson)
JANSSON_LIBS	= $(shell pkg-config --libs jansson)
READER_CPPFLAGS	= -Iuserspace -Iinclude/uapi $(JANSSON_CFLAGS) \
		  -D_GNU_SOURCE -DMMLOCKSTAT_VERSION='"$(VERSION)"'
READER_WARN	= -Wall -Wextra -Werror -Wmissing-prototypes -Wshadow \
		  -Wstrict-prototypes
READER_CFLAGS	= -std=gnu11 -O2 -g $(READER_WARN) -MMD -MP
READER_LIBS	= $(JANSSON_LIBS) -lm

.PHONY: mmlockstat
tools: $(BUILD)/mmlockstat
mmlockstat: $(BUILD)/mmlockstat ## the reader

$(BUILD)/mmlockstat: $(READER_OBJ)
	$(CC) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(BUILD)/userspace/%.o: userspace/%.c VERSION
	@mkdir -p $(@D)
	$(CC) $(READER_CPPFLAGS) $(READER_CFLAGS) $(CFLAGS) -c -o $@ $<

-include $(READER_OBJ:.o=.d)

include $(wildcard tests/unit/reader.mk tests/stats/stats.mk \
	   tests/cli/cli.mk tests/fuzz/fuzz.mk)
