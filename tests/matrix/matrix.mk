# SPDX-License-Identifier: GPL-2.0-only

.PHONY: build-matrix

build-matrix: ## compile for every kernel that four suites of Debian offer
	@lab/deps
	@BUILD='$(BUILD)' tests/matrix/run
