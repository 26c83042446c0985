// SPDX-License-Identifier: GPL-2.0-only
/* The printed names of what is counted; see types.h. */
#include "types.h"

const char * const mls_mode_names[MLS_NR_MODES] = {
	[MLS_READ] = "read",
	[MLS_WRITE] = "write",
};

const char * const mls_mode_counter_names[MLS_NR_MODE_COUNTERS] = {
	[MLS_C_ATTEMPTS] = "attempts",
	[MLS_C_ACQUIRED] = "acquired",
	[MLS_C_TRYLOCK_FAILED] = "trylock_failed",
	[MLS_C_ABORTED] = "aborted",
	[MLS_C_ABORTED_WAIT_NS] = "aborted_wait_ns",
	[MLS_C_RELEASED] = "released",
	[MLS_C_NESTED] = "nested",
	[MLS_C_ORPHAN_ACQUIRE] = "orphan_acquire",
	[MLS_C_ORPHAN_RELEASE] = "orphan_release",
	[MLS_C_STALE_WAIT] = "stale_wait",
	[MLS_C_STALE_HOLD] = "stale_hold",
};

const char * const mls_counter_names[MLS_NR_COUNTERS] = {
	[MLS_C_DOWNGRADED] = "downgraded",
	[MLS_C_NEGATIVE_TIME] = "negative_time",
};

const char * const mls_lost_names[MLS_NR_LOST] = {
	[MLS_LOST_NMI] = "nmi",
	[MLS_LOST_REENTERED] = "reentered",
	[MLS_LOST_TABLE_FULL] = "table_full",
	[MLS_LOST_CONTEXT_FULL] = "context_full",
	[MLS_LOST_FILTER_FULL] = "filter_full",
	[MLS_LOST_SLOWPATH_FULL] = "slowpath_full",
};

const char * const mls_series_names[MLS_NR_SERIES] = {
	[MLS_S_READ_WAIT] = "mmap_read_wait",
	[MLS_S_WRITE_WAIT] = "mmap_write_wait",
	[MLS_S_READ_HOLD] = "mmap_read_hold",
	[MLS_S_WRITE_HOLD] = "mmap_write_hold",
};
