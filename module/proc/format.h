/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers and tables for people. */
#ifndef MLS_PROC_FORMAT_H
#define MLS_PROC_FORMAT_H

#include <linux/seq_file.h>
#include <linux/types.h>

/* "18,446,744,073,709,551,615" and the end. */
#define MLS_NUMBER_MAX 27

/**
 * struct mls_number - a number's text
 * @text: with thousands separators, ends with a 0 byte
 */
struct mls_number {
	char text[MLS_NUMBER_MAX];
};

struct mls_number mls_number(u64 value);
struct mls_number mls_number_us(u64 value_ns);
void mls_format_title(struct seq_file *seq, const char *title);
void mls_format_rule(struct seq_file *seq, int width);

#endif /* MLS_PROC_FORMAT_H */
