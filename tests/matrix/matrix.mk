# SPDX-License-Identifier: GPL-2.0-only

.PHONY: build-matrix build-matrix-newest check-matrix

build-matrix: ## compile for every kernel that four suites of Debian offer
	@lab/deps
	@BUILD='$(BUILD)' tests/matrix/run

build-matrix-newest: ## the same for the newest version of each suite only
	@lab/deps
	@BUILD='$(BUILD)' tests/matrix/run --newest

check-matrix: ## which packages the matrix takes for kernels, on carried listings
	@tests/matrix/prove
