/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a histogram says: the decades of the tables, and percentiles.
 */
#ifndef MODEL_DECADE_H
#define MODEL_DECADE_H

#include "model/recording.h"

/* Rows of a distribution table: [0, 1) us ... [1000000, +). */
#define NR_DECADES 8

/**
 * struct decade - one row of a distribution table
 * @lower: least time in it, ns
 * @upper: least time above it, ns; BUCKET_INF for the last
 * @label: as printed, in us
 */
struct decade {
	uint64_t lower, upper;
	const char *label;
};

extern const struct decade decades[NR_DECADES];

uint64_t bucket_straddles(const struct bucket *b);
void series_decades(const struct series *s, uint64_t counts[NR_DECADES]);
uint64_t series_percentile(const struct series *s, unsigned int per_mille_10);
uint64_t series_bucket_sum(const struct series *s);

#endif
