# SPDX-License-Identifier: GPL-2.0-only
# The module is built in a copy of its sources, so that one tree serves any
# number of kernels: make module KDIR=... BUILD=...

.PHONY: module
MODULE_BUILD := $(BUILD)/module
# what kbuild is told: W=1 and friends pass through
MODULE_MAKE  := $(if $(W),W=$(W)) $(if $(V),V=$(V)) $(if $(CC_KERNEL),CC=$(CC_KERNEL))

module: ## the module for the kernel behind KDIR, in build/module/mmlockstat.ko
	@# objects of another kernel are of no use
	@if [ "$$(cat $(MODULE_BUILD)/.kdir 2>/dev/null)" != "$(KDIR)" ]; then \
		rm -rf $(MODULE_BUILD); fi
	@mkdir -p $(MODULE_BUILD)/include
	@cp -pu Kbuild VERSION $(MODULE_BUILD)/
	@cp -pru module $(MODULE_BUILD)/
	@cp -pru include/uapi $(MODULE_BUILD)/include/
	@cp -pru module/compat/checks $(MODULE_BUILD)/
	@echo "$(KDIR)" >$(MODULE_BUILD)/.kdir
	@module/compat/configure $(KDIR) $(MODULE_BUILD) $(MODULE_MAKE)
	$(MAKE) -C $(KDIR) M=$(MODULE_BUILD) $(MODULE_MAKE) modules
