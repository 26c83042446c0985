/* SPDX-License-Identifier: GPL-2.0-only */
/* The workloads. */
#ifndef MMLOCKLOAD_LIST_H
#define MMLOCKLOAD_LIST_H

#include "frame.h"

extern const struct ml_workload ml_bigunmap;
extern const struct ml_workload ml_brk;
extern const struct ml_workload ml_ebizzy;
extern const struct ml_workload ml_faultaround;
extern const struct ml_workload ml_faults;
extern const struct ml_workload ml_filefault;
extern const struct ml_workload ml_fork;
extern const struct ml_workload ml_frames;
extern const struct ml_workload ml_khugepaged;
extern const struct ml_workload ml_mapsread;
extern const struct ml_workload ml_mmapchurn;
extern const struct ml_workload ml_swap;

#endif /* MMLOCKLOAD_LIST_H */
