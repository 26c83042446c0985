/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a trace-cmd file, read by libtracecmd and libtraceevent.
 */
#ifndef SOURCE_TRACE_DAT_H
#define SOURCE_TRACE_DAT_H

#include "model/err.h"
#include "source/trace_datopt.h"
#include "source/trace_pair.h"

int trace_dat_read(const char *path, const char *buffer,
		   struct trace_datopt *opt, struct trace_pair *p,
		   volatile uint64_t *progress, struct err *err);

#endif
