/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every unit test of the reader needs.
 */
#ifndef TESTS_UNIT_READER_H
#define TESTS_UNIT_READER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* The message must name what is wrong. */
#define assert_says(err, part)						\
	do {								\
		if (!strstr((err).text, part))				\
			fail_msg("'%s' does not say '%s'", (err).text, part); \
	} while (0)

#endif
