# SPDX-License-Identifier: GPL-2.0-only
# The module is built in a copy of its sources, so that one tree serves any
# number of kernels: make module KDIR=... BUILD=...

.PHONY: module
MODULE_BUILD := $(BUILD)/module
# what kbuild is told: W=1 and friends pass through
MODULE_MAKE  := $(if $(W),W=$(W)) $(if $(V),V=$(V)) $(if $(CC_KERNEL),CC=$(CC_KERNEL))

MODULE_CHECKS  := $(wildcard module/compat/checks/*)
MODULE_SOURCES := Kbuild VERSION include/uapi/mmlockstat.h \
	$(wildcard module/*.[ch] module/*/*.[ch])

module: ## the module for the kernel behind KDIR, in build/module/mmlockstat.ko
	@# objects of another kernel, or of other headers of it, are of no use
	@kernel="$(KDIR) $$(stat -Lc %Y $(KDIR)/include/generated/autoconf.h 2>/dev/null)"; \
	if [ "$$(cat $(MODULE_BUILD)/.kernel 2>/dev/null)" != "$$kernel" ]; then \
		rm -rf $(MODULE_BUILD); fi; \
	mkdir -p $(MODULE_BUILD); \
	echo "$$kernel" >$(MODULE_BUILD)/.kernel
	@# by content, not by time: an older file may be the one wanted
	@for file in $(MODULE_SOURCES) $(MODULE_CHECKS); do \
		to=$(MODULE_BUILD)/$$file; \
		case $$file in module/compat/checks/*) \
			to=$(MODULE_BUILD)/checks/$${file##*/};; esac; \
		cmp -s $$file $$to || { mkdir -p $${to%/*} && cp -p $$file $$to; } || exit; \
	done
	@module/compat/configure $(KDIR) $(MODULE_BUILD) $(MODULE_MAKE)
	$(MAKE) -C $(KDIR) M=$(MODULE_BUILD) $(MODULE_MAKE) modules
