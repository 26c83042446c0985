// SPDX-License-Identifier: GPL-2.0-only
#include "stats/doc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * struct doc_mem - a piece of memory that lives as long as the document
 * @next: the one before
 * @data: what is handed out
 */
struct doc_mem {
	struct doc_mem *next;
	char data[] __attribute__((aligned(16)));
};

/**
 * doc_alloc - zeroed memory that lives as long as the document
 * @doc: the document
 * @size: bytes
 *
 * Context: any.
 * Return: the memory, or NULL.
 */
void *doc_alloc(struct doc *doc, size_t size)
{
	struct doc_mem *mem = calloc(1, sizeof(*mem) + size);

	if (!mem)
		return NULL;
	mem->next = doc->mem;
	doc->mem = mem;
	return mem->data;
}

/**
 * doc_printf - a string that lives as long as the document
 * @doc: the document
 * @fmt: printf format
 *
 * Context: any.
 * Return: the string, or NULL without memory.
 */
char *doc_printf(struct doc *doc, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = n < 0 ? NULL : doc_alloc(doc, n + 1);
	if (!text)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(text, n + 1, fmt, ap);
	va_end(ap);
	return text;
}

/**
 * doc_note - add a line above the tables
 * @doc: the document
 * @text: the line, of the document's memory; NULL is taken as no memory
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int doc_note(struct doc *doc, const char *text)
{
	if (!text ||
	    grow(&doc->note, doc->nr_notes, &doc->cap_notes,
		 sizeof(*doc->note)))
		return -ENOMEM;
	doc->note[doc->nr_notes++] = text;
	return 0;
}

/**
 * doc_add_table - add an empty table
 * @doc: the document
 * @ctx: where its numbers come from
 * @name: for programs
 * @title: for people, of the document's memory; NULL is taken as no memory
 * @head: of the column of labels
 *
 * Context: any; the pointer is good until the next table is added.
 * Return: the table, or NULL.
 */
struct table *doc_add_table(struct doc *doc, struct context *ctx,
			    const char *name, const char *title,
			    const char *head)
{
	struct table *t;

	if (!title || !head ||
	    grow(&doc->table, doc->nr_tables, &doc->cap_tables,
		 sizeof(*doc->table)))
		return NULL;
	t = &doc->table[doc->nr_tables++];
	*t = (struct table){ .name = name, .title = title, .head = head,
			     .ctx = ctx };
	return t;
}

/**
 * doc_add_row - add a row without values
 * @doc: the document
 * @table: the table
 * @label: its label; NULL is taken as no memory
 *
 * Context: any; the pointer is good until the next row is added.
 * Return: the row, or NULL.
 */
struct row *doc_add_row(struct doc *doc, struct table *table,
			const char *label)
{
	struct row *row;

	if (!label || grow(&table->row, table->nr_rows, &table->cap_rows,
			   sizeof(*table->row)))
		return NULL;
	row = &table->row[table->nr_rows];
	*row = (struct row){ .label = label };
	row->cell = doc_alloc(doc, doc->nr * sizeof(*row->cell));
	row->change = doc_alloc(doc, doc->nr * sizeof(*row->change));
	if (!row->cell || !row->change)
		return NULL;
	table->nr_rows++;
	return row;
}

/**
 * doc_drop_row - take the last row away
 * @table: the table, not empty
 *
 * Context: any.
 */
void doc_drop_row(struct table *table)
{
	table->nr_rows--;
}

/**
 * doc_drop_empty_table - take the last table away if it has no rows
 * @doc: the document, with a table
 *
 * Context: any.
 */
void doc_drop_empty_table(struct doc *doc)
{
	struct table *t = &doc->table[doc->nr_tables - 1];

	if (t->nr_rows)
		return;
	free(t->row);
	doc->nr_tables--;
}

/**
 * doc_free - free a document
 * @doc: the document, empty afterwards; half-built too
 *
 * Context: any.
 */
void doc_free(struct doc *doc)
{
	struct doc_mem *next;
	size_t i;

	for (i = 0; i < doc->nr_tables; i++)
		free(doc->table[i].row);
	free(doc->table);
	free(doc->note);
	while (doc->mem) {
		next = doc->mem->next;
		free(doc->mem);
		doc->mem = next;
	}
	*doc = (struct doc){ 0 };
}
