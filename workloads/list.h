/* SPDX-License-Identifier: GPL-2.0-only */
/* The workloads, one file each. */
#ifndef MMLOCKLOAD_LIST_H
#define MMLOCKLOAD_LIST_H

#include "frame.h"

extern const struct ml_workload ml_khugepaged;

#endif /* MMLOCKLOAD_LIST_H */
