// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's own pairing and buckets, for sessions that were traced without it:
 * compiled from the module's files, so that the two cannot differ.
 */
#include "../../module/core/hist.c"
#include "../../module/core/lockseq.c"
