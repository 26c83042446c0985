/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that cleans up when the supervisor cannot. */
#ifndef MMLOCKLOAD_KEEPER_H
#define MMLOCKLOAD_KEEPER_H

#include "frame.h"

int ml_keeper_start(const _Atomic int *worker);
void ml_keeper_forget(void);
void ml_keeper_dismiss(void);

#endif /* MMLOCKLOAD_KEEPER_H */
