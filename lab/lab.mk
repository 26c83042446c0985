# SPDX-License-Identifier: GPL-2.0-only
# Roots and guests; what they are is in lab/README.md.

.PHONY: deps demo check-bed check-bare check-compare

deps: ## install the Debian packages that building and testing need
	@lab/deps

demo: ## a before/after table from a guest with the newest packaged kernel
	@BUILD='$(BUILD)' lab/demo

check-bed: deps ## toggle the stock events under load, without the module
	@lab/prove-bed bookworm trixie trixie-backports

check-bare: deps ## demo and check from nothing, in bare bookworm and trixie
	@MMLOCKSTAT_SUITES=trixie-backports lab/bare trixie
	@lab/bare bookworm

check-compare: ## lab/compare: arguments, merging, the letter; no guest
	@$(MAKE) --no-print-directory check-cli CLI_TESTS=compare.t
