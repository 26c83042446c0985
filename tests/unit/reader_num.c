// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers: exact beyond 2^53, rounded half away from zero.
 */
#include "reader.h"

#include <math.h>

#include "model/num.h"
#include "render/format.h"

static void check(struct num n, int decimals, const char *want)
{
	char buf[NUM_LEN];

	num_decimal(n, decimals, buf, sizeof(buf));
	assert_string_equal(buf, want);
}

static void decimals(void **state)
{
	(void)state;
	check(num_ratio(0, 1), 2, "0.00");
	check(num_ratio(1, 3), 2, "0.33");
	check(num_ratio(2, 3), 2, "0.67");
	check(num_ratio(1, 200), 2, "0.01");
	check(num_ratio(-1, 200), 2, "-0.01");
	check(num_ratio(-1, 201), 2, "0.00");
	check(num_ratio(999999, 1000000), 2, "1.00");
	check(num_ratio(199, 200), 0, "1");
	check(num_ratio(1, 2), 0, "1");
	check(num_ratio(10695877000, 20010000), 2, "534.53");
	check(num_real(0.5), 2, "0.50");
	check(num_absent(), 2, "absent");
}

static void beyond_double(void **state)
{
	(void)state;
	check(num_ratio(9007199254740993, 1), 0, "9007199254740993");
	check(num_ratio(INT64_MAX, 1), 2, "9223372036854775807.00");
	/* The mean of 2^53 + 1 and 2^53 + 2. */
	check(num_ratio((__int128_t)9007199254740993 + 9007199254740994, 2), 1,
	      "9007199254740993.5");
	check(num_ratio((__int128_t)INT64_MAX * 1000, 1000), 0,
	      "9223372036854775807");
}

static void differences(void **state)
{
	(void)state;
	check(num_diff(num_ratio(9007199254740993, 1),
		       num_ratio(9007199254740992, 1)), 0, "1");
	check(num_diff(num_ratio(1, 2), num_ratio(1, 3)), 6, "0.166667");
	check(num_diff(num_ratio(3, 1), num_real(0.5)), 1, "2.5");
	assert_int_equal(num_diff(num_absent(), num_ratio(1, 1)).kind,
			 NUM_ABSENT);
	assert_int_equal(num_ratio(1, 0).kind, NUM_ABSENT);
	assert_int_equal(num_real(NAN).kind, NUM_ABSENT);
	assert_int_equal(num_real(INFINITY).kind, NUM_ABSENT);
}

static void for_people(void **state)
{
	char buf[FORMAT_LEN];

	(void)state;
	format_num(num_ratio(1234567, 1), STYLE_COUNT, buf);
	assert_string_equal(buf, "1,234,567");
	format_num(num_ratio(-1234567, 1), STYLE_DECIMAL, buf);
	assert_string_equal(buf, "-1,234,567.00");
	format_num(num_ratio(123, 1), STYLE_COUNT, buf);
	assert_string_equal(buf, "123");
	/* The mean of 0 and 1 is not 1, and not 0. */
	format_num(num_ratio(1, 2), STYLE_COUNT, buf);
	assert_string_equal(buf, "0.50");
	format_num(num_ratio(1001, 10), STYLE_COUNT, buf);
	assert_string_equal(buf, "100");
	format_num(num_real(0.0004), STYLE_DECIMAL, buf);
	assert_string_equal(buf, "0.0004");
}

static void for_programs(void **state)
{
	char buf[FORMAT_LEN];

	(void)state;
	format_plain(num_ratio(9007199254740993, 1), buf);
	assert_string_equal(buf, "9007199254740993");
	format_plain(num_ratio(1069587700, 2001000), buf);
	assert_string_equal(buf, "534.526587");
	format_plain(num_real(2.5), buf);
	assert_string_equal(buf, "2.5");
	format_plain(num_real(0.000123), buf);
	assert_string_equal(buf, "0.000123");
	format_plain(num_absent(), buf);
	assert_string_equal(buf, "");
	format_plain_real(-0.0, buf);
	assert_string_equal(buf, "0");
}

static void words_are_safe(void **state)
{
	char buf[8];

	(void)state;
	format_clean("a\033[1mb", buf, sizeof(buf));
	assert_string_equal(buf, "a?[1mb");
	format_clean("1234567", buf, sizeof(buf));
	assert_string_equal(buf, "1234567");
	format_clean("12345678", buf, sizeof(buf));
	assert_string_equal(buf, "12345..");
	/* Never half a character. */
	format_clean("1234\xc3\xa4\xc3\xa4\xc3\xa4", buf, sizeof(buf));
	assert_string_equal(buf, "1234..");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals),
		cmocka_unit_test(beyond_double),
		cmocka_unit_test(differences),
		cmocka_unit_test(for_people),
		cmocka_unit_test(for_programs),
		cmocka_unit_test(words_are_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
