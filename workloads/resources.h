/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Things that a workload needs of the system for its time: a block device with
 * a latency, swap, a memory limit, files that are cold. Each is in the journal
 * before it is made, and gone when the workload has ended.
 */
#ifndef MMLOCKLOAD_RESOURCES_H
#define MMLOCKLOAD_RESOURCES_H

#include "frame.h"

#define ML_PATH		200

/* The word that asks for a device of our own instead of a path. */
#define ML_NULL_BLK	"null_blk"

/* device.c */
extern uint64_t ml_device_latency_us;
int ml_null_blk(uint64_t bytes, uint64_t filled, char *device);

/* swap.c */
int ml_swap_prepare(const char *where, uint64_t bytes, bool allow_zram);

/* cgroup.c */
/**
 * struct ml_cgroup - a memory cgroup of our own
 * @path: its directory
 * @v2: of the unified hierarchy
 */
struct ml_cgroup {
	char path[ML_PATH];
	bool v2;
};

int ml_cgroup_make(struct ml_cgroup *group, const char *name, uint64_t limit,
		   bool swap);
int ml_cgroup_enter(const struct ml_cgroup *group);
uint64_t ml_cgroup_stat(const struct ml_cgroup *group, const char *name);

/* files.c */
int ml_dir_prepare(const char *where, uint64_t bytes, char *dir);
int ml_file_make(const char *dir, uint64_t bytes);
int ml_file_chill(int fd, uint64_t bytes);
int ml_dir_need_cold(const char *dir);

/* areas.c */
/* Kernel memory of a mapping: the struct and its tree nodes, generously. */
#define ML_AREA_COST	UINT64_C(600)
int ml_need_areas(uint64_t nr);

/* faulters.c */
struct ml_member;
void ml_faulter(struct ml_member *member);

/* device.c: a program of the system, run to its end. */
int ml_program(const char *const *argv);

#endif /* MMLOCKLOAD_RESOURCES_H */
