/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trace-cmd file says of itself and libtracecmd hands to nobody: the clock,
 * the machine, how much there is of each CPU. Read by the formats' descriptions,
 * trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5).
 */
#ifndef SOURCE_TRACE_DATOPT_H
#define SOURCE_TRACE_DATOPT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/err.h"
#include "source/trace_pair.h"

/**
 * struct trace_datopt - the options of a file
 * @version: of its format, 6 or 7
 * @clock: name of the clock; empty for not known
 * @kernel: release of the kernel; empty for not known
 * @arch: of the machine; empty for not known
 * @is_converted: times of a TSC come with what makes them ns
 * @cpus: CPUs of the machine, 0 for not known
 * @page_size: bytes of a page of a buffer
 * @pages: of a CPU: pages that the buffer asked for has of it
 */
struct trace_datopt {
	unsigned int version;
	char clock[32], kernel[128], arch[32];
	bool is_converted;
	unsigned int cpus;
	uint64_t page_size, pages[TRACE_NR_CPUS];
};

#define TRACE_DAT_MAGIC		"\x17\x08\x44tracing"
#define TRACE_DAT_MAGIC_LEN	10

int trace_datopt_read(const char *path, const char *buffer,
		      struct trace_datopt *opt, struct err *err);
int trace_datopt_check_clock(const char *path, struct trace_datopt *opt,
			     struct err *err);

#endif
