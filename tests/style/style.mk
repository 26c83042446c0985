# SPDX-License-Identifier: GPL-2.0-only
# The style gates; what each is about: tests/style/gates/NAME.

.PHONY: style check-style check-sparse

style: tools ## checkpatch, kernel-doc, shellcheck and more, over the whole tree
	@lab/deps
	@BUILD='$(BUILD)' tests/style/run

check-style: ## show that each style gate finds a planted fault
	@lab/deps
	@tests/style/prove

check-sparse: ## W=1 and sparse on 6.1 and 6.12, in layers over their roots
	@lab/deps
	@tests/style/sparse bookworm trixie
