// SPDX-License-Identifier: GPL-2.0-only
/*
 * How wide words are, and where they are cut: with the C library's table of
 * widths, and without.
 */
#include "reader.h"

#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/text.h"
#include "render/width.h"

#define HAN	"\xe5\x8e\x8b"		/* U+538B */
#define HANGUL	"\xed\x95\x9c"		/* U+D55C */
#define ACUTE	"\xcc\x81"		/* U+0301, upon the letter before it */
#define E_ACUTE	"\xc3\xa9"
#define SMILE	"\xf0\x9f\x98\x80"
#define NEVER	"\xcd\xb8"		/* U+0378, not assigned */
#define LATER	"\xf0\x9f\xab\xbf"	/* U+1FAFF, not assigned yet */

static const struct {
	const char *text;
	size_t width;
} words[] = {
	{ "", 0 },
	{ "abc", 3 },
	{ E_ACUTE "t" E_ACUTE, 3 },
	{ "e" ACUTE "be" ACUTE, 3 },
	{ HAN HAN, 4 },
	{ HANGUL "a", 3 },
	{ SMILE, 2 },
	/* Not known: as much as it can be. */
	{ NEVER, 1 },
	{ LATER, 2 },
	/* No UTF-8: a column each, as the '?' that they become. */
	{ "\xff\xfe", 2 },
	{ "\xe5\x8e", 2 },
	{ "a\x80z", 3 },
	/* Controls, likewise. */
	{ "\x1b[m\x7f", 4 },
};

static void widths(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (width_of(words[i].text) != words[i].width)
			fail_msg("%s is %zu wide, not %zu", words[i].text,
				 width_of(words[i].text), words[i].width);
}

static void cuts(void **state)
{
	char buf[40];

	(void)state;
	assert_int_equal(width_fit(HAN HAN, 4), 6);
	assert_int_equal(width_fit(HAN HAN, 3), 3);
	assert_int_equal(width_fit(HAN HAN, 1), 0);
	/* No letter without its accent, no accent without its letter. */
	assert_int_equal(width_fit("ae" ACUTE "b", 2), 4);
	assert_int_equal(width_fit("ae" ACUTE "b", 1), 1);
	assert_int_equal(width_fit("a\xff" HAN, 3), 2);
	width_clip(HAN HAN HAN, 6, buf, sizeof(buf));
	assert_string_equal(buf, HAN HAN HAN);
	width_clip(HAN HAN HAN, 5, buf, sizeof(buf));
	assert_string_equal(buf, HAN "..");
	width_clip("abcdef", 5, buf, sizeof(buf));
	assert_string_equal(buf, "abc..");
	width_clip("a\x1b\xe5\x8e", 5, buf, sizeof(buf));
	assert_string_equal(buf, "a???");
	assert_int_equal(text_fit(HAN HAN, 6), 6);
	assert_int_equal(text_fit(HAN HAN, 5), 3);
	assert_int_equal(text_fit("a" HAN, 3), 1);
	assert_int_equal(text_fit("a\xff\xff", 2), 2);
}

/* In place of the C library's: what is asked for may not be there. */
static int has_locales = 1;

locale_t newlocale(int mask, const char *name, locale_t base)
{
	typeof(newlocale) *real;

	*(void **)&real = dlsym(RTLD_NEXT, "newlocale");
	return has_locales ? real(mask, name, base) : (locale_t)0;
}

/* Nowhere a locale of UTF-8, and the user's is no such one either. */
static void without_library(void **state)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths),
		cmocka_unit_test(cuts),
	};
	int status;
	pid_t pid;

	(void)state;
	fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		has_locales = 0;
		status = cmocka_run_group_tests(tests, NULL, NULL);
		fflush(stdout);
		_exit(status ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

/* What is set for the process stays, and does not matter. */
static void locale_of_the_user(void **state)
{
	locale_t was = uselocale((locale_t)0);

	(void)state;
	assert_non_null(setlocale(LC_ALL, "C"));
	assert_int_equal(width_of(HAN), 2);
	assert_true(uselocale((locale_t)0) == was);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* First: the locale is looked for once. */
		cmocka_unit_test(without_library),
		cmocka_unit_test(widths),
		cmocka_unit_test(cuts),
		cmocka_unit_test(locale_of_the_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
