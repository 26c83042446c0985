// SPDX-License-Identifier: GPL-2.0-only
#include "model/num.h"

#include <math.h>
#include <stdio.h>

/**
 * num_absent - the number that is not there
 *
 * Context: any.
 * Return: a number of kind NUM_ABSENT.
 */
struct num num_absent(void)
{
	return (struct num){ .kind = NUM_ABSENT, .q = 1 };
}

/**
 * num_ratio - an exact fraction
 * @p: numerator
 * @q: denominator; 0 makes the number absent
 *
 * Context: any.
 * Return: the number.
 */
struct num num_ratio(__int128_t p, uint64_t q)
{
	if (!q)
		return num_absent();
	return (struct num){ .kind = NUM_RATIO, .p = p, .q = q };
}

/**
 * num_real - a real number
 * @real: its value; one that is not finite makes the number absent
 *
 * Context: any.
 * Return: the number.
 */
struct num num_real(double real)
{
	if (!isfinite(real))
		return num_absent();
	/* Of the two zeros, the one without a sign. */
	return (struct num){ .kind = NUM_REAL, .q = 1, .real = real + 0.0 };
}

/**
 * num_double - the nearest double, for statistics
 * @n: the number
 *
 * Context: any.
 * Return: its value, NaN when absent.
 */
double num_double(struct num n)
{
	switch (n.kind) {
	case NUM_RATIO:
		return (double)((long double)n.p / (long double)n.q);
	case NUM_REAL:
		return n.real;
	default:
		return NAN;
	}
}

/**
 * num_is_zero - whether the number is there and zero
 * @n: the number
 *
 * Context: any.
 * Return: true for zero.
 */
bool num_is_zero(struct num n)
{
	if (n.kind == NUM_RATIO)
		return n.p == 0;
	return n.kind == NUM_REAL && n.real == 0;
}

/**
 * num_is_whole - whether the number has no fraction
 * @n: the number
 *
 * Context: any.
 * Return: true for whole numbers.
 */
bool num_is_whole(struct num n)
{
	if (n.kind == NUM_RATIO)
		return n.p % n.q == 0;
	return n.kind == NUM_REAL && n.real == floor(n.real);
}

/**
 * num_diff - a minus b, exact where both are over the same denominator
 * @a: from this
 * @b: take that
 *
 * Context: any.
 * Return: the difference; absent when either is.
 */
struct num num_diff(struct num a, struct num b)
{
	__int128_t x, y;

	if (a.kind == NUM_ABSENT || b.kind == NUM_ABSENT)
		return num_absent();
	if (a.kind != NUM_RATIO || b.kind != NUM_RATIO)
		return num_real(num_double(a) - num_double(b));
	if (a.q == b.q)
		return num_ratio(a.p - b.p, a.q);
	if (a.q > UINT64_MAX / b.q ||
	    __builtin_mul_overflow(a.p, (__int128_t)b.q, &x) ||
	    __builtin_mul_overflow(b.p, (__int128_t)a.q, &y) ||
	    __builtin_sub_overflow(x, y, &x))
		return num_real(num_double(a) - num_double(b));
	return num_ratio(x, a.q * b.q);
}

/* Digits of an unsigned 128-bit value, most significant first. */
static size_t digits(__uint128_t v, char *buf)
{
	char tmp[40];
	size_t n = 0, i;

	do {
		tmp[n++] = '0' + (int)(v % 10);
		v /= 10;
	} while (v);
	for (i = 0; i < n; i++)
		buf[i] = tmp[n - 1 - i];
	buf[n] = '\0';
	return n;
}

/**
 * num_decimal - print a plain decimal, rounded half away from zero
 * @n: the number
 * @decimals: places after the point, 0..9
 * @buf: where to
 * @size: room there, NUM_LEN is always enough
 *
 * Context: any.
 */
void num_decimal(struct num n, int decimals, char *buf, size_t size)
{
	__uint128_t v, whole, rest;
	uint64_t scale = 1;
	char digit[41];
	int i;

	if (n.kind == NUM_ABSENT) {
		snprintf(buf, size, "absent");
		return;
	}
	if (n.kind == NUM_REAL) {
		snprintf(buf, size, "%.*f", decimals, n.real);
		return;
	}
	for (i = 0; i < decimals; i++)
		scale *= 10;
	v = n.p < 0 ? -(__uint128_t)n.p : (__uint128_t)n.p;
	whole = v / n.q;
	/* The remainder is below q < 2^64, so this product fits. */
	rest = ((v % n.q) * scale * 2 + n.q) / ((__uint128_t)n.q * 2);
	if (rest >= scale) {
		rest -= scale;
		whole++;
	}
	digits(whole, digit);
	if (decimals)
		snprintf(buf, size, "%s%s.%0*llu",
			 n.p < 0 && (whole || rest) ? "-" : "", digit, decimals,
			 (unsigned long long)rest);
	else
		snprintf(buf, size, "%s%s", n.p < 0 && whole ? "-" : "", digit);
}
