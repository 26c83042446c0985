// SPDX-License-Identifier: GPL-2.0-only
/* Every workload that there is. */

#include "list.h"

const struct ml_workload *const ml_workloads[] = {
	&ml_bigunmap,
	&ml_brk,
	&ml_ebizzy,
	&ml_faultaround,
	&ml_faults,
	&ml_filefault,
	&ml_fork,
	&ml_frames,
	&ml_khugepaged,
	&ml_mapsread,
	&ml_mmapchurn,
	&ml_swap,
	NULL
};
