# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of the reader: its layers below the commands, under ASan and
# UBSan, one program for each tests/unit/reader_*.c.

READER_UNIT	:= $(patsubst tests/unit/%.c,%, \
		   $(sort $(wildcard tests/unit/reader_*.c)))
READER_UNIT_BIN	:= $(READER_UNIT:%=$(BUILD)/unit/%)
READER_ASAN_OBJ	:= $(READER_LIB_SRC:%.c=$(BUILD)/asan/%.o)
READER_ASAN	= -fsanitize=address,undefined -fno-sanitize-recover=all \
		  -fno-omit-frame-pointer

.PHONY: unit unit-reader
.SECONDARY: $(READER_ASAN_OBJ)
unit: unit-reader
unit-reader: $(READER_UNIT_BIN)
	@bad=0; for t in $^; do $$t || bad=1; done; exit $$bad

$(BUILD)/asan/userspace/%.o: userspace/%.c VERSION
	@mkdir -p $(@D)
	$(CC) $(READER_CPPFLAGS) $(READER_CFLAGS) -O1 $(READER_ASAN) -c -o $@ $<

$(BUILD)/asan/reader.a: $(READER_ASAN_OBJ)
	@rm -f $@
	$(AR) crs $@ $^

$(BUILD)/unit/reader_%: tests/unit/reader_%.c tests/unit/reader.h $(BUILD)/asan/reader.a
	@mkdir -p $(@D)
	$(CC) $(READER_CPPFLAGS) $(READER_CFLAGS) -O1 $(READER_ASAN) \
		-MF $@.d -o $@ $< $(BUILD)/asan/reader.a -lcmocka $(READER_LIBS)

-include $(READER_ASAN_OBJ:.o=.d) $(READER_UNIT_BIN:=.d)
