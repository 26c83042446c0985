// SPDX-License-Identifier: GPL-2.0-only
/* Every workload that there is. */

#include "list.h"

const struct ml_workload *const ml_workloads[] = {
	&ml_khugepaged,
	NULL
};
