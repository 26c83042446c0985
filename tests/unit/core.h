/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every unit test of the module's pure files needs.  The real .c files
 * are included by the tests, so that their static parts are under the
 * sanitizers too.
 */
#ifndef TESTS_UNIT_CORE_H
#define TESTS_UNIT_CORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Runs the tests of one file as a program. */
#define TESTS_MAIN(...)							\
int main(void)								\
{									\
	const struct CMUnitTest tests[] = { __VA_ARGS__ };		\
									\
	return cmocka_run_group_tests(tests, NULL, NULL);		\
}

/* The same numbers at every run: a failure can be looked at again. */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Values of all sizes alike, not almost all of them huge. */
static inline uint64_t random_any_size(uint64_t *state)
{
	uint64_t value = random_next(state);

	return value >> (random_next(state) % 64);
}

#endif
