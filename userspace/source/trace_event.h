/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One stock mmap_lock event of a trace, whatever file it came from.
 */
#ifndef SOURCE_TRACE_EVENT_H
#define SOURCE_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "../../module/core/lockseq.h"

/* The latest time believed, ns: 73 years, that of the clock tai included. */
#define TRACE_MAX_NS	(UINT64_C(1) << 61)

/* Of a CPU that the file does not tell. */
#define TRACE_NO_CPU	(-1)

/**
 * enum trace_what - what happened
 * @TRACE_START: mmap_lock_start_locking
 * @TRACE_ACQUIRED: mmap_lock_acquire_returned with success
 * @TRACE_FAILED: mmap_lock_acquire_returned without
 * @TRACE_RELEASED: mmap_lock_released
 * @TRACE_NR_WHAT: number of these
 */
enum trace_what {
	TRACE_START,
	TRACE_ACQUIRED,
	TRACE_FAILED,
	TRACE_RELEASED,
	TRACE_NR_WHAT,
};

/**
 * enum trace_level - what the event interrupted; as the module's enum mls_level
 * @TRACE_TASK: a task with interrupts on; also where the file does not tell
 * @TRACE_SOFTIRQ: a soft interrupt with interrupts on
 * @TRACE_IRQS_OFF: interrupts are off, but it is no hard interrupt
 * @TRACE_HARDIRQ: a hard interrupt
 * @TRACE_NR_LEVELS: number of levels
 */
enum trace_level {
	TRACE_TASK,
	TRACE_SOFTIRQ,
	TRACE_IRQS_OFF,
	TRACE_HARDIRQ,
	TRACE_NR_LEVELS,
};

/**
 * struct trace_event - one event
 * @ns: time, below TRACE_MAX_NS
 * @mm: address of the mm, or what the kernel printed for it
 * @tid: the current task, 0 and up
 * @cpu: where, or TRACE_NO_CPU
 * @what: enum trace_what
 * @mode: enum mls_mode
 * @level: enum trace_level
 * @softirq: a soft interrupt is being served, also where @level is another
 */
struct trace_event {
	uint64_t ns, mm;
	int32_t tid, cpu;
	uint8_t what, mode, level;
	bool softirq;
};

#endif
