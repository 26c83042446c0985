# SPDX-License-Identifier: GPL-2.0-only
# mmlockstat, the reader: layers below userspace/, the commands on top.

READER_LIB_SRC	:= $(sort $(wildcard userspace/model/*.c userspace/stats/*.c \
		   userspace/source/*.c userspace/render/*.c))
READER_SRC	:= $(sort $(wildcard userspace/cmd/*.c)) $(READER_LIB_SRC)
READER_OBJ	:= $(READER_SRC:%.c=$(BUILD)/%.o)
# Recordings are JSON; trace sessions are read by the libraries of trace-cmd.
READER_PKGS	:= jansson libtracecmd libtraceevent libtracefs
READER_PKG_CFLAGS = $(shell pkg-config --cflags $(READER_PKGS))
READER_PKG_LIBS	= $(shell pkg-config --libs $(READER_PKGS))
READER_CPPFLAGS	= -Iuserspace -Iinclude/uapi $(READER_PKG_CFLAGS) \
		  -D_GNU_SOURCE -DMMLOCKSTAT_VERSION='"$(VERSION)"'
READER_WARN	= -Wall -Wextra -Werror -Wmissing-prototypes -Wshadow \
		  -Wstrict-prototypes
READER_CFLAGS	= -std=gnu11 -O2 -g $(READER_WARN) -MMD -MP
READER_LIBS	= $(READER_PKG_LIBS) -lm

.PHONY: mmlockstat
tools: $(BUILD)/mmlockstat
mmlockstat: $(BUILD)/mmlockstat ## the reader

$(BUILD)/mmlockstat: $(READER_OBJ)
	$(CC) $(LDFLAGS) -o $@ $^ $(READER_LIBS)

$(BUILD)/userspace/%.o: userspace/%.c VERSION
	@mkdir -p $(@D)
	$(CC) $(READER_CPPFLAGS) $(READER_CFLAGS) $(CFLAGS) -c -o $@ $<

-include $(READER_OBJ:.o=.d)

MAN_PAGES	:= $(patsubst docs/%.rst,$(BUILD)/man/%,$(wildcard docs/*.1.rst))
RST2MAN		?= $(firstword $(foreach p,rst2man rst2man.py, \
		   $(shell command -v $(p); true)))

.PHONY: man
man: $(MAN_PAGES) ## the man pages, by docutils

$(BUILD)/man/%: docs/%.rst
	@mkdir -p $(@D)
	@test -n "$(RST2MAN)" || { \
		echo "man: rst2man is missing: install python3-docutils" >&2; exit 1; }
	$(RST2MAN) --halt=2 $< $@

READER_FRAGMENTS := tests/unit/reader.mk tests/stats/stats.mk tests/cli/cli.mk \
		    tests/fuzz/fuzz.mk
# for `make help`
FRAGMENTS	+= $(READER_FRAGMENTS)
include $(wildcard $(READER_FRAGMENTS))
