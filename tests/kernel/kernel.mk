# SPDX-License-Identifier: GPL-2.0-only
.PHONY: check-kernel
check-kernel: ## lab/kernel: patches that do not apply, do not compile, and do
	@tests/kernel/run
