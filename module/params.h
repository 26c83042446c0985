/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters, range-checked when they are set. */
#ifndef MLS_PARAMS_H
#define MLS_PARAMS_H

#include <linux/types.h>

#include "core/acct.h"

/**
 * enum mls_backend - how functions are hooked
 * @MLS_BACKEND_AUTO: by the cheapest means that works
 * @MLS_BACKEND_FTRACE: by ftrace only
 * @MLS_BACKEND_KPROBE: by kprobes only
 */
enum mls_backend {
	MLS_BACKEND_AUTO,
	MLS_BACKEND_FTRACE,
	MLS_BACKEND_KPROBE,
};

/**
 * enum mls_clock_choice - which clock is used
 * @MLS_CLOCK_AUTO: the TSC where the kernel calls it stable
 * @MLS_CLOCK_MONO: CLOCK_MONOTONIC
 */
enum mls_clock_choice {
	MLS_CLOCK_AUTO,
	MLS_CLOCK_MONO,
};

extern bool mls_param_start;
extern unsigned int mls_param_slots;
extern unsigned int mls_param_wait_start;
extern unsigned int mls_param_backend;
extern unsigned int mls_param_clock;
extern unsigned int mls_param_fail_stage;

#endif /* MLS_PARAMS_H */
