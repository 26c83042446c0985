/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names in a run's account of itself: what was lost, unpaired or in flight.
 * Causes of loss are not among them: `lost_` and any word.
 */
#ifndef MODEL_HEALTH_H
#define MODEL_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/recording.h"

/**
 * enum health_kind - what a name of the account is; bits
 * @HEALTH_COUNTER: the module has it among its counters; it tells of the recording,
 *	not of the lock
 * @HEALTH_COUNT: events: below zero only what an equation leaves can be
 * @HEALTH_UNPAIRED: operations that the recording has only a part of, or wrongly
 */
enum health_kind {
	HEALTH_COUNTER	= 1 << 0,
	HEALTH_COUNT	= 1 << 1,
	HEALTH_UNPAIRED	= 1 << 2,
};

int64_t health_unpaired(const struct counters *health, const char *name);
bool health_is(const char *name, enum health_kind kind);

#endif
