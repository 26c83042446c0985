/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * mmlockstat: what the module and the programs that read it agree on.
 *
 * The only header that kernel and user space share.  Rules: names and numbers
 * are appended, never changed or reused; fixed width, no pointers; it compiles
 * alone as C90, C11 and C++.
 */
#ifndef _UAPI_MMLOCKSTAT_H
#define _UAPI_MMLOCKSTAT_H

/* Directory of the module's files, and the files in it. */
#define MMLOCKSTAT_PROC_DIR		"/proc/mmlockstat"
#define MMLOCKSTAT_FILE_HISTOGRAMS	"histograms"
#define MMLOCKSTAT_FILE_STATUS		"status"
#define MMLOCKSTAT_FILE_SNAPSHOT	"snapshot"
#define MMLOCKSTAT_FILE_CONTROL		"control"

/*
 * First line of the snapshot file: this word, a blank, the version.  A reader
 * refuses another version; lines of an unknown key it ignores.
 */
#define MMLOCKSTAT_SNAPSHOT_MAGIC	"mmlockstat-snapshot"
#define MMLOCKSTAT_SNAPSHOT_VERSION	1

/* Longest line of the snapshot file, newline included, in bytes. */
#define MMLOCKSTAT_SNAPSHOT_LINE_MAX	1024

/*
 * Buckets of a histogram of nanoseconds: 0..99 one each; then, for every
 * decade from 10^2 to 10^11, 90 buckets of two significant digits; then one
 * for everything from 10^12 ns (1000 s) up.  Every decade edge is a bucket edge.
 */
#define MMLOCKSTAT_NR_EXACT		100
#define MMLOCKSTAT_NR_DECADES		10
#define MMLOCKSTAT_NR_PER_DECADE	90
#define MMLOCKSTAT_NR_BUCKETS \
	(MMLOCKSTAT_NR_EXACT + \
	 MMLOCKSTAT_NR_DECADES * MMLOCKSTAT_NR_PER_DECADE + 1)

/* Longest command accepted by the control file, in bytes. */
#define MMLOCKSTAT_CONTROL_MAX		1024

#endif /* _UAPI_MMLOCKSTAT_H */
