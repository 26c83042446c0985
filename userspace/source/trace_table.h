/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is open in a trace at a moment, by who has it and on which mm: as large as
 * the most that was open at once, however long the trace.
 */
#ifndef SOURCE_TRACE_TABLE_H
#define SOURCE_TRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../module/core/lockseq.h"

/**
 * struct trace_slot - one (who, mm)
 * @who: a task, a CPU's interrupt level, or whatever the caller tells apart
 * @mm: the mm
 * @seq: its state
 * @era: when it was last used, in the caller's counting
 * @used: whether the slot is taken
 */
struct trace_slot {
	int64_t who;
	uint64_t mm;
	struct mls_lockseq seq;
	uint32_t era;
	bool used;
};

/**
 * struct trace_table - the slots; all zero is empty
 * @slot: open addressing, linear probing
 * @nr: taken
 * @size: a power of two, or 0
 */
struct trace_table {
	struct trace_slot *slot;
	size_t nr, size;
};

struct trace_slot *trace_table_find(const struct trace_table *t, int64_t who,
				    uint64_t mm);
struct trace_slot *trace_table_take(struct trace_table *t, int64_t who,
				    uint64_t mm);
void trace_table_drop(struct trace_table *t, struct trace_slot *slot);
bool trace_table_is_full(const struct trace_table *t);
void trace_table_free(struct trace_table *t);

#endif
