// SPDX-License-Identifier: GPL-2.0-only
/* Threads that take page faults in memory of their own, one after the other. */

#include <errno.h>
#include <sys/mman.h>

#include "resources.h"
#include "team.h"

#define FAULTER_AREA	(4 * MIB)

/**
 * ml_faulter() - member function: time page faults until told to stop
 * @member: the member; each fault is an operation
 *
 * The area is not handed on to children, so that a fork elsewhere does not
 * make these faults copies of pages.
 */
void ml_faulter(struct ml_member *member)
{
	char *area = ml_map(FAULTER_AREA, PROT_READ | PROT_WRITE);
	uint64_t offset = 0;

	if (!area || madvise(area, FAULTER_AREA, MADV_DONTFORK)) {
		ml_fail(member, "mapping its area", errno);
		return;
	}
	while (ml_runs(member)) {
		uint64_t start = ml_now();

		*(volatile char *)(area + offset) = 1;
		ml_took(member, ml_now() - start);
		offset += ml_page;
		if (offset < FAULTER_AREA)
			continue;
		offset = 0;
		if (madvise(area, FAULTER_AREA, MADV_DONTNEED)) {
			ml_fail(member, "MADV_DONTNEED", errno);
			return;
		}
	}
}
