/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the pure files (hist, lockseq) need from their surroundings, in the
 * kernel, in the reader and in the host's unit tests alike: fixed-width types
 * and bool, nothing else.
 */
#ifndef MLS_CORE_PORT_H
#define MLS_CORE_PORT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#endif /* MLS_CORE_PORT_H */
