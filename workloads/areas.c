// SPDX-License-Identifier: GPL-2.0-only
/* Room for very many mappings in one process. */

#include <inttypes.h>
#include <stdio.h>

#include "journal.h"
#include "resources.h"

#define MAP_COUNT	"/proc/sys/vm/max_map_count"
/* Mappings beside the workload's: program, libraries, stacks of threads. */
#define OTHER_AREAS	2000

/**
 * ml_need_areas() - let this process have so many mappings
 * @nr: how many
 *
 * Raises vm.max_map_count for the run if it is lower.
 *
 * Return: ML_DONE, or ML_PREMISE when a line has said why not.
 */
int ml_need_areas(uint64_t nr)
{
	char text[32];

	if (ml_file_u64(MAP_COUNT) >= nr + OTHER_AREAS)
		return ML_DONE;
	snprintf(text, sizeof(text), "%" PRIu64, nr + OTHER_AREAS);
	return ml_setting(MAP_COUNT, text) ? ML_PREMISE : ML_DONE;
}
