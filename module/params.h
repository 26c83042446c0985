/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters, range-checked when they are set. */
#ifndef MLS_PARAMS_H
#define MLS_PARAMS_H

#include <linux/types.h>

extern bool mls_param_start;
extern unsigned int mls_param_slots;
extern unsigned int mls_param_fail_stage;

#endif /* MLS_PARAMS_H */
